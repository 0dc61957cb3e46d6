"""Counting: small floats as f32, as torch's CPU does."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


@operator(aten.histc.default)
def histc(x: jax.Array, bins: int = 100, low: Any = 0, high: Any = 0) -> jax.Array:
    """Equal bounds mean the smallest and the largest element."""
    wide = x.reshape(-1).astype(jnp.promote_types(x.dtype, jnp.float32))
    low, high = jnp.asarray(low, wide.dtype), jnp.asarray(high, wide.dtype)
    if x.size:
        own = low == high
        low, high = jnp.where(own, wide.min(), low), jnp.where(own, wide.max(), high)
    same = low == high
    low, high = jnp.where(same, low - 1, low), jnp.where(same, high + 1, high)
    places = jnp.minimum(jnp.floor((wide - low) * bins / (high - low)).astype(jnp.int32), bins - 1)
    inside = (wide >= low) & (wide <= high)
    return jnp.zeros(bins, wide.dtype).at[jnp.where(inside, places, bins)].add(1, mode="drop").astype(x.dtype)
