"""Pooling to given sizes: windows of different lengths, each a part of its dimension. A shorter one repeats its last element."""

from __future__ import annotations

import math
from typing import Any, Sequence

import jax
import jax.numpy as jnp
import numpy as np
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


def _windows(size: int, count: int) -> np.ndarray:
    """For each output, the places that it reduces."""
    begin = np.arange(count) * size // count
    end = -(-(np.arange(1, count + 1) * size) // count)
    longest = int((end - begin).max()) if count else 0
    return np.minimum(begin[:, None] + np.arange(longest), end[:, None] - 1)


def _parts(x: jax.Array, counts: Sequence[int]) -> tuple[jax.Array, jax.Array]:
    """Windows as the last dimension, and the places of their elements within the pooled dimensions."""
    outer, rank = x.ndim - len(counts), len(counts)
    sizes = x.shape[outer:]
    places = np.arange(math.prod(sizes)).reshape(sizes)
    for axis, (size, count) in enumerate(zip(sizes, counts, strict=True)):
        places = np.take(places, _windows(size, count), axis=2 * axis)  # the axis becomes outputs, elements
    order = [2 * axis for axis in range(rank)] + [2 * axis + 1 for axis in range(rank)]
    places = places.transpose(order).reshape(*counts, -1)
    return x.reshape(*x.shape[:outer], -1)[..., places], jnp.asarray(places, jnp.int32)


@operator(aten.adaptive_max_pool2d.default, aten.adaptive_max_pool3d.default)
def adaptive_max_pool(x: jax.Array, counts: Any) -> tuple[jax.Array, jax.Array]:
    parts, places = _parts(x, counts)
    best = jnp.argmax(parts, -1)  # the first; NaN counts as largest
    indices = jnp.take_along_axis(jnp.broadcast_to(places, parts.shape), best[..., None], -1)[..., 0]
    return jnp.max(parts, -1), indices


def scattered(gradient: jax.Array, x: jax.Array, indices: jax.Array, rank: int) -> jax.Array:
    """The gradient added at these places within the last `rank` dimensions of x."""
    outer = math.prod(x.shape[: x.ndim - rank])
    flat = jnp.zeros((outer, math.prod(x.shape[x.ndim - rank:])), gradient.dtype)
    rows = jnp.arange(outer)[:, None]
    return flat.at[rows, indices.reshape(outer, -1)].add(gradient.reshape(outer, -1)).reshape(x.shape)


@operator(aten.adaptive_max_pool2d_backward.default)
def adaptive_max_pool2d_backward(gradient: jax.Array, x: jax.Array, indices: jax.Array) -> jax.Array:
    return scattered(gradient, x, indices, 2)


@operator(aten.adaptive_max_pool3d_backward.default)
def adaptive_max_pool3d_backward(gradient: jax.Array, x: jax.Array, indices: jax.Array) -> jax.Array:
    return scattered(gradient, x, indices, 3)


def _means(size: int, count: int) -> np.ndarray:
    """One row for each output: its weight of each element."""
    begin, end = np.arange(count) * size // count, -(-(np.arange(1, count + 1) * size) // count)
    place = np.arange(size)
    return ((place >= begin[:, None]) & (place < end[:, None])) / (end - begin)[:, None]


def _spread(gradient: jax.Array, x: jax.Array, rank: int) -> jax.Array:
    """Each dimension by itself: a product with the matrix of its means."""
    for axis in range(x.ndim - rank, x.ndim):
        matrix = jnp.asarray(_means(x.shape[axis], gradient.shape[axis]), gradient.dtype)
        gradient = jnp.moveaxis(jnp.tensordot(gradient, matrix, ((axis,), (0,))), -1, axis)
    return gradient


@operator(aten._adaptive_avg_pool2d_backward.default)
def adaptive_avg_pool2d_backward(gradient: jax.Array, x: jax.Array) -> jax.Array:
    return _spread(gradient, x, 2)


@operator(aten._adaptive_avg_pool3d_backward.default)
def adaptive_avg_pool3d_backward(gradient: jax.Array, x: jax.Array) -> jax.Array:
    return _spread(gradient, x, 3)
