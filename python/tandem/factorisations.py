"""Factorisations of matrices in plain JAX, for primitives that JAX lowers to libraries of its own
platforms. All work in float32, whatever the argument's type, or in complex64, and batch by `jax.vmap`. Operands of
binary operations have the same rank, as programs may forbid rank promotion (`jax_numpy_rank_promotion`).
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


def _wide(x: jax.Array) -> jax.Array:
    return x.astype(jnp.complex64 if jnp.iscomplexobj(x) else jnp.float32)


def _square(x: jax.Array) -> jax.Array:
    """Of the magnitude, a real number."""
    return x.real * x.real + x.imag * x.imag if jnp.iscomplexobj(x) else x * x


def _batched(function: Callable, signature: str) -> Callable:
    """For matrices with any leading dimensions, computed in float32 or complex64. Real results of a complex matrix stay
    real."""
    whole = jnp.vectorize(function, signature=signature)

    @functools.wraps(function)
    def convert(*arguments: jax.Array) -> object:
        kind = arguments[0].dtype
        results = whole(*map(_wide, arguments))
        if jnp.issubdtype(kind, jnp.complexfloating):
            return results
        return jax.tree.map(lambda v: v.astype(kind), results)

    return convert


def _cholesky(a: jax.Array) -> jax.Array:
    """Column after column; everything NaN where the matrix is not positive definite."""
    size = a.shape[0]
    if size == 0:
        return a
    rows = jnp.arange(size)

    def column(j: jax.Array, factor: jax.Array) -> jax.Array:
        rest = a[:, j] - (factor * factor[j].conj()[None, :]).sum(axis=1)
        return factor.at[:, j].set(jnp.where(rows >= j, rest / jnp.sqrt(rest[j].real), 0))

    factor = lax.fori_loop(0, size, column, jnp.zeros_like(a))
    return jnp.where(jnp.isfinite(jnp.diagonal(factor)).all(), factor, jnp.nan)


def _lower_solve(a: jax.Array, b: jax.Array) -> jax.Array:
    """x with a x = b, where only a's lower triangle is read."""
    if b.size == 0:
        return b

    def row(i: jax.Array, x: jax.Array) -> jax.Array:
        known = jnp.where(jnp.arange(a.shape[0]) < i, a[i], 0)
        return x.at[i].set((b[i] - (known[:, None] * x).sum(axis=0)) / a[i, i])

    return lax.fori_loop(0, a.shape[0], row, jnp.zeros_like(b))


def triangular_solve(a: jax.Array, b: jax.Array, *, left_side: bool, lower: bool,
                     transpose_a: bool, conjugate_a: bool, unit_diagonal: bool) -> jax.Array:
    if conjugate_a:
        a = a.conj()
    if not left_side:  # x a = b is a' x' = b'
        a, b = jnp.swapaxes(a, -1, -2), jnp.swapaxes(b, -1, -2)
        lower = not lower
    if transpose_a:
        a, lower = jnp.swapaxes(a, -1, -2), not lower
    if unit_diagonal:
        eye = jnp.broadcast_to(jnp.eye(a.shape[-1], dtype=bool), a.shape)
        a = jnp.where(eye, jnp.ones((), a.dtype), a)
    if not lower:  # flipped in both dimensions it is a lower one
        a, b = a[..., ::-1, ::-1], b[..., ::-1, :]
    x = _batched(_lower_solve, "(n,n),(n,m)->(n,m)")(a, b)
    x = x if lower else x[..., ::-1, :]
    return x if left_side else jnp.swapaxes(x, -1, -2)


