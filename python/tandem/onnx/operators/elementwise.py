"""Operators on each element by itself, with broadcasting."""

from __future__ import annotations

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, is_known, library, narrowed, traced

_ONE = {"Abs": "abs", "Neg": "negative", "Ceil": "ceil", "Floor": "floor", "Exp": "exp", "Log": "log", "Sqrt": "sqrt",
        "Sin": "sin", "Cos": "cos", "Tan": "tan", "Asin": "arcsin", "Acos": "arccos", "Atan": "arctan",
        "Sinh": "sinh", "Cosh": "cosh", "Asinh": "arcsinh", "Acosh": "arccosh", "Atanh": "arctanh", "Tanh": "tanh",
        "Sign": "sign", "Round": "round"}
_TWO = {"Add": "add", "Sub": "subtract", "Mul": "multiply", "BitwiseAnd": "bitwise_and", "BitwiseOr": "bitwise_or",
        "BitwiseXor": "bitwise_xor"}
_SEVERAL = {"Max": "maximum", "Min": "minimum", "Sum": "add"}


@operator(*_ONE)
def one(node: Node, x: Value) -> Value:
    module, (x,) = library(x)
    return getattr(module, _ONE[node.kind])(x)


def old_broadcast(node: Node, x: Value, y: Value) -> Value:
    """The second operand, aligned as opsets before 7 require."""
    if node.opset < 7 and node.has("axis") and np.ndim(y) < np.ndim(x):
        axis = node.axis(x.ndim)
        return y.reshape(y.shape + (1,) * (x.ndim - axis - y.ndim))
    return y


@operator(*_TWO)
def two(node: Node, x: Value, y: Value) -> Value:
    module, (x, y) = library(x, old_broadcast(node, x, y))
    return getattr(module, _TWO[node.kind])(x, y)


@operator(*_SEVERAL)
def several(node: Node, *values: Value) -> Value:
    module, values = library(*values)
    return functools.reduce(getattr(module, _SEVERAL[node.kind]), values)


@operator("Mean")
def mean(node: Node, *values: Value) -> Value:
    module, values = library(*values)
    return functools.reduce(module.add, values) / len(values)


@operator("Div")
def divide(node: Node, x: Value, y: Value) -> Value:
    module, (x, y) = library(x, old_broadcast(node, x, y))
    if not jnp.issubdtype(x.dtype, jnp.integer):
        return module.divide(x, y)
    if module is np:  # towards zero
        quotient = np.abs(x) // np.abs(y)
        return np.where((x < 0) != (y < 0), -quotient, quotient).astype(x.dtype)
    return lax.div(*jnp.broadcast_arrays(x, y))


@operator("Mod")
def modulo(node: Node, x: Value, y: Value) -> Value:
    module, (x, y) = library(x, y)
    return (module.fmod if node.attr("fmod") else module.mod)(x, y)


@operator("Pow")
def power(node: Node, x: Value, y: Value) -> Value:
    kind = x.dtype
    if is_known(y) and not is_known(x) and np.size(y) == 1:
        exponent = float(y.reshape(-1)[0])
        if exponent.is_integer() and abs(exponent) <= 64:  # by products
            return jnp.broadcast_to(traced(x) ** int(exponent), np.broadcast_shapes(x.shape, y.shape)).astype(x.dtype)
    module, (x, y) = library(x, old_broadcast(node, x, y))
    if jnp.issubdtype(kind, jnp.integer) and jnp.issubdtype(y.dtype, jnp.floating) and module is jnp:
        x = x.astype(y.dtype)
    return module.power(x, y).astype(kind if module is np else narrowed(kind))


@operator("Reciprocal")
def reciprocal(node: Node, x: Value) -> Value:
    module, (x,) = library(x)
    return module.divide(x.dtype.type(1), x)


@operator("Identity")
def identity(node: Node, x: Value) -> Value:
    return x


@operator("Erf")
def erf(node: Node, x: Value) -> Value:
    return lax.erf(traced(x))


@operator("Sigmoid")
def sigmoid(node: Node, x: Value) -> Value:
    return jax.nn.sigmoid(traced(x))


