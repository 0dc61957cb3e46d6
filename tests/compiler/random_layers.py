"""The steps of random_jax.py: each takes a value of the program and makes another one.

A step is a function of (Draw, shape of a float32 value) that returns a function of (that value, new
inputs...) and the shapes of those inputs, or None where it does not fit. Inputs of kind "index" hold
numbers below their bound. Values stay near 1, so that errors stay relative.
"""

import math

import jax
import jax.numpy as jnp
from jax import lax

# Around sublanes, lanes of nano, small and full, and sizes that fill an eighth, a half and all of VMEM. The compiler's
# own thresholds come beside them (decisions.py).
EXTENTS = (1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 144, 200, 255, 256,
           257, 300, 512, 513, 1000, 1024, 1025)
LONG = (2048, 4095, 4096, 4097, 5000, 8193, 16384, 65536, 100000)
MOST_ELEMENTS = 1 << 18
MOST_AIMED = 1 << 20  # at the beginning of a program that aims at so many
MOST_PRODUCTS = 1 << 24


class Draw:
    """Choices of one program, half of whose extents come from its target decision."""

    def __init__(self, random, sizes=(), aimed=()):
        self.random = random
        self.extents = (*EXTENTS, *(size for size in sizes if size <= EXTENTS[-1]))
        self.aimed = aimed

    def __call__(self, options):
        return self.random.choice(options)

    def extent(self, most=1 << 20):
        aimed = [size for size in self.aimed if size <= most]
        return self(aimed if aimed and self.chance(0.5) else [size for size in self.extents if size <= most])

    def chance(self, share):
        return self.random.random() < share


def real(*shape):
    return ("real", shape, 0)


def index(bound, *shape):
    return ("index", shape, bound)


