"""Comparisons, logic, choices."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from tandem.onnx.nodes import Node, operator
from tandem.onnx.operators.elementwise import old_broadcast
from tandem.onnx.values import Value, library, traced

_TWO = {"Equal": "equal", "Less": "less", "Greater": "greater", "LessOrEqual": "less_equal",
        "GreaterOrEqual": "greater_equal", "And": "logical_and", "Or": "logical_or", "Xor": "logical_xor"}


@operator(*_TWO)
def compare(node: Node, x: Value, y: Value) -> Value:
    module, (x, y) = library(x, old_broadcast(node, x, y))
    return getattr(module, _TWO[node.kind])(x, y)


@operator("Not")
def logical_not(node: Node, x: Value) -> Value:
    module, (x,) = library(x)
    return module.logical_not(x)


@operator("Where")
def where(node: Node, condition: Value, x: Value, y: Value) -> Value:
    module, (condition, x, y) = library(condition, x, y)
    return module.where(condition, x, y)


@operator("IsNaN")
def is_nan(node: Node, x: Value) -> Value:
    return jnp.isnan(traced(x))


@operator("IsInf")
def is_inf(node: Node, x: Value) -> Value:
    x = traced(x)
    below, above = bool(node.attr("detect_negative")), bool(node.attr("detect_positive"))
    found = jnp.isinf(x)
    return found & ((x < 0) & below | (x > 0) & above)


@operator("Hardmax")
def hardmax(node: Node, x: Value) -> Value:
    x, shape = traced(x), x.shape
    axis = node.axis(x.ndim)
    if node.opset < 13:
        x, axis = x.reshape(int(np.prod(shape[:axis])), -1), 1
    at = jnp.argmax(x, axis, keepdims=True)
    places = jnp.arange(x.shape[axis], dtype=at.dtype).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    return (places == at).astype(x.dtype).reshape(shape)
