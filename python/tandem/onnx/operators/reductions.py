"""Reductions and sums along an axis."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, library, traced

_PLAIN = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceProd": "prod"}


def _axes(node: Node, x: Value, axes: Value) -> tuple[int, ...] | None:
    """None: the value stays as it is."""
    found = node.axes(x.ndim, axes, 1)
    if not found:
        return None if node.attr("noop_with_empty_axes", 0) else tuple(range(x.ndim))
    return tuple(found)


@operator("ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare",
          "ReduceLogSum", "ReduceLogSumExp")
def reduce(node: Node, x: Value, axes: Value = None) -> Value:
    along, keep = _axes(node, x, axes), bool(node.attr("keepdims"))
    module, (x,) = library(x)
    if along is None:
        return _unreduced(node, module, x)
    return _reduced(node, module, x, along, keep)


def _unreduced(node: Node, module: object, x: Value) -> Value:
    """Over no axis: the operation on each single element."""
    if node.kind in ("ReduceL1", "ReduceL2"):
        return module.abs(x)
    if node.kind == "ReduceSumSquare":
        return x * x
    return module.log(x) if node.kind == "ReduceLogSum" else x


def _reduced(node: Node, module: object, x: Value, along: tuple[int, ...], keep: bool) -> Value:
    kind, wanted = node.kind, x.dtype
    if kind in _PLAIN:
        return getattr(module, _PLAIN[kind])(x, axis=along, keepdims=keep).astype(wanted)
    if kind in ("ReduceMax", "ReduceMin"):
        return _extreme(module, x, along, keep, kind == "ReduceMax")
    if kind == "ReduceLogSumExp":
        return jax.nn.logsumexp(traced(x), along, keepdims=keep).astype(traced(x).dtype)
    x = module.abs(x) if kind == "ReduceL1" else x if kind == "ReduceLogSum" else x * x
    total = module.sum(x, axis=along, keepdims=keep)
    if kind == "ReduceL2":
        total = module.sqrt(total)
    return (module.log(total) if kind == "ReduceLogSum" else total).astype(wanted)


def _extreme(module: object, x: Value, along: tuple[int, ...], keep: bool, largest: bool) -> Value:
    if x.dtype == np.bool_:
        return (module.any if largest else module.all)(x, axis=along, keepdims=keep)
    if any(x.shape[axis] == 0 for axis in along):
        floats = jnp.issubdtype(x.dtype, jnp.floating)
        start = (-np.inf if largest else np.inf) if floats else (jnp.iinfo(x.dtype).min if largest else jnp.iinfo(x.dtype).max)
        return (module.max if largest else module.min)(x, axis=along, keepdims=keep, initial=start)
    return (module.max if largest else module.min)(x, axis=along, keepdims=keep)


@operator("ArgMax", "ArgMin")
def extreme_place(node: Node, x: Value) -> Value:
    x, axis = traced(x), node.axis(x.ndim)
    find = jnp.argmax if node.kind == "ArgMax" else jnp.argmin
    if node.attr("select_last_index", 0):
        found = x.shape[axis] - 1 - find(jnp.flip(x, axis), axis, keepdims=bool(node.attr("keepdims")))
    else:
        found = find(x, axis, keepdims=bool(node.attr("keepdims")))
    return found.astype(jnp.int32)


@operator("CumSum", "CumProd")
def cumulative(node: Node, x: Value, axis: Value) -> Value:
    x, along = traced(x), node.one_axis(node.integers(axis, 1)[0], x.ndim)
    product = node.kind == "CumProd"
    x = jnp.flip(x, along) if node.attr("reverse") else x
    result = (jnp.cumprod if product else jnp.cumsum)(x, along).astype(x.dtype)
    if node.attr("exclusive"):
        first = jnp.full([1 if i == along else size for i, size in enumerate(x.shape)], 1 if product else 0, x.dtype)
        rest = result[(slice(None),) * along + (slice(0, x.shape[along] - 1),)]
        result = jnp.concatenate([first, rest], along)
    return jnp.flip(result, along) if node.attr("reverse") else result


@operator("Softmax", "LogSoftmax")
def softmax(node: Node, x: Value) -> Value:
    x, shape, axis = traced(x), x.shape, node.axis(x.ndim)
    function = jax.nn.softmax if node.kind == "Softmax" else jax.nn.log_softmax
    if node.opset >= 13:
        return function(x, axis)
    return function(x.reshape(int(np.prod(shape[:axis])), -1), 1).reshape(shape)
