"""Rules for primitives that JAX lowers to libraries of its own platforms: factorisations, in plain
JAX. All work in float32, whatever the argument's type, and batch by `jax.vmap`.
"""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import lax

_HIGHEST = lax.Precision.HIGHEST
# Of a symmetric matrix; Jacobi's iteration converges quadratically.
_MAX_SWEEPS = 20


def _dot(a: jax.Array, b: jax.Array) -> jax.Array:
    return jnp.dot(a, b, precision=_HIGHEST)


def _batched(function: Callable, signature: str) -> Callable:
    """For matrices with any leading dimensions, computed in float32."""
    whole = jnp.vectorize(function, signature=signature)

    @functools.wraps(function)
    def convert(*arguments: jax.Array) -> object:
        kind = arguments[0].dtype
        results = whole(*(v.astype(jnp.float32) for v in arguments))
        return jax.tree.map(lambda v: v.astype(kind), results)

    return convert


def _cholesky(a: jax.Array) -> jax.Array:
    """Column after column; everything NaN where the matrix is not positive definite."""
    size = a.shape[0]
    if size == 0:
        return a
    rows = jnp.arange(size)

    def column(j: jax.Array, factor: jax.Array) -> jax.Array:
        rest = a[:, j] - (factor * factor[j]).sum(axis=1)
        return factor.at[:, j].set(jnp.where(rows >= j, rest / jnp.sqrt(rest[j]), 0))

    factor = lax.fori_loop(0, size, column, jnp.zeros_like(a))
    return jnp.where(jnp.isfinite(jnp.diagonal(factor)).all(), factor, jnp.nan)


def _lower_solve(a: jax.Array, b: jax.Array) -> jax.Array:
    """x with a x = b, where only a's lower triangle counts."""
    def row(i: jax.Array, x: jax.Array) -> jax.Array:
        known = jnp.where(jnp.arange(a.shape[0]) < i, a[i], 0)
        return x.at[i].set((b[i] - (known[:, None] * x).sum(axis=0)) / a[i, i])

    return lax.fori_loop(0, a.shape[0], row, jnp.zeros_like(b))


def _triangular_solve(a: jax.Array, b: jax.Array, *, left_side: bool, lower: bool,
                      transpose_a: bool, conjugate_a: bool, unit_diagonal: bool) -> jax.Array:
    del conjugate_a  # of a real matrix
    if not left_side:  # x a = b is a' x' = b'
        a, b = jnp.swapaxes(a, -1, -2), jnp.swapaxes(b, -1, -2)
        lower = not lower
    if transpose_a:
        a, lower = jnp.swapaxes(a, -1, -2), not lower
    if unit_diagonal:
        eye = jnp.eye(a.shape[-1], dtype=bool)
        a = jnp.where(eye, jnp.ones((), a.dtype), a)
    if not lower:  # upside down and mirrored it is a lower one
        a, b = a[..., ::-1, ::-1], b[..., ::-1, :]
    x = _batched(_lower_solve, "(n,n),(n,m)->(n,m)")(a, b)
    x = x if lower else x[..., ::-1, :]
    return x if left_side else jnp.swapaxes(x, -1, -2)


