"""Views by strides. A value of a graph has no memory, so its elements are located by their position in torch's
memory."""

from __future__ import annotations

import math
from typing import Any, Sequence

import jax
import jax.numpy as jnp
import numpy as np
import torch

from tandem.torch.operators import WANTS_META, operator

aten = torch.ops.aten


def _in_memory(x: jax.Array, meta: torch.Tensor) -> tuple[jax.Array, list[int]]:
    """The elements in the order of memory, and the dimensions in that order. Raises ValueError if there are gaps."""
    order = sorted(range(x.ndim), key=lambda axis: (meta.stride()[axis], meta.shape[axis]), reverse=True)
    expected = 1
    for axis in reversed(order):
        if x.shape[axis] != 1 and meta.stride()[axis] != expected:
            raise ValueError("strides over a tensor that does not fill its memory")
        expected *= x.shape[axis]
    return jnp.transpose(x, order).reshape(-1), order


def _places(size: Sequence[int], stride: Sequence[int], offset: int | None, meta: torch.Tensor) -> np.ndarray:
    places = np.full(tuple(size), (meta.storage_offset() if offset is None else offset) - meta.storage_offset(), np.int64)
    for axis, (count, step) in enumerate(zip(size, stride, strict=True)):
        places += (np.arange(count) * step).reshape([-1 if other == axis else 1 for other in range(len(size))])
    if places.size and (places.min() < 0 or places.max() >= math.prod(meta.shape)):
        raise ValueError("strides that lead out of the tensor")
    return places


@operator(aten.as_strided.default, aten.as_strided_copy.default)
def as_strided(x: jax.Array, size: Any, stride: Any, offset: int | None = None, *, meta: torch.Tensor) -> jax.Array:
    return _in_memory(x, meta)[0][_places(size, stride, offset, meta)]


@operator(aten.as_strided_scatter.default)
def as_strided_scatter(x: jax.Array, values: jax.Array, size: Any, stride: Any, offset: int | None = None, *,
                       meta: torch.Tensor) -> jax.Array:
    flat, order = _in_memory(x, meta)
    places = _places(size, stride, offset, meta)
    flat = flat.at[places.reshape(-1)].set(values.reshape(-1).astype(x.dtype))
    return jnp.transpose(flat.reshape([x.shape[axis] for axis in order]), np.argsort(order))


WANTS_META.update((as_strided, as_strided_scatter))
