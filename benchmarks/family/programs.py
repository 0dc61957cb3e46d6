"""Families of ordinary JAX programs: each draws its sizes from a random generator.

A family is a function of a `Draw` that returns (function, arguments). Sizes are typical of programs and data: powers of
two, multiples of eight, and odd ones; above and below what fits VMEM of the smaller presets. Nothing here depends on
the compiler.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

GROUPS = {}  # name of the family: its group
FAMILIES = {}


def family(group):
    def register(function):
        FAMILIES[function.__name__] = function
        GROUPS[function.__name__] = group
        return function
    return register


class Draw:
    """Sizes and contents of one program."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def size(self, *among):
        return int(self.random.choice(among))

    def rows(self):
        return self.size(32, 64, 100, 128, 200, 256)

    def width(self):
        return self.size(64, 96, 128, 160, 256, 300, 384, 512)

    def f32(self, *shape, scale=1.0):
        return self.random.normal(0, scale, shape).astype(np.float32)

    def bf16(self, *shape, scale=1.0):
        return jnp.asarray(self.f32(*shape, scale=scale), jnp.bfloat16)

    def s8(self, *shape):
        return self.random.integers(-127, 128, shape).astype(np.int8)

    def below(self, bound, *shape):
        return self.random.integers(0, bound, shape).astype(np.int32)


# Products


@family("products")
def nn_product(d):
    m, k, n = d.rows(), d.width(), d.width()
    return lambda a, b: a @ b, (d.f32(m, k), d.f32(k, n))


@family("products")
def linear(d):
    m, k, n = d.rows(), d.width(), d.width()
    return lambda x, w, b: x @ w.T + b, (d.f32(m, k), d.f32(n, k), d.f32(n))


@family("products")
def weight_gradient(d):
    m, k, n = d.rows(), d.width(), d.width()
    return lambda x, g: x.T @ g, (d.f32(m, k), d.f32(m, n))


@family("products")
def both_transposed(d):
    m, k, n = d.rows(), d.width(), d.width()
    return lambda a, b: a.T @ b.T, (d.f32(k, m), d.f32(n, k))


@family("products")
def batched(d):
    b, m, k, n = d.size(4, 6, 8), d.size(48, 64, 100), d.size(32, 64, 80), d.size(48, 64, 100)
    return lambda a, b: jnp.einsum("bmk,bnk->bmn", a, b), (d.f32(b, m, k), d.f32(b, n, k))


@family("products")
def few_rows(d):
    m, k, n = d.size(1, 2, 4, 8, 12), d.size(640, 1024, 1536), d.size(768, 1024)
    return lambda a, b: a @ b, (d.f32(m, k), d.f32(k, n))


@family("products")
def bf16_product(d):
    m, k, n = d.rows(), d.width(), d.width()
    return lambda a, b: a @ b, (d.bf16(m, k), d.bf16(k, n))


@family("products")
def bf16_to_f32(d):
    m, k, n = d.size(1, 8, 64), d.width(), d.size(512, 1024)
    return (lambda a, b: jnp.dot(a, b, preferred_element_type=jnp.float32)), (d.bf16(m, k), d.bf16(k, n))


@family("products")
def tied_embedding(d):
    m, k, v = d.size(1, 4, 16), d.size(256, 320, 512), d.size(1000, 2048)
    return (lambda x, e: jnp.einsum("nd,vd->nv", x, e, preferred_element_type=jnp.float32)), (d.bf16(m, k), d.bf16(v, k))


@family("products")
def s8_product(d):
    m, k, n = d.rows(), d.size(128, 256, 320), d.size(128, 256, 320)
    return lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32), (d.s8(m, k), d.s8(k, n))


@family("products")
def s8_weights(d):
    m, k, n = d.size(1, 8, 32), d.size(256, 512), d.size(256, 384, 512)
    return (lambda x, w, s: (x @ w.astype(jnp.float32)) * s), (d.f32(m, k), d.s8(k, n), d.f32(n, scale=.01))


@family("products")
def mlp(d):
    m, k, h = d.rows(), d.size(96, 128, 256), d.size(256, 512)
    return (lambda x, a, b, c, e: nn.relu(x @ a + b) @ c + e), (
        d.f32(m, k), d.f32(k, h, scale=k**-.5), d.f32(h), d.f32(h, k, scale=h**-.5), d.f32(k))


