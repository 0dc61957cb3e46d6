"""Elements by their indices."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, is_known, library, traced


def from_the_end(module: object, index: Value, size: int) -> Value:
    """Negative indices count from the end."""
    return module.where(index < 0, index + index.dtype.type(size), index)


def check(node: Node, index: Value, size: int) -> None:
    """Refuses a known index that is outside of its axis, which ONNX calls an error; others are not looked at."""
    if not is_known(index) or not np.size(index):
        return
    wrong = np.asarray(index)[(np.asarray(index) < -size) | (np.asarray(index) >= size)]
    if wrong.size:
        raise node.refuse(f"index {wrong.reshape(-1)[0]} of {size}")


def check_parts(node: Node, index: Value, sizes: tuple[int, ...]) -> None:
    """The same of an index whose last dimension has a number for each of these sizes."""
    if index.shape[-1] > len(sizes):
        raise node.refuse(f"{index.shape[-1]} indices of {len(sizes)} axes")
    for i in range(index.shape[-1]):
        check(node, index[..., i], sizes[i])


@operator("Gather")
def gather(node: Node, x: Value, index: Value) -> Value:
    axis = node.axis(x.ndim)
    check(node, index, x.shape[axis])
    module, (x, index) = library(x, index)
    if is_known(index) and module is np:
        return np.take(x, index, axis)
    return jnp.take(x, from_the_end(jnp, index, x.shape[axis]), axis, mode="clip")


@operator("GatherElements")
def gather_elements(node: Node, x: Value, index: Value) -> Value:
    axis = node.axis(x.ndim)
    check(node, index, x.shape[axis])
    x, index = traced(x), from_the_end(jnp, traced(index), x.shape[axis])
    places = list(jnp.meshgrid(*[jnp.arange(size) for size in index.shape], indexing="ij")) if index.ndim else []
    places[axis] = index
    return x[tuple(places)]


@operator("GatherND")
def gather_nd(node: Node, x: Value, index: Value) -> Value:
    batch = node.attr("batch_dims", 0)
    check_parts(node, index, x.shape[batch:])
    x, index = traced(x), traced(index)
    depth = index.shape[-1]
    sizes = index.shape[:batch]
    parts = [jnp.arange(size).reshape((-1,) + (1,) * (index.ndim - 2 - i)) for i, size in enumerate(sizes)]
    parts += [from_the_end(jnp, index[..., i], x.shape[batch + i]) for i in range(depth)]
    return x[tuple(parts)]


_SCATTERS = {"none": "set", "add": "add", "mul": "multiply", "max": "max", "min": "min"}


@operator("ScatterElements", "Scatter")
def scatter_elements(node: Node, x: Value, index: Value, updates: Value) -> Value:
    axis = node.axis(x.ndim)
    check(node, index, x.shape[axis])
    x, index, updates = traced(x), from_the_end(jnp, traced(index), x.shape[axis]), traced(updates)
    places = list(jnp.meshgrid(*[jnp.arange(size) for size in index.shape], indexing="ij"))
    places[axis] = index
    return getattr(x.at[tuple(places)], _SCATTERS[node.attr("reduction", "none")])(updates)


@operator("ScatterND")
def scatter_nd(node: Node, x: Value, index: Value, updates: Value) -> Value:
    check_parts(node, index, x.shape)
    x, index, updates = traced(x), traced(index), traced(updates)
    parts = tuple(from_the_end(jnp, index[..., i], x.shape[i]) for i in range(index.shape[-1]))
    return getattr(x.at[parts], _SCATTERS[node.attr("reduction", "none")])(updates)


@operator("TensorScatter")
def tensor_scatter(node: Node, x: Value, updates: Value, starts: Value = None) -> Value:
    x, updates = traced(x), traced(updates)
    axis = node.axis(x.ndim, default=-2)
    if node.attr("mode") != "circular" and is_known(starts) and starts is not None:
        first, room = np.asarray(starts), x.shape[axis] - updates.shape[axis]
        if np.any((first < 0) | (first > room)):
            raise node.refuse(f"{updates.shape[axis]} elements of {x.shape[axis]} from {first.min()} to {first.max()}")
    starts = jnp.zeros(x.shape[0], jnp.int32) if starts is None else traced(starts)
    places = starts[:, None] + jnp.arange(updates.shape[axis])
    if node.attr("mode") == "circular":
        places = places % x.shape[axis]
    x, updates = jnp.moveaxis(x, axis, 1), jnp.moveaxis(updates, axis, 1)
    x = x.at[jnp.arange(x.shape[0])[:, None], places].set(updates)
    return jnp.moveaxis(x, 1, axis)


@operator("OneHot")
def one_hot(node: Node, index: Value, depth: Value, values: Value) -> Value:
    count = node.integers(depth, 1)[0]
    node.check_room([*index.shape, count])
    index, values = traced(index), traced(values)
    axis = node.axis(index.ndim + 1)
    at = jnp.expand_dims(jnp.where(index < 0, index + index.dtype.type(count), index), axis)
    places = jnp.arange(count).astype(at.dtype).reshape([-1 if i == axis else 1 for i in range(at.ndim)])
    return jnp.where(at == places, values[1], values[0])


@operator("Compress")
def compress(node: Node, x: Value, condition: Value) -> Value:
    chosen = np.flatnonzero(node.known(condition, 1))
    module, (x,) = library(x)
    if not node.has("axis"):
        return module.take(x.reshape(-1), chosen)
    return module.take(x, chosen, node.axis(x.ndim))


@operator("TopK")
def top_k(node: Node, x: Value, k: Value = None) -> Value:
    count = node.attr("k") if k is None else node.integers(k, 1)[0]
    x = traced(x)
    axis = node.axis(x.ndim, default=-1)
    moved = jnp.moveaxis(x, axis, -1)
    if node.attr("largest", 1):
        values, places = lax.top_k(moved, count)
    else:
        places = jnp.argsort(moved, -1, stable=True)[..., :count]
        values = jnp.take_along_axis(moved, places, -1)
    return jnp.moveaxis(values, -1, axis), jnp.moveaxis(places.astype(jnp.int32), -1, axis)