def _reflection(x: jax.Array, at: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The reflection that leaves the entries before `at` alone and makes those after it zero: the new entry at `at`,
    the reflection's factor, and its vector, 1 at `at`."""
    rows = jnp.arange(x.shape[0])
    rest = jnp.where(rows > at, x, 0)
    below = _square(rest).sum()
    first = x[at]
    done = (below == 0) & (first.imag == 0)
    norm = jnp.sqrt(_square(first) + below)
    beta = jnp.where(done, first, jnp.where(first.real < 0, norm, -norm))
    factor = jnp.where(done, 0, (beta - first) / beta)
    vector = jnp.where(rows == at, 1, rest / jnp.where(done, 1, first - beta))
    return beta, factor, vector


def _outer(a: jax.Array, b: jax.Array) -> jax.Array:
    return a[:, None] * b[None, :]


def _eliminate(a: jax.Array, k: jax.Array, at: jax.Array) -> tuple[jax.Array, ...]:
    """Reflects the columns after `k` so that column `k` ends at row `at`, and keeps the vector in
    its place: the matrix, the reflection's factor and its vector."""
    rows = jnp.arange(a.shape[0])
    beta, factor, vector = _reflection(a[:, k], at)
    after = jnp.arange(a.shape[1]) > k
    product = jnp.where(after, (vector.conj()[:, None] * a).sum(axis=0), 0)
    a = a - factor.conj() * _outer(vector, product)
    kept = jnp.where(rows > at, vector, jnp.where(rows == at, beta, a[:, k]))
    return a.at[:, k].set(kept), factor, vector


def _householder(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """R on and above the diagonal, the reflections' vectors below it, and their factors."""
    count = min(a.shape)
    if count == 0:
        return a, jnp.zeros(0, a.dtype)

    def column(k: jax.Array, state: tuple) -> tuple:
        a, factor, _ = _eliminate(state[0], k, k)
        return a, state[1].at[k].set(factor)

    return lax.fori_loop(0, count, column, (a, jnp.zeros(count, a.dtype)))


def _pivoted(a: jax.Array, pivots: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """As _householder(), of a matrix whose columns are moved so that the diagonal descends. Columns
    whose pivot is not zero come first, as they are. Numbers of columns count from 1."""
    rows, columns = a.shape
    count = min(a.shape)
    order = jnp.argsort(pivots == 0, stable=True).astype(pivots.dtype)
    if count == 0:
        return a[:, order], order + 1, jnp.zeros(0, a.dtype)
    fixed = (pivots != 0).sum()
    numbers = jnp.arange(columns)

    def column(k: jax.Array, state: tuple) -> tuple:
        a, order, factors = state
        left = jnp.where((jnp.arange(rows) >= k)[:, None], a, 0)
        norms = jnp.where(numbers >= k, _square(left).sum(axis=0), -1)
        best = jnp.where(k < fixed, k, jnp.argmax(norms))
        moved = jnp.where(numbers == k, best, jnp.where(numbers == best, k, numbers))
        a, factor, _ = _eliminate(a[:, moved], k, k)
        return a, order[moved], factors.at[k].set(factor)

    start = a[:, order], order, jnp.zeros(count, a.dtype)
    a, order, factors = lax.fori_loop(0, count, column, start)
    return a, order + 1, factors


def _hessenberg(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The similar matrix that is zero below its first subdiagonal; the reflections' vectors are
    there, and their factors beside it."""
    count = max(a.shape[0] - 1, 0)
    if count == 0:
        return a, jnp.zeros(0, a.dtype)

    def column(k: jax.Array, state: tuple) -> tuple:
        a, factor, vector = _eliminate(state[0], k, k + 1)
        a = a - factor * _outer((a * vector[None, :]).sum(axis=1), vector.conj())
        return a, state[1].at[k].set(factor)

    return lax.fori_loop(0, count, column, (a, jnp.zeros(count, a.dtype)))


def _tridiagonal(a: jax.Array) -> tuple[jax.Array, ...]:
    """For a Hermitian matrix, of which the lower triangle is read: the same as _hessenberg() in that triangle, the
    diagonal and subdiagonal, which are real, and the reflections' factors."""
    lower = jnp.tril(a)
    reduced, factors = _hessenberg(lower + jnp.tril(a, -1).conj().T)
    held = jnp.where(jnp.tri(a.shape[0], dtype=bool), reduced, a)
    return held, jnp.diagonal(reduced).real, jnp.diagonal(reduced, -1).real, factors


def _reflected(a: jax.Array, factors: jax.Array) -> jax.Array:
    """The product of reflections, as many columns as `a` has."""
    rows = jnp.arange(a.shape[0])
    count = factors.shape[0]
    if count == 0:
        return jnp.eye(*a.shape, dtype=a.dtype)

    def reflection(step: jax.Array, q: jax.Array) -> jax.Array:
        k = count - 1 - step
        vector = jnp.where(rows == k, 1, jnp.where(rows > k, a[:, k], 0))
        return q - factors[k] * _outer(vector, (vector.conj()[:, None] * q).sum(axis=0))

    return lax.fori_loop(0, count, reflection, jnp.eye(*a.shape, dtype=a.dtype))


def _phase(x: jax.Array) -> tuple[jax.Array, jax.Array | int]:
    """A real number, and the factor that turns the number into it: for complex ones the magnitude."""
    if not jnp.iscomplexobj(x):
        return x, 1
    size = jnp.abs(x)
    return size, jnp.where(size == 0, 1, x.conj() / jnp.where(size == 0, 1, size))


def _jacobi(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Eigenvectors and ascending eigenvalues of a Hermitian matrix. A round rotates n / 2 pairs at
    a time, and a sweep of n - 1 rounds meets every pair, as in a tournament."""
    size = a.shape[0]
    if size < 2:
        return jnp.eye(size, dtype=a.dtype), jnp.diagonal(a).real
    even = size + size % 2
    padded = jnp.pad(a, (0, even - size))
    eye = jnp.eye(even, dtype=a.dtype)

    def rotation(matrix: jax.Array, left: jax.Array, right: jax.Array) -> jax.Array:
        off, turned = _phase(matrix[left, right])
        gap = (matrix[right, right] - matrix[left, left]).real
        theta = gap / (2 * jnp.where(off == 0, 1, off))
        tangent = jnp.where(theta < 0, -1, 1) / (jnp.abs(theta) + jnp.sqrt(theta * theta + 1))
        tangent = jnp.where(off == 0, 0, tangent)
        cosine = lax.rsqrt(tangent * tangent + 1)
        sine = tangent * cosine
        made = eye.at[left, left].set(cosine).at[right, right].set(cosine * turned)
        return made.at[left, right].set(sine).at[right, left].set(-sine * turned)

    def one_round(_: jax.Array, state: tuple) -> tuple:
        matrix, vectors, players = state
        turn = rotation(matrix, players[:even // 2], players[even // 2:][::-1])
        matrix = _dot(turn.conj().T, _dot(matrix, turn))
        return matrix, _dot(vectors, turn), jnp.concatenate([players[:1], jnp.roll(players[1:], 1)])

    def off_diagonal(matrix: jax.Array) -> jax.Array:
        return _square(jnp.where(eye == 0, matrix, 0)).sum()

    def unfinished(state: tuple) -> jax.Array:
        (matrix, _, _), sweep = state
        return (sweep < _MAX_SWEEPS) & (off_diagonal(matrix) > 1e-14 * _square(matrix).sum())

    def sweep_once(state: tuple) -> tuple:
        return lax.fori_loop(0, even - 1, one_round, state[0]), state[1] + 1

    start = (padded, eye, jnp.arange(even))
    (matrix, vectors, _), _ = lax.while_loop(unfinished, sweep_once, (start, 0))
    values = jnp.diagonal(matrix)[:size].real
    order = jnp.argsort(values)
    return vectors[:size, :size][:, order], values[order]


cholesky = _batched(_cholesky, "(n,n)->(n,n)")
householder = _batched(_householder, "(m,n)->(m,n),(k)")
householder_product = _batched(_reflected, "(m,n),(k)->(m,n)")
hessenberg = _batched(_hessenberg, "(n,n)->(n,n),(k)")


def tridiagonal(a: jax.Array, *, lower: bool) -> tuple[jax.Array, ...]:
    """If the upper triangle is read, everything is the other way round."""
    whole = _batched(_tridiagonal, "(n,n)->(n,n),(n),(k),(k)")
    if lower:
        return whole(a)
    a, *rest = whole(a[..., ::-1, ::-1])
    return a[..., ::-1, ::-1], *(v[..., ::-1] for v in rest)


def pivoted_householder(a: jax.Array, pivots: jax.Array, **_: object) -> tuple[jax.Array, ...]:
    whole = jnp.vectorize(_pivoted, signature="(m,n),(n)->(m,n),(n),(k)")
    factored, order, factors = whole(_wide(a), pivots)
    return factored.astype(a.dtype), order, factors.astype(a.dtype)


def eigh(a: jax.Array, *, lower: bool, subset_by_index: tuple | None,
         **_: object) -> tuple[jax.Array, jax.Array]:
    half = jnp.tril(a) if lower else jnp.swapaxes(jnp.triu(a), -1, -2).conj()
    whole = half + jnp.swapaxes(jnp.tril(half, -1), -1, -2).conj()
    vectors, values = _batched(_jacobi, "(n,n)->(n,n),(n)")(whole)
    if subset_by_index is None:
        return vectors, values
    begin, end = subset_by_index
    return vectors[..., begin:end], values[..., begin:end]
