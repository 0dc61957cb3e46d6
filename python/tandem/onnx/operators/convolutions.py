"""Convolutions."""

from __future__ import annotations

from typing import Sequence

import jax.numpy as jnp
import numpy as np
from jax import lax

from tandem.onnx.nodes import Node, operator
from tandem.onnx.operators.products import wide
from tandem.onnx.values import Value, traced


def paddings(node: Node, sizes: Sequence[int], kernel: Sequence[int], strides: Sequence[int],
             dilations: Sequence[int]) -> list[tuple[int, int]]:
    """Before and after each spatial axis, from `pads` or `auto_pad`."""
    count, mode = len(kernel), node.attr("auto_pad")
    if mode in ("NOTSET", "", None):
        pads = node.attr("pads") or [0] * (2 * count)
        return [(pads[i], pads[i + count]) for i in range(count)]
    if mode == "VALID":
        return [(0, 0)] * count
    found = []
    for size, window, stride, dilation in zip(sizes, kernel, strides, dilations, strict=True):
        wanted = max((-(-size // stride) - 1) * stride + (window - 1) * dilation + 1 - size, 0)
        small, large = wanted // 2, wanted - wanted // 2
        found.append((small, large) if mode == "SAME_UPPER" else (large, small))
    return found


def axes_of(spatial: int) -> lax.ConvDimensionNumbers:
    """Batch, channels, then space."""
    order = tuple(range(spatial + 2))
    return lax.ConvDimensionNumbers(order, order, order)


def convolution(node: Node, x: Value, w: Value) -> Value:
    spatial = w.ndim - 2
    strides = node.attr("strides") or [1] * spatial
    dilations = node.attr("dilations") or [1] * spatial
    return lax.conv_general_dilated(
        wide(x), wide(w), strides, paddings(node, x.shape[2:], w.shape[2:], strides, dilations), rhs_dilation=dilations,
        feature_group_count=node.attr("group"), dimension_numbers=axes_of(spatial)).astype(x.dtype)


def with_bias(result: Value, bias: Value) -> Value:
    return result if bias is None else result + traced(bias).reshape((1, -1) + (1,) * (result.ndim - 2))


@operator("Conv")
def conv(node: Node, x: Value, w: Value, bias: Value = None) -> Value:
    return with_bias(convolution(node, traced(x), traced(w)), bias)


@operator("ConvInteger")
def conv_integer(node: Node, x: Value, w: Value, x_zero: Value = None, w_zero: Value = None) -> Value:
    x, w = traced(x).astype(jnp.int32), traced(w).astype(jnp.int32)
    x = x if x_zero is None else x - traced(x_zero).astype(jnp.int32)
    if w_zero is not None:
        zero = traced(w_zero).astype(jnp.int32)
        w = w - (zero.reshape((-1,) + (1,) * (w.ndim - 1)) if zero.ndim else zero)
    return convolution(node, x, w)


@operator("ConvTranspose")
def conv_transpose(node: Node, x: Value, w: Value, bias: Value = None) -> Value:
    x, w = traced(x), traced(w)
    spatial, group = w.ndim - 2, node.attr("group")
    strides = node.attr("strides") or [1] * spatial
    dilations = node.attr("dilations") or [1] * spatial
    extra = node.attr("output_padding") or [0] * spatial
    reach = [(w.shape[2 + i] - 1) * dilations[i] for i in range(spatial)]
    pads = _transposed_pads(node, x.shape[2:], strides, reach, extra)
    w = jnp.flip(w, tuple(range(2, 2 + spatial)))
    w = w.reshape(group, w.shape[0] // group, *w.shape[1:]).swapaxes(1, 2)
    w = w.reshape(-1, *w.shape[2:])
    result = lax.conv_general_dilated(
        wide(x), wide(w), [1] * spatial, [(reach[i] - low, reach[i] - high + extra[i]) for i, (low, high) in enumerate(pads)],
        lhs_dilation=strides, rhs_dilation=dilations, feature_group_count=group, dimension_numbers=axes_of(spatial)).astype(x.dtype)
    return with_bias(result, bias)


def _transposed_pads(node: Node, sizes: Sequence[int], strides: Sequence[int], reach: Sequence[int],
                     extra: Sequence[int]) -> list[tuple[int, int]]:
    spatial, mode = len(sizes), node.attr("auto_pad")
    wanted = node.attr("output_shape")
    if wanted is None and mode in ("NOTSET", ""):
        pads = node.attr("pads") or [0] * (2 * spatial)
        return [(pads[i], pads[i + spatial]) for i in range(spatial)]
    if wanted is None and mode == "VALID":
        return [(0, 0)] * spatial
    sizes_out = [size * stride for size, stride in zip(sizes, strides, strict=True)] if wanted is None else wanted[-spatial:]
    found = []
    for i in range(spatial):
        total = strides[i] * (sizes[i] - 1) + extra[i] + reach[i] + 1 - sizes_out[i]
        small, large = total // 2, total - total // 2
        found.append((small, large) if mode == "SAME_UPPER" else (large, small))
    return found


@operator("Col2Im")
def col2im(node: Node, x: Value, image: Value, block: Value) -> Value:
    x = traced(x)
    sizes, window = node.integers(image, 1), node.integers(block, 2)
    spatial = len(sizes)
    strides = node.attr("strides") or [1] * spatial
    dilations = node.attr("dilations") or [1] * spatial
    pads = node.attr("pads") or [0] * (2 * spatial)
    counts = [(sizes[i] + pads[i] + pads[i + spatial] - dilations[i] * (window[i] - 1) - 1) // strides[i] + 1
              for i in range(spatial)]
    channels = x.shape[1] // int(np.prod(window))
    parts = x.reshape(x.shape[0], channels, *window, *counts)
    result = jnp.zeros((x.shape[0], channels, *[sizes[i] + pads[i] + pads[i + spatial] for i in range(spatial)]), x.dtype)
    for place in np.ndindex(*window):
        index = tuple(slice(place[i] * dilations[i], place[i] * dilations[i] + (counts[i] - 1) * strides[i] + 1, strides[i])
                      for i in range(spatial))
        result = result.at[(slice(None), slice(None), *index)].add(parts[(slice(None), slice(None), *place)])
    return result[(slice(None), slice(None), *[slice(pads[i], pads[i] + sizes[i]) for i in range(spatial)])]
