"""Gradients of padding with values from the edge."""

from __future__ import annotations

from typing import Any, Sequence

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


def _padded(x: jax.Array, padding: Sequence[int]) -> jax.Array:
    """padding: before and after, the last dimension first; negative amounts crop."""
    pairs = [(padding[2 * number], padding[2 * number + 1]) for number in range(len(padding) // 2)][::-1]
    pairs = [(0, 0)] * (x.ndim - len(pairs)) + pairs
    whole = jnp.pad(x, [(max(before, 0), max(after, 0)) for before, after in pairs], mode="edge")
    return whole[tuple(slice(max(-before, 0), size - max(-after, 0))
                       for (before, after), size in zip(pairs, whole.shape, strict=True))]


@operator(aten.replication_pad1d_backward.default, aten.replication_pad2d_backward.default,
          aten.replication_pad3d_backward.default)
def replication_pad_backward(gradient: jax.Array, x: jax.Array, padding: Any) -> jax.Array:
    return jax.vjp(lambda x: _padded(x, padding), x)[1](gradient)[0]
