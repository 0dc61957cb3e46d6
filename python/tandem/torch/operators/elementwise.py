"""Elementwise operators that torchax does not have, or that differ from torch's."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch
import torch._inductor.inductor_prims  # enters prims.fma

from tandem.torch.operators import operator
from tandem.torch.values import ELEMENTS

aten, prims = torch.ops.aten, torch.ops.prims


@operator(prims.fma.default)
def fma(x: jax.Array, y: Any, z: Any) -> jax.Array:
    return x * y + z


@operator(aten.ldexp.Tensor)
def ldexp(x: jax.Array, exponent: jax.Array) -> jax.Array:
    return x * jnp.exp2(exponent.astype(jnp.float32))


@operator(aten.sym_numel.default)
def sym_numel(x: jax.Array) -> int:
    return x.size


@operator(aten.sym_size.int)
def sym_size(x: jax.Array, axis: int) -> int:
    return x.shape[axis]


def _integer_power(x: jax.Array, exponent: jax.Array) -> jax.Array:
    """Modulo 2^bits; negative exponents as in torch: 0 except for 1 and -1."""
    def step(_: Any, state: tuple[jax.Array, jax.Array, jax.Array]) -> Any:
        result, base, rest = state
        return jnp.where(rest & 1 == 1, result * base, result), base * base, rest >> 1

    rest = jnp.maximum(exponent, 0).astype(jnp.int32)
    result = jax.lax.fori_loop(0, 31, step, (jnp.ones_like(x), x, rest))[0]
    if not jnp.issubdtype(exponent.dtype, jnp.signedinteger):
        return result
    sign = jnp.where(exponent & 1 == 1, x, jnp.ones_like(x))
    return jnp.where(exponent < 0, jnp.where(jnp.abs(x) == 1, sign, 0), result)


@operator(aten.pow.Tensor_Tensor, aten.pow.Tensor_Scalar, aten.pow.Scalar)
def power(x: Any, exponent: Any) -> jax.Array:
    both = jnp.result_type(x, exponent)
    if jnp.issubdtype(both, jnp.integer):
        x, exponent = jnp.broadcast_arrays(jnp.asarray(x, both), jnp.asarray(exponent, both))
        return _integer_power(x, exponent)
    if isinstance(exponent, (int, float)) and float(exponent).is_integer() and abs(exponent) <= 8:
        return jax.lax.integer_pow(jnp.asarray(x, both), int(exponent))
    return jnp.power(x, exponent)


@operator(aten.fmod.Tensor, aten.fmod.Scalar)
def fmod(x: jax.Array, divisor: Any) -> jax.Array:
    """The sign is that of x. Small floats are divided as f32."""
    both = jnp.result_type(x, divisor)
    wide = jnp.float32 if jnp.issubdtype(both, jnp.floating) else both
    x, divisor = jnp.broadcast_arrays(jnp.asarray(x, wide), jnp.asarray(divisor, wide))
    return jax.lax.rem(x, divisor).astype(both)


@operator(aten._efficientzerotensor.default)
def efficient_zeros(size: Any, *, dtype: Any = None) -> jax.Array:
    return jnp.zeros(tuple(size), ELEMENTS[dtype or torch.get_default_dtype()])
