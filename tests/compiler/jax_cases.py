"""Programs for jax_check.py, each with its arguments and how far it may be from the CPU."""

import functools
import dataclasses
import typing

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


@dataclasses.dataclass
class Case:
    name: str
    function: typing.Callable
    arguments: tuple
    relative: float = 1e-6
    absolute: float = 1e-37
    outputs: int = 0
    reference: typing.Callable = None  # computed instead of the function on the CPU


def reals(*shape, seed=0, scale=1.0):
    return jnp.asarray(np.random.default_rng(seed).normal(0, scale, shape).astype(np.float32))


def words(*shape, seed=0, low=-1000, high=1000):
    return jnp.asarray(np.random.default_rng(seed).integers(low, high, shape).astype(np.int32))


def shapes():
    """Rank 0, single elements, ragged, edges of lanes and sublanes, nothing at all, streamed."""
    yield from [(), (1,), (7,), (16,), (128,), (129,), (4, 5), (8, 16), (3, 17), (2, 3, 5),
                (0,), (3, 0, 2), (1, 1, 1, 1), (2, 3, 4, 5), (40000,), (700, 700)]


def first_milestone():
    for shape in shapes():
        name = "x".join(map(str, shape)) or "scalar"
        yield Case(f"plus_one.f32.{name}", lambda x: x + 1, (reals(*shape),))
        yield Case(f"plus_one.s32.{name}", lambda x: x + 1, (words(*shape),))


SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -0.5, 1.5, 2.5, -2.5,
                    1e-30, 1e30, -1e30, 3.4e38, 1.2e-38, 100.0, -100.0, 88.0, -87.0, 3.0, 7.0,
                    1e10, 16777216.0, 0.1], np.float32)


def spread():
    """Values of every size, corners first."""
    random = np.random.default_rng(1)
    sizes = np.exp2(random.uniform(-20, 20, 400)) * random.choice([-1, 1], 400)
    return jnp.asarray(np.concatenate([SPECIAL, sizes.astype(np.float32)]))


def elementwise():
    x = spread()
    y = jnp.asarray(np.roll(np.asarray(x), 7))
    exact = {"add": lax.add, "sub": lax.sub, "mul": lax.mul, "max": lax.max, "min": lax.min}
    for name, function in exact.items():
        yield Case(f"real.{name}", function, (x, y), 0)
    yield Case("real.div", lax.div, (x, y), 2e-7)
    yield Case("real.atan2", lax.atan2, (x, y), 6e-7)
    unary = {"neg": (lax.neg, 0), "abs": (lax.abs, 0), "floor": (lax.floor, 0),
             "ceil": (lax.ceil, 0), "round": (jnp.round, 0), "sign": (lax.sign, 0),
             "round_away": (lambda v: lax.round(v, lax.RoundingMethod.AWAY_FROM_ZERO), 0),
             "is_finite": (lax.is_finite, 0), "exp": (lax.exp, 4e-7), "log": (lax.log, 4e-7),
             "log1p": (lax.log1p, 8e-7), "expm1": (lax.expm1, 1e-6), "sqrt": (lax.sqrt, 2e-7),
             "rsqrt": (lax.rsqrt, 3e-7), "tanh": (lax.tanh, 6e-7), "cbrt": (lax.cbrt, 4e-7),
             "logistic": (lax.logistic, 1e-6)}
    for name, (function, relative) in unary.items():
        if name != "is_finite":
            yield Case(f"real.{name}", function, (x,), relative)
    # Quotients up to 2^60, divisors from 2^-126 on.
    random = np.random.default_rng(2)
    divisors = np.exp2(random.uniform(-126, 127, 4000)) * random.choice([-1, 1], 4000)
    dividends = np.clip(divisors * np.exp2(random.uniform(-3, 60, 4000)), -3e38, 3e38)
    corners = [corner.ravel() for corner in np.meshgrid(SPECIAL[:10], SPECIAL[:10])]
    pairs = [np.concatenate(both).astype(np.float32) for both in zip((dividends, divisors), corners)]
    yield Case("real.remainder", lax.rem, tuple(map(jnp.asarray, pairs)), 0)
    angles = jnp.linspace(-50, 50, 999, dtype=jnp.float32)
    yield Case("real.sin", lax.sin, (angles,), 1e-6, 2e-7)
    yield Case("real.cos", lax.cos, (angles,), 1e-6, 2e-7)
    base = jnp.abs(reals(200, seed=3)) * 10
    yield Case("real.pow", lax.pow, (base, reals(200, seed=4) * 3), 3e-6)
    yield Case("real.rope", lambda v: 10000.0 ** (-v / 64), (jnp.arange(0, 64, 2.0),), 1e-6)
    yield Case("real.select", lambda a, b: jnp.where(a < b, a, b * 2), (x, y), 0)
    yield Case("real.clamp", lambda v: jnp.clip(v, -1, 2), (x,), 0)
    yield Case("real.compare", lambda a, b: ((a < b).astype(jnp.int32) + 2 * (a <= b)
                                             + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b)
                                             + 32 * (a != b)), (x, y))