@operator("Relu")
def relu(node: Node, x: Value) -> Value:
    module, (x,) = library(x)
    return module.maximum(x, x.dtype.type(0))


@operator("Softplus")
def softplus(node: Node, x: Value) -> Value:
    return jax.nn.softplus(traced(x))


@operator("Softsign")
def softsign(node: Node, x: Value) -> Value:
    x = traced(x)
    return x / (1 + jnp.abs(x))


@operator("Elu")
def elu(node: Node, x: Value) -> Value:
    x = traced(x)
    return jnp.where(x > 0, x, (node.attr("alpha") * jnp.expm1(jnp.minimum(x, 0))).astype(x.dtype))


@operator("Selu")
def selu(node: Node, x: Value) -> Value:
    x = traced(x)
    alpha, gamma = node.attr("alpha"), node.attr("gamma")
    return (gamma * jnp.where(x > 0, x, alpha * jnp.expm1(jnp.minimum(x, 0)))).astype(x.dtype)


@operator("LeakyRelu")
def leaky_relu(node: Node, x: Value) -> Value:
    x = traced(x)
    return jnp.where(x < 0, (node.attr("alpha") * x).astype(x.dtype), x)


@operator("PRelu")
def prelu(node: Node, x: Value, slope: Value) -> Value:
    x, slope = traced(x), traced(slope)
    if node.opset < 7 and slope.ndim == 1 and slope.shape[0] > 1:
        slope = slope.reshape((-1,) + (1,) * (x.ndim - 2))
    return jnp.where(x < 0, slope * x, x)


@operator("HardSigmoid")
def hard_sigmoid(node: Node, x: Value) -> Value:
    x = traced(x)
    return jnp.clip(node.attr("alpha") * x + node.attr("beta"), 0, 1).astype(x.dtype)


@operator("HardSwish")
def hard_swish(node: Node, x: Value) -> Value:
    x = traced(x)
    return x * jnp.clip(x / 6 + 0.5, 0, 1).astype(x.dtype)


@operator("Gelu")
def gelu(node: Node, x: Value) -> Value:
    x = traced(x)
    if node.attr("approximate") == "tanh":
        return jax.nn.gelu(x, approximate=True)
    return (x * 0.5 * (1 + lax.erf(x / math.sqrt(2)))).astype(x.dtype)


@operator("Clip")
def clip(node: Node, x: Value, low: Value = None, high: Value = None) -> Value:
    if node.opset < 11:
        low = np.asarray(node.attr("min"), x.dtype) if node.has("min") else None
        high = np.asarray(node.attr("max"), x.dtype) if node.has("max") else None
    module, (x, low, high) = library(x, low, high)
    x = x if low is None else module.maximum(x, low)
    return x if high is None else module.minimum(x, high)


@operator("BitwiseNot")
def bitwise_not(node: Node, x: Value) -> Value:
    node.only_32_bits(0, x)
    module, (x,) = library(x)
    return module.invert(x)


@operator("BitShift")
def bit_shift(node: Node, x: Value, y: Value) -> Value:
    x, y = jnp.broadcast_arrays(traced(x), traced(y))
    unsigned = np.dtype(f"u{x.dtype}") if x.dtype.kind == "i" else x.dtype
    width = x.dtype.itemsize * 8
    inside = y.astype(unsigned) < width  # a negative amount is a large one
    y = jnp.where(inside, y, width - 1).astype(x.dtype)
    if node.attr("direction") == "LEFT":
        node.only_32_bits(0, x)
        return jnp.where(inside, lax.shift_left(x, y), 0)
    if x.dtype.kind == "i":  # the sign stays, however far
        return lax.shift_right_arithmetic(x, y)
    return jnp.where(inside, lax.shift_right_logical(x, y), 0)


@operator("Dropout")
def dropout(node: Node, x: Value, ratio: Value = None, training: Value = None) -> Value:
    if node.opset < 7 and not node.attr("is_test"):
        raise node.refuse("random numbers of training")
    if training is not None and bool(node.known(training, 2)) and (ratio is None or float(node.known(ratio, 1)) > 0):
        raise node.refuse("random numbers of training")
    return x, np.ones(x.shape, np.bool_)
