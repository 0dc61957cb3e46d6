"""Normalisation over groups of channels."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


@operator(aten.native_group_norm.default)
def native_group_norm(x: jax.Array, weight: Any, bias: Any, batch: int, channels: int, rest: int, groups: int,
                      eps: float) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Mean and reciprocal deviation of each group come with the result; sums are of f32."""
    parts = x.astype(jnp.float32).reshape(batch, groups, channels // groups * rest)
    mean = jnp.mean(parts, -1, keepdims=True)
    scale = jax.lax.rsqrt(jnp.mean((parts - mean) ** 2, -1, keepdims=True) + eps)
    result = ((parts - mean) * scale).reshape(x.shape)
    by_channel = (1, channels) + (1,) * (x.ndim - 2)
    if weight is not None:
        result = result * weight.reshape(by_channel)
    if bias is not None:
        result = result + bias.reshape(by_channel)
    return result.astype(x.dtype), mean[..., 0], scale[..., 0]
