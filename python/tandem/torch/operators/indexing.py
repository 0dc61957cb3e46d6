"""Reductions into places that indices name."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


def _neutral(kind: str, dtype: Any) -> Any:
    if kind in ("mean", "prod"):
        return {"mean": 0, "prod": 1}[kind]
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
    places = start.at[index]
    if kind == "mean":
        total = places.add(source)
        shared = jnp.maximum(counts + include_self, 1)
        mean = total // shared if jnp.issubdtype(x.dtype, jnp.integer) else total / shared.astype(x.dtype)
        result = jnp.where(counts > 0, mean, x)
    else:
        result = {"prod": places.multiply, "amin": places.min, "amax": places.max}[kind](source)
    return jnp.moveaxis(result.astype(x.dtype), 0, axis)
