"""Operators element by element that torchax does not have, or not as torch has them."""

from __future__ import annotations

from typing import Any

import jax
import torch
import torch._inductor.inductor_prims  # enters prims.fma

from tandem.torch.operators import operator

prims = torch.ops.prims


@operator(prims.fma.default)
def fma(x: jax.Array, y: Any, z: Any) -> jax.Array:
    return x * y + z
