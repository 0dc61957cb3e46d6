"""Convolutions and their gradients."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import find, operator

aten = torch.ops.aten


@operator(aten.convolution_backward.default)
def convolution_backward(gradient: jax.Array, x: jax.Array, weight: jax.Array, bias_sizes: Any, stride: Any, padding: Any,
                         dilation: Any, transposed: bool, output_padding: Any, groups: int, mask: Any) -> tuple[Any, ...]:
    """By JAX's own rule for the forward operator; mask selects the wanted ones of the three."""
    def forward(x: jax.Array, weight: jax.Array) -> jax.Array:
        return find(aten.convolution.default)(x, weight, None, stride, padding, dilation, transposed, output_padding, groups)

    of_x, of_weight = jax.vjp(forward, x, weight)[1](gradient)
    of_bias = jnp.sum(gradient, tuple(axis for axis in range(gradient.ndim) if axis != 1))
    return tuple(value if wanted else None for value, wanted in zip((of_x, of_weight, of_bias), mask, strict=True))
