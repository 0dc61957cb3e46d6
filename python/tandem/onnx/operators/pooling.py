"""Pooling: windows over the spatial axes."""

from __future__ import annotations

from typing import Sequence

import jax.numpy as jnp
import numpy as np
from jax import lax

from tandem.onnx.nodes import Node, operator
from tandem.onnx.operators.convolutions import paddings
from tandem.onnx.values import Value, traced


class Windows:
    """The windows of a pooling node. `pads` are the node's own; `grown` includes the padding that ceil_mode adds after
    the end."""

    def __init__(self, node: Node, sizes: Sequence[int]):
        self.kernel = node.attr("kernel_shape")
        count = len(self.kernel)
        self.strides = node.attr("strides") or [1] * count
        self.dilations = node.attr("dilations") or [1] * count
        self.pads = paddings(node, sizes, self.kernel, self.strides, self.dilations)
        self.grown = list(self.pads)
        if node.attr("ceil_mode", 0) and node.attr("auto_pad") in ("NOTSET", ""):
            for i, (low, high) in enumerate(self.pads):
                reach, stride = (self.kernel[i] - 1) * self.dilations[i] + 1, self.strides[i]
                steps = -(-(sizes[i] + low + high - reach) // stride)
                if steps * stride >= sizes[i] + low:  # a window may not begin in the padding after the end
                    steps -= 1
                self.grown[i] = (low, high + max(0, steps * stride + reach - (sizes[i] + low + high)))

    def reduce(self, x: Value, start: object, function: object, pads: Sequence[tuple[int, int]] | None = None) -> Value:
        return lax.reduce_window(x, np.asarray(start, x.dtype), function, (1, 1, *self.kernel), (1, 1, *self.strides),
                                 [(0, 0), (0, 0), *(pads or self.grown)], window_dilation=(1, 1, *self.dilations))

    def each(self, x: Value, fill: object) -> list[Value]:
        """For each place in the window, the elements there."""
        x = jnp.pad(x, [(0, 0), (0, 0), *self.grown], constant_values=fill)
        spatial = len(self.kernel)
        counts = [(x.shape[2 + i] - (self.kernel[i] - 1) * self.dilations[i] - 1) // self.strides[i] + 1
                  for i in range(spatial)]
        parts = []
        for place in np.ndindex(*self.kernel):
            first = [place[i] * self.dilations[i] for i in range(spatial)]
            index = [slice(first[i], first[i] + (counts[i] - 1) * self.strides[i] + 1, self.strides[i]) for i in range(spatial)]
            parts.append(x[(slice(None), slice(None), *index)])
        return parts


def lowest(kind: np.dtype) -> object:
    return -np.inf if jnp.issubdtype(kind, jnp.floating) else jnp.iinfo(kind).min


@operator("MaxPool")
def max_pool(node: Node, x: Value) -> Value:
    x = traced(x)
    windows = Windows(node, x.shape[2:])
    if not node.wants(1):
        return windows.reduce(x, lowest(x.dtype), lax.max)
    order = list(range(2, x.ndim)) if node.attr("storage_order", 0) == 0 else list(range(x.ndim - 1, 1, -1))
    places = np.zeros(x.shape[2:], np.int32)
    for axis in order:
        places = places * x.shape[axis] + np.arange(x.shape[axis]).reshape([-1 if i == axis else 1 for i in range(2, x.ndim)])
    image = int(np.prod(x.shape[2:]))
    places = places + np.arange(x.shape[0] * x.shape[1]).reshape(x.shape[:2] + (1,) * (x.ndim - 2)) * image
    values = windows.each(x, lowest(x.dtype))
    indices = windows.each(jnp.asarray(places.astype(np.int32)), -1)
    best, at = values[0], indices[0]
    for value, index in zip(values[1:], indices[1:], strict=True):
        better = (value > best) | (at < 0)
        best, at = jnp.where(better, value, best), jnp.where(better, index, at)
    return best, at


@operator("AveragePool")
def average_pool(node: Node, x: Value) -> Value:
    x = traced(x)
    windows = Windows(node, x.shape[2:])
    total = windows.reduce(x, 0, lax.add)
    ones = np.ones((1, 1, *x.shape[2:]), np.float32)
    if node.attr("count_include_pad", 0):  # padding counts, but not what ceil_mode adds
        ones = np.pad(ones, [(0, 0), (0, 0), *windows.pads], constant_values=1)
        pads = [(0, grown[1] - pad[1]) for grown, pad in zip(windows.grown, windows.pads, strict=True)]
    else:
        pads = windows.grown
    return total / windows.reduce(jnp.asarray(ones), 0, lax.add, pads).astype(x.dtype)


@operator("LpPool")
def lp_pool(node: Node, x: Value) -> Value:
    x, p = traced(x), node.attr("p")
    return Windows(node, x.shape[2:]).reduce(jnp.abs(x) ** p, 0, lax.add) ** (1 / p)


@operator("GlobalAveragePool", "GlobalMaxPool")
def global_pool(node: Node, x: Value) -> Value:
    x = traced(x)
    return (jnp.mean if node.kind == "GlobalAveragePool" else jnp.max)(x, axis=tuple(range(2, x.ndim)), keepdims=True)


@operator("MaxUnpool")
def max_unpool(node: Node, x: Value, index: Value, sizes: Value = None) -> Value:
    x, index = traced(x), traced(index)
    kernel = node.attr("kernel_shape")
    count = len(kernel)
    strides, pads = node.attr("strides") or [1] * count, node.attr("pads") or [0] * (2 * count)
    inner = [(x.shape[2 + i] - 1) * strides[i] + kernel[i] - pads[i] - pads[i + count] for i in range(count)]
    flat = jnp.zeros(int(np.prod([*x.shape[:2], *inner])), x.dtype).at[index.reshape(-1)].set(x.reshape(-1))
    result = flat.reshape(*x.shape[:2], *inner)
    if sizes is None:
        return result
    wanted = node.integers(sizes, 2)
    return jnp.pad(result, [(0, wanted[i] - result.shape[i]) for i in range(result.ndim)])
