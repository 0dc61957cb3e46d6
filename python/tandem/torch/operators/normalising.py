"""Normalisation over groups of channels, and distances."""

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


@operator(aten._cdist_backward.default)
def cdist_backward(gradient: jax.Array, x: jax.Array, y: jax.Array, p: float, distances: jax.Array) -> jax.Array:
    """By the first of both sets of points; 0 where two are the same."""
    apart = x[..., :, None, :] - y[..., None, :, :]
    distances, gradient = distances[..., None], gradient[..., None]
    if p == 0:
        return jnp.zeros_like(x)
    if p == 1:
        slope = jnp.sign(apart)
    elif p == float("inf"):
        slope = jnp.sign(apart) * (jnp.abs(apart) == distances)
    else:
        ratio = jnp.abs(apart) / jnp.where(distances == 0, 1, distances)
        slope = jnp.where((distances == 0) | (apart == 0), 0, jnp.sign(apart) * ratio ** (p - 1))
    result = jnp.sum(gradient * slope, -2)
    extra = result.ndim - x.ndim
    spread = tuple(range(extra)) + tuple(axis + extra for axis in range(x.ndim) if x.shape[axis] == 1)
    return jnp.sum(result, spread).reshape(x.shape)  # what batches of both have made of one
