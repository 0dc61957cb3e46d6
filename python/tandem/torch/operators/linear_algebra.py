"""Linear algebra that torchax does not have, or that differs from torch's."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


def _factors(x: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """L and U in one matrix, pivots as torch counts them, and the order of rows."""
    lu, pivots, order = jax.lax.linalg.lu(x)
    return lu, pivots + 1, order


def _permutation(order: jax.Array, dtype: Any) -> jax.Array:
    rows = order.shape[-1]
    return jnp.swapaxes(jax.nn.one_hot(order, rows, dtype=dtype), -1, -2)


def _triangles(lu: jax.Array) -> tuple[jax.Array, jax.Array]:
    rows, columns = lu.shape[-2:]
    inner = min(rows, columns)
    return jnp.tril(lu[..., :, :inner], -1) + jnp.eye(rows, inner, dtype=lu.dtype), jnp.triu(lu[..., :inner, :])


@operator(aten.lu_unpack.default)
def lu_unpack(lu: jax.Array, pivots: jax.Array, unpack_data: bool = True, unpack_pivots: bool = True) -> tuple[Any, ...]:
    empty = jnp.zeros((0,), lu.dtype)
    lower, upper = _triangles(lu) if unpack_data else (empty, empty)
    if not unpack_pivots:
        return empty, lower, upper
    order = jax.lax.linalg.lu_pivots_to_permutation(pivots - 1, lu.shape[-2])
    return _permutation(order, lu.dtype), lower, upper


@operator(aten.linalg_lu.default)
def linalg_lu(x: jax.Array, *, pivot: bool = True) -> tuple[jax.Array, jax.Array, jax.Array]:
    if not pivot:
        raise NotImplementedError("without pivots")
    lu, _, order = _factors(x)
    return _permutation(order, x.dtype), *_triangles(lu)


@operator(aten.linalg_lu_factor_ex.default)
def linalg_lu_factor_ex(x: jax.Array, *, pivot: bool = True, check_errors: bool = False) -> tuple[jax.Array, ...]:
    if not pivot or check_errors:
        raise NotImplementedError("without pivots, or with errors")
    lu, pivots, _ = _factors(x)
    return lu, pivots, jnp.zeros(x.shape[:-2], jnp.int32)


@operator(aten._linalg_det.default)
def linalg_det(x: jax.Array) -> tuple[jax.Array, ...]:
    lu, pivots, _ = _factors(x)
    return jnp.linalg.det(x), lu, pivots


@operator(aten._linalg_slogdet.default)
def linalg_slogdet(x: jax.Array) -> tuple[jax.Array, ...]:
    lu, pivots, _ = _factors(x)
    return *jnp.linalg.slogdet(x), lu, pivots


@operator(aten._linalg_solve_ex.default)
def linalg_solve_ex(a: jax.Array, b: jax.Array, *, left: bool = True, check_errors: bool = False) -> tuple[jax.Array, ...]:
    """b is a vector, or a batch of them, if it has the shape of a without its last dimension."""
    if check_errors:
        raise NotImplementedError("with errors")
    is_vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    right = b[..., None] if is_vector else b
    if left:
        result = jnp.linalg.solve(a, right)
    else:
        result = jnp.swapaxes(jnp.linalg.solve(jnp.swapaxes(a, -1, -2), jnp.swapaxes(right, -1, -2)), -1, -2)
    lu, pivots, _ = _factors(a if left else jnp.swapaxes(a, -1, -2))
    return result[..., 0] if is_vector else result, lu, pivots, jnp.zeros(a.shape[:-2], jnp.int32)


def _symmetric(x: jax.Array, is_upper: bool) -> jax.Array:
    """Of the triangle that torch reads; the other one is ignored."""
    half = jnp.triu(x) if is_upper else jnp.tril(x)
    other = jnp.swapaxes(jnp.conj(jnp.triu(x, 1) if is_upper else jnp.tril(x, -1)), -1, -2)
    return half + other


@operator(aten._linalg_eigh.default)
def linalg_eigh(x: jax.Array, uplo: str = "L", compute_v: bool = True) -> tuple[jax.Array, jax.Array]:
    values, vectors = jax.lax.linalg.eigh(_symmetric(x, uplo in "Uu"), symmetrize_input=False)[::-1]
    return values, vectors if compute_v else jnp.zeros((0,), x.dtype)


@operator(aten.linalg_cholesky_ex.default)
def linalg_cholesky_ex(x: jax.Array, *, upper: bool = False, check_errors: bool = False) -> tuple[jax.Array, jax.Array]:
    if check_errors:
        raise NotImplementedError("with errors")
    lower = jax.lax.linalg.cholesky(_symmetric(x, upper), symmetrize_input=False)
    result = jnp.swapaxes(jnp.conj(lower), -1, -2) if upper else lower
    return result, jnp.zeros(x.shape[:-2], jnp.int32)


@operator(aten.linalg_pinv.atol_rtol_tensor)
def linalg_pinv(x: jax.Array, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> jax.Array:
    """Singular values that are not above both tolerances count as zero."""
    if x.size == 0:
        return jnp.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)
    if hermitian:
        values, right = linalg_eigh(x)
        left = right
    else:
        left, values, adjoint = jnp.linalg.svd(x, full_matrices=False)
        right = jnp.swapaxes(jnp.conj(adjoint), -1, -2)
    if rtol is None:
        given = jnp.zeros(()) if atol is None else jnp.asarray(atol)
        rtol = jnp.where(given > 0, 0, jnp.finfo(x.dtype).eps * max(x.shape[-2:]))
    least = jnp.maximum(0 if atol is None else jnp.asarray(atol)[..., None],
                        jnp.asarray(rtol)[..., None] * jnp.max(jnp.abs(values), -1, keepdims=True))
    is_kept = jnp.abs(values) > least
    inverse = jnp.where(is_kept, 1 / jnp.where(is_kept, values, 1), 0).astype(x.dtype)
    return (right * inverse[..., None, :]) @ jnp.swapaxes(jnp.conj(left), -1, -2)


@operator(aten.linalg_matrix_exp.default)
def linalg_matrix_exp(x: jax.Array) -> jax.Array:
    if x.size == 0:
        return x
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    return jax.scipy.linalg.expm(wide).astype(x.dtype)
