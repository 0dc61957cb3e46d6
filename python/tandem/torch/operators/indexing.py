"""Reductions into places given by indices."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


def _reduced(start: jax.Array, places: Any, source: jax.Array, kind: str, counts: jax.Array, x: jax.Array,
             include_self: bool) -> jax.Array:
    """counts: how many elements of the source go to each place of x; start: x, or the neutral element."""
    at = start.at[places]
    if kind != "mean":
        return {"sum": at.add, "prod": at.multiply, "amin": at.min, "amax": at.max}[kind](source)
    shared = jnp.maximum(counts + include_self, 1)
    total = at.add(source)
    mean = total // shared if jnp.issubdtype(x.dtype, jnp.integer) else total / shared.astype(x.dtype)
    return jnp.where(counts > 0, mean, x)


def _neutral(kind: str, dtype: Any) -> Any:
    if kind in ("mean", "sum", "prod"):
        return 1 if kind == "prod" else 0
    is_float = jnp.issubdtype(dtype, jnp.floating)
    largest = jnp.inf if is_float else jnp.iinfo(dtype).max
    least = -jnp.inf if is_float else jnp.iinfo(dtype).min
    return largest if kind == "amin" else least


@operator(aten.index_reduce.default)
def index_reduce(x: jax.Array, axis: int, index: jax.Array, source: jax.Array, kind: str, *,
                 include_self: bool = True) -> jax.Array:
    if x.ndim == 0:
        return index_reduce(x[None], 0, index.reshape(-1), source.reshape(-1), kind, include_self=include_self)[0]
    x, source = jnp.moveaxis(x, axis, 0), jnp.moveaxis(source, axis, 0)
    counts = jnp.zeros((x.shape[0],) + (1,) * (x.ndim - 1), jnp.int32).at[index].add(1)
    start = x if include_self else jnp.where(counts > 0, jnp.asarray(_neutral(kind, x.dtype), x.dtype), x)
    result = _reduced(start, index, source, kind, counts, x, include_self)
    return jnp.moveaxis(result.astype(x.dtype), 0, axis)


@operator(aten.scatter_reduce.two)
def scatter_reduce(x: jax.Array, axis: int, index: jax.Array, source: jax.Array, kind: str, *,
                   include_self: bool = True) -> jax.Array:
    if x.ndim == 0:
        whole = scatter_reduce(x[None], 0, index.reshape(-1), source.reshape(-1), kind, include_self=include_self)
        return whole[0]
    source = source[tuple(slice(size) for size in index.shape)]
    places = list(jnp.meshgrid(*(jnp.arange(size) for size in index.shape), indexing="ij", sparse=True))
    places[axis] = index
    counts = jnp.zeros(x.shape, jnp.int32).at[tuple(places)].add(1)
    start = x if include_self else jnp.where(counts > 0, jnp.asarray(_neutral(kind, x.dtype), x.dtype), x)
    return _reduced(start, tuple(places), source, kind, counts, x, include_self).astype(x.dtype)


@operator(aten.masked_scatter_backward.default)
def masked_scatter_backward(gradient: jax.Array, mask: jax.Array, sizes: Any) -> jax.Array:
    """The elements that the mask keeps, in order, followed by zeros."""
    count = math.prod(sizes)
    kept = jnp.broadcast_to(mask, gradient.shape).reshape(-1)
    places = jnp.where(kept, jnp.cumsum(kept) - 1, count)
    return jnp.zeros(count, gradient.dtype).at[places].add(gradient.reshape(-1), mode="drop").reshape(tuple(sizes))


@operator(aten.diagonal_scatter.default)
def diagonal_scatter(x: jax.Array, values: jax.Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> jax.Array:
    moved = jnp.moveaxis(x, (dim1, dim2), (-2, -1))
    count = values.shape[-1]
    steps = jnp.arange(count)
    moved = moved.at[..., steps + max(-offset, 0), steps + max(offset, 0)].set(values.astype(x.dtype))
    return jnp.moveaxis(moved, (-2, -1), (dim1, dim2))


@operator(aten.put.default)
def put(x: jax.Array, index: jax.Array, source: jax.Array, accumulate: bool = False) -> jax.Array:
    """index: places of all elements in a row; below 0 from the end."""
    places, source = x.reshape(-1).at[index.reshape(-1)], source.reshape(-1).astype(x.dtype)
    return (places.add(source) if accumulate else places.set(source)).reshape(x.shape)
