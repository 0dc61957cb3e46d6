"""Linear algebra that torchax does not have, or not as torch has it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


@operator(aten.lu_unpack.default)
def lu_unpack(lu: jax.Array, pivots: jax.Array, unpack_data: bool = True, unpack_pivots: bool = True) -> tuple[Any, ...]:
    rows, columns = lu.shape[-2:]
    inner = min(rows, columns)
    empty = jnp.zeros((0,), lu.dtype)
    lower = jnp.tril(lu[..., :, :inner], -1) + jnp.eye(rows, inner, dtype=lu.dtype) if unpack_data else empty
    upper = jnp.triu(lu[..., :inner, :]) if unpack_data else empty
    if not unpack_pivots:
        return empty, lower, upper
    order = jax.lax.linalg.lu_pivots_to_permutation(pivots - 1, rows)
    return jnp.swapaxes(jax.nn.one_hot(order, rows, dtype=lu.dtype), -1, -2), lower, upper