# Attention and blocks


def attended(q, k, v, causal):
    return jax.nn.dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]


@family("attention")
def attention_shd(d):
    s, h, c = d.size(96, 128, 200, 256), d.size(2, 4), d.size(32, 64)
    causal = bool(d.size(0, 1))
    return lambda q, k, v: attended(q, k, v, causal), (d.f32(s, h, c), d.f32(s, h, c), d.f32(s, h, c))


@family("attention")
def attention_grouped(d):
    s, h, c = d.size(96, 128, 200), d.size(4, 8), d.size(32, 64)
    return lambda q, k, v: attended(q, k, v, True), (d.f32(s, h, c), d.f32(s, h // 4, c), d.f32(s, h // 4, c))


@family("attention")
def attention_heads_first(d):
    s, h, c = d.size(96, 128, 256), d.size(2, 4), d.size(32, 64)

    def f(q, k, v):
        return jnp.einsum("hqk,hkd->hqd", nn.softmax(jnp.einsum("hqd,hkd->hqk", q, k) * np.float32(c**-.5), -1), v)
    return f, (d.f32(h, s, c), d.f32(h, s, c), d.f32(h, s, c))


def normed(x, w, b):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean)**2).mean(-1, keepdims=True) + 1e-5) * w + b


def block(p, x, heads):
    t, c = x.shape
    split = lambda a: a.reshape(t, heads, c // heads).transpose(1, 0, 2)  # noqa: E731
    q, k, v = (split(a) for a in jnp.split(normed(x, p["g1"], p["c1"]) @ p["qkv"], 3, -1))
    s = jnp.einsum("hqd,hkd->hqk", q, k) / np.float32((c // heads)**.5)
    s = jnp.where(jnp.tril(jnp.ones((t, t), bool)), s, -1e9)
    o = jnp.einsum("hqk,hkd->hqd", nn.softmax(s, -1), v).transpose(1, 0, 2).reshape(t, c)
    x = x + o @ p["out"]
    return x + nn.gelu(normed(x, p["g2"], p["c2"]) @ p["up"]) @ p["down"]


def block_parameters(d, c, hidden):
    one, zero = np.ones(c, np.float32), np.zeros(c, np.float32)
    return {"g1": one, "c1": zero, "g2": one, "c2": zero, "qkv": d.f32(c, 3 * c, scale=c**-.5),
            "out": d.f32(c, c, scale=c**-.5), "up": d.f32(c, hidden, scale=c**-.5),
            "down": d.f32(hidden, c, scale=hidden**-.5)}


@family("attention")
def block_forward(d):
    t, c, heads = d.size(64, 96, 128), d.size(64, 128), d.size(2, 4)
    return lambda p, x: block(p, x, heads), (block_parameters(d, c, 4 * c), d.f32(t, c))


@family("attention")
def block_gradient(d):
    t, c, heads = d.size(64, 96, 128), d.size(64, 128), d.size(2, 4)
    return (lambda p, x: jax.value_and_grad(lambda p: (block(p, x, heads)**2).mean())(p)), (
        block_parameters(d, c, 4 * c), d.f32(t, c))


@family("attention")
def train_mlp(d):
    sizes = [d.size(64, 100, 128), d.size(128, 200), d.size(10, 32)]
    p = [(d.f32(a, b, scale=a**-.5), d.f32(b, scale=.1)) for a, b in zip(sizes, sizes[1:])]
    batch = d.size(32, 64, 100)

    def f(p, x, y):
        def loss(p):
            h = nn.relu(x @ p[0][0] + p[0][1])
            return -jnp.mean(jnp.sum(nn.one_hot(y, sizes[-1]) * nn.log_softmax(h @ p[1][0] + p[1][1]), -1))
        value, g = jax.value_and_grad(loss)(p)
        return jax.tree.map(lambda p, g: p - .1 * g, p, g), value
    return f, (p, d.f32(batch, sizes[0]), d.below(sizes[-1], batch))


@family("attention")
def adam(d):
    a, b = d.size(128, 200, 256), d.size(128, 256)
    w = d.f32(a, b, scale=a**-.5)

    def f(w, m, v, x, y):
        g = jax.grad(lambda w: ((jnp.tanh(x @ w) - y)**2).mean())(w)
        m, v = .9 * m + .1 * g, .999 * v + .001 * g * g
        return w - 1e-3 * m / (jnp.sqrt(v) + 1e-8), m, v
    batch = d.size(64, 96)
    return f, (w, np.zeros_like(w), np.full_like(w, 1e-3), d.f32(batch, a), d.f32(batch, b))


# Convolutions


def convolved(x, w, stride=1, numbers=("NHWC", "HWIO", "NHWC"), **more):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=numbers, **more)


NCHW = ("NCHW", "OIHW", "NCHW")


@family("convolutions")
def conv_nhwc(d):
    n, s, c, o = d.size(1, 2), d.size(14, 20, 28), d.size(16, 32, 48, 64), d.size(32, 64)
    return convolved, (d.f32(n, s, s, c), d.f32(3, 3, c, o, scale=.05))


@family("convolutions")
def conv_nchw(d):
    n, s, c, o = d.size(1, 2), d.size(14, 20, 28), d.size(16, 32, 48, 64), d.size(32, 64)
    return (lambda x, w: convolved(x, w, numbers=NCHW)), (d.f32(n, c, s, s), d.f32(o, c, 3, 3, scale=.05))


@family("convolutions")
def conv_1x1(d):
    s, c, o = d.size(14, 20, 28), d.size(32, 64, 96), d.size(32, 64, 96)
    if d.size(0, 1):
        return (lambda x, w: convolved(x, w, numbers=NCHW)), (d.f32(1, c, s, s), d.f32(o, c, 1, 1))
    return convolved, (d.f32(1, s, s, c), d.f32(1, 1, c, o))


@family("convolutions")
def conv_depthwise(d):
    s, c, k = d.size(14, 20, 28), d.size(32, 64, 96), d.size(3, 5)
    return (lambda x, w: convolved(x, w, feature_group_count=c)), (d.f32(1, s, s, c), d.f32(k, k, 1, c))


@family("convolutions")
def conv_strided(d):
    s, c, o, k = d.size(28, 32, 56), d.size(3, 16, 32), d.size(32, 64), d.size(3, 5, 7)
    return (lambda x, w: convolved(x, w, 2)), (d.f32(1, s, s, c), d.f32(k, k, c, o, scale=.1))


@family("convolutions")
def conv_gradient(d):
    n, s, c = d.size(1, 2, 4), d.size(8, 14), d.size(16, 32, 48)
    return (lambda x, w, g: jax.vjp(convolved, x, w)[1](g)), (
        d.f32(n, s, s, c), d.f32(3, 3, c, c, scale=.06), d.f32(n, s, s, c))


# Norms and reductions


@family("norms")
def layer_norm(d):
    m, n = d.rows(), d.width()
    return normed, (d.f32(m, n), d.f32(n), d.f32(n))


@family("norms")
def batch_norm(d):
    n, s, c = d.size(2, 4, 8), d.size(10, 14, 20), d.size(16, 32, 48)

    def f(x, w, b):
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * lax.rsqrt(variance + 1e-5) * w + b, mean, variance
    return f, (d.f32(n, s, s, c), d.f32(c), d.f32(c))


@family("norms")
def group_norm(d):
    n, s, c, g = d.size(1, 2, 4), d.size(8, 14), d.size(32, 64), d.size(4, 8)

    def f(x, w, b):
        y = x.reshape(n, s, s, g, c // g)
        mean = y.mean((1, 2, 4), keepdims=True)
        y = (y - mean) * lax.rsqrt(((y - mean)**2).mean((1, 2, 4), keepdims=True) + 1e-5)
        return y.reshape(x.shape) * w + b
    return f, (d.f32(n, s, s, c), d.f32(c), d.f32(c))


@family("norms")
def softmax_columns(d):
    return lambda x: nn.softmax(x, 0), (d.f32(d.rows(), d.width()),)


@family("norms")
def log_softmax_narrow(d):
    return lambda x: nn.log_softmax(x, -1), (d.f32(d.size(500, 1000, 2048), d.size(3, 5, 10)),)


@family("reductions")
def sum_all(d):
    return jnp.sum, (d.f32(d.rows(), d.width()),)


@family("reductions")
def mean_square(d):
    m, n = d.rows(), d.width()
    return (lambda x, y: jax.value_and_grad(lambda x: ((x - y)**2).mean())(x)), (d.f32(m, n), d.f32(m, n))


@family("reductions")
def sum_columns(d):
    return lambda x: x.sum(0), (d.f32(d.rows(), d.width()),)


@family("reductions")
def max_axes(d):
    x = d.f32(d.size(4, 8), d.size(16, 24, 32), d.size(14, 20), d.size(14, 20))
    axes = [(0, 2, 3), (2, 3), (0, 1), (1, 3)][d.size(0, 1, 2, 3)]
    return lambda x: x.max(axes), (x,)


@family("reductions")
def any_all(d):
    x = d.f32(d.rows(), d.width())
    return lambda x: ((x > 3.).any(), (x < 9.).all(-1)), (x,)


@family("reductions")
def argmax_rows(d):
    return lambda x: jnp.argmax(x, -1), (d.f32(d.rows(), d.size(100, 256, 1000)),)


@family("reductions")
def argmin_columns(d):
    return lambda x: jnp.argmin(x, 0), (d.f32(d.rows(), d.width()),)


@family("reductions")
def logsumexp(d):
    return lambda x: nn.logsumexp(x, -1).mean(), (d.f32(d.rows(), d.width()),)


@family("reductions")
def global_norm(d):
    shapes = [(d.rows(), d.width()), (d.width(),), (d.rows(), d.size(10, 32))]
    return (lambda g: jax.tree.map(lambda a: a / jnp.sqrt(sum((b * b).sum() for b in g)), g)), (
        [d.f32(*s) for s in shapes],)


# Moves


@family("moves")
def transpose(d):
    return lambda x: x.T, (d.f32(d.rows(), d.width()),)


@family("moves")
def heads_first(d):
    return lambda x: x.transpose(1, 0, 2), (d.f32(d.rows(), d.size(2, 4, 8), d.size(32, 64)),)


@family("moves")
def channels_last(d):
    return lambda x: x.transpose(0, 2, 3, 1), (d.f32(d.size(1, 2), d.size(3, 32), d.size(20, 28), d.size(20, 28)),)


@family("moves")
def strided_slice(d):
    return lambda x: x[:, ::2], (d.f32(d.rows(), d.width()),)


@family("moves")
def flip(d):
    return lambda x: x[:, ::-1], (d.f32(d.rows(), d.width()),)


@family("moves")
def repeat(d):
    return lambda x: jnp.repeat(x, 2, -1), (d.f32(d.rows(), d.width()),)


@family("moves")
def padded(d):
    return lambda x: jnp.pad(x, ((1, 1), (1, 1))), (d.f32(d.rows(), d.width()),)


@family("moves")
def concatenated(d):
    m = d.rows()
    return lambda a, b: jnp.concatenate([a, b], -1), (d.f32(m, d.size(60, 96, 128)), d.f32(m, d.size(30, 64, 128)))


@family("moves")
def roll(d):
    return lambda x: jnp.roll(x, 1, -1), (d.f32(d.rows(), d.width()),)


@family("moves")
def rotary_pairs(d):
    h, t, c = d.size(2, 4), d.size(64, 128), d.size(32, 64)

    def f(x, cos, sin):
        a, b = x[..., ::2], x[..., 1::2]
        return jnp.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)
    return f, (d.f32(h, t, c), d.f32(t, c // 2), d.f32(t, c // 2))


@family("moves")
def rotary_halves(d):
    h, t, c = d.size(2, 4), d.size(64, 128), d.size(32, 64)

    def f(x, cos, sin):
        a, b = jnp.split(x, 2, -1)
        return x * cos + jnp.concatenate([-b, a], -1) * sin
    return f, (d.f32(h, t, c), d.f32(t, c), d.f32(t, c))


@family("moves")
def upsample(d):
    s, c = d.size(8, 14, 16), d.size(16, 32)
    return lambda x: jnp.repeat(jnp.repeat(x, 2, 1), 2, 2), (d.f32(1, s, s, c),)


@family("moves")
def stencil(d):
    s = d.size(96, 128, 200)

    def f(x):
        inner = .25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
        return x.at[1:-1, 1:-1].set(inner)
    return f, (d.f32(s, s),)


# Elementwise


@family("elementwise")
def gelu(d):
    return nn.gelu, (d.f32(d.rows(), d.width()),)


@family("elementwise")
def exact_gelu(d):
    return lambda x: nn.gelu(x, approximate=False), (d.f32(d.rows(), d.width()),)


@family("elementwise")
def swiglu(d):
    m, n = d.rows(), d.width()
    return lambda a, b: nn.silu(a) * b, (d.f32(m, n), d.f32(m, n))


@family("elementwise")
def long_chain(d):
    m, n = d.rows(), d.width()

    def f(x):
        for i in range(40):
            x = x * np.float32(1 - i / 100) + np.float32(.01)
        return x
    return f, (d.f32(m, n),)


@family("elementwise")
def narrow_rows(d):
    m, n = d.size(1000, 4096), d.size(3, 8)
    return lambda x, w, b: x * w + b, (d.f32(m, n), d.f32(n), d.f32(n))


@family("elementwise")
def channel_bias(d):
    n, c, s = d.size(1, 4), d.size(16, 32), d.size(14, 16, 20)
    return lambda x, w, b: nn.relu(x * w[:, None, None] + b[:, None, None]), (d.f32(n, c, s, s), d.f32(c), d.f32(c))


@family("elementwise")
def bf16_map(d):
    m, n = d.rows(), d.width()
    return lambda x, y: x * y + x, (d.bf16(m, n), d.bf16(m, n))


@family("elementwise")
def from_u8(d):
    n, s = d.size(1, 2), d.size(32, 64)
    return lambda x: x.astype(jnp.float32) / 255. - .5, (d.random.integers(0, 256, (n, s, s, 3)).astype(np.uint8),)


@family("elementwise")
def to_s8(d):
    return (lambda x: jnp.clip(jnp.round(x * 31.), -127, 127).astype(jnp.int8)), (d.f32(d.rows(), d.width()),)


@family("elementwise")
def outer_difference(d):
    a, b = d.size(100, 128, 256), d.size(100, 128, 256)
    return lambda x, y: jnp.exp(-(x[:, None] - y[None, :])**2), (d.f32(a), d.f32(b))


@family("elementwise")
def dropout(d):
    m, n = d.rows(), d.width()
    return (lambda key, x: jnp.where(jax.random.bernoulli(key, .9, x.shape), x / .9, 0.)), (
        np.array([1, 2], np.uint32), d.f32(m, n))


# Recurrences


@family("recurrences")
def lstm(d):
    t, b, h = d.size(8, 16), d.size(4, 16), d.size(32, 64)

    def f(x, w, u, bias):
        def step(state, x):
            hidden, cell = state
            i, g, o, forget = jnp.split(x @ w + hidden @ u + bias, 4, -1)
            cell = nn.sigmoid(forget) * cell + nn.sigmoid(i) * jnp.tanh(g)
            hidden = nn.sigmoid(o) * jnp.tanh(cell)
            return (hidden, cell), hidden
        zero = jnp.zeros((b, h))
        return lax.scan(step, (zero, zero), x)[1]
    return f, (d.f32(t, b, h), d.f32(h, 4 * h, scale=h**-.5), d.f32(h, 4 * h, scale=h**-.5), d.f32(4 * h))


@family("recurrences")
def layers_in_a_scan(d):
    layers, m, h = d.size(4, 6), d.size(1, 8, 16), d.size(128, 256)
    return (lambda x, w: lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, w)[0]), (
        d.f32(m, h), d.f32(layers, h, h, scale=h**-.5))


@family("recurrences")
def cumsum_rows(d):
    return lambda x: jnp.cumsum(x, -1), (d.f32(d.rows(), d.width()),)


@family("recurrences")
def cumsum_columns(d):
    return lambda x: jnp.cumsum(x, 0), (d.f32(d.rows(), d.width()),)


@family("recurrences")
def state_space(d):
    t, c = d.size(64, 128), d.size(64, 128)

    def f(a, b):
        return lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (nn.sigmoid(a), b))[1]
    return f, (d.f32(t, c), d.f32(t, c))


@family("recurrences")
def decode_step(d):
    t, h, c = d.size(128, 256), d.size(2, 4), d.size(32, 64)

    def f(q, k, v, new_k, new_v, n):
        k, v = lax.dynamic_update_slice(k, new_k, (0, n, 0)), lax.dynamic_update_slice(v, new_v, (0, n, 0))
        s = jnp.einsum("hd,htd->ht", q, k) * np.float32(c**-.5)
        s = jnp.where(jnp.arange(t) <= n, s, -jnp.inf)
        return jnp.einsum("ht,htd->hd", nn.softmax(s, -1), v), k, v
    return f, (d.f32(h, c), d.f32(h, t, c), d.f32(h, t, c), d.f32(h, 1, c), d.f32(h, 1, c), np.int32(t // 2))


# Gathers and sorts


@family("gathers")
def embedding(d):
    v, c, n = d.size(500, 1000), d.size(64, 128), d.size(128, 256, 1000)
    return lambda t, i: t[i], (d.f32(v, c), d.below(v, n))


@family("gathers")
def embedding_gradient(d):
    v, c, n = d.size(100, 500), d.size(64, 128), d.size(128, 256)
    return (lambda t, i, g: jax.vjp(lambda t: t[i], t)[1](g)), (d.f32(v, c), d.below(v, n), d.f32(n, c))


@family("gathers")
def segment_sum(d):
    n, c, s = d.size(200, 500), d.size(32, 64), d.size(20, 50)
    return (lambda x, i: jax.ops.segment_sum(x, i, s)), (d.f32(n, c), d.below(s, n))


@family("gathers")
def take_words(d):
    n, m = d.size(256, 1000), d.size(128, 500)
    return lambda t, i: t[i], (d.f32(n), d.below(n, m))


@family("gathers")
def take_along(d):
    m, n = d.size(64, 128), d.size(50, 100)
    return (lambda x, i: jnp.take_along_axis(x, i, -1)), (d.f32(m, n), d.below(n, m, 1))


@family("gathers")
def cross_entropy(d):
    m, n = d.size(64, 128), d.size(100, 500)
    return (lambda x, y: -jnp.take_along_axis(nn.log_softmax(x), y[:, None], -1).mean()), (
        d.f32(m, n), d.below(n, m))


@family("sorts")
def sort_rows(d):
    return lambda x: jnp.sort(x, -1), (d.f32(d.size(32, 64), d.size(100, 128, 256)),)


@family("sorts")
def argsort(d):
    return jnp.argsort, (d.f32(d.size(200, 500, 1000)),)


@family("sorts")
def top_k(d):
    k = d.size(2, 8)
    return lambda x: lax.top_k(x, k), (d.f32(d.size(16, 64), d.size(64, 256)),)


@family("sorts")
def median(d):
    return lambda x: jnp.median(x, -1), (d.f32(d.size(16, 32), d.size(64, 101)),)


@family("sorts")
def moe(d):
    t, c, e, h = d.size(64, 128), d.size(64, 128), 4, d.size(128, 256)
    k = 2

    def f(x, gate, up, down):
        g, chosen = lax.top_k(nn.softmax(x @ gate), k)
        room = 2 * t * k // e
        hot = nn.one_hot(chosen, e)
        place = (jnp.cumsum(hot.reshape(t * k, e), 0).reshape(t, k, e) - 1) * hot
        sent = hot[..., None] * nn.one_hot(place.astype(jnp.int32), room)
        y = nn.gelu(jnp.einsum("ecd,edh->ech", jnp.einsum("tkec,td->ecd", sent, x), up))
        y = jnp.einsum("ech,ehd->ecd", y, down)
        return jnp.einsum("tkec,tk,ecd->td", sent, g / g.sum(-1, keepdims=True), y)
    return f, (d.f32(t, c), d.f32(c, e), d.f32(e, c, h, scale=c**-.5), d.f32(e, h, c, scale=h**-.5))
