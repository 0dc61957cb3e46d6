"""Rules for primitives that JAX lowers to libraries of its own platforms, or to types that the machine does not have.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from tandem import factorisations, host_calls


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


def _high_product(x: jax.Array, y: jax.Array) -> jax.Array:
    """The upper half of a product. JAX's own rule takes 64 bits with a sign for signed words."""
    from jax._src.lax.lax import _mulhi_impl
    if x.dtype != jnp.int32:
        return _mulhi_impl(x, y)
    words = (lax.bitcast_convert_type(v, jnp.uint32) for v in (x, y))
    high = lax.bitcast_convert_type(_mulhi_impl(*words), jnp.int32)
    return high - jnp.where(x < 0, y, 0) - jnp.where(y < 0, x, 0)


def _without_mesh(lowered: Callable) -> Callable:
    """A rule for the arrays as they are here, ignoring mesh axes in their types: the function knows of none."""
    from jax._src import core
    from jax._src import mesh as meshes

    def rule(context: Any, *arguments: object, **options: object) -> object:
        plain = [core.ShapedArray(aval.shape, aval.dtype) for aval in context.avals_in]
        with meshes.use_abstract_mesh(meshes.empty_abstract_mesh):
            return lowered(context.replace(avals_in=plain), *arguments, **options)

    return rule


# Factorisations without a rule, by JAX's names for their users.
_FACTORISATIONS = {"eig": "jnp.linalg.eig (eigvals, roots)",
                   "schur": "jax.scipy.linalg.schur (sqrtm, funm)"}
_NO_FACTORISATION = ("it needs a library of the host; jax.device_put its argument to a CPU and "
                     "compute it there")


def _refuse(primitive: object, name: str, why: str, platform: str) -> None:
    from jax._src.interpreters import mlir

    def rule(*_arguments: object, **_options: object) -> None:
        raise NotImplementedError(f"unimplemented: {name} on Tandem: {why}")

    mlir.register_lowering(primitive, rule, platform=platform)


def _refuse_by_name(platform: str) -> None:
    from jax._src.lax import linalg
    for primitive, name in _FACTORISATIONS.items():
        _refuse(getattr(linalg, f"{primitive}_p"), name, _NO_FACTORISATION, platform)


def register(platform: str) -> None:
    """Gives the platform its rules."""
    from jax._src.interpreters import mlir
    from jax._src.lax import ann, linalg
    from jax._src.lax import lax as elementwise

    def rule(primitive: object, function: Callable, several: bool) -> None:
        @functools.wraps(function)
        def promoting(*arguments: object, **options: object) -> object:
            with jax.numpy_dtype_promotion("standard"):  # a user may have forbidden it
                return function(*arguments, **options)

        lowered = mlir.lower_fun(promoting, multiple_results=several)
        mlir.register_lowering(primitive, _without_mesh(lowered), platform=platform)

    rule(linalg.cholesky_p, factorisations.cholesky, False)
    rule(linalg.triangular_solve_p, factorisations.triangular_solve, False)
    rule(linalg.geqrf_p, factorisations.householder, True)
    rule(linalg.geqp3_p, factorisations.pivoted_householder, True)
    rule(linalg.householder_product_p, factorisations.householder_product, False)
    rule(linalg.hessenberg_p, factorisations.hessenberg, True)
    rule(linalg.tridiagonal_p, factorisations.tridiagonal, True)
    rule(linalg.eigh_p, factorisations.eigh, True)
    rule(ann.approx_top_k_p, _top_k, True)
    rule(elementwise.mulhi_p, _high_product, False)
    for primitive in (linalg.lu_p, linalg.lu_pivots_to_permutation_p, linalg.svd_p, linalg.tridiagonal_solve_p):
        # JAX's own, whose loop carries lack the axes on which they vary.
        mlir.register_lowering(primitive, _without_mesh(mlir._lowerings[primitive].rule), platform=platform)
    host_calls.register(platform)
    _refuse_by_name(platform)
