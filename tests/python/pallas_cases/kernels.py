"""Small kernels, each for one thing that Pallas has. A case is called with whether JAX's interpreter
is to run the kernel, and returns the function and its arguments.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

F32, BF16, I32 = jnp.float32, jnp.bfloat16, jnp.int32
CASES = {}


def case(make):
    CASES[make.__name__] = make
    return make


def reals(*shape):
    return np.random.default_rng(len(shape) + sum(shape)).normal(size=shape).astype(np.float32)


ROWS = pl.BlockSpec((8, 128), lambda i: (i, 0))
BOXES = pl.BlockSpec((8, 128), lambda i, j: (i, j))
SIMPLE = jax.ShapeDtypeStruct((8, 128), F32)


def call(kernel, interpret, out, **options):
    return pl.pallas_call(kernel, out_shape=out, interpret=interpret, **options)


@case
def elementwise_with_masks(interpret):
    """A window that does not change with the inner loop, and arithmetic around the call."""
    def kernel(x, y, o):
        o[...] = jnp.where(x[...] > 0, x[...] * y[...], jnp.exp(-jnp.abs(x[...])))

    def f(x, y):
        row = pl.BlockSpec((1, 128), lambda i, j: (0, j))
        return call(kernel, interpret, x, grid=(3, 2), in_specs=[BOXES, row],
                    out_specs=BOXES)(x * 2, y) + 1
    return f, reals(24, 256), reals(1, 256)


@case
def blocks_over_the_edge(interpret):
    def kernel(x, o):
        o[...] = x[...] + 1

    return (lambda x: call(kernel, interpret, x, grid=(3, 2), in_specs=[BOXES],
                           out_specs=BOXES)(x)), reals(20, 200)


@case
def matmul_over_the_grid(interpret):
    """A scratch accumulator and branches at the ends of the innermost loop."""
    def kernel(x, y, o, total):
        k = pl.program_id(2)

        @pl.when(k == 0)
        def _():
            total[...] = jnp.zeros_like(total)
        total[...] += jnp.dot(x[...], y[...], precision=lax.Precision.HIGHEST,
                              preferred_element_type=F32)

        @pl.when(k == pl.num_programs(2) - 1)
        def _():
            o[...] = total[...]

    def f(x, y):
        return call(kernel, interpret, jax.ShapeDtypeStruct((256, 128), F32), grid=(2, 1, 2),
                    in_specs=[pl.BlockSpec((128, 128), lambda i, j, k: (i, k)),
                              pl.BlockSpec((128, 128), lambda i, j, k: (k, j))],
                    out_specs=pl.BlockSpec((128, 128), lambda i, j, k: (i, j)),
                    scratch_shapes=[pltpu.VMEM((128, 128), F32)])(x, y)
    return f, reals(256, 256), reals(256, 128)


@case
def sums_kept_in_a_window(interpret):
    def kernel(x, o):
        @pl.when(pl.program_id(1) == 0)
        def _():
            o[...] = jnp.zeros_like(o)
        o[...] += x[...]

    return (lambda x: call(kernel, interpret, jax.ShapeDtypeStruct((16, 128), F32), grid=(2, 3),
                           in_specs=[BOXES], out_specs=pl.BlockSpec((8, 128), lambda i, j: (i, 0))
                           )(x)), reals(16, 384)


@case
def softmax_of_rows(interpret):
    def kernel(x, o):
        shifted = jnp.exp(x[...] - jnp.max(x[...], axis=1, keepdims=True))
        o[...] = shifted / jnp.sum(shifted, axis=1, keepdims=True)

    rows = pl.BlockSpec((16, 256), lambda i: (i, 0))
    return (lambda x: call(kernel, interpret, x, grid=(2,), in_specs=[rows], out_specs=rows)(x)
            ), reals(32, 256)


@case
def prefetched_scalars(interpret):
    """Blocks that scalars choose, two of them the same one after the other."""
    def kernel(which, x, o):
        o[...] = x[...] * 2 + which[pl.program_id(0)].astype(F32)

    grid = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1, grid=(4,), in_specs=[pl.BlockSpec((8, 128), lambda i, w: (w[i], 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i, w: (i, 0)))
    return (lambda which, x: call(kernel, interpret, x, grid_spec=grid)(which, x)
            ), np.array([2, 0, 0, 3], np.int32), reals(32, 128)


@case
def branches_in_index_maps(interpret):
    """Values that a branch or a loop uses from outside are not among its operands."""
    def kernel(which, x, y, o):
        o[...] = x[...] - y[...]

    def chosen(i, j, which):
        return lax.cond(which[0] > 0, lambda: which[2 * i + j], lambda: j), 0

    def counted(i, j, which):
        return lax.fori_loop(0, 2, lambda turn, total: total + j, i), 0

    block = (8, 128)
    grid = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1, grid=(2, 2),
        in_specs=[pl.BlockSpec(block, chosen), pl.BlockSpec(block, counted)],
        out_specs=pl.BlockSpec(block, lambda i, j, which: (2 * i + j, 0)))
    return (lambda which, x: call(kernel, interpret, x, grid_spec=grid)(which, x, x)
            ), np.array([1, 3, 0, 2], np.int32), reals(32, 128)


@case
def results_that_scalars_place(interpret):
    """A result's block that stays for two iterations and is added to."""
    def kernel(which, x, o):
        i = pl.program_id(0)
        is_new = jnp.logical_or(i == 0, which[i] != which[jnp.maximum(i - 1, 0)])

        @pl.when(is_new)
        def _():
            o[...] = jnp.zeros_like(o)
        o[...] += x[...]

    grid = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1, grid=(4,), in_specs=[pl.BlockSpec((8, 128), lambda i, w: (i, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i, w: (w[i], 0)))
    return (lambda which, x: call(kernel, interpret, jax.ShapeDtypeStruct((24, 128), F32),
                                  grid_spec=grid)(which, x)
            ), np.array([1, 1, 0, 2], np.int32), reals(32, 128)


@case
def loops(interpret):
    def kernel(x, o):
        o[...] = lax.fori_loop(0, 4, lambda i, s: s * 0.5 + x[pl.ds(i * 8, 8), :],
                               jnp.zeros((8, 128), F32))

    return (lambda x: call(kernel, interpret, SIMPLE)(x)), reals(32, 128)


@case
def loops_with_a_condition(interpret):
    def kernel(n, x, o):
        o[...] = x[...]

        def turn(state):
            o[...] = o[...] * 2 + state[1]
            return state[0] + 1, state[1] + 1
        lax.while_loop(lambda state: state[0] < n[0], turn, (0, x[...]))

    specs = [pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec(memory_space=pltpu.VMEM)]
    return (lambda n, x: call(kernel, interpret, x, in_specs=specs)(n, x)
            ), np.array([3], np.int32), reals(8, 128)


@case
def loads_before_stores(interpret):
    """Loaded values stay the same, whatever is stored there."""
    def kernel(x, o):
        o[...] = x[...]
        first = o[...]
        o[...] = first * 2
        o[0:4, :] = o[4:8, :] + first[0:4, :]
        o[...] = o[...] + jnp.sum(o[...], axis=1, keepdims=True)
        second = o[...]
        o[...] = jnp.zeros_like(o)
        o[...] = jnp.broadcast_to(second[0:1, :], (8, 128)) + first - o[...]

    return (lambda x: call(kernel, interpret, x)(x)), reals(8, 128)


@case
def parts_that_overlap(interpret):
    def kernel(n, x, o):
        o[...] = x[...]
        o[1:16, :] = o[0:15, :]
        o[0:14, :] = o[2:16, :] + o[0:14, :]
        o[:, 130:256] = o[:, 128:254]
        o[pl.ds(n[0] + 1, 4), :] = o[pl.ds(n[0], 4), :]

    specs = [pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec(memory_space=pltpu.VMEM)]
    return (lambda n, x: call(kernel, interpret, x, in_specs=specs)(n, x)
            ), np.array([5], np.int32), reals(16, 256)


@case
def scalars_in_scratch(interpret):
    def kernel(x, o, count, factor):
        @pl.when(pl.program_id(0) == 0)
        def _():
            count[0] = 0
            factor[0] = 1.5
        count[0] = count[0] + 3
        factor[0] = factor[0] * 2.0
        o[...] = x[...] + count[0].astype(F32) * factor[0]

    return (lambda x: call(kernel, interpret, x, grid=(3,), in_specs=[ROWS], out_specs=ROWS,
                           scratch_shapes=[pltpu.SMEM((1,), I32), pltpu.SMEM((1,), F32)])(x)
            ), reals(24, 128)


@case
def aliases(interpret):
    def kernel(x, y, o):
        o[...] = x[...] + y[...]

    def f(x, y):
        return call(kernel, interpret, x, grid=(2,), in_specs=[ROWS, ROWS], out_specs=ROWS,
                    input_output_aliases={0: 0})(x, y) * x
    return f, reals(16, 128), reals(16, 128)


@case
def aliases_of_the_second_result(interpret):
    """Only one block is written: the others are those of the operand."""
    def kernel(x, y, o, p):
        o[...] = x[...] + 1
        p[...] = y[...] * x[...]

    def f(x, y):
        one = pl.BlockSpec((8, 128), lambda i: (1, 0))
        return call(kernel, interpret, [x, y], grid=(1,), in_specs=[ROWS, one],
                    out_specs=[ROWS, one], input_output_aliases={1: 1})(x, y)
    return f, reals(8, 128), reals(24, 128)


@case
def dynamic_grid(interpret):
    def kernel(x, o):
        o[...] = x[...] * 3

    return (lambda n, x: call(kernel, interpret, x, grid=(n,), in_specs=[ROWS],
                              out_specs=ROWS)(x)[:16]), np.int32(2), reals(32, 128)


@case
def halves(interpret):
    """bf16 operands and results, and the product of one with the other transposed."""
    def kernel(x, y, o):
        product = lax.dot_general(x[...], y[...], (((1,), (1,)), ((), ())),
                                  preferred_element_type=F32)
        o[...] = product.astype(BF16)

    return (lambda x, y: call(kernel, interpret, jax.ShapeDtypeStruct((64, 128), BF16))(x, y)
            ), reals(64, 128).astype(BF16), reals(128, 128).astype(BF16)


@case
def products_of_f16(interpret):
    """f16 has three bits more than bf16."""
    def kernel(x, y, o):
        o[...] = jnp.dot(x[...], y[...], precision=lax.Precision.HIGHEST,
                         preferred_element_type=F32)

    return (lambda x, y: call(kernel, interpret, jax.ShapeDtypeStruct((16, 128), F32))(x, y)
            ), reals(16, 128).astype(np.float16), reals(128, 128).astype(np.float16)


@case
def narrow_elements(interpret):
    def kernel(x, y, o):
        o[...] = jnp.where(y[...] > 0, x[...] * 0.5, x[...].astype(jnp.float16) + 1)

    return (lambda x, y: call(kernel, interpret, x)(x, y)
            ), reals(16, 128).astype(np.float16), np.arange(-1024, 1024, dtype=np.int16).reshape(16, 128)


@case
def in_a_scan_and_twice(interpret):
    def kernel(x, y, o):
        o[...] = x[...] * y[...] + 1

    def f(x, ys):
        step = call(kernel, interpret, x, grid=(2,), in_specs=[ROWS, ROWS], out_specs=ROWS)
        last, sums = lax.scan(lambda c, y: (step(c, y), jnp.sum(c)), x, ys)
        return step(last, x), sums
    return f, reals(16, 128) * 0.5, reals(3, 16, 128) * 0.5


@case
def vectorised(interpret):
    def kernel(x, y, o):
        o[...] = x[...] - y[...]

    def f(x, y):
        return call(kernel, interpret, x, grid=(2,), in_specs=[ROWS, ROWS], out_specs=ROWS)(x, y)
    return jax.vmap(f, in_axes=(0, None)), reals(3, 16, 128), reals(16, 128)


@case
def copies_of_its_own(interpret):
    """Rows that scalars choose come from HBM into two slots in turn, one ahead of its use."""
    def kernel(which, x, o, rows, arrived):
        def start(i):
            slot = i % 2
            pltpu.make_async_copy(x.at[pl.ds(which[i] * 8, 8), :], rows.at[slot], arrived.at[slot]
                                  ).start()

        start(0)

        def turn(i, total):
            @pl.when(i + 1 < 4)
            def _():
                start(i + 1)
            pltpu.make_async_copy(x.at[pl.ds(0, 8), :], rows.at[i % 2], arrived.at[i % 2]).wait()
            return total * 0.5 + rows[i % 2]
        o[...] = lax.fori_loop(0, 4, turn, jnp.zeros((8, 128), F32))

    def f(which, x):
        return call(kernel, interpret, SIMPLE,
                    in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM),
                              pl.BlockSpec(memory_space=pl.ANY)],
                    scratch_shapes=[pltpu.VMEM((2, 8, 128), F32), pltpu.SemaphoreType.DMA((2,))]
                    )(which, x)
    return f, np.array([3, 0, 2, 2], np.int32), reals(32, 128)


