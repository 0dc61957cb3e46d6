"""Integers for real numbers."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import onnx

from tandem.onnx.nodes import Node, operator
from tandem.onnx.operators.casts import converted
from tandem.onnx.operators.convolutions import convolution
from tandem.onnx.values import Value, traced


def _spread(node: Node, value: Any, x: Any) -> Any:
    """Scales or zero points for each element: one, one for each slice of `axis`, or one for each block."""
    block = node.attr("block_size", 0)
    if value.ndim == 0 or value.size == 1:
        return value.reshape(())
    axis = node.axis(x.ndim, default=1)
    if value.ndim == 1 and not block:
        return value.reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    if block:
        value = jnp.repeat(value, block, axis)
        return value[(slice(None),) * axis + (slice(0, x.shape[axis]),)]
    raise node.refuse("scales of this shape")


def _limits(kind: np.dtype) -> tuple[int, int]:
    info = jnp.iinfo(kind)
    return int(info.min), int(info.max)


def quantised(node: Node, real: Any, zero: Any, kind: np.dtype) -> Any:
    """Round, add the zero point, keep within the type."""
    if not jnp.issubdtype(kind, jnp.integer):
        return converted(node, real if zero is None else real + zero.astype(real.dtype), kind)
    low, high = _limits(kind)
    rounded = jnp.round(real.astype(jnp.float32))
    rounded = jnp.clip(rounded, -2.0**24, 2.0**24).astype(jnp.int32)
    if zero is not None:
        rounded = rounded + zero.astype(jnp.int32)
    return jnp.clip(rounded, low, high).astype(kind)


@operator("QuantizeLinear")
def quantise(node: Node, x: Value, scale: Value, zero: Value = None) -> Value:
    x, scale = traced(x), traced(scale)
    if zero is not None:
        kind = np.dtype(zero.dtype)
        zero = _spread(node, traced(zero), x)
    else:
        number = node.attr("output_dtype", 0)
        kind = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(number)) if number else np.dtype(np.uint8)
    return quantised(node, x / _spread(node, scale, x).astype(x.dtype), zero, kind)


@operator("DequantizeLinear")
def dequantise(node: Node, x: Value, scale: Value, zero: Value = None) -> Value:
    x, scale = traced(x), traced(scale)
    wide = jnp.int32 if jnp.issubdtype(x.dtype, jnp.integer) else jnp.float32
    value = x.astype(wide)
    if zero is not None:
        value = value - _spread(node, traced(zero).astype(wide), x)
    number = node.attr("output_dtype", 0)
    kind = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(number)) if number else np.dtype(scale.dtype)
    return (value.astype(jnp.float32) * _spread(node, scale.astype(jnp.float32), x)).astype(kind)


@operator("QLinearMatMul")
def qlinear_matmul(node: Node, a: Value, a_scale: Value, a_zero: Value, b: Value, b_scale: Value, b_zero: Value,
                   y_scale: Value, y_zero: Value) -> Value:
    a_whole = traced(a).astype(jnp.int32) - traced(a_zero).astype(jnp.int32)
    b_whole = traced(b).astype(jnp.int32) - traced(b_zero).astype(jnp.int32)
    factor = traced(a_scale).astype(jnp.float32) * traced(b_scale).astype(jnp.float32) / traced(y_scale).astype(jnp.float32)
    return quantised(node, jnp.matmul(a_whole, b_whole).astype(jnp.float32) * factor, traced(y_zero), np.dtype(y_zero.dtype))


@operator("QLinearConv")
def qlinear_conv(node: Node, x: Value, x_scale: Value, x_zero: Value, w: Value, w_scale: Value, w_zero: Value,
                 y_scale: Value, y_zero: Value, bias: Value = None) -> Value:
    x_whole = traced(x).astype(jnp.int32) - traced(x_zero).astype(jnp.int32)
    rows = (-1,) + (1,) * (w.ndim - 1)
    zero, scale = traced(w_zero).astype(jnp.int32), traced(w_scale)
    w_whole = traced(w).astype(jnp.int32) - (zero.reshape(rows) if zero.ndim else zero)
    total = convolution(node, x_whole, w_whole)
    columns = (1, -1) + (1,) * (w.ndim - 2)
    if bias is not None:
        total = total + traced(bias).reshape(columns)
    factor = traced(x_scale) * (scale.reshape(columns) if scale.ndim else scale) / traced(y_scale)
    return quantised(node, total.astype(jnp.float32) * factor, traced(y_zero), np.dtype(y_zero.dtype))
