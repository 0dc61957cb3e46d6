"""Special functions for which JAX's are wrong or missing."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


def _cotangent(order: int) -> np.ndarray:
    """The derivative of the cotangent as a polynomial of it: each is that of the one before times -(1 + c^2)."""
    polynomial = np.polynomial.Polynomial([0.0, 1.0])
    for _ in range(order):
        polynomial = -polynomial.deriv() * np.polynomial.Polynomial([1.0, 0.0, 1.0])
    return polynomial.coef


@operator(aten.polygamma.default)
def polygamma(order: int, x: jax.Array) -> jax.Array:
    """Below 0 by reflection; JAX's own is wrong there."""
    x = x.astype(jnp.float32)
    mirrored = jnp.where(x < 0, 1 - x, x)
    value = jax.scipy.special.digamma(mirrored) if order == 0 else \
        jax.lax.polygamma(jnp.full_like(mirrored, order), mirrored)
    angle = jnp.pi * (x - jnp.round(x))
    cotangent = jnp.cos(angle) / jnp.sin(angle)
    slope = np.pi ** (order + 1) * jnp.polyval(jnp.asarray(_cotangent(order)[::-1], jnp.float32), cotangent)
    return jnp.where(x < 0, (-1) ** order * value - slope, value)


@operator(aten.angle.default)
def angle(x: jax.Array) -> jax.Array:
    if jnp.iscomplexobj(x):
        return jnp.angle(x)
    x = x.astype(jnp.promote_types(x.dtype, jnp.bfloat16) if jnp.issubdtype(x.dtype, jnp.floating) else jnp.float32)
    return jnp.where(jnp.isnan(x), x, jnp.where(x < 0, jnp.asarray(np.pi, x.dtype), jnp.asarray(0, x.dtype)))


@operator(aten.searchsorted.Tensor)
def searchsorted(edges: jax.Array, values: jax.Array, *, out_int32: bool = False, right: bool = False, side: Any = None,
                 sorter: Any = None) -> jax.Array:
    if sorter is not None:
        edges = jnp.take_along_axis(edges, sorter, -1)
    where = "right" if right or side == "right" else "left"
    if edges.ndim == 1:
        return jnp.searchsorted(edges, values, side=where)
    flat = jax.vmap(lambda row, wanted: jnp.searchsorted(row, wanted, side=where))(
        edges.reshape(-1, edges.shape[-1]), values.reshape(-1, values.shape[-1]))
    return flat.reshape(values.shape)


@operator(aten.special_zeta.default)
def zeta(x: jax.Array, q: jax.Array) -> jax.Array:
    """Hurwitz's; JAX supports no q below 0: terms are added until it is above."""
    x, q = jnp.broadcast_arrays(x.astype(jnp.float32), q.astype(jnp.float32))
    steps = jnp.where(q <= 0, jnp.floor(-q) + 1, 0)

    def term(state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        number, total = state
        base = q + number
        power = jnp.exp(-x * jnp.log(jnp.abs(base))) * jnp.where((base < 0) & (jnp.mod(x, 2) == 1), -1, 1)
        return number + 1, total + jnp.where(number < steps, power, 0)

    most = jnp.max(steps, initial=0)
    added = jax.lax.while_loop(lambda state: state[0] < most, term, (jnp.float32(0), jnp.zeros_like(q)))[1]
    value = added + jax.scipy.special.zeta(x, q + steps)
    below = jnp.where(q == jnp.floor(q), jnp.inf, jnp.where(x == jnp.floor(x), value, jnp.nan))
    return jnp.where(x == 1, jnp.inf, jnp.where(x < 1, jnp.nan, jnp.where(q <= 0, below, value)))
