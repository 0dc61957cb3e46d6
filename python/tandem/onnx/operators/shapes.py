"""Shapes, and operators that only move elements."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, library, traced


@operator("Shape")
def shape(node: Node, x: Value) -> Value:
    return np.array(x.shape, np.int64)[node.attr("start", 0):node.attr("end")]


@operator("Size")
def size(node: Node, x: Value) -> Value:
    return np.array(int(np.prod(x.shape)), np.int64)


@operator("Constant")
def constant(node: Node) -> Value:
    from tandem.onnx.interpreter import constant as tensor

    if node.has("value"):
        return tensor(node.attr("value"))
    for name, kind in (("value_float", np.float32), ("value_int", np.int64), ("value_floats", np.float32),
                       ("value_ints", np.int64)):
        if node.has(name):
            return np.array(node.attr(name), kind)
    raise node.refuse("a constant of " + ", ".join(node.protos))


@operator("ConstantOfShape")
def constant_of_shape(node: Node, sizes: Value) -> Value:
    from tandem.onnx.interpreter import constant as tensor

    value = tensor(node.attr("value")) if node.has("value") else np.zeros(1, np.float32)
    counts = node.integers(sizes, 0)
    node.check_room(counts)
    return np.full(counts, value.reshape(-1)[0])


@operator("Reshape")
def reshape(node: Node, x: Value, sizes: Value = None) -> Value:
    wanted = node.attr("shape") if sizes is None else node.integers(sizes, 1)
    copied = node.attr("allowzero", 0) == 0
    if any(size < -1 for size in wanted) or wanted.count(-1) > 1:
        raise node.refuse(f"to the sizes {wanted}")
    node.check_room(size for size in wanted if size != -1)
    return x.reshape([x.shape[i] if size == 0 and copied else size for i, size in enumerate(wanted)])


@operator("Flatten")
def flatten(node: Node, x: Value) -> Value:
    axis = node.attr("axis")
    axis = x.ndim if axis == x.ndim else node.one_axis(axis, x.ndim)
    return x.reshape(int(np.prod(x.shape[:axis])), int(np.prod(x.shape[axis:])))


@operator("Squeeze")
def squeeze(node: Node, x: Value, axes: Value = None) -> Value:
    found = node.axes(x.ndim, axes, 1)
    return x.squeeze(None if found is None else tuple(found))


@operator("Unsqueeze")
def unsqueeze(node: Node, x: Value, axes: Value = None) -> Value:
    wanted = node.attr("axes") if axes is None else node.integers(axes, 1)
    rank = x.ndim + len(wanted)
    places, sizes = node.some_axes(wanted, rank), iter(x.shape)
    return x.reshape([1 if i in places else next(sizes) for i in range(rank)])


@operator("Transpose")
def transpose(node: Node, x: Value) -> Value:
    return x.transpose(node.attr("perm"))


@operator("Concat")
def concatenate(node: Node, *values: Value) -> Value:
    module, values = library(*values)
    return module.concatenate(values, node.attr("axis", 1))


@operator("Split")
def split(node: Node, x: Value, parts: Value = None) -> Value:
    axis = node.axis(x.ndim)
    sizes = node.attr("split") if parts is None else node.integers(parts, 1)
    count = len(node.outputs)
    if (wanted := node.attr("num_outputs", count) if sizes is None else len(sizes)) != count:
        raise node.refuse(f"{wanted} parts for {count} outputs")
    if sizes is None:
        each = -(-x.shape[axis] // count)
        sizes = [max(0, min(each, x.shape[axis] - each * i)) for i in range(count)]
    if any(size < 0 for size in sizes) or sum(sizes) != x.shape[axis]:
        raise node.refuse(f"parts of {list(sizes)} of {x.shape[axis]}")
    ends = np.cumsum(sizes)
    return tuple(x[(slice(None),) * axis + (slice(int(end - size), int(end)),)] for size, end in zip(sizes, ends, strict=True))


@operator("Expand")
def expand(node: Node, x: Value, sizes: Value) -> Value:
    module, (x,) = library(x)
    shape = np.broadcast_shapes(x.shape, tuple(node.integers(sizes, 1)))
    node.check_room(shape)
    return module.broadcast_to(x, shape)


@operator("Tile")
def tile(node: Node, x: Value, repeats: Value, axis: Value = None) -> Value:
    module, (x,) = library(x)
    if node.opset < 6:
        counts = [1] * x.ndim
        counts[node.integers(axis, 2)[0]] = node.integers(repeats, 1)[0]
    else:
        counts = node.integers(repeats, 1)
    if any(count < 0 for count in counts):
        raise node.refuse(f"{list(counts)} repeats")
    node.check_room([*x.shape, *counts])
    return module.tile(x, counts)


@operator("Slice")
def slices(node: Node, x: Value, starts: Value = None, ends: Value = None, axes: Value = None,
           steps: Value = None) -> Value:
    if starts is None:
        begin, end, along, by = node.attr("starts"), node.attr("ends"), node.attr("axes"), None
    else:
        begin, end = node.integers(starts, 1), node.integers(ends, 2)
        along = None if axes is None else node.integers(axes, 3)
        by = None if steps is None else node.integers(steps, 4)
    along = node.some_axes(range(len(begin)) if along is None else along, x.ndim)
    by = [1] * len(begin) if by is None else by
    if 0 in by:
        raise node.refuse("a step of 0")
    index = [slice(None)] * x.ndim
    for first, last, axis, step in zip(begin, end, along, by, strict=True):
        index[axis] = slice(first, None if step < 0 and last < -x.shape[axis] else last, step)
    return x[tuple(index)]


_REFLECTIONS = 100  # of a dimension: each is written out


@operator("Pad")
def pad(node: Node, x: Value, pads: Value = None, value: Value = None, axes: Value = None) -> Value:
    mode = node.attr("mode")
    if pads is None:
        counts = node.attr("pads") or node.attr("paddings")
        value = np.asarray(node.attr("value", 0.0), x.dtype)
    else:
        counts = node.integers(pads, 1)
    module, (x, value) = library(x, np.zeros((), x.dtype) if value is None else value)
    along = list(range(x.ndim)) if axes is None else node.some_axes(node.integers(axes, 3), x.ndim)
    widths = [(0, 0)] * x.ndim
    for i, axis in enumerate(along):
        widths[axis] = (counts[i], counts[i + len(along)])
    index = tuple(slice(max(0, -low), size - max(0, -high)) for (low, high), size in zip(widths, x.shape, strict=True))
    widths = [(max(0, low), max(0, high)) for low, high in widths]
    node.check_room(size + sum(both) for size, both in zip(x[index].shape, widths, strict=True))
    if mode == "reflect" and any(max(both) > _REFLECTIONS * size for size, both in zip(x[index].shape, widths, strict=True)):
        raise node.refuse(f"padding of {widths} that reflects {list(x[index].shape)} more than {_REFLECTIONS} times")
    if mode == "constant":
        return module.pad(x[index], widths, constant_values=value.reshape(()))
    if mode not in ("reflect", "edge", "wrap"):
        raise node.refuse(f"mode {mode}")
    return module.pad(x[index], widths, mode=mode)


@operator("Trilu")
def trilu(node: Node, x: Value, k: Value = None) -> Value:
    offset = 0 if k is None else node.integers(k, 1)[0]
    module, (x,) = library(x)
    return (module.triu if node.attr("upper") else module.tril)(x, offset)


@operator("EyeLike")
def eye_like(node: Node, x: Value) -> Value:
    from tandem.onnx.operators.casts import _target

    kind = _target(node, node.attr("dtype")) if node.has("dtype") else np.dtype(x.dtype)
    return np.eye(*x.shape, node.attr("k"), dtype=kind)


@operator("Range")
def arange(node: Node, start: Value, limit: Value, delta: Value) -> Value:
    first, last, step = (node.known(value, i).reshape(()) for i, value in enumerate((start, limit, delta)))
    if step == 0 or not np.isfinite([first, last, step]).all():
        raise node.refuse(f"from {first} to {last} in steps of {step}")
    count = max(int(np.ceil((last.astype(np.float64) - first) / step)), 0)
    node.check_room([count])
    return (first + np.arange(count).astype(first.dtype) * step).astype(first.dtype)


@operator("DepthToSpace")
def depth_to_space(node: Node, x: Value) -> Value:
    n, c, h, w = x.shape
    b = node.attr("blocksize")
    if node.attr("mode", "DCR") == "DCR":
        x = x.reshape(n, b, b, c // b // b, h, w).transpose(0, 3, 4, 1, 5, 2)
    else:
        x = x.reshape(n, c // b // b, b, b, h, w).transpose(0, 1, 4, 2, 5, 3)
    return x.reshape(n, c // b // b, h * b, w * b)


@operator("SpaceToDepth")
def space_to_depth(node: Node, x: Value) -> Value:
    n, c, h, w = x.shape
    b = node.attr("blocksize")
    if node.attr("mode", "DCR") != "DCR":
        raise node.refuse(f"mode {node.attr('mode')}")
    x = x.reshape(n, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4)
    return x.reshape(n, c * b * b, h // b, w // b)


@operator("ReverseSequence")
def reverse_sequence(node: Node, x: Value, lengths: Value) -> Value:
    x, lengths = traced(x), traced(lengths)
    batch, time = node.attr("batch_axis"), node.attr("time_axis")
    places = jnp.arange(x.shape[time], dtype=lengths.dtype)
    index = jnp.where(places[:, None] < lengths, lengths - 1 - places[:, None], places[:, None])  # time, batch
    index = index if time < batch else index.T
    index = index.reshape(index.shape + (1,) * (x.ndim - 2))
    return jnp.take_along_axis(x, jnp.broadcast_to(index, x.shape), time)
