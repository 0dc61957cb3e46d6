"""Operators element by element that torchax does not have, or not as torch has them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch
import torch._inductor.inductor_prims  # enters prims.fma

from tandem.torch.operators import operator

aten, prims = torch.ops.aten, torch.ops.prims


@operator(prims.fma.default)
def fma(x: jax.Array, y: Any, z: Any) -> jax.Array:
    return x * y + z


@operator(aten.ldexp.Tensor)
def ldexp(x: jax.Array, exponent: jax.Array) -> jax.Array:
    return x * jnp.exp2(exponent.astype(jnp.float32))


@operator(aten.sym_numel.default)
def sym_numel(x: jax.Array) -> int:
    return x.size


@operator(aten.sym_size.int)
def sym_size(x: jax.Array, axis: int) -> int:
    return x.shape[axis]