@case
def a_pipeline_inside(interpret):
    def inner(x, y, o):
        o[...] = x[...] * y[...]

    def kernel(x, y, o):
        pltpu.emit_pipeline(inner, grid=(3,), in_specs=[ROWS, ROWS], out_specs=[ROWS])(x, y, o)

    def f(x, y):
        anywhere = pl.BlockSpec(memory_space=pl.ANY)
        return call(kernel, interpret, x, in_specs=[anywhere] * 2, out_specs=anywhere)(x, y)
    return f, reals(24, 128), reals(24, 128)


@case
def scoped_scratch_and_views(interpret):
    def kernel(x, o):
        def body(room):
            room[...] = x[...] * 2
            o[...] = room[...].reshape(16, 128) + x[...].reshape(16, 128)
        pl.run_scoped(body, pltpu.VMEM((2, 8, 128), F32))

    return (lambda x: call(kernel, interpret, jax.ShapeDtypeStruct((16, 128), F32))(x)
            ), reals(2, 8, 128)


@case
def strides_and_bits(interpret):
    def kernel(x, o):
        bits = lax.bitcast_convert_type(x[pl.ds(0, 8, 2), :], I32)
        o[...] = lax.bitcast_convert_type(bits & 0x7fffffff, F32)

    return (lambda x: call(kernel, interpret, SIMPLE)(x)), reals(16, 128)