def matmul(draw, shape):
    if not shape:
        return None
    rows, width = math.prod(shape[:-1]), draw.extent(max(1, MOST_PRODUCTS // max(1, math.prod(shape))))
    if rows * width > MOST_ELEMENTS or shape[-1] * width > MOST_ELEMENTS:
        return None
    scale = 1 / math.sqrt(shape[-1])
    if draw.chance(0.3):
        return lambda x, w: x @ w.T * scale, [real(width, shape[-1])]
    return lambda x, w: x @ w * scale, [real(shape[-1], width)]


def attention(draw, shape):
    if len(shape) != 2 or shape[0] * shape[0] * 4 > MOST_ELEMENTS * 4 or shape[0] < 2:
        return None
    tokens, width = shape
    groups = draw((1, 2, 3))
    heads, size = groups * draw((1, 2)), draw((8, 16, 20, 32, 64))
    if tokens * tokens * heads * size > MOST_PRODUCTS or tokens * width * heads * size > MOST_PRODUCTS:
        return None
    kind = draw(("none", "causal", "padded", "empty rows"))

    def function(x, wq, wk, wv, length):
        split = lambda y, n: y.reshape(tokens, n, size).transpose(1, 0, 2)
        q, k, v = split(x @ wq, heads), split(x @ wk, heads // groups), split(x @ wv, heads // groups)
        k, v = (jnp.repeat(y, groups, axis=0) for y in (k, v))
        scores = jnp.einsum("hqd,hkd->hqk", q, k) / (math.sqrt(size) * width)
        position = jnp.arange(tokens)
        if kind == "causal":
            scores = jnp.where(position[:, None] >= position, scores, -jnp.inf)
        elif kind == "padded":
            scores = jnp.where(position <= length[0], scores, -1e9)
        weights = jax.nn.softmax(scores, axis=-1)
        if kind == "empty rows":
            weights = jnp.where((position < length[0])[:, None], weights, 0.0)
        return jnp.einsum("hqk,hkd->hqd", weights, v).transpose(1, 0, 2).reshape(tokens, heads * size) / math.sqrt(width)

    return function, [real(width, heads * size), *[real(width, heads // groups * size)] * 2, index(tokens, 1)]


def normal(draw, shape):
    if not shape or shape[-1] < 2:
        return None
    axis = draw((-1, -1, 0))
    if shape[axis] < 2:
        return None
    kind = draw(("layer", "rms", "softmax", "logsumexp"))

    def function(x):
        match kind:
            case "layer":
                return (x - x.mean(axis, keepdims=True)) * lax.rsqrt(x.var(axis, keepdims=True) + 1e-1)
            case "rms":
                return x * lax.rsqrt((x * x).mean(axis, keepdims=True) + 1e-1)
            case "softmax":
                return jax.nn.softmax(x, axis=axis) * math.sqrt(shape[axis])
        return x - jax.nn.logsumexp(x, axis=axis, keepdims=True) / math.log(2 + shape[axis])

    return function, []


def unary(draw, shape):
    return draw((jnp.tanh, jax.nn.gelu, jax.nn.silu, jnp.sin, lambda x: jnp.exp(-x * x), jnp.abs,
                 lambda x: jnp.sqrt(x * x + 0.1), lambda x: 1 / (1 + x * x), jax.nn.relu,
                 lambda x: jnp.where(x > 0.5, x, 0.1 * x))), []


def binary(draw, shape):
    other = tuple(size if draw.chance(0.6) else 1 for size in shape)[draw.random.randint(0, len(shape)):]
    function = draw((jnp.add, jnp.multiply, jnp.subtract, jnp.maximum, jnp.minimum))
    return function, [real(*other)]


def reduction(draw, shape):
    axes = tuple(i for i in range(len(shape)) if draw.chance(0.5))
    keep = draw.chance(0.3)
    count = math.prod(shape[i] for i in axes)
    if draw.chance(0.6):
        return lambda x: x.sum(axes, keepdims=keep) / math.sqrt(max(1, count)), []
    return lambda x: (x.max if count else x.sum)(axes, keepdims=keep), []


def movement(draw, shape):
    axis = draw.random.randrange(len(shape)) if shape else 0
    kind = draw(("transpose", "flatten", "split", "slice", "stride", "pad", "concatenate", "flip", "roll", "repeat",
                 "broadcast", "tile"))
    if kind in ("transpose",):
        order = draw.random.sample(range(len(shape)), len(shape))
        return lambda x: x.transpose(order), []
    if kind == "flatten" and len(shape) > 1:
        where = draw.random.randrange(len(shape) - 1)
        merged = shape[:where] + (shape[where] * shape[where + 1],) + shape[where + 2:]
        return lambda x: x.reshape(merged), []
    if not shape:
        return None
    size = shape[axis]
    if kind == "split":
        factors = [n for n in range(2, size) if size % n == 0]
        if not factors or len(shape) > 4:
            return None
        inner = draw(factors)
        apart = shape[:axis] + (size // inner, inner) + shape[axis + 1:]
        return lambda x: x.reshape(apart), []
    if kind == "slice" and size > 2:
        low = draw.random.randrange(size - 1)
        high = draw.random.randint(low + 1, size)
        return lambda x: lax.slice_in_dim(x, low, high, axis=axis), []
    if kind == "stride" and size > 2:
        step = draw((2, 3))
        return lambda x: lax.slice_in_dim(x, 1, size, step, axis=axis), []
    if kind == "pad":
        config = [(draw((0, 1, 5)), draw((0, 2, 3)), draw((0, 0, 1))) for _ in shape]
        return lambda x: lax.pad(x, jnp.float32(0.25), config), []
    if kind == "concatenate":
        other = shape[:axis] + (draw.extent(64),) + shape[axis + 1:]
        return lambda x, y: jnp.concatenate([x, y], axis), [real(*other)]
    if kind == "flip":
        return lambda x: jnp.flip(x, axis), []
    if kind == "roll":
        return lambda x: jnp.roll(x, size // 3 + 1, axis), []
    if kind == "repeat":
        return lambda x: jnp.repeat(x, 2, axis), []
    if kind == "broadcast":
        return lambda x: jnp.broadcast_to(x[None], (3, *shape)), []
    if kind == "tile":
        return lambda x: jnp.tile(x, 2), []
    return None


def indexing(draw, shape):
    if not shape or shape[0] < 2:
        return None
    size = shape[0]
    kind = draw(("rows", "along", "slice", "update", "segments", "scatter", "one hot"))
    if kind == "rows":
        count = draw(EXTENTS + LONG)
        if count * math.prod(shape[1:]) > MOST_ELEMENTS or count * math.prod(shape[1:]) < 1:
            return None
        return lambda x, i: x[i], [index(size, count)]
    if kind == "along":
        return lambda x, i: jnp.take_along_axis(x, i.reshape(-1, *[1] * (len(shape) - 1)), axis=0), [index(size, 5)]
    if kind == "slice":
        return lambda x, i: lax.dynamic_slice_in_dim(x, i[0], size // 2, axis=0), [index(size, 1)]
    if kind == "update":
        return lambda x, y, i: lax.dynamic_update_slice_in_dim(x, y, i[0], axis=0), [real(size // 2, *shape[1:]), index(size, 1)]
    if kind == "segments":
        return lambda x, i: jax.ops.segment_sum(x, i, num_segments=7) / math.sqrt(size), [index(7, size)]
    if kind == "scatter":
        return lambda x, y, i: x.at[i].add(y), [real(9, *shape[1:]), index(size, 9)]
    if len(shape) != 2:
        return None
    return lambda x, i: jax.nn.one_hot(i, size) @ x, [index(size, 12)]


def running(draw, shape):
    if len(shape) < 1 or shape[0] < 2 or math.prod(shape) > 1 << 16:
        return None
    kind = draw(("cumsum", "scan", "loop", "sort", "cummax"))
    if kind == "cumsum":
        return lambda x: jnp.cumsum(x, axis=0) / math.sqrt(shape[0]), []
    if kind == "cummax":
        return lambda x: lax.cummax(x, axis=0), []
    if kind == "sort":
        return lambda x: jnp.sort(x, axis=-1), []
    if kind == "loop":
        return lambda x: lax.fori_loop(0, 3, lambda i, y: jnp.tanh(y + i * 0.1), x), []
    if shape[0] > 40 or len(shape) != 2:
        return None
    scale = 1 / math.sqrt(shape[1])

    def function(x, w):
        def step(h, row):
            h = jnp.tanh(h @ w * scale + row)
            return h, h
        return lax.scan(step, jnp.zeros(shape[1], x.dtype), x)[1]
    return function, [real(shape[1], shape[1])]


def outer(draw, shape):
    size = draw.extent(64)
    if math.prod(shape) * size > MOST_ELEMENTS:
        return None
    if draw.chance(0.5):
        return lambda x, y: jnp.einsum("...,a->...a", x, y), [real(size)]
    return lambda x, y: jnp.einsum("...,a->a...", x, y), [real(size)]


def convolution(draw, shape):
    if len(shape) != 2 or shape[0] < 4:
        return None
    width, channels = draw((1, 3, 5)), draw((1, 4, 16, 20))
    if math.prod(shape) * width * channels > MOST_PRODUCTS:
        return None
    stride, scale = draw((1, 2)), 1 / math.sqrt(width * shape[1])

    def function(x, w):
        return lax.conv_general_dilated(x.T[None], w, (stride,), "SAME")[0].T * scale
    return function, [real(channels, shape[1], width)]


def rounded(draw, shape):
    return lambda x: x.astype(jnp.bfloat16).astype(jnp.float32), []


def located(draw, shape):
    if not shape or shape[-1] < 2:
        return None
    find = draw((jnp.argmax, jnp.argmin))
    as_words = draw((False, True))  # in the order of the numbers, as these are not negative

    def function(x):
        looked_at = lax.stop_gradient(jnp.abs(x) if as_words else x)
        keys = lax.bitcast_convert_type(looked_at.astype(jnp.float32), jnp.int32) if as_words else looked_at
        place = find(keys, axis=-1, keepdims=True)
        return x - jnp.take_along_axis(looked_at, place, axis=-1)
    return function, []


def ones(draw, shape):
    """One element, in a shape of ones, and as a scalar or in another shape of ones."""
    rank, other = draw((1, 2, 3)), (1,) * draw((0, 0, 1, 2, 4))

    def function(x, w):
        one = x.ravel()[:1].reshape((1,) * rank)
        return (one * 2 - w).reshape(other)
    return function, [real(*(1,) * rank)]


def revisited(draw, shape):
    """Operations that read memory rather than tensors (sorts, prefixes), twice on one value that changes in between."""
    if not shape or shape[0] < 4 or math.prod(shape) > 1 << 12:
        return None
    axis = draw(range(len(shape)))
    readers = (lambda x: jnp.sort(x, axis=axis), lambda x: jnp.cumsum(x, axis=axis) / math.sqrt(shape[axis]),
               lambda x: lax.cummax(x, axis=axis))
    before, first, second = draw((None, *readers)), draw(readers), draw(readers)
    change = draw((lambda x: x.at[2].set(0.5), lambda x: x.at[1:3].add(x[:2]),
                   lambda x: lax.fori_loop(0, 3, lambda i, y: y.at[i].multiply(0.5), x)))

    def function(x):
        x = before(x) if before else x * 0.5
        return first(x) - change(x) + second(x) * 0.5
    return function, []


STEPS = (matmul, matmul, matmul, attention, normal, normal, unary, unary, binary, binary, reduction, movement, movement,
         indexing, indexing, running, outer, convolution, located, ones, revisited)

# Where decisions are taken, by what their names begin with; of others anywhere.
WHERE = {"attention": (attention,), "online": (attention,), "batched_table": (running,), "blocks": (normal, unary, binary),
         "channel": (convolution,), "contraction": (matmul,), "counted_sort": (running,), "dealt": (located,),
         "listed": (movement,), "passing": (normal, unary), "patches": (convolution,), "prefetched": (matmul,),
         "rows_in_registers": (matmul,), "rows_on_vectors": (matmul,), "short_window": (running,), "small_copy": (movement,),
         "small_product": (matmul,), "split_loop": (reduction,), "unrolled": (reduction,), "staged_move": (movement,), "transposed": (movement,), "stream": (normal, unary),
         "unpacked": (rounded,), "weight_columns": (running,), "wide_table": (running,), "word_of": (located, indexing), "written_loads": (matmul,),
         "written_products": (matmul,)}


def steps_at(name):
    """Steps that meet the decision of this name."""
    return next((steps for start, steps in WHERE.items() if name.startswith(start)), STEPS)