def integers():
    corners = np.array([0, 1, -1, 2, -2, 3, 7, 10, 2**31 - 1, -2**31, 65535, 65536, 1000003],
                       np.int32)
    x = jnp.asarray(np.repeat(corners, len(corners)))
    y = jnp.asarray(np.tile(corners, len(corners)))
    pairs = {"add": lax.add, "sub": lax.sub, "mul": lax.mul, "max": lax.max, "min": lax.min,
             "div": lax.div, "rem": lax.rem, "and": lax.bitwise_and, "or": lax.bitwise_or,
             "xor": lax.bitwise_xor, "shl": lax.shift_left, "shr": lax.shift_right_logical,
             "sar": lax.shift_right_arithmetic}
    for name, function in pairs.items():
        yield Case(f"word.{name}", function, (x, y))
    for name, function in {"neg": lax.neg, "abs": lax.abs, "not": lax.bitwise_not,
                           "sign": lax.sign, "popcount": lax.population_count,
                           "clz": lax.clz}.items():
        yield Case(f"word.{name}", function, (x,))
    edges = jnp.concatenate([x + offset for offset in (-1, 0, 1)])
    for divisor in (1, 2, 8, 2**30, -1, -2, -4, -2**31, 3, 10):  # powers of two are shifts
        yield Case(f"word.by_constant.{divisor}", lambda v, d=np.int32(divisor): (
            lax.div(v, d), lax.rem(v, d), v // d, v % d), (edges,))
    yield Case("unsigned.by_constant", lambda v: [
        f(v.astype(jnp.uint32), np.uint32(d)).astype(jnp.int32) for d in (1, 2, 64, 2**31, 7) for f in (lax.div, lax.rem)],
        (edges,))
    for kind in (jnp.int8, jnp.int16):
        smallest = jnp.iinfo(kind).min
        yield Case(f"narrow.abs.{kind.__name__}", lambda v, k=kind, d=-(smallest // 128): [
            lax.abs((v * d).astype(k)).astype(jnp.int32), lax.abs((v * d).astype(k)) > 100],
            (jnp.arange(-128, 128, dtype=jnp.int32),))
    for kind in (jnp.int8, jnp.uint8):
        yield Case(f"byte.by_constant.{kind.__name__}", lambda v, k=kind: [
            f(v.astype(k), k(d)).astype(jnp.int32) for d in (2, 16, 64, 5) for f in (lax.div, lax.rem, lambda a, b: a // b)],
            (jnp.arange(-128, 256, dtype=jnp.int32),))
    yield Case("word.to_real", lambda v: v.astype(jnp.float32), (x,), 0)
    yield Case("word.from_real", lambda v: v.astype(jnp.int32), (reals(300, scale=1e4),))
    unsigned = lambda f: lambda a, b: f(a.astype(jnp.uint32), b.astype(jnp.uint32)).astype(jnp.int32)
    for name in ("div", "rem", "max", "min", "shr"):
        yield Case(f"unsigned.{name}", unsigned(pairs[name]), (x, y))
    yield Case("unsigned.less", lambda a, b: (a.astype(jnp.uint32) < b.astype(jnp.uint32))
               .astype(jnp.int32), (x, y))
    yield Case("unsigned.to_real", lambda v: v.astype(jnp.uint32).astype(jnp.float32), (x,), 0)
    yield Case("byte.wraps", lambda v: (v.astype(jnp.int8) * v.astype(jnp.int8)
                                        + v.astype(jnp.int8)).astype(jnp.int32), (x,))


def movement():
    a = reals(5, 7)
    yield Case("move.broadcast_rows", lambda v: v + jnp.arange(7.0), (a,), 0)
    yield Case("move.broadcast_columns", lambda v: v + jnp.arange(5.0)[:, None], (a,), 0)
    yield Case("move.broadcast_new", lambda v: jnp.broadcast_to(v[:, None, :], (5, 3, 7)), (a,), 0)
    yield Case("move.transpose", lambda v: v.T, (a,), 0)
    yield Case("move.transpose4", lambda v: v.transpose(2, 0, 3, 1), (reals(2, 3, 4, 5),), 0)
    yield Case("move.transpose5", lambda v: v.reshape(2, 3, 4, 5, 6).transpose(4, 2, 0, 3, 1)
               .reshape(-1), (reals(720),), 0)
    yield Case("move.reshape", lambda v: v.reshape(7, 5) * 2, (a,), 0)
    yield Case("move.reshape_scalar", lambda v: v.reshape(()) * 2, (reals(1),), 0)
    yield Case("move.slice", lambda v: v[1:4, 2:7:2], (a,), 0)
    yield Case("move.reverse", lambda v: v[::-1, ::-1], (a,), 0)
    yield Case("move.concatenate", lambda v: jnp.concatenate([v, v * 2, v[:, :2]], axis=1), (a,), 0)
    yield Case("move.pad", lambda v: lax.pad(v, 9.0, ((1, 2, 0), (-1, 3, 2))), (a,), 0)
    yield Case("move.iota", lambda v: v + lax.broadcasted_iota(jnp.float32, (5, 7), 0), (a,), 0)
    yield Case("move.iota3", lambda v: v + lax.broadcasted_iota(jnp.int32, (3, 5, 7), 1),
               (words(3, 5, 7),))
    yield Case("move.constant", lambda v: v + np.arange(35, dtype=np.float32).reshape(5, 7), (a,), 0)
    yield Case("move.identity", lambda v: (v, v), (a,), 0)
    # Small moves of computed values: by way of registers where lanes change in a simple manner.
    for shape in [(5, 8), (4, 16), (2, 32), (3, 12), (9, 48), (64,), (1, 20)]:
        b = reals(*shape)
        name = "x".join(map(str, shape))
        yield Case(f"move.small.halves.{name}", lambda v: (
            (v + 1)[..., ::2] - (v + 1)[..., 1::2], (v + 1)[..., :v.shape[-1] // 2] * 2), (b,), 1e-6)
        yield Case(f"move.small.interleave.{name}", lambda v: jnp.stack(
            [v + 1, v * 2], axis=-1).reshape(*v.shape[:-1], -1) + 1, (b,), 1e-6)
        yield Case(f"move.small.turn.{name}", lambda v: (v + 1).T * 2, (b,), 1e-6)
        yield Case(f"move.small.repeat.{name}", lambda v: jnp.concatenate(
            [v + 1, v + 1, v * 2], axis=-1) + 1, (b,), 1e-6)
        yield Case(f"move.small.shift.{name}", lambda v: jnp.roll(v + 1, 3, axis=-1) * 2, (b,), 1e-6)
    yield Case("move.small.words", lambda v: lax.fori_loop(0, 30, lambda i, s: s.at[i].set(
        s[(i * 7) % 30] + v[i]), jnp.zeros(30)), (reals(30),), 1e-5)
    yield Case("move.small.columns", lambda v: lax.fori_loop(0, 30, lambda i, s: lax.dynamic_update_slice(
        s, (v * i)[:, None], (0, i)), jnp.zeros((11, 30))), (reals(11),), 1e-5)


def reductions():
    a = reals(9, 37)
    yield Case("reduce.sum_rows", lambda v: v.sum(axis=1), (a,), 1e-5)
    yield Case("reduce.sum_columns", lambda v: v.sum(axis=0), (a,), 1e-5)
    yield Case("reduce.sum_all", lambda v: v.sum(), (a,), 1e-5, 1e-5)
    yield Case("reduce.max", lambda v: v.max(axis=1), (a,), 0)
    yield Case("reduce.min3", lambda v: v.min(axis=1), (reals(4, 5, 6),), 0)
    # A few elements between other loops are slices; 17 are not.
    yield Case("reduce.middle", lambda v, w: (
        v.max(axis=1), (v * w[:, :, None]).sum(axis=1), v.prod(axis=1, initial=2),
        jnp.where(v > 0, jnp.arange(3)[:, None] + jnp.arange(37), -1).max(axis=1)),
        (reals(9, 3, 37), reals(9, 3)), 1e-5, 1e-5)
    yield Case("reduce.middle_longer", lambda v, w: (v.sum(axis=1), w.sum(axis=1), v.min(axis=2)),
               (reals(5, 16, 20), reals(3, 17, 4, 5)), 1e-5, 1e-5)
    yield Case("reduce.prod", lambda v: v.prod(axis=0), (a,), 1e-5)
    yield Case("reduce.s32", lambda v: v.sum(axis=1), (words(9, 37),))
    yield Case("reduce.argmax", lambda v: jnp.argmax(v, axis=1), (a,))
    yield Case("reduce.any", lambda v: jnp.any(v > 2, axis=1).astype(jnp.int32), (a,))
    yield Case("reduce.large", lambda v: v.sum(axis=1), (reals(300, 400),), 1e-4, 1e-4)
    yield Case("reduce.empty", lambda v: v.sum(axis=1), (reals(3, 0),), 0)
    # The step folds to a constant, and is never taken.
    yield Case("reduce.empty_constant", lambda v: (v > v).all(axis=1), (reals(3, 0),), 0)
    yield Case("reduce.softmax", lambda v: jax.nn.softmax(v, axis=-1), (a,), 1e-6)
    yield Case("reduce.rms", lambda v: v * lax.rsqrt(jnp.mean(v * v, axis=-1, keepdims=True)
                                                     + 1e-5), (a,), 2e-6)
    yield Case("reduce.cumsum", lambda v: jnp.cumsum(v, axis=1), (a,), 1e-5, 1e-5)
    n = jnp.asarray(np.linspace(.9, 1.1, 40 * 70, dtype=np.float32).reshape(40, 70))
    yield Case("reduce.prefixes", lambda v: (lax.cumsum(v, 0, reverse=True), jnp.cumprod(v, axis=1),
                                             lax.cumlogsumexp(v, 0)), (n,), 1e-5, 1e-5)
    i = words(33, 70)
    yield Case("reduce.prefixes_s32", lambda v: (
        jnp.cumsum(v, axis=1), lax.cummax(v, 0), lax.cummin(v, 1, reverse=True),
        lax.cumsum(v.reshape(-1), 0, reverse=True)), (i,), 0)
    yield Case("reduce.window", lambda v: lax.reduce_window(
        v, -jnp.inf, lax.max, (2, 3), (2, 1), "SAME"), (a,), 0)


def sprinkled(array, seed, values=(np.inf, -np.inf, np.nan, 0, 0)):
    """The array with one of these in a few of its rows and of its columns, at random places."""
    random = np.random.default_rng(seed)
    result = np.array(array, np.float32)
    for line in (result, result.T):
        for index in range(0, len(line), max(3, len(line) // 4)):
            line[index, random.integers(line.shape[1])] = random.choice(values)
    return jnp.asarray(result)


def woven_columns(tight):
    """fp32 results of weights that are packed, bf16 in halves and s8 in quarters: ragged sizes, and a batch."""
    def rounded(a, b):
        a, b = (v.astype(jnp.bfloat16).astype(jnp.float32) for v in (a, b))
        return jnp.matmul(a, b, precision="highest")

    for batch, rows, depth, columns in [((), 1, 96, 200), ((), 2, 33, 36), ((), 8, 130, 260), ((), 17, 64, 100), ((3,), 8, 40, 24)]:
        x, y = reals(*batch, rows, depth), reals(*batch, depth, columns, seed=2)
        byte = words(*batch, depth, columns, low=-128, high=128).astype(jnp.int8)
        name = "x".join(map(str, (*batch, rows, depth, columns)))
        yield Case(f"dot.woven.bf16.{name}", lambda a, b: jnp.matmul(
            a.astype(jnp.bfloat16), b, preferred_element_type=jnp.float32), (x, y.astype(jnp.bfloat16)), **tight,
            reference=lambda a, b: rounded(a, b.astype(jnp.float32)))
        yield Case(f"dot.woven.s8.{name}", lambda a, b: a @ b.astype(jnp.float32) + 1, (x, byte), 1e-3, 1e-3,
                   reference=lambda a, b: rounded(a, b.astype(jnp.float32)) + 1)
        yield Case(f"dot.woven.s8.highest.{name}", lambda a, b: jnp.matmul(a, b.astype(jnp.float32), precision="highest"),
                   (x, byte), 1e-5, 3e-3)
        yield Case(f"dot.woven.s8.bf16.{name}", lambda a, b: jnp.matmul(
            a.astype(jnp.bfloat16), b.astype(jnp.bfloat16), preferred_element_type=jnp.float32), (x, byte), 1e-3, 1e-3,
            reference=lambda a, b: rounded(a, b.astype(jnp.float32)))


def infinite_contractions(rounded):
    """Infinities, NaNs, and zeros multiplied by them: on either side, and on both; what is exact in bf16 leaves no
    lower part, other numbers leave parts of either sign."""
    for rows, depth, columns in [(2, 9, 20), (9, 30, 9), (16, 64, 32), (40, 300, 200), (300, 20, 40),
                                 (200, 260, 1100)]:
        numbers = {"": (reals(rows, depth), reals(depth, columns, seed=2)),
                   ".exact": (words(rows, depth, low=-8, high=8).astype(jnp.float32),
                              words(depth, columns, seed=2, low=-8, high=8).astype(jnp.float32))}
        for kind, (x, y) in numbers.items():
            both = sprinkled(x, 5), sprinkled(y, 6)
            for side, pair in {"left": (both[0], y), "right": (x, both[1]), "both": both}.items():
                if side != "both" and rows > 100: continue
                name = f"{side}{kind}.{rows}x{depth}x{columns}"
                for precision, close in {"default": 1e-4, "high": 1e-3, "highest": 1e-4}.items():
                    dot = lambda a, b, p=precision: jnp.dot(a, b, precision=p)
                    yield Case(f"dot.infinite.{precision}.{name}", dot, pair, close, close,
                               reference=rounded if precision == "default" else None)
            half = lambda a, b: jnp.dot(a.astype(jnp.float32), b, precision="highest")
            turned = lambda a, b: jnp.dot(b.T, a.astype(jnp.float32).T, precision="highest")
            narrow = both[0].astype(jnp.bfloat16), both[1]
            yield Case(f"dot.infinite.narrow_left{kind}.{rows}x{depth}x{columns}", half, narrow, 1e-4, 1e-4)
            yield Case(f"dot.infinite.narrow_right{kind}.{rows}x{depth}x{columns}", turned, narrow, 1e-4, 1e-4)


def contractions():
    tolerance = dict(relative=3e-2, absolute=3e-2)
    tight = dict(relative=1e-5, absolute=1e-5)

    # The meaning of DEFAULT: operands rounded to bf16, everything else in fp32.
    def rounded(a, b):
        a, b = (v.astype(jnp.bfloat16).astype(jnp.float32) for v in (a, b))
        return jnp.dot(a, b, precision="highest")

    for rows, depth, columns in [(1, 1, 1), (5, 7, 3), (8, 16, 16), (16, 64, 32), (33, 100, 17),
                                 (3, 300, 40), (300, 20, 20)]:
        x, y = reals(rows, depth), reals(depth, columns, seed=2)
        name = f"{rows}x{depth}x{columns}"
        # Matrices of at most 16 elements are multiplied elementwise, in fp32.
        is_small = max(x.size, y.size, rows * columns) <= 16
        yield Case(f"dot.default.{name}", lambda a, b: a @ b, (x, y), **tight, reference=None if is_small else rounded)
        yield Case(f"dot.highest.{name}", lambda a, b: jnp.dot(a, b, precision="highest"), (x, y),
                   **tight)
    # Weights that are computed from the rows.
    for rows, columns in ((16, 64), (8, 64), (24, 100), (64, 16), (128, 128)):
        name, x = f"{rows}x{columns}", reals(rows, columns, scale=0.1)
        for precision in ("default", "highest"):
            dot = lambda a, b, p=precision: jnp.dot(a, b, precision=p)
            yield Case(f"dot.self.{precision}.{name}", lambda x, dot=dot: (dot(x, x.T), dot(x.T, x)), (x,), 3e-2, 3e-2)
        yield Case(f"dot.self.twice.{name}", lambda x, dot=dot: dot(dot(x, x.T), dot(x, x.T)), (x,), 1e-3, 1e-3)
    # Many tiles of columns, in a loop: whole and ragged, weights there and on their way.
    for rows, depth, columns in [(200, 20, 150), (264, 64, 300), (600, 130, 515), (200, 260, 1100)]:
        x, y = reals(rows, depth), reals(depth, columns, seed=2)
        name = f"{rows}x{depth}x{columns}"
        yield Case(f"dot.tiles.default.{name}", lambda a, b: a @ b, (x, y), 1e-4, 1e-4, reference=rounded)
        yield Case(f"dot.tiles.high.{name}", lambda a, b: jnp.dot(a, b, precision="high"), (x, y), 1e-3, 1e-3)
        yield Case(f"dot.tiles.turned.{name}", lambda a, b: a @ b.T, (x, y.T), 1e-4, 1e-4, reference=lambda a, b:
                   rounded(a, b.T))
        yield Case(f"dot.tiles.bf16.{name}", lambda a, b: jnp.dot(
            a.astype(jnp.bfloat16), b, preferred_element_type=jnp.float32), (x, y.astype(jnp.bfloat16)), 1e-4, 1e-4,
            reference=lambda a, b: rounded(a, b.astype(jnp.float32)))
        yield Case(f"dot.tiles.s8.{name}", lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32), tuple(
            words(*shape, low=-128, high=128).astype(jnp.int8) for shape in ((rows, depth), (depth, columns))), 0)
        yield Case(f"dot.tiles.twice.{name}", lambda a, b: jnp.tanh(a @ b) @ b.T, (x, y), 2e-2, 2e-2,
                   reference=lambda a, b: rounded(jnp.tanh(rounded(a, b)), b.T))
    yield from infinite_contractions(rounded)
    # Few rows, which the vector units multiply: ragged depths and columns, one strip and many.
    for rows, depth, columns in [(1, 3, 200), (2, 8, 16), (1, 77, 33), (2, 172, 64), (1, 300, 300)]:
        x, y = reals(rows, depth), reals(depth, columns, seed=2)
        name = f"{rows}x{depth}x{columns}"
        yield Case(f"dot.few.default.{name}", lambda a, b: a @ b, (x, y), **tight,
                   reference=rounded)
        yield Case(f"dot.few.highest.{name}", lambda a, b: jnp.dot(a, b, precision="highest"),
                   (x, y), **tight)
        yield Case(f"dot.few.bf16.{name}", lambda a, b: jnp.dot(
            a.astype(jnp.bfloat16), b, preferred_element_type=jnp.float32),
            (x, y.astype(jnp.bfloat16)), **tight,
            reference=lambda a, b: rounded(a, b.astype(jnp.float32)))
        yield Case(f"dot.few.loop.{name}", lambda a, b: lax.fori_loop(0, 3, lambda i, s: s + jnp.dot(
            a + s.sum(), b, preferred_element_type=jnp.float32, precision="highest"),
            jnp.zeros((a.shape[0], b.shape[1]))), (x * 0.01, y.astype(jnp.bfloat16)), 1e-3, 1e-3)
    yield from woven_columns(tight)
    # f16 has three bits more than bf16.
    for rows in (1, 24):
        halves = [v.astype(jnp.float16) for v in (reals(rows, 70), reals(70, 40, seed=2))]
        for precision, close in {"high": 1e-3, "highest": 1e-5}.items():
            yield Case(f"dot.f16.{precision}.{rows}", lambda a, b, p=precision: jnp.dot(
                a, b, preferred_element_type=jnp.float32, precision=p), tuple(halves), 0, close,
                reference=lambda a, b: jnp.dot(*(v.astype(jnp.float32) for v in (a, b))))
    yield Case("dot.few.batched", lambda a, b: jnp.einsum("kgd,kdp->kgp", a, b, precision="highest"),
               (reals(3, 2, 20), reals(3, 20, 50, seed=2)), **tight)
    x, y = reals(4, 6, 10), reals(4, 10, 5, seed=2)
    high = dict(precision="highest")
    yield Case("dot.batched", lambda a, b: jnp.matmul(a, b, **high), (x, y), **tight)
    yield Case("dot.short_rows", lambda a, b: jnp.einsum("tkec,tk->tec", a, b, **high),
               (reals(9, 3, 2, 20), reals(9, 3, seed=2)), **tight)
    yield Case("dot.vector", lambda a, b: jnp.dot(a, b, **high), (reals(10), reals(10, 5)), **tight)
    yield Case("dot.inner", lambda a, b: jnp.dot(a, b, **high), (reals(100), reals(100)), **tight)
    yield Case("dot.outer", jnp.outer, (reals(6), reals(9)), **tolerance)
    yield Case("dot.transposed", lambda a, b: jnp.einsum("ij,kj->ik", a, b, **high),
               (reals(9, 20), reals(11, 20)), **tight)
    dot = functools.partial(jnp.matmul, **high)
    yield Case("dot.transposed_made", lambda a, b, c: (dot(dot(a, b.T), c.T), dot(c, dot(a, b.T).T).T,
                                                       dot(a.T, dot(b, a.T).T)),
               (reals(9, 20), reals(11, 20), reals(30, 11)), 1e-4, 1e-3)
    yield Case("dot.two", lambda a, b: jnp.einsum("abcd,cde->abe", a, b, **high),
               (reals(2, 3, 4, 5), reals(4, 5, 6)), **tight)
    yield Case("dot.heads", lambda a, b: jnp.einsum("bqhd,bkhd->bhqk", a, b, **high),
               (reals(2, 5, 3, 8), reals(2, 7, 3, 8)), **tight)
    yield Case("dot.high", lambda a, b: jnp.dot(a, b, precision="high"),
               (reals(9, 30), reals(30, 9)), 1e-3, 1e-3)
    yield Case("dot.integers", lambda a, b: a @ b, (words(5, 20), words(20, 6)))
    for rows, columns, depth in ((8, 16, 16), (16, 40, 32), (5, 128, 128), (16, 16, 256)):  # depths of whole lanes
        yield Case(f"dot.bytes_transposed.{rows}x{columns}x{depth}", lambda a, b: lax.dot_general(
            a, b, (((1,), (1,)), ((), ())), preferred_element_type=jnp.int32), tuple(
                words(*shape, low=-128, high=128).astype(jnp.int8) for shape in ((rows, depth), (columns, depth))), 0)
        yield Case(f"dot.bytes_transposed_made.{rows}x{columns}x{depth}", lambda a, b: lax.dot_general(
            a * jnp.int8(3), b + jnp.int8(1), (((1,), (1,)), ((), ())), preferred_element_type=jnp.int32), tuple(
                words(*shape, low=-128, high=128).astype(jnp.int8) for shape in ((rows, depth), (columns, depth))), 0)
    yield Case("dot.bytes", lambda a, b: lax.dot(a.astype(jnp.int8), b.astype(jnp.int8),
                                                 preferred_element_type=jnp.int32),
               (words(5, 40, low=-128, high=128), words(40, 6, low=-128, high=128)))


def grown(order, more=False):
    """A cache that a loop grows by a position per iteration and multiplies as a whole; its order of dimensions."""
    def run(keys, query):
        def turn(i, state):
            cache, total = state
            row = lax.dynamic_slice(keys, (i, 0, 0), (1, 2, 8))  # position, head, size
            place = [0, 0, 0]
            place[order.index("p")] = i
            update = jnp.einsum(f"phd->{order}", row)
            cache = lax.dynamic_update_slice(cache, update, tuple(place))
            scores = jnp.einsum(f"hgd,{order}->hgp", query, cache, precision="highest")
            return cache, total + scores * (i + 1)
        sizes = {"p": 20, "h": 2, "d": 8}
        start = jnp.zeros([sizes[d] for d in order]) + (query[0, 0, 0] if more else 0.0)
        cache, total = lax.fori_loop(0, 20, turn, (start, jnp.zeros((2, query.shape[1], 20))))
        return (total, cache) if more else total
    return run


def control():
    for order in ("hpd", "phd", "hdp"):
        arguments = (reals(20, 2, 8), reals(2, 2, 8, seed=2))
        yield Case(f"control.grown.{order}", grown(order), arguments, 1e-4, 1e-4)
        yield Case(f"control.grown.read.{order}", grown(order, True), arguments, 1e-4, 1e-4)
    for turns in (1, 8, 9):  # written out, or not
        yield Case(f"control.fori.{turns}", lambda v, turns=turns: lax.fori_loop(
            0, turns, lambda i, s: (s[1], s[0] * 3 + jnp.where(s[1] > i, s[0] << 2, s[1] >> i)), (v, v.T)), (words(9, 9),))
    yield Case("control.fori", lambda v: lax.fori_loop(0, 5, lambda i, s: s * 1.5 + i, v),
               (reals(6),), 1e-6)
    yield Case("control.while", lambda v: lax.while_loop(
        lambda s: s[0] < 20, lambda s: (s[0] + s[1], s[0]), (v, v + 1)), (jnp.int32(1),))
    yield Case("control.scan", lambda v: lax.scan(lambda c, x: (c + x, c * x), v[0], v),
               (reals(6, 5),), 1e-5)
    yield Case("control.cond", lambda p, v: lax.cond(p > 0, lambda a: a * 2, lambda a: a - 1, v),
               (jnp.int32(1), reals(7)), 0)
    for index in (-1, 0, 1, 2, 5):
        yield Case(f"control.switch{index}", lambda i, v: lax.switch(
            i, [lambda a: a, lambda a: a * 2, lambda a: a * 3], v), (jnp.int32(index), reals(7)), 0)
    yield Case("control.call", lambda v: jax.nn.relu(jax.jit(lambda a: a * 2)(v)), (reals(9),), 0)


def loops():
    def advance(state):
        i, x, before = state
        return i + 1, lax.dynamic_update_slice(x, before[:1] * 2 + 1, (i, 0)), x

    x = reals(6, 5)
    yield Case("loops.update_and_old", lambda x, y: lax.while_loop(
        lambda state: state[0] < 5, advance, (jnp.int32(0), x, y))[1:], (x, reals(6, 5, seed=1)), 0)
    yield Case("loops.two_updates", lambda x: lax.fori_loop(
        0, 4, lambda i, x: x.at[i].set(x[i + 1]).at[i + 2].set(x[i] * 2), x), (x,), 0)
    weights = reals(48, 64, seed=2).astype(jnp.bfloat16)
    other = reals(64, 48, seed=3).astype(jnp.bfloat16)
    yield Case("loops.weights", lambda v, a, b: lax.fori_loop(0, 3, lambda i, v: jnp.tanh(
        jnp.dot(jnp.dot(v, a, precision="high"), b, precision="high")), v),
        (reals(2, 48), weights, other), 1e-2, 2e-2)
    for size in (64, 96, 100, 512):
        v = words(size, low=-9, high=9).astype(jnp.float32)
        yield Case(f"loops.argmax.{size}", lambda v: (jnp.argmax(v), jnp.argmin(v)), (v,), 0)
        yield Case(f"loops.argmax_nan.{size}", jnp.argmax, (v.at[size // 2].set(np.nan),), 0)
        nans = v.at[jnp.array([size // 3, size // 2 + 1, size // 2 + 4])].set(np.nan)
        yield Case(f"loops.argmax_nans.{size}", lambda v: (jnp.argmax(v), jnp.argmin(v)), (nans,), 0)


def indexing():
    a = reals(6, 9)
    # Each sum and difference is taken twice: a search for the start's number must not double its time at each step.
    def start_of_butterflies(v):
        a, b = jnp.array([1, 2, 3], jnp.int32), jnp.array([3, 1, 2], jnp.int32)
        for _ in range(30):
            a, b = a + b, a - b
        return lax.dynamic_slice(v, (b[1] & 31,), (4,))

    yield Case("index.butterflies", start_of_butterflies, (reals(40),), 0)

    for start in (-3, 0, 2, 8):
        yield Case(f"index.dynamic{start}", lambda v, i: lax.dynamic_slice(v, (i, 1), (3, 4)),
                   (a, jnp.int32(start)), 0)
        yield Case(f"index.update{start}", lambda v, i: lax.dynamic_update_slice(
            v, jnp.ones((2, 3)), (i, 2)), (a, jnp.int32(start)), 0)
    yield Case("index.scalar", lambda v, i: v[i], (a, jnp.int32(-2)), 0)
    yield Case("index.rows", lambda v, i: v[i], (a, jnp.array([0, 5, 2, 2])), 0)
    yield Case("index.pairs", lambda v, i, j: v[i, j],
               (a, jnp.array([0, 5, 2]), jnp.array([8, 0, 3])), 0)
    # More copies than may be on their way at once.
    yield Case("index.many", lambda v, i: v[i], (reals(70), words(17001, low=-70, high=70)), 0)
    yield Case("index.take_along", lambda v, i: jnp.take_along_axis(v, i, axis=1),
               (a, words(6, 2, low=0, high=9)), 0)
    yield Case("index.set", lambda v, i: v.at[i].set(7.0), (a, jnp.int32(3)), 0)
    yield Case("index.set_rows", lambda v, i: v.at[i].set(7.0), (a, jnp.array([1, 4, 99])), 0)
    yield Case("index.add_rows", lambda v, i: v.at[i].add(v[:3]), (a, jnp.array([1, 4, 1])), 1e-6)
    yield from words_of_rows()
    yield from indices_in_ranges()


def words_of_rows():
    """One place in each row, inside and outside, of rows shorter and longer than what goes at once."""
    for rows, columns in ((7, 9), (65, 129), (3, 1500)):
        table = sprinkled(reals(rows, columns), 3, (np.inf, -np.inf, np.nan, -0.0))
        places = words(rows, 1, low=-columns - 2, high=columns + 2)
        name = f"index.word_of_row.{rows}x{columns}"
        along = lambda v, i: jnp.take_along_axis(v, i, -1)
        yield Case(name, lambda v, i: (along(v, i), along(v * 2, i), along(v.astype(jnp.bfloat16), i)), (table, places), 0)
        yield Case(f"{name}.small", along, (jnp.nan_to_num(table * 10).astype(jnp.int8), places.astype(jnp.uint16)))
        yield Case(f"{name}.leading", lambda v, i: jnp.take_along_axis(v, i, 0),
                   (table, words(1, columns, low=-rows, high=rows)), 0)
        yield Case(f"{name}.put", lambda v, i, u: (jnp.put_along_axis(v, i, u, -1, inplace=False), jnp.put_along_axis(
            v > 0, i, u < 0, -1, inplace=False)), (table, places, reals(rows, 1, seed=1)), 0)
        yield Case(f"{name}.gradient", jax.grad(lambda v, i: -along(jax.nn.log_softmax(v), i).sum()),
                   (reals(rows, columns), jnp.abs(places) % columns), 2e-5, 1e-6)


def indices_in_ranges():
    """Loops around rows that indices choose, of tables of up to one vector, of more, and of very many rows."""
    for rows in (5, 100, 129, 1100, 20000):
        table = reals(rows, 3)
        places = words(23, low=-2 * rows, high=2 * rows)
        clip = lambda v, i: jnp.take(v, i, 0, mode="clip")
        drop = lambda v, i, u: v.at[i].add(u, mode="drop")
        yield Case(f"index.in_range.{rows}", lambda v, i: (clip(v, i), v[i], clip(v, i.astype(jnp.uint8))), (table, places), 0)
        yield Case(f"index.in_range.{rows}.add", lambda v, i, u: (drop(v, i, u), drop(v, i.astype(jnp.uint32), u)),
                   (table, places, reals(23, 3, seed=2)), 1e-5)
        yield Case(f"index.in_range.{rows}.pairs", lambda v, i, j, u: (v[i, j], v.at[i, j].max(u)),
                   (table, places, words(23, low=-4, high=4), reals(23)), 0)


def arranging():
    keys, values = words(50, low=0, high=3), words(50, seed=1)
    yield Case("sort.pairs", lambda k, v: lax.sort((k, v), num_keys=1), (keys, values))
    yield Case("sort.lexicographic", lambda k, v: lax.sort((k, v, v * 2), num_keys=2),
               (keys, values))
    yield Case("sort.reals", lambda v: lax.sort(v), (spread(),), 0)
    # Two zeros that compare equal stay in order, as do NaNs.
    odd = sprinkled(np.array(reals(40, 70)), 5, (np.inf, -np.inf, np.nan, 0.0, -0.0, -0.0))
    signs = lambda v: jnp.where(v == 0, jnp.copysign(jnp.float32(1), v), 0)
    yield Case("sort.zeros", lambda v: (jnp.sort(v), signs(jnp.sort(v)), signs(jnp.sort(v, axis=0)), signs(jnp.sort(v[:8]))),
               (odd,), 0)
    yield Case("sort.argsort", lambda v: (jnp.argsort(v), jnp.argsort(v, axis=0, descending=True)),
               (odd,), 0)
    yield Case("sort.keys", lambda k, v: lax.sort((k, v, k + v), dimension=0, num_keys=2),
               (jnp.round(odd), odd), 0)
    yield Case("sort.truth", lambda v: (jnp.sort(v > 0), jnp.argsort(v > 0)), (odd,), 0)
    yield Case("sort.bytes", lambda v: (jnp.sort(v), jnp.argsort(v.astype(jnp.uint8))),
               (words(3, 90, low=-128, high=128).astype(jnp.int8),))
    yield Case("sort.one_row", lambda v: (jnp.sort(v), jnp.argsort(v)), (words(1500, low=0, high=99),))
    for size in (257, 400, 1000):  # counted, or not, on one machine or another
        row = jnp.asarray(np.asarray(odd).ravel()[:size])
        yield Case(f"sort.counted{size}", lambda v: (jnp.argsort(v), jnp.sort(v), jnp.argsort(v, descending=True)), (row,), 0)
        yield Case(f"sort.counted{size}.pairs", lambda k, v: lax.sort((k, v.astype(jnp.bfloat16), v > 0), num_keys=1),
                   (words(size, low=-3, high=3), row), 0)
    yield Case("sort.top", lambda v: (lax.top_k(v, 3), lax.top_k(v[0], 9)), (reals(20, 300),), 0)
    for shape in ((1, 300), (3, 150), (8, 150), (33, 66)):  # dealt to columns, or not
        some = sprinkled(np.array(reals(*shape)), 5, (np.inf, np.nan, 0.0, -0.0))
        yield Case(f"sort.dealt{shape}", lambda v: (jnp.sort(v), jnp.argsort(v, descending=True), lax.top_k(v, 20)), (some,), 0)
    # The least word is an element, too, and must not be mistaken for a removed one.
    last = jnp.full((4, 40), np.iinfo(np.int32).min).at[:, ::9].set(words(4, 5))
    nans = lax.bitcast_convert_type(jnp.full((4, 40), -1).at[:, 7].set(3), jnp.float32)
    yield Case("sort.rounds", lambda v, w: (lax.top_k(v, 9), lax.top_k(w, 3)[1], lax.top_k(v.astype(jnp.uint8), 4)),
               (last, nans), 0)
    yield Case("sort.few", lambda v: (jnp.sort(v), lax.top_k(v, 2)), (reals(256, 5),), 0)
    pool = lambda v: lax.reduce_window(v, -jnp.inf, lax.max, (2, 3), (2, 2), "SAME").sum()
    yield Case("window.select_and_scatter", jax.grad(pool), (reals(7, 9),), 0)
    overlapping = lambda v: lax.reduce_window(v, jnp.inf, lax.min, (3, 3), (1, 2), "VALID").sum()
    yield Case("window.overlapping", jax.grad(overlapping), (reals(7, 9),), 0)
    # Results that share operands.
    def shared(v):
        start = v + 1
        return start, start.at[0].set(1.0), start.at[1].set(2.0), start.at[3].add(start[4])
    yield Case("result.shared", shared, (reals(9),), 0)
    def loops(v):
        zero = jnp.zeros(5)
        return (lax.fori_loop(0, 3, lambda i, s: s + v[i], zero),
                lax.fori_loop(0, 3, lambda i, s: s - v[i], zero), zero)
    yield Case("result.loops", loops, (reals(9),), 1e-6)


def truth():
    a, b = reals(40) > 0, reals(40, seed=1) > 0
    one = jnp.asarray(True)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        yield Case(f"truth.{name}", getattr(lax, name), (a, b))
        yield Case(f"truth.{name}_scalar", getattr(lax, name), (one, ~one))
    yield Case("truth.clamp", lambda x, y: lax.clamp(x[0], y, x[1]), (a, b))
    yield Case("truth.pad", lambda x: lax.pad(x, True, ((1, 2, 0),)), (a,))
    yield Case("truth.dot", lambda x, y: lax.dot(x, y), (a.reshape(5, 8), b.reshape(8, 5)))


def halves():
    x = spread()
    yield Case("half.round", lambda v: v.astype(jnp.float16).astype(jnp.float32),
               (jnp.concatenate([x, jnp.exp2(jnp.arange(-30.0, 20.0)) * 1.3, x * 1e-7]),), 0)
    yield Case("half.bits", lambda v: lax.bitcast_convert_type(v.astype(jnp.float16), jnp.uint16)
               .astype(jnp.int32), (reals(300, scale=1e3),))
    yield Case("half.from_bits", lambda v: lax.bitcast_convert_type(
        v.astype(jnp.uint16), jnp.float16).astype(jnp.float32), (words(300, low=0, high=0x7c00),), 0)
    for exponent, mantissa in ((5, 10), (8, 7), (4, 3), (8, 23)):
        yield Case(f"half.precision{exponent}_{mantissa}",
                   lambda v: lax.reduce_precision(v, exponent, mantissa), (x,), 0)
    yield Case("bits.apart", lambda v: lax.bitcast_convert_type(v, jnp.uint8), (x,))
    yield Case("bits.together", lambda v: lax.bitcast_convert_type(v, jnp.float32),
               (words(9, 4, low=0, high=100).astype(jnp.int8),), 0)


def bits():
    """Random bits, word for word: every algorithm, shapes of which nothing is even, carries."""
    algorithm = lax.RandomAlgorithm
    for name, which in (("philox", algorithm.RNG_PHILOX), ("threefry", algorithm.RNG_THREE_FRY),
                        ("default", algorithm.RNG_DEFAULT)):
        for shape in ((), (7,), (8,), (3, 3), (5, 3, 2), (0,)):
            for key in ((1, 2, 3, 4), (5, 6, 2**32 - 1, 2**32 - 1)):
                text = "x".join(map(str, shape)) or "scalar"
                yield Case(f"bits.{name}.{text}.{key[2]}", lambda k, shape=shape, which=which:
                           lax.rng_bit_generator(k, shape, algorithm=which),
                           (jnp.asarray(key, jnp.uint32),))


def types():
    b = reals(5, 7).astype(jnp.bfloat16)
    yield Case("type.bf16_in", lambda v: v.astype(jnp.float32) * 2, (b,), 0)
    yield Case("type.bf16_out", lambda v: v.astype(jnp.bfloat16), (reals(5, 7),), 0)
    yield Case("type.bf16_add", lambda v, w: v + w, (b, b * 3), 0)
    for shape in [(7,), (3, 40), (2, 3, 50), (1000,), (8200,), (300, 130), (2, 9, 1)]:
        yield Case("type.bf16_loose." + "x".join(map(str, shape)),
                   lambda v: v[::-1].astype(jnp.float32) * 2, (reals(*shape).astype(jnp.bfloat16),), 0)
    for shape in ((2,), (1000,), (4, 2), (3, 7), (5, 16), (17, 34), (9, 130), (2, 3, 8), (3, 300), (70, 258)):
        yield Case(f"type.bf16_pack.{'x'.join(map(str, shape))}", lambda v: jnp.flip(v).astype(jnp.bfloat16),
                   (reals(*shape),), 0)
    yield Case("type.bf16_dot", lambda v, w: v @ w, (b, b.T), 1e-2, 1e-2)
    yield Case("type.s8_in", lambda v: v.astype(jnp.int32) + 1,
               (words(5, 7, low=-128, high=128).astype(jnp.int8),))
    yield Case("type.s8_out", lambda v: v.astype(jnp.int8),
               (words(5, 7, low=-128, high=128),))


def packed():
    """bf16 arguments and results, whose words hold two elements."""
    def halves(*shape, seed=0):
        return reals(*shape, seed=seed).astype(jnp.bfloat16)

    wide = dict(preferred_element_type=jnp.float32)
    products = {"": "ik,kj->ij", "right_turned": "ik,jk->ij", "left_turned": "ki,kj->ij",
                "both_turned": "ki,jk->ij", "result_turned": "ik,kj->ji"}
    close = dict(relative=1e-2, absolute=4e-2)  # results are rounded once more
    for rows, deep, columns in [(1, 32, 64), (8, 16, 16), (5, 6, 10), (17, 66, 34), (24, 31, 20),
                                (6, 64, 31), (70, 258, 130), (300, 512, 260)]:
        size = {"i": rows, "j": columns, "k": deep}
        for name, formula in products.items():
            if name and rows > 100:
                continue
            a, b = (halves(*(size[letter] for letter in part), seed=seed) for seed, part in
                    enumerate(formula.split("->")[0].split(",")))
            text = f"{rows}x{deep}x{columns}"
            yield Case(f"packed.dot.{text}.{name}", lambda a, b, f=formula: jnp.einsum(f, a, b),
                       (a, b), **close)
            yield Case(f"packed.wide.{text}.{name}",
                       lambda a, b, f=formula: jnp.einsum(f, a, b, **wide), (a, b), 1e-4, 1e-4)
    a, b, c = halves(24, 64), halves(64, 40, seed=1), halves(40, 64, seed=2)
    yield Case("packed.two_dots", lambda a, b, c: jnp.tanh(a @ b) @ c, (a, b, c), 3e-2, 3e-1)
    yield Case("packed.epilogue", lambda a, b, v: jax.nn.relu(a @ b + v), (a, b, halves(40)),
               **close)
    yield Case("packed.batched", lambda a, b: jnp.einsum("bij,bkj->bik", a, b),
               (halves(3, 10, 16), halves(3, 12, 16, seed=1)), **close)
    yield Case("packed.high", lambda a, b: jnp.dot(a.astype(jnp.float32), b, precision="high", **wide),
               (a, b), 1e-4, 1e-4)
    yield Case("packed.used_twice", lambda a: (a @ a.T, a[3].astype(jnp.float32)), (a,), **close)
    yield Case("packed.elementwise", lambda a, b: a * b - a, (halves(9, 30), halves(9, 30, seed=1)),
               1e-2, 1e-2)
    yield Case("packed.broadcast", lambda a, v: a + v, (halves(9, 30), halves(30)), 1e-2, 1e-2)
    # Packed by a stream of rows, whose loop counts its copies, of which some are small and scattered.
    yield Case("packed.truth_rows", lambda v: jnp.broadcast_to(v, (1024, 128)), (jnp.asarray(True),), 0)
    yield Case("packed.turned", lambda a: a.T, (halves(10, 6),), 0)
    yield Case("packed.larger", lambda a: a + a, (halves(700, 702),), 0)
    yield Case("packed.sum", lambda a: jnp.sum(a.astype(jnp.float32), axis=1), (halves(20, 70),),
               1e-5, 1e-5)
    yield Case("packed.maximum", lambda a: jnp.max(a, axis=1), (halves(20, 70),), 0)
    yield Case("packed.column_sum", lambda a: jnp.sum(a.astype(jnp.float32), axis=0),
               (halves(20, 70),), 1e-5, 1e-5)
    yield Case("packed.softmax", lambda a: jax.nn.softmax(a.astype(jnp.float32)).astype(a.dtype),
               (halves(20, 96),), 1e-2, 1e-3)
    yield Case("packed.convolution", lambda x, k: lax.conv_general_dilated(
        x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
        (halves(1, 6, 6, 8), halves(3, 3, 8, 16, seed=1)), **close)

    for name, shape, window, stride in (("by_rows", (2, 7, 9, 24), (3, 3, 24, 32), 1),
                                        ("blocks", (2, 7, 9, 24), (3, 3, 24, 4), 1),
                                        ("strided_blocks", (1, 8, 10, 3), (5, 3, 3, 3), 2),
                                        ("blocks_of_pixels", (1, 5, 11, 20), (1, 1, 20, 5), 1)):
        yield Case(f"convolution.{name}", lambda x, k, stride=stride: lax.conv_general_dilated(
            x, k, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
            (halves(*shape), halves(*window, seed=1)), **close)

    channels_last = ("NHWC", "HWIO", "NHWC")
    yield Case("convolution.full_rows", lambda x, k: lax.conv_general_dilated(
        x, k, (1, 1), "SAME", dimension_numbers=channels_last, feature_group_count=24),
        (reals(2, 7, 9, 24), reals(3, 5, 1, 24, seed=1)), 1e-5, 1e-5)
    yield Case("convolution.full_rows_strided", lambda x, k: lax.conv_general_dilated(
        x, k, (2, 1), [(1, 0), (0, 3)], rhs_dilation=(1, 2), dimension_numbers=channels_last, feature_group_count=5),
        (reals(2, 7, 9, 5), reals(3, 3, 1, 5, seed=1)), 1e-5, 1e-5)
    yield Case("convolution.kernel_gradient", lambda x, k, g: jax.vjp(lambda k: lax.conv_general_dilated(
        x, k, (1, 1), "SAME", dimension_numbers=channels_last, precision="highest"), k)[1](g)[0],
        (reals(2, 7, 9, 20), reals(3, 3, 20, 6, seed=1), reals(2, 7, 9, 6, seed=2)), 1e-5, 1e-4)

    def channels_first(x, k):
        return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"))

    # The end of a row does not affect the beginning of the next one.
    infinite = reals(2, 5, 6, 7).at[1, 2, 3, 6].set(np.inf).at[0, 4, 2, 0].set(np.nan)
    yield Case("convolution.ends_of_rows", channels_first, (infinite, reals(4, 5, 3, 5, seed=1)), 3e-2, 3e-2)

    def attention(q, k, v):
        scores = jnp.einsum("hqd,hkd->hqk", q, k, **wide) / 4
        return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores).astype(v.dtype), v)

    yield Case("packed.attention", attention, tuple(halves(2, 32, 16, seed=s) for s in (1, 2, 3)),
               2e-2, 2e-2)


def programs():
    def eight_lines(x, w1, w2):
        h = x @ w1
        h = h / jnp.sqrt(jnp.mean(h ** 2, axis=-1, keepdims=True) + 1e-6)
        e = jnp.exp(h - jnp.max(h, axis=-1, keepdims=True))
        return (e / jnp.sum(e, axis=-1, keepdims=True)) @ w2

    yield Case("program.eight_lines", eight_lines,
               (reals(16, 64), reals(64, 64, seed=2), reals(64, 32, seed=3)), 3e-2, 3e-2)

    def attention(q, k, v):
        scores = jnp.einsum("qhd,khd->hqk", q, k) / 4
        scores = jnp.where(jnp.tril(jnp.ones((q.shape[0], k.shape[0]), bool)), scores, -1e9)
        return jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v)

    yield Case("program.attention", attention,
               (reals(9, 2, 16), reals(9, 2, 16, seed=2), reals(9, 2, 16, seed=3)), 3e-2, 3e-2)


    # A product of a vector with itself starts from zero each time round.
    captured = np.asarray(reals(5, 3, seed=2))
    yield Case("program.own_products", lambda c: lax.scan(
        lambda c, z: (jnp.where(z[0] < c[1], z, c), jnp.dot(c, c, precision="highest")), c, captured),
               (reals(3),), 1e-5, 1e-5)

    data = np.asarray(reals(200, 6, seed=4))
    yield Case("program.regression", jax.grad(lambda b, w: jnp.mean(
        (jnp.dot(data[:, :5], w, precision="highest") + b - data[:, 5]) ** 2), (0, 1)),
               (jnp.float32(0.5), reals(5, seed=5)), 1e-4, 1e-4)


def whole_range():
    """Where results are smallest and largest, corrections are easily lost."""
    exponents = jnp.asarray(np.linspace(-87, 88.7, 4001).astype(np.float32))
    yield Case("range.exp", jnp.exp, (exponents,), 4e-7)
    edges = jnp.asarray(np.array([np.inf, -np.inf, np.nan, 0, -0.0, 1e30, -1e30, 89, 200, -150],
                                 np.float32))
    # Quotients of zeros keep their signs, whether the divisor is a number or that of a row.
    zeros = sprinkled(np.array(reals(9, 700)), 5, (0.0, -0.0, np.inf, -np.inf))
    yield Case("range.signs", lambda v, d: (jnp.signbit(v / d), jnp.signbit(v / -3.0), v / d, v / -3.0), (zeros, reals(9, 1)), 3e-7)
    yield Case("range.exp_edges", lambda v: 1 / jnp.exp(v), (edges,), 4e-7)
    pairs = jnp.meshgrid(edges, edges)
    yield Case("range.divide_edges", lambda a, b: a / b, tuple(pairs), 2e-7)
    # Divisors of whole rows (XLA's inverse of what is beyond 2^126 is zero).
    extremes = jnp.asarray(np.array([np.inf, -np.inf, np.nan, 0, -0.0, 8e37, -8e37, 1e30, 7e28, 3,
                                     -1.7e-19, 1.2e-38, 2.0**125, -2.0**97, 1, 10], np.float32))
    spread = jnp.tile(jnp.concatenate([extremes, reals(48, scale=1e3)]), 3)
    yield Case("range.divide_rows_edges", lambda a, b: a / b[:, None],
               (jnp.broadcast_to(spread, (16, 192)), extremes), 2e-7)
    # A root needs no scale, unlike other divisors, and one of something positive not to be compared with zero.
    yield Case("range.divide_root_edges", lambda a, b: a / jnp.sqrt(jnp.abs(b))[:, None],
               (jnp.broadcast_to(spread, (16, 192)), extremes), 2e-7)
    yield Case("range.divide_root_of_squares", lambda a: a / jnp.sqrt(jnp.mean(a * a, axis=1, keepdims=True) + 1e-6),
               (jnp.outer(extremes, spread[16:112]),), 1e-6)
    whole = jnp.arange(1, 25, dtype=jnp.float32)
    columns = jnp.arange(1, 161, dtype=jnp.float32)
    yield Case("range.divide_rows_whole", lambda a, b: (a * b[:, None]) / b[:, None],
               (jnp.broadcast_to(columns, (24, 160)), whole), 1.2e-7)
    # Rows whose largest number is infinite, or not there.
    masked = jnp.where(reals(24, 160) < 0, -jnp.inf, reals(24, 160, seed=2)).at[3].set(-1e38)
    masked = masked.at[5, 7].set(jnp.inf).at[6].set(-jnp.inf).at[7, 0].set(1e38)
    yield Case("range.exp_below_largest", lambda v: jnp.exp(v - jnp.max(v, axis=1, keepdims=True)),
               (masked,), 4e-7)
    yield Case("range.softmax_edges", lambda v: jax.nn.softmax(v, axis=-1), (masked,), 2e-6)


def larger():
    """Operations that do not fit VMEM, or need many instructions."""
    loose = dict(relative=3e-2, absolute=3e-2)
    x = reals(512, 600)
    yield Case("larger.softmax", lambda v: jax.nn.softmax(v, axis=-1), (x,), 2e-6, 1e-9)
    # Blocks in a pipeline of two stages, with an operand of the last one, and of four.
    yield Case("larger.two_stages", lambda v, w: w * jnp.exp(
        v - jnp.max(v, axis=-1, keepdims=True)), (x, reals(512, 600, seed=2)), 2e-6, 1e-9)

    def four_stages(v):
        power = jnp.exp(v - jnp.max(v, axis=-1, keepdims=True))
        share = power / jnp.sum(power, axis=-1, keepdims=True)
        return jnp.tanh(share - jnp.max(share * v, axis=-1, keepdims=True)) + v

    yield Case("larger.four_stages", four_stages, (x,), 4e-6, 1e-6)
    yield Case("larger.rms", lambda v, w: v * lax.rsqrt(
        jnp.mean(v * v, axis=-1, keepdims=True) + 1e-5) * w, (x, reals(600)), 2e-6, 1e-7)
    yield Case("larger.masked", lambda v: jnp.where(jnp.tril(jnp.ones(v.shape, bool)), v, -1.0),
               (x,), 0)
    yield Case("larger.three", lambda v: jnp.exp(v) / jnp.sum(jnp.exp(v), axis=(1, 2),
               keepdims=True), (reals(300, 24, 40),), 1e-5)
    yield Case("larger.dot", lambda a, b: jnp.dot(a, b, precision="highest"),
               (reals(100, 330), reals(330, 200)), 1e-4, 1e-4)
    yield Case("larger.transposed", lambda a, b: jnp.einsum("ik,jk->ij", a, b,
               precision="highest"), (reals(50, 130), reals(210, 130)), 1e-4, 1e-4)
    yield Case("larger.depth_and_one", lambda a, b: jnp.dot(a, b, precision="highest"),
               (reals(20, 33), reals(33, 40)), 1e-4, 1e-4)
    yield Case("larger.bf16_weights", lambda a, w: jnp.dot(
        a, w.astype(jnp.float32), precision="high"),
        (reals(3, 80), reals(80, 90).astype(jnp.bfloat16)), 1e-4, 1e-4)

    # Rows of few chunks, which come and go in the one loop that works on them.
    yield Case("larger.stream", lambda v, w, u: (
        v - jnp.max(w, axis=-1, keepdims=True) * u, w * 2 - jnp.sum(v * u, axis=-1, keepdims=True)),
        (reals(2048, 120), reals(2048, 120, seed=2), reals(120, seed=3)), 2e-5, 2e-5)
    yield Case("larger.stream_words", lambda v: jnp.where(
        v > jnp.min(v, axis=-1, keepdims=True), v, jnp.arange(len(v))[:, None]), (words(4096, 96),))
    yield Case("larger.stream_again", lambda v: lax.fori_loop(
        0, 3, lambda i, x: jax.nn.softmax(x * (i + 1), axis=-1) + v, v), (reals(3072, 100),), 1e-5, 1e-6)

    def attention(q, k, v):
        scores = jnp.einsum("hqd,hkd->hqk", q, k) / 8
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[1:], bool)), scores, -jnp.inf)
        return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, axis=-1), v)

    shapes = [(2, 128, 64), (3, 512, 64)]
    for shape in shapes:
        yield Case(f"larger.attention{shape[1]}", attention,
                   tuple(reals(*shape, seed=seed) for seed in (1, 2, 3)), **loose)

    def mlp(x, up, down):
        return jax.nn.gelu(x @ up) @ down

    # The rows of one beside a product of the other, over tiles of columns in a loop and without.
    def two_chains(x, y, up, down):
        return [jax.nn.softmax(v @ up, axis=-1) @ down for v in (x, y)]

    for rows, wide in ((67, 50), (256, 128), (300, 120)):
        yield Case(f"larger.two_chains{rows}", two_chains,
                   (reals(rows, 72), reals(rows, 72, seed=2), reals(72, wide, seed=3, scale=0.1), reals(wide, 36, seed=4)),
                   **loose)

    yield Case("larger.mlp", mlp, (reals(200, 96), reals(96, 300, scale=0.1),
                                   reals(300, 96, scale=0.1)), **loose)


def online():
    """Attention and its like where whole rows of scores fit nowhere on small, or do not come first."""
    close = dict(relative=3e-2, absolute=3e-2)
    q, k, v = (reals(520, 16, seed=seed) for seed in (1, 2, 3))
    keys = jnp.arange(520)
    heads = tuple(reals(520, 2, 16, seed=seed) for seed in (1, 2, 3))

    def plain(q, k, v, mask=None):
        scores = q @ k.T / 4
        return jax.nn.softmax(scores if mask is None else jnp.where(mask, scores, -jnp.inf)) @ v

    def plain_scores(scores, v):
        return jax.nn.softmax(scores) @ v

    def by_hand(q, k, v):
        scores = (q * 0.25) @ k.T
        parts = jnp.exp(scores - jnp.max(scores, axis=1, keepdims=True))
        return (parts @ v) / jnp.sum(parts, axis=1, keepdims=True)

    def keys_first(q, k, v):
        return v.T @ jax.nn.softmax(k @ q.T / 4, axis=0)

    def unguarded(q, k, v):
        parts = jnp.exp(q @ k.T / 8)
        return (parts @ v) / jnp.sum(parts, axis=1, keepdims=True)

    def by_logarithm(q, k, v):
        scores = q @ k.T / 4
        norm = jax.nn.logsumexp(scores, axis=1, keepdims=True)
        return jnp.exp(scores - norm) @ v, norm

    def guarded(q, k, v):
        scores = jnp.where(keys[:, None] > 2, q @ k.T, -jnp.inf)
        most = jnp.max(scores, axis=1, keepdims=True)
        parts = jnp.exp(scores - jnp.where(jnp.isfinite(most), most, 0))
        norm = jnp.sum(parts, axis=1, keepdims=True)
        return jnp.where(norm > 0, (parts @ v) / norm, 0)

    def capped(q, k, v):
        scores = 30 * jnp.tanh(jnp.einsum("qhd,khd->hqk", q, k) / 120)
        return jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v)

    def repeated(q, k, v):
        step = lambda x, w: (jax.nn.softmax((x @ w) @ k.T) @ v, None)
        return lax.scan(step, q, jnp.stack([jnp.eye(16) * 0.3] * 2))[0]

    def weights_too(q, k, v):  # they are a result, so scores go to HBM
        weights = jax.nn.softmax(q @ k.T / 4)
        return weights @ v, weights

    yield Case("online.plain", plain, (q, k, v), **close)
    yield Case("online.by_hand", by_hand, (q, k, v), **close)
    yield Case("online.keys_first", keys_first, (q, k, v), **close)
    yield Case("online.unguarded", unguarded, (q, k, v), **close)
    yield Case("online.by_logarithm", by_logarithm, (q, k, v), **close)
    yield Case("online.capped", capped, heads, **close)
    yield Case("online.repeated", repeated, (q, k, v), **close)
    yield Case("online.weights_too", weights_too, (q, k, v), **close)
    # In blocks, one of whose copies is small enough for registers.
    def keys_first_weights_too(q, k, v):
        weights = jax.nn.softmax(k.T @ q / 8, axis=0)
        return v @ weights, weights

    yield Case("online.keys_first_weights_too", keys_first_weights_too,
               tuple(reals(64, 512, seed=seed) for seed in (1, 2, 3)), **close)
    # Rows of minus infinity only give NaN, unless handled specially.
    yield Case("online.empty_rows", lambda q, k, v: plain(q, k, v, keys[:, None] > 2), (q, k, v), **close)
    yield Case("online.guarded", guarded, (q, k, v), **close)
    yield Case("online.window", lambda q, k, v: plain(
        q, k, v, (keys <= keys[:, None]) & (keys > keys[:, None] - 64)), (q, k, v), **close)
    yield Case("online.mask", plain, (q, k, v, reals(520, 520, seed=4) > 0), **close)
    yield Case("online.ragged", plain, (reals(777, 16), reals(1001, 16, seed=2), reals(1001, 24, seed=3)), **close)
    yield Case("online.one_row", plain, (reals(1, 16), reals(8192, 16, seed=2), reals(8192, 16, seed=3)), **close)
    yield Case("online.causal_groups", lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True),
               (reals(2, 260, 4, 16), reals(2, 260, 2, 16, seed=2), reals(2, 260, 2, 16, seed=3)), **close)
    # Rows that need no keys after their own number: tiles there are left out, in whole blocks and ragged ones.
    for rows, columns in ((512, 512), (777, 777), (300, 1001), (1001, 300)):
        yield Case(f"online.causal_{rows}x{columns}", lambda q, k, v: plain(
            q, k, v, jnp.tril(jnp.ones((q.shape[0], k.shape[0]), bool))),
            (reals(rows, 16), reals(columns, 16, seed=2), reals(columns, 16, seed=3)), **close)
    yield Case("online.causal_strictly", lambda q, k, v: plain(q, k, v, keys < keys[:, None]), (q, k, v), **close)
    yield Case("online.causal_from_behind", lambda q, k, v: plain(q, k, v, keys >= keys[:, None]), (q, k, v), **close)
    yield Case("online.causal_infinity_first", lambda q, k, v: jax.nn.softmax(jnp.where(
        keys > keys[:, None], -jnp.inf, q @ k.T / 4)) @ v, (q, k, v), **close)
    yield Case("online.causal_or_padding", lambda q, k, v: jax.nn.softmax(jnp.where(
        (keys > keys[:, None]) | (keys % 5 == 3), -jnp.inf, q @ k.T / 4)) @ v, (q, k, v), **close)
    # A finite number in the mask: keys that come later are nothing but to rows whose others are lower still.
    def low(fill, factor):
        def f(q, k, v):
            lower = jnp.where((keys[:, None] == 7) | (keys[:, None] == 300), fill * np.float32(factor), 0)
            return plain_scores(jnp.where(keys <= keys[:, None], q @ k.T / 4 + lower, fill), v)
        return f

    for fill, factor in ((-1e9, 1.5), (-2.38e38, 1.2), (-1e4, 1.0), (-1000, 0.9), (-1200, 1.1)):
        yield Case(f"online.causal_low_{fill:g}_{factor}", low(np.float32(fill), factor), (q, k, v), **close)
    yield Case("online.causal_low_strictly", lambda q, k, v: plain_scores(jnp.where(
        keys < keys[:, None], q @ k.T / 4, -1e9), v), (q, k, v), **close)
    yield Case("online.causal_low_halves", lambda q, k, v: plain_scores(jnp.where(
        keys <= keys[:, None], q @ k.T / 4, -1e9) / 2, v), (q, k, v), **close)
    # The mask of one does not reach what the other sums.
    yield Case("online.causal_and_not", lambda q, k, v: jnp.where(
        keys <= keys[:, None], q @ k.T / 4, 0.5) @ v / 64, (q, k, v), **close)
    yield Case("online.halves", lambda q, k, v: jax.nn.softmax(jnp.einsum(
        "qd,kd->qk", q, k, preferred_element_type=jnp.float32) / 4).astype(v.dtype) @ v,
        tuple(part.astype(jnp.bfloat16) for part in (q, k, v)), **close)
    yield Case("online.no_exponential", lambda q, k, v: jax.nn.relu(q @ k.T / 4) @ v / 64, (q, k, v), **close)
    yield Case("online.network", lambda x, up, down: jax.nn.gelu(x @ up) @ down,
               (reals(1024, 64), reals(64, 512, seed=2, scale=0.1), reals(512, 64, seed=3, scale=0.1)), **close)


def masks_that_end():
    """Attention whose mask ends at a number that only the running program knows: all lengths there are."""
    close = {"relative": 1e-4, "absolute": 1e-5}

    def attention(q, k, v, seen=None, hidden=None):
        scores = jnp.dot(q, k.T, precision="highest") / 4
        scores = jnp.where(seen, scores, -jnp.inf) if hidden is None else jnp.where(hidden, -jnp.inf, scores)
        return jnp.dot(jax.nn.softmax(scores, axis=-1), v, precision="highest")

    def at_lengths(lengths, mask, name="seen"):
        places = jnp.arange(256)
        return lambda q, k, v: lax.map(lambda n: attention(q, k, v, **{name: mask(places, n)}), jnp.asarray(lengths))

    few, many = reals(1, 16), reals(40, 16)
    k, v = reals(256, 16, seed=2), reals(256, 16, seed=3)
    edges = [0, 1, 30, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 254, 255, 256, 1000]
    yield Case("mask.up_to", at_lengths(edges, lambda i, n: i <= n), (few, k, v), **close)
    yield Case("mask.below", at_lengths(edges[1:], lambda i, n: i < n), (few, k, v), **close)
    yield Case("mask.turned_round", at_lengths(edges[1:], lambda i, n: n > i), (few, k, v), **close)
    yield Case("mask.many_rows", at_lengths(edges, lambda i, n: n + 3 >= i), (many, k, v), **close)
    yield Case("mask.two", at_lengths(edges, lambda i, n: (i <= n) & (i % 3 != 1)), (few, k, v), **close)
    yield Case("mask.hidden", at_lengths(edges, lambda i, n: i > n, "hidden"), (few, k, v), **close)
    yield Case("mask.hidden_two", at_lengths(edges, lambda i, n: (n < i) | (i % 3 == 1), "hidden"), (few, k, v), **close)
    # Nothing is left: no numbers.
    yield Case("mask.nothing", at_lengths([-1, -2 ** 31, 5], lambda i, n: i <= n), (few, k, v), **close)

    def decode(q, keys, values):
        def turn(position, state):
            cache, out = state
            cache = lax.dynamic_update_slice(cache, keys[:, position, None].astype(cache.dtype),
                                             (0, position, 0))
            scores = jnp.einsum("hgd,hpd->hgp", q, cache, precision="highest")
            scores = jnp.where(jnp.arange(256) <= position, scores / 4, -jnp.inf)
            mixed = jnp.einsum("hgp,hpd->hgd", jax.nn.softmax(scores, axis=-1), values,
                               precision="highest")
            return cache, lax.dynamic_update_slice(out, mixed[None], (position, 0, 0, 0))
        return lax.fori_loop(0, 160, turn, (jnp.zeros((2, 256, 16)), jnp.zeros((160, 2, 2, 16))))[1]

    yield Case("mask.cache", decode, (reals(2, 2, 16), reals(2, 256, 16, seed=2), reals(2, 256, 16, seed=3)), **close)


def stored():
    """The cases in tests/compiler/artifacts, for tests without Python."""
    yield Case("stored.plus_one", lambda x: x + 1, (reals(4, 5),), 0)
    yield Case("stored.plus_one_word", lambda x: x + 1, (words(3, 17),))
    yield Case("stored.plus_one_streamed", lambda x: x + 1, (reals(60, 70),), 0)

    def eight_lines(x, w1, w2):
        h = jnp.dot(x, w1, precision="highest")
        h = h / jnp.sqrt(jnp.mean(h ** 2, axis=-1, keepdims=True) + 1e-6)
        e = jnp.exp(h - jnp.max(h, axis=-1, keepdims=True))
        return jnp.dot(e / jnp.sum(e, axis=-1, keepdims=True), w2, precision="highest")

    yield Case("stored.eight_lines", eight_lines,
               (reals(16, 64), reals(64, 64, seed=2), reals(64, 32, seed=3)), 1e-5, 1e-6)
    yield Case("stored.softmax", lambda x: jax.nn.softmax(x, axis=-1), (reals(5, 21),), 1e-6)
    yield Case("stored.transpose", lambda x: x.transpose(2, 0, 1)[::-1], (reals(3, 4, 5),), 0)
    yield Case("stored.scan", lambda v: lax.scan(lambda c, x: (c + x, c * x), v[0], v),
               (reals(6, 5),), 1e-5)
    yield Case("stored.switch", lambda i, v: lax.switch(
        i, [lambda a: a, lambda a: a * 2, lambda a: a * 3], v), (jnp.int32(1), reals(7)), 0)
    yield Case("stored.gather", lambda v, i: v[i], (reals(6, 9), jnp.array([0, 5, 2, -1])), 0)
    yield Case("stored.scatter", lambda v, i: v.at[i].add(v[:3]),
               (reals(6, 9), jnp.array([1, 4, 1])), 1e-6)
    yield Case("stored.divide_word", lax.div, (words(50), words(50, seed=2, low=1)))


def narrow():
    """Short rows, which are joined where they can be, and pieces of rows that come and go."""
    def group_norm(v, groups):
        y = v.reshape(*v.shape[:-1], groups, -1)
        y = y - y.mean((1, 2, 4), keepdims=True)
        return (y * lax.rsqrt((y * y).mean((1, 2, 4), keepdims=True) + 1e-5)).reshape(v.shape)

    image = reals(2, 7, 9, 24, seed=1)
    yield Case("narrow.group_norm", lambda v: group_norm(v, 4), (image,), 1e-4, 1e-4)
    yield Case("narrow.group_norm_8", lambda v: group_norm(v, 8), (image,), 1e-4, 1e-4)
    yield Case("narrow.last", lambda v, w, b: v * w + b, (reals(1000, 3), reals(3, seed=1), reals(3, seed=2)), 1e-5, 1e-6)
    yield Case("narrow.prime", lambda v, w: v - w, (reals(997, 5), reals(5, seed=1)), 0)
    yield Case("narrow.channel", lambda v, w: v * w[:, None, None], (reals(3, 16, 7, 7), reals(16, seed=1)), 0)
    yield Case("narrow.middle", lambda v, w: v + w[None, :, None, :], (reals(12, 5, 6, 4), reals(5, 4, seed=1)), 0)
    yield Case("narrow.words", lambda v, w: v // 2 - w, (words(640, 6), words(6, seed=1)))
    yield Case("narrow.half", lambda v, w: v * w, (reals(64, 9, 6).astype(jnp.bfloat16), reals(6).astype(jnp.bfloat16)), 0)
    for shape in ((), (1,), (1, 1, 1)):
        yield Case(f"narrow.ones_{len(shape)}", lambda v, w, s=shape: (v.reshape(1, 1) * 2 + w[:1].reshape(1, 1)).reshape(s),
                   (reals(1)[0], reals(3, seed=1)), 0)
    # Weights come in parts, and the rows are turned where they arrived.
    for rows, columns in ((256, 512), (200, 384)):
        yield Case(f"narrow.turned_{rows}", lambda v, w: v.T @ w, (reals(rows, columns), reals(rows, 512, seed=1)), 3e-2, 0.5)
    # Two rows of the unit take as much room as eight.
    yield Case("narrow.deep", lambda v, w: (jnp.dot(v.T, jnp.tanh(w), precision="highest") / 256,
                                            jnp.tanh(w) - jnp.tanh(w).max()), (reals(65536, 2), reals(65536, seed=1)), 1e-4, 1e-4)
    for rows in (17, 100, 203):
        yield Case(f"narrow.pieces_{rows}", lambda v, w: jax.nn.softmax(v * 2, -1) + w,
                   (reals(rows, 150), reals(150, seed=1)), 1e-5, 1e-6)


def extremes():
    """Indices of maxima and minima, with equal elements and NaNs, and reductions of truth values."""
    x = np.asarray(words(37, 70, low=-9, high=9)).astype(np.float32)  # many are equal
    x[3, 20:40:7] = np.nan
    x[5, :] = -np.inf
    x[6, ::2], x[6, 1::2] = 0.0, -0.0
    x = jnp.asarray(x)
    y = words(37, 70, seed=2, low=-5, high=5)
    for name, function in (("argmax", jnp.argmax), ("argmin", jnp.argmin)):
        for axis in (0, 1, None):
            yield Case(f"extremes.{name}_{axis}", lambda v, f=function, a=axis: f(v * 2, a), (x,))
            yield Case(f"extremes.{name}_{axis}.s32", lambda v, f=function, a=axis: f(v, a), (y,))
    yield Case("extremes.argmax.bf16", lambda v: jnp.argmax(v, -1), (x.astype(jnp.bfloat16),))
    yield Case("extremes.argmax_middle", lambda v: jnp.argmax(v, 1), (reals(5, 33, 6),))
    yield Case("extremes.last", lambda v: lax.reduce(
        (v, lax.broadcasted_iota(jnp.int32, v.shape, 1)), (jnp.float32(-np.inf), jnp.int32(0)),
        lambda a, b: (jnp.maximum(a[0], b[0]), jnp.where(b[0] >= a[0], b[1], a[1])), (1,))[0], (reals(9, 21),))
    # Its body is long, and each of its values has many uses.
    yield Case("extremes.drawn", lambda v: jax.random.categorical(jax.random.key(3), v), (reals(40, 70),))
    for axis in (0, 1, None):
        yield Case(f"extremes.any_{axis}", lambda v, a=axis: jnp.any(v > 3, a), (y,))
        yield Case(f"extremes.all_{axis}", lambda v, a=axis: jnp.all(v > -5, a), (y,))
        yield Case(f"extremes.parity_{axis}", lambda v, a=axis: lax.reduce(
            v > 0, np.bool_(False), lax.bitwise_xor, (0, 1) if a is None else (a,)), (y,))
    yield Case("extremes.begun", lambda v: lax.reduce(v > 9, np.bool_(True), lax.bitwise_or, (1,)), (y,))


def scattered():
    """Moves whose runs are single words, alone and as operands, and reductions in stages: beyond the sizes of movement()."""
    x, y = reals(70, 133), reals(3, 37, 150)
    yield Case("scattered.transpose", lambda v: v.T, (x,), 0)
    yield Case("scattered.transpose_sum", lambda v, w: v.T * 2 + w, (x, reals(133, 70)), 0)
    yield Case("scattered.rotated", lambda v: v.transpose(2, 0, 1), (y,), 0)
    yield Case("scattered.strided", lambda v: v[:, 1::3] + 1, (x,), 0)
    yield Case("scattered.reversed", lambda v: v[::-1, ::-1], (x,), 0)
    yield Case("scattered.repeated", lambda v: jnp.repeat(v, 3, -1), (x,), 0)
    yield Case("scattered.pairs", lambda v: jnp.stack([v, -v], -1).reshape(70, -1), (x,), 0)
    yield Case("scattered.bytes", lambda v: v.astype(jnp.int8).T, (words(60, 130, low=-99, high=99),))
    yield Case("scattered.operands", lambda v, w: jnp.dot(v.T, w.T, precision="highest"),
               (reals(40, 50), reals(60, 40)), 1e-4, 1e-4)
    yield Case("scattered.sum_all", lambda v: (v * v).sum(), (x,), 1e-5)
    yield Case("scattered.max_axes", lambda v: v.max((0, 2)), (y,), 0)
    yield Case("scattered.few_columns", lambda v: (v - 1).sum(0), (reals(640, 5),), 1e-4, 1e-4)
    yield Case("scattered.leading", lambda v: v.sum((0, 1)), (reals(7, 20, 24),), 1e-5, 1e-5)
    yield Case("scattered.product", lambda v: v.prod((0, 1)), (1 + reals(6, 8, 5) / 50,), 1e-5)
    yield Case("scattered.integers", lambda v: (v.sum(), v.min((0, 1))), (words(9, 30, 17),))


def revisited():
    """Operations that read memory rather than tensors (sorts, prefixes), twice on one value that changes in between."""
    x = words(24, 16)
    readers = {"sort": lambda v: jnp.sort(v, 0), "cumsum": lambda v: jnp.cumsum(v, 0)}
    for first, before in readers.items():
        for second, after in readers.items():
            yield Case(f"revisited.{first}_{second}", lambda v, f=before, g=after: (
                f(v * 2), (v * 2).at[3].set(5), g(v * 2)), (x,))
            yield Case(f"revisited.of_{first}_{second}", lambda v, f=before, g=after: (
                f(v).at[3].set(5), g(f(v))), (x,))
    yield Case("revisited.unique", jax.vmap(lambda r: jnp.unique(r, return_counts=True, size=5)), (words(4, 5, low=-3, high=3),))


def looked_up():
    """Single words of a table, looked up by rows of it and one by one, around where the ways part."""
    for size, count in ((1, 20), (16, 300), (33, 7), (40, 100), (128, 9), (257, 500), (2048, 129), (2049, 40), (500, 20)):
        t, i = reals(size), words(count, seed=size, low=-size - 4, high=size + 4)
        yield Case(f"looked_up.{size}_{count}", lambda v, n: v[n], (t, i), 0)
        yield Case(f"looked_up.fill_{size}_{count}", lambda v, n: jnp.take(v, n, mode="fill", fill_value=-1), (t, i), 0)
    t = words(60)
    yield Case("looked_up.integers", lambda v, n: v[n] + 1, (t, words(3, 5, 7, low=0, high=60)), 0)
    yield Case("looked_up.unsigned", lambda v, n: v.at[n].get(mode="clip"), (t, jnp.asarray([0, 59, 60, 255, 128], jnp.uint8)), 0)
    yield Case("looked_up.signed_bytes", lambda v, n: v.at[n].get(mode="clip"), (t, jnp.asarray([0, 59, -1, -128, 127], jnp.int8)), 0)
    yield Case("looked_up.special", lambda v, n: v[n], (
        jnp.asarray([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-40]), words(64, low=0, high=6)), 0)
    for kind in (jnp.bfloat16, jnp.float16, jnp.int8, jnp.uint8, jnp.int16, jnp.bool_):
        for size, count in ((17, 300), (500, 129)):
            yield Case(f"looked_up.{np.dtype(kind).name}_{size}", lambda v, n: v[n],
                       ((words(size, low=-120, high=120) % (2 if kind == jnp.bool_ else 300)).astype(kind), words(count, low=-size - 2, high=size + 2)), 0)
    yield Case("looked_up.twice", lambda v, n, m: v[n[m]] * v[m], (reals(50), words(70, low=0, high=50), words(90, low=0, high=50)), 0)
    yield Case("looked_up.in_loop", lambda v, n: lax.fori_loop(0, 3, lambda k, x: v[(n + k) % 40] + x, jnp.zeros(50)),
               (reals(40), words(50, low=0, high=40)), 1e-6)
    yield Case("looked_up.gradient", jax.grad(lambda v, n: (v[n] ** 2).sum()), (reals(40), words(90, low=0, high=40)), 1e-5, 1e-5)


def scattered_rows():
    """Rows that are added to rows which indices choose."""
    for rows, width, count in ((20, 64, 200), (7, 16, 30), (5, 17, 40), (9, 3, 12), (130, 130, 21)):
        x, i = reals(count, width), words(count, seed=rows, low=-rows, high=rows + 2)
        yield Case(f"scattered_rows.sum_{rows}_{width}", lambda v, n, r=rows: jax.ops.segment_sum(v, n, r), (x, i), 1e-5, 1e-5)
        yield Case(f"scattered_rows.max_{rows}_{width}", lambda v, n, r=rows: jax.ops.segment_max(v, n, r), (x, i), 0)
        yield Case(f"scattered_rows.set_{rows}_{width}", lambda t, v, n: t.at[n[:3]].multiply(v[:3]), (reals(rows, width, seed=3), x, i), 1e-6)


def moved_rows():
    """Rows of small elements that are only moved, in words, around whole words, lanes and rows that are few."""
    kinds = {"bf16": jnp.bfloat16, "f16": jnp.float16, "s8": jnp.int8, "u8": jnp.uint8, "s16": jnp.int16, "i1": jnp.bool_}
    for name, kind in kinds.items():
        def made(*shape, seed=0, k=kind):
            return (words(*shape, seed=seed, low=-120, high=120) % (2 if k == jnp.bool_ else 1000)).astype(k)

        for columns in (1, 3, 7, 12, 15, 16, 64, 129):
            table, i = made(300, columns), words(21, seed=columns, low=-310, high=310)
            yield Case(f"moved_rows.gather_{name}_{columns}", lambda t, n: t[n], (table, i), 0)
            yield Case(f"moved_rows.widened_{name}_{columns}", lambda t, n: t[n].astype(jnp.float32) * 2, (table, i), 0)
        table, few = made(300, 64), made(5, 64, seed=9)
        i = jnp.asarray([7, 300, 7, -1, -301])
        yield Case(f"moved_rows.batches_{name}", lambda t, n: t[n, n + 1], (made(9, 40, 24), words(3, 5, low=0, high=9)), 0)
        yield Case(f"moved_rows.set_{name}", lambda t, n, u: t.at[n[1:]].set(u[1:]), (table, i, few), 0)
        yield Case(f"moved_rows.slice_{name}", lambda t, n: lax.dynamic_slice(t, (n, 0), (9, 64)), (table, jnp.int32(295)), 0)
        yield Case(f"moved_rows.columns_{name}", lambda t: t[3:9, 8:40], (table,), 0)
        yield Case(f"moved_rows.odd_columns_{name}", lambda t: t[3:9, 7:41], (table,), 0)
        yield Case(f"moved_rows.update_{name}", lambda t, u, n: lax.dynamic_update_slice(t, u, (n, 0)), (table, few, jnp.int32(-4)), 0)
        yield Case(f"moved_rows.update_read_{name}", lambda t, u, n: (
            lax.dynamic_update_slice(t, u, (n, 0)), t[:2], t[n].astype(jnp.float32)), (table, few, jnp.int32(290)), 0)
        yield Case(f"moved_rows.joined_{name}", lambda t, u: jnp.concatenate([u, t, u]), (table, few), 0)
        yield Case(f"moved_rows.joined_columns_{name}", lambda t, u: jnp.concatenate([t, u], 1), (few, made(5, 30)), 0)
        yield Case(f"moved_rows.shaped_{name}", lambda t: t.reshape(3, 5, 20, 64)[1:, 2], (table,), 0)
        yield Case(f"moved_rows.carried_{name}", lambda t, u, n: lax.while_loop(
            lambda s: s[0] < n, lambda s: (s[0] + 1, lax.dynamic_update_slice(s[1], u[None, s[0]], (s[0] * 7, 0))), (0, t))[1],
            (table, few, jnp.int32(5)), 0)
        yield Case(f"moved_rows.branch_{name}", lambda t, u, n: lax.cond(
            n > 2, lambda: t.at[3:8].set(u), lambda: t), (table, few, jnp.int32(5)), 0)
        yield Case(f"moved_rows.cache_{name}", lambda u: lax.fori_loop(0, 5, lambda k, c: lax.dynamic_update_slice(
            c, u[None, k], (k * 2, 0)), jnp.zeros((300, 64), u.dtype)), (few,), 0)
        if kind != jnp.bool_:
            yield Case(f"moved_rows.add_{name}", lambda t, n, u: t.at[n].add(u), (table, i, few), 1e-2)
            yield Case(f"moved_rows.along_{name}", lambda t, n: jnp.take_along_axis(t, n, 1), (table, words(300, 2, low=0, high=64)), 0)
    for columns in (1, 16, 130):
        table = reals(1000, columns)
        yield Case(f"moved_rows.few_of_{columns}", lambda t, n: lax.dynamic_slice(t, (n, 0), (3, t.shape[1])) + 1, (table, jnp.int32(500)), 0)
        yield Case(f"moved_rows.add_few_{columns}", lambda t, n, u: t.at[n].add(u), (table, jnp.asarray([4, 4, 999, 1000]), reals(4, columns)), 1e-6)


def all_cases():
    for group in (stored, first_milestone, elementwise, integers, movement, reductions, contractions,
                  control, loops, indexing, arranging, truth, halves, bits, types, packed,
                  programs, whole_range, larger, online, masks_that_end, narrow, extremes, scattered, revisited, looked_up, scattered_rows, moved_rows):
        yield from group()