@case
def dimensions_of_one(interpret):
    def kernel(x, y, o, p):
        o[...] = x[...].reshape(20)
        p[...] = y[...].reshape(1, 24, 1)

    outs = [jax.ShapeDtypeStruct((20,), F32), jax.ShapeDtypeStruct((1, 24, 1), F32)]
    return (lambda x, y: call(kernel, interpret, outs)(x, y)), reals(20, 1), reals(24)


@case
def indices_of_extremes(interpret):
    def kernel(x, o, p):
        o[...] = jnp.argmax(x[...], axis=1, keepdims=True)
        p[...] = jnp.argmin(x[...], axis=0, keepdims=True)

    outs = [jax.ShapeDtypeStruct((16, 1), I32), jax.ShapeDtypeStruct((1, 128), I32)]
    x = np.round(reals(16, 128) * 2)
    x[3, 40] = np.nan
    return (lambda x: call(kernel, interpret, outs)(x)), x


@case
def numbers_that_are_none(interpret):
    """Comparisons of NaN and infinities, of vectors and scalars."""
    def kernel(x, o, p, q):
        o[...] = jnp.where(jnp.isnan(x[...]), 1, 0) + jnp.where(jnp.isfinite(x[...]), 2, 0)
        p[...] = jnp.where(x[...] != 1, x[...], 5) + jax.nn.logsumexp(
            jnp.where(x[...] == x[...], x[...], 0), axis=1, keepdims=True)
        worst = jnp.max(x[...])
        q[0] = jnp.where(worst != worst, 1, 0) + jnp.where(jnp.isfinite(worst), 2, 0)

    x = np.resize(np.array([0.5, 1, np.nan, np.inf, -np.inf, 3e38, -0.0], np.float32), (8, 128))
    x[3] = 0.25
    x[4, ::2] = 1
    outs = [jax.ShapeDtypeStruct((8, 128), I32), SIMPLE, jax.ShapeDtypeStruct((1,), I32)]
    specs = [pl.BlockSpec(memory_space=pltpu.VMEM)] * 2 + [pl.BlockSpec(memory_space=pltpu.SMEM)]
    return (lambda x: call(kernel, interpret, outs, out_specs=specs)(x)), x
