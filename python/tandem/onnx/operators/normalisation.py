"""Normalisations."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, traced


def _channels(value: Value, rank: int) -> Value:
    return traced(value).reshape((1, -1) + (1,) * (rank - 2))


@operator("BatchNormalization")
def batch_normalisation(node: Node, x: Value, scale: Value, bias: Value, mean: Value, variance: Value) -> Value:
    x, epsilon = traced(x), node.attr("epsilon")
    if node.opset < 9 and not node.attr("spatial", 1):
        raise node.refuse("spatial = 0")
    if node.opset < 7 and not node.attr("is_test"):
        raise node.refuse("training, which is_test = 0 means")
    training = node.attr("training_mode", 0)
    if not training and node.wants(1):
        raise node.refuse("statistics of training")
    given_mean, given_variance = traced(mean), traced(variance)
    if training:
        axes = (0, *range(2, x.ndim))
        mean, variance = jnp.mean(x, axis=axes), jnp.var(x, axis=axes)
    factor = _channels(traced(scale) * lax.rsqrt((traced(variance) + epsilon).astype(traced(variance).dtype)), x.ndim)
    result = ((x - _channels(mean, x.ndim)) * factor + _channels(bias, x.ndim)).astype(x.dtype)
    if not training:
        return result
    momentum = node.attr("momentum")
    return (result, given_mean * momentum + mean * (1 - momentum), given_variance * momentum + variance * (1 - momentum))


@operator("InstanceNormalization")
def instance_normalisation(node: Node, x: Value, scale: Value, bias: Value) -> Value:
    x, axes = traced(x), tuple(range(2, x.ndim))
    mean = jnp.mean(x, axis=axes, keepdims=True)
    variance = jnp.mean((x - mean) ** 2, axis=axes, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + node.attr("epsilon")) * _channels(scale, x.ndim) + _channels(bias, x.ndim)


@operator("LpNormalization")
def lp_normalisation(node: Node, x: Value) -> Value:
    x, axis = traced(x), node.axis(x.ndim, default=-1)
    norm = jnp.sum(jnp.abs(x), axis, keepdims=True) if node.attr("p") == 1 else jnp.sqrt(jnp.sum(x * x, axis, keepdims=True))
    return jnp.where(norm == 0, 0, x / jnp.where(norm == 0, 1, norm))


@operator("LRN")
def local_response(node: Node, x: Value) -> Value:
    x, size = traced(x), node.attr("size")
    window = (1, size) + (1,) * (x.ndim - 2)
    squares = lax.reduce_window(x * x, np.asarray(0, x.dtype), lax.add, window, (1,) * x.ndim,
                                [(0, 0), ((size - 1) // 2, size // 2)] + [(0, 0)] * (x.ndim - 2))
    return x / (node.attr("bias") + node.attr("alpha") / size * squares) ** node.attr("beta")
