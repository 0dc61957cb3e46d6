"""A small CNN on synthetic images and an attention block on synthetic sequences."""
from functools import partial
import numpy as np
import jax
import jax.numpy as jnp
from jax import lax, random

# %% images: bars, horizontal or vertical or none
def make_images(key, n, size=12):
    k1, k2, k3 = random.split(key, 3)
    labels = random.randint(k1, (n,), 0, 3)
    pos = random.randint(k2, (n,), 0, size)
    noise = 0.3 * random.normal(k3, (n, size, size, 1))
    grid = jnp.arange(size)
    horizontal = (grid[None, :, None] == pos[:, None, None]) & (labels == 0)[:, None, None]
    vertical = (grid[None, None, :] == pos[:, None, None]) & (labels == 1)[:, None, None]
    images = (horizontal | vertical).astype(jnp.float32)[..., None] + noise
    return images, labels

images, labels = make_images(random.key(0), 128)
print(images.shape, images.dtype, jnp.bincount(labels, length=3))

def init_cnn(key):
    ks = random.split(key, 4)
    he = jax.nn.initializers.he_normal()
    return {
        "conv1": {"w": he(ks[0], (3, 3, 1, 6)), "b": jnp.zeros(6)},
        "conv2": {"w": he(ks[1], (3, 3, 6, 10)), "b": jnp.zeros(10)},
        "out": {"w": he(ks[2], (3 * 3 * 10, 3)), "b": jnp.zeros(3)},
    }

def conv(x, p):
    y = lax.conv_general_dilated(x, p["w"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jax.nn.relu(y + p["b"])

def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

def cnn(params, x, key=None, rate=0.1):
    x = max_pool(conv(x, params["conv1"]))
    x = max_pool(conv(x, params["conv2"]))
    x = x.reshape(x.shape[0], -1)
    if key is not None:
        x = jnp.where(random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)
    return x @ params["out"]["w"] + params["out"]["b"]

def cross_entropy(params, x, y, key=None):
    logp = jax.nn.log_softmax(cnn(params, x, key))
    return -jnp.mean(jnp.take_along_axis(logp, y[:, None], axis=1))

@partial(jax.jit, static_argnames="lr", donate_argnums=0)
def step(params, x, y, key, lr=0.1):
    loss, grads = jax.value_and_grad(cross_entropy)(params, x, y, key)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

params = init_cnn(random.key(1))
key = random.key(2)
for i in range(12):
    key, sub = random.split(key)
    params, loss = step(params, images, labels, sub)
    if i % 4 == 3:
        print(i, f"{float(loss):.4f}")
test_images, test_labels = make_images(random.key(9), 64)
print("accuracy", float((cnn(params, test_images).argmax(-1) == test_labels).mean()))
# per-example gradients
per_example = jax.vmap(jax.grad(lambda p, x, y: cross_entropy(p, x[None], y[None])), in_axes=(None, 0, 0))
norms = jax.vmap(lambda t: jnp.sqrt(sum(jnp.vdot(l, l) for l in jax.tree.leaves(t))))(per_example(params, images[:8], labels[:8]))
print("per example norms", norms)
# saliency, layer statistics
print("saliency", jnp.abs(jax.grad(lambda x: cnn(params, x[None])[0, 0])(images[0])).max())

# %% attention: learn to copy the token before
V, D, H, T = 17, 24, 3, 19
def init(key, layers=2):
    def layer(k):
        k = random.split(k, 6)
        n = lambda k, *s: random.normal(k, s) * s[0] ** -0.5
        return {"wq": n(k[0], D, H, D // H), "wk": n(k[1], D, H, D // H), "wv": n(k[2], D, H, D // H),
                "wo": n(k[3], D, D), "w1": n(k[4], D, 2 * D), "w2": n(k[5], 2 * D, D), "g1": jnp.ones(D), "g2": jnp.ones(D)}
    ks = random.split(key, layers + 2)
    return {"embed": random.normal(ks[0], (V, D)) * 0.3, "pos": random.normal(ks[1], (T, D)) * 0.3,
            "layers": jax.vmap(layer)(ks[2:])}

def norm(x, g):
    x = x - x.mean(-1, keepdims=True)
    return g * x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)

def attention(x, p):
    q, k, v = (jnp.einsum("td,dhk->htk", x, p[n]) for n in ("wq", "wk", "wv"))
    scores = jnp.einsum("hqc,hkc->hqk", q, k) / jnp.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
    return jnp.einsum("hqk,hkc->qhc", weights, v).reshape(x.shape) @ p["wo"]

@jax.checkpoint
def block(x, p):
    x = x + attention(norm(x, p["g1"]), p)
    return x + jax.nn.gelu(norm(x, p["g2"]) @ p["w1"]) @ p["w2"], None

def model(params, tokens):
    x = params["embed"][tokens] + params["pos"][:tokens.shape[0]]
    x, _ = lax.scan(block, x, params["layers"])
    return x @ params["embed"].T

def lm_loss(params, tokens):
    logits = jax.vmap(model, (None, 0))(params, tokens[:, :-1])
    targets = tokens[:, :-1]
    targets = jnp.concatenate([targets[:, :1], targets[:, :-1]], 1)  # the token before
    logp = jax.nn.log_softmax(logits)
    return -(jax.nn.one_hot(targets, V) * logp).sum(-1).mean()

params = init(random.key(5))
tokens = random.randint(random.key(6), (8, T + 1), 0, V)

@jax.jit
def train(params, tokens):
    def body(carry, _):
        params, m = carry
        loss, g = jax.value_and_grad(lm_loss)(params, tokens)
        m = jax.tree.map(lambda m, g: 0.9 * m + g, m, g)
        return (jax.tree.map(lambda p, m: p - 0.1 * m, params, m), m), loss
    (params, _), losses = lax.scan(body, (params, jax.tree.map(jnp.zeros_like, params)), None, length=10)
    return params, losses
params, losses = train(params, tokens)
print("losses", losses)

# greedy then sampled generation with a while loop and top-k
@partial(jax.jit, static_argnums=3)
def generate(params, prompt, key, n, temperature=0.7):
    buffer = jnp.zeros(T, jnp.int32).at[:prompt.shape[0]].set(prompt)
    def cond(s):
        return s[1] < n
    def body(s):
        buf, i, key = s
        key, sub = random.split(key)
        logits = model(params, buf)[i - 1] / temperature
        top, ids = lax.top_k(logits, 5)
        choice = ids[random.categorical(sub, top)]
        return buf.at[i].set(choice), i + 1, key
    return lax.while_loop(cond, body, (buffer, prompt.shape[0], key))[0]
print("generated", generate(params, tokens[0, :4], random.key(7), T))
print("bf16", jax.tree.map(lambda a: a.astype(jnp.bfloat16), params)["embed"].dtype, model(jax.tree.map(lambda a: a.astype(jnp.bfloat16), params), tokens[0, :5])[0, :4])