def _householder(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """R on and above the diagonal, the reflections' vectors below it, and their factors."""
    rows = jnp.arange(a.shape[0])

    def column(k: jax.Array, state: tuple) -> tuple:
        a, factors = state
        x = jnp.where(rows > k, a[:, k], 0)
        below = (x * x).sum()
        first = a[k, k]
        norm = jnp.sqrt(first * first + below)
        beta = jnp.where(below == 0, first, jnp.where(first < 0, norm, -norm))
        factor = jnp.where(below == 0, 0, (beta - first) / beta)
        below_one = x / jnp.where(below == 0, 1, first - beta)
        vector = jnp.where(rows == k, 1, below_one)
        behind = jnp.arange(a.shape[1]) > k
        product = jnp.where(behind, (vector[:, None] * a).sum(axis=0), 0)
        a = a - factor * vector[:, None] * product
        kept = jnp.where(rows > k, below_one, jnp.where(rows == k, beta, a[:, k]))
        return a.at[:, k].set(kept), factors.at[k].set(factor)

    count = min(a.shape)
    return lax.fori_loop(0, count, column, (a, jnp.zeros(count, a.dtype)))


def _reflected(a: jax.Array, factors: jax.Array) -> jax.Array:
    """The product of reflections, as many columns as `a` has."""
    rows = jnp.arange(a.shape[0])
    count = factors.shape[0]

    def reflection(step: jax.Array, q: jax.Array) -> jax.Array:
        k = count - 1 - step
        vector = jnp.where(rows == k, 1, jnp.where(rows > k, a[:, k], 0))
        return q - factors[k] * vector[:, None] * (vector[:, None] * q).sum(axis=0)

    return lax.fori_loop(0, count, reflection, jnp.eye(*a.shape, dtype=a.dtype))


def _jacobi(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Eigenvectors and ascending eigenvalues of a symmetric matrix. A round rotates n / 2 pairs at
    a time, and a sweep of n - 1 rounds meets every pair, as in a tournament."""
    size = a.shape[0]
    if size < 2:
        return jnp.eye(size, dtype=a.dtype), jnp.diagonal(a)
    even = size + size % 2
    padded = jnp.pad(a, (0, even - size))
    eye = jnp.eye(even, dtype=a.dtype)

    def rotation(matrix: jax.Array, left: jax.Array, right: jax.Array) -> jax.Array:
        off = matrix[left, right]
        gap = matrix[right, right] - matrix[left, left]
        theta = gap / (2 * jnp.where(off == 0, 1, off))
        tangent = jnp.where(theta < 0, -1, 1) / (jnp.abs(theta) + jnp.sqrt(theta * theta + 1))
        tangent = jnp.where(off == 0, 0, tangent)
        cosine = lax.rsqrt(tangent * tangent + 1)
        sine = tangent * cosine
        made = eye.at[left, left].set(cosine).at[right, right].set(cosine)
        return made.at[left, right].set(sine).at[right, left].set(-sine)

    def one_round(_: jax.Array, state: tuple) -> tuple:
        matrix, vectors, players = state
        turn = rotation(matrix, players[:even // 2], players[even // 2:][::-1])
        matrix = _dot(turn.T, _dot(matrix, turn))
        return matrix, _dot(vectors, turn), jnp.concatenate([players[:1], jnp.roll(players[1:], 1)])

    def off_diagonal(matrix: jax.Array) -> jax.Array:
        return (jnp.where(eye == 0, matrix, 0) ** 2).sum()

    def unfinished(state: tuple) -> jax.Array:
        (matrix, _, _), sweep = state
        return (sweep < _MAX_SWEEPS) & (off_diagonal(matrix) > 1e-14 * (matrix ** 2).sum())

    def sweep_once(state: tuple) -> tuple:
        return lax.fori_loop(0, even - 1, one_round, state[0]), state[1] + 1

    start = (padded, eye, jnp.arange(even))
    (matrix, vectors, _), _ = lax.while_loop(unfinished, sweep_once, (start, 0))
    values = jnp.diagonal(matrix)[:size]
    order = jnp.argsort(values)
    return vectors[:size, :size][:, order], values[order]


def _eigh(a: jax.Array, *, lower: bool, subset_by_index: tuple | None,
          **_: object) -> tuple[jax.Array, jax.Array]:
    half = jnp.tril(a) if lower else jnp.swapaxes(jnp.triu(a), -1, -2)
    whole = half + jnp.swapaxes(jnp.tril(half, -1), -1, -2)
    vectors, values = _batched(_jacobi, "(n,n)->(n,n),(n)")(whole)
    if subset_by_index is None:
        return vectors, values
    begin, end = subset_by_index
    return vectors[..., begin:end], values[..., begin:end]


def _top_k(operand: jax.Array, *, k: int, reduction_dimension: int, is_max_k: bool,
           aggregate_to_topk: bool, reduction_input_size_override: int, recall_target: float
           ) -> tuple[jax.Array, jax.Array]:
    """The exact answer is an approximate one, too."""
    from jax._src.lax import ann
    reduction_dimension %= operand.ndim
    size = operand.shape[reduction_dimension]
    count = k if aggregate_to_topk else ann.approx_top_k_reduction_output_size(
        size, operand.ndim, k, recall_target, aggregate_to_topk, reduction_input_size_override)[0]
    index = lax.broadcasted_iota(jnp.int32, operand.shape, reduction_dimension)
    key = -operand if is_max_k else operand
    _, values, index = lax.sort((key, operand, index), dimension=reduction_dimension, num_keys=1)
    return (lax.slice_in_dim(values, 0, count, axis=reduction_dimension),
            lax.slice_in_dim(index, 0, count, axis=reduction_dimension))


# What asks the host for something while the program runs, by JAX's name for its user.
_CALLBACKS = {"debug_print": "jax.debug.print", "debug_callback": "jax.debug.callback",
              "pure_callback": "jax.pure_callback", "io_callback": "jax.experimental.io_callback"}


def _refuse_callbacks(platform: str) -> None:
    """A program is one launch: the host hears of it when it has halted."""
    from jax._src import callback, debugging
    from jax._src.interpreters import mlir

    def refusal(name: str) -> Callable:
        def refuse(*_arguments: object, **_options: object) -> None:
            raise NotImplementedError(
                f"unimplemented: {name} on Tandem: a program is one launch, and nothing of it runs on the "
                "host before it halts; return the value from the function instead")
        return refuse

    for module in (callback, debugging):
        for primitive, name in _CALLBACKS.items():
            found = getattr(module, f"{primitive}_p", None)
            if found is not None:
                mlir.register_lowering(found, refusal(name), platform=platform)


def register(platform: str) -> None:
    """Gives the platform its rules."""
    from jax._src.interpreters import mlir
    from jax._src.lax import ann, linalg

    def rule(primitive: object, function: Callable, several: bool) -> None:
        lowered = mlir.lower_fun(function, multiple_results=several)
        mlir.register_lowering(primitive, lowered, platform=platform)

    rule(linalg.cholesky_p, _batched(_cholesky, "(n,n)->(n,n)"), False)
    rule(linalg.triangular_solve_p, _triangular_solve, False)
    rule(linalg.geqrf_p, _batched(_householder, "(m,n)->(m,n),(k)"), True)
    rule(linalg.householder_product_p, _batched(_reflected, "(m,n),(k)->(m,n)"), False)
    rule(linalg.eigh_p, _eigh, True)
    rule(ann.approx_top_k_p, _top_k, True)
    _refuse_callbacks(platform)
