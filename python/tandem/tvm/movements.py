"""Relax's operations that move elements."""

from __future__ import annotations

import math

import numpy as np
from tvm import relax

from tandem.stablehlo_text import Builder, integers
from tandem.tvm.operations import axes, number, numbers, operation, result
from tandem.tvm.types import Unsupported, shape, tensors


@operation("reshape", "flatten", "expand_dims", "squeeze", "nn.batch_flatten")
def _reshape(build: Builder, call: relax.Call, values: list[str]) -> str:
    return build.reshape(values[0], shape(call.ty))


@operation("permute_dims")
def _permute(build: Builder, call: relax.Call, values: list[str]) -> str:
    rank = len(build.shape(values[0]))
    given = call.attrs.axes
    order = [int(axis) % rank for axis in given] if given is not None else list(range(rank))[::-1]
    return build.transpose(values[0], order)


@operation("broadcast_to")
def _broadcast(build: Builder, call: relax.Call, values: list[str]) -> str:
    return build.fit(values[0], shape(call.ty))


@operation("concat")
def _concat(build: Builder, call: relax.Call, values: list[list[str]]) -> str:
    axis = 0 if call.attrs.axis is None else int(call.attrs.axis)
    return build.concatenate(values[0], axis % len(shape(call.ty)))


@operation("stack")
def _stack(build: Builder, call: relax.Call, values: list[list[str]]) -> str:
    to = shape(call.ty)
    axis = int(call.attrs.axis) % len(to)
    single = [*to[:axis], 1, *to[axis + 1:]]
    return build.concatenate([build.reshape(value, single) for value in values[0]], axis)


@operation("split")
def _split(build: Builder, call: relax.Call, values: list[str]) -> list[str]:
    have = build.shape(values[0])
    axis = int(call.attrs.axis) % len(have)
    parts, begin = [], 0
    for part in tensors(call.ty):
        low, high = [0] * len(have), list(have)
        low[axis], high[axis] = begin, begin + shape(part)[axis]
        begin = high[axis]
        parts.append(build.slice(values[0], low, high))
    return parts


@operation("strided_slice")
def _slice(build: Builder, call: relax.Call, values: list[str]) -> str:
    have = build.shape(values[0])
    low, high, step = [0] * len(have), list(have), [1] * len(have)
    given = [numbers(argument) for argument in call.args[1:]]
    strides = given[3] if len(given) > 3 else [1] * len(given[0])
    for axis, begin, end, stride in zip(*given[:3], strides):
        axis %= len(have)
        if stride < 1:
            raise Unsupported("a slice that goes backwards")
        low[axis], high[axis], step[axis] = *slice(begin, end).indices(have[axis])[:2], stride
        high[axis] = max(high[axis], low[axis])
    return build.slice(values[0], low, high, step)


@operation("flip")
def _flip(build: Builder, call: relax.Call, values: list[str]) -> str:
    return build.reverse(values[0], axes(call.attrs.axis, len(build.shape(values[0]))))


@operation("repeat")
def _repeat(build: Builder, call: relax.Call, values: list[str]) -> str:
    value, count = values[0], int(call.attrs.repeats)
    if call.attrs.axis is None:
        value, axis = build.reshape(value, [math.prod(build.shape(value))]), 0
    else:
        axis = int(call.attrs.axis) % len(build.shape(value))
    have = build.shape(value)
    wide = build.spread(value, [*have[:axis + 1], count, *have[axis + 1:]],
                        [place + (place > axis) for place in range(len(have))])
    return build.reshape(wide, shape(call.ty))


@operation("tile")
def _tile(build: Builder, call: relax.Call, values: list[str]) -> str:
    to, have = shape(call.ty), build.shape(values[0])
    have = (1,) * (len(to) - len(have)) + have
    pairs = [size for whole, part in zip(to, have) for size in (whole // part, part)]
    wide = build.spread(build.reshape(values[0], have), pairs, range(1, len(pairs), 2))
    return build.reshape(wide, to)


@operation("nn.pad")
def _pad(build: Builder, call: relax.Call, values: list[str]) -> str:
    widths = [int(width) for width in call.attrs.pad_width]
    if str(call.attrs.pad_mode) != "constant":
        raise Unsupported(f"padding of mode {call.attrs.pad_mode}")
    return build.pad(values[0], widths[::2], widths[1::2], float(call.attrs.pad_value))


@operation("take")
def _take(build: Builder, call: relax.Call, values: list[str]) -> str:
    """Rows of a table; an index out of range takes the nearest row."""
    table, index = values
    have, places = build.shape(table), build.shape(index)
    if call.attrs.axis is None and len(have) != 1:
        raise Unsupported("take from a table without an axis")
    axis = 0 if call.attrs.axis is None else int(call.attrs.axis) % len(have)
    to, kind = result(call)
    window = [1 if place == axis else size for place, size in enumerate(have)]
    offsets = [place for place in range(len(to)) if not axis <= place < axis + len(places)]
    numbers_ = (f"#stablehlo.gather<offset_dims = {offsets}, collapsed_slice_dims = [{axis}], start_index_map = [{axis}], "
                f"index_vector_dim = {len(places)}>")
    return build.op("gather", [table, index], to, kind,
                    f"dimension_numbers = {numbers_}, slice_sizes = {integers(window)}, indices_are_sorted = false")


@operation("cumsum")
def _cumsum(build: Builder, call: relax.Call, values: list[str]) -> str:
    """By doubling: each step adds the elements 1, 2, 4, ... places before."""
    value, have = values[0], build.shape(values[0])
    if call.attrs.axis is None or bool(number(call.attrs.exclusive)) if hasattr(call.attrs.exclusive, "value") else bool(
            call.attrs.exclusive):
        raise Unsupported("cumsum over all elements, or without each element itself")
    axis, distance = int(call.attrs.axis) % len(have), 1
    while distance < have[axis]:
        low, high = [0] * len(have), list(have)
        high[axis] -= distance
        before = build.slice(value, low, high)
        low[axis] = distance
        value = build.op("add", [value, build.pad(before, low, [0] * len(have))], *build.types[value])
        distance *= 2
    return value


@operation("one_hot")
def _one_hot(build: Builder, call: relax.Call, values: list[str]) -> str:
    to, kind = result(call)
    axis = int(call.attrs.axis) % len(to)
    depth = build.array(np.arange(to[axis]), build.element(values[0]))
    index = build.spread(values[0], to, [place for place in range(len(to)) if place != axis])
    on = build.compare(index, build.spread(depth, to, [axis]), "EQ")
    yes, no = (build.constant(number(value), kind, to) for value in call.args[1:3])
    return build.select(on, yes, no)


