"""Relax's operations of layers: products, windows, norms, attention."""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np
from tvm import relax

from tandem.stablehlo_text import Builder, integers, least, matmul_precision, tensor_type
from tandem.tvm.operations import (axes, binary, keeping, like, mean, number, operation, reduced, result, unary,
                                   variance)
from tandem.tvm.types import Unsupported, shape


# ---- products ----

@operation("matmul")
def _matmul(build: Builder, call: relax.Call, values: list[str]) -> str:
    left, right = values
    to, kind = result(call)
    left = build.reshape(left, (1, *build.shape(left))) if len(build.shape(left)) == 1 else left
    right = build.reshape(right, (*build.shape(right), 1)) if len(build.shape(right)) == 1 else right
    return build.convert(build.reshape(product(build, left, right), to), kind)


def product(build: Builder, left: str, right: str) -> str:
    """As NumPy multiplies stacks of matrices."""
    have = [build.shape(left), build.shape(right)]
    if len(have[1]) == 2:  # one matrix for all: no stack
        rank = len(have[0])
        return build.dot(left, right, ([], []), ([rank - 1], [0]), matmul_precision())
    stack = np.broadcast_shapes(have[0][:-2], have[1][:-2])
    left, right = (build.fit(value, (*stack, *build.shape(value)[-2:])) for value in (left, right))
    batch, rank = list(range(len(stack))), len(stack) + 2
    return build.dot(left, right, (batch, batch), ([rank - 1], [rank - 2]), matmul_precision())


@operation("nn.attention", "nn.attention_bias")
def _attention(build: Builder, call: relax.Call, values: list[str]) -> str:
    """Of (batch, position, head, feature)."""
    query, key, value = (build.transpose(part, (0, 2, 1, 3)) for part in values[:3])
    scale = call.attrs.scale
    factor = 1 / math.sqrt(build.shape(query)[-1]) if scale is None else float(number(scale))
    scores = product(build, query, build.transpose(key, (0, 1, 3, 2)))
    scores = binary(build, "multiply", scores, like(build, factor, scores))
    if len(values) > 3:
        scores = binary(build, "add", scores, build.fit(values[3], build.shape(scores)))
    if call.attrs.window_size is not None:
        raise Unsupported("attention with a window")
    if call.attrs.causal_mask is not None:
        queries, keys = build.shape(scores)[-2:]
        shift = keys - queries if str(call.attrs.causal_mask) == "BottomRight" else 0
        mask = build.fit(build.array(np.tri(queries, keys, shift, dtype=bool), "i1"), build.shape(scores))
        scores = build.select(mask, scores, like(build, -math.inf, scores))
    return build.transpose(product(build, softmax(build, scores, 3), value), (0, 2, 1, 3))


# ---- norms ----

def _shifted(build: Builder, value: str, axis: int) -> str:
    top = keeping(build, reduced(build, value, "max", [axis]), build.shape(value), [axis])
    return binary(build, "subtract", value, top)


def softmax(build: Builder, value: str, axis: int) -> str:
    grown = unary(build, "exponential", _shifted(build, value, axis))
    total = keeping(build, reduced(build, grown, "sum", [axis]), build.shape(value), [axis])
    return binary(build, "divide", grown, total)


@operation("nn.softmax")
def _softmax(build: Builder, call: relax.Call, values: list[str]) -> str:
    return softmax(build, values[0], int(call.attrs.axis) % len(build.shape(values[0])))


@operation("nn.log_softmax")
def _log_softmax(build: Builder, call: relax.Call, values: list[str]) -> str:
    axis = int(call.attrs.axis) % len(build.shape(values[0]))
    value = _shifted(build, values[0], axis)
    total = unary(build, "log", reduced(build, unary(build, "exponential", value), "sum", [axis]))
    return binary(build, "subtract", value, keeping(build, total, build.shape(value), [axis]))


def _along(build: Builder, value: str, to: Sequence[int], dimensions: Sequence[int]) -> str:
    """A parameter with the sizes of these dimensions, in all others the same."""
    return build.spread(build.reshape(value, [to[axis] for axis in dimensions]), to, dimensions)


def _normal(build: Builder, value: str, dimensions: Sequence[int], epsilon: float) -> str:
    to = build.shape(value)
    centre = binary(build, "subtract", value, keeping(build, mean(build, value, dimensions), to, dimensions))
    spread = variance(build, value, dimensions)
    inverse = unary(build, "rsqrt", binary(build, "add", spread, like(build, epsilon, spread)))
    return binary(build, "multiply", centre, keeping(build, inverse, to, dimensions))


def _scaled(build: Builder, call: relax.Call, value: str, gamma: str, beta: str, dimensions: Sequence[int]) -> str:
    to = build.shape(value)
    if bool(call.attrs.scale):
        value = binary(build, "multiply", value, _along(build, gamma, to, dimensions))
    if bool(call.attrs.center):
        value = binary(build, "add", value, _along(build, beta, to, dimensions))
    return value


@operation("nn.layer_norm")
def _layer_norm(build: Builder, call: relax.Call, values: list[str]) -> str:
    dimensions = axes(call.attrs.axes, len(build.shape(values[0])))
    value = _normal(build, values[0], dimensions, float(call.attrs.epsilon))
    return _scaled(build, call, value, values[1], values[2], dimensions)


@operation("nn.group_norm")
def _group_norm(build: Builder, call: relax.Call, values: list[str]) -> str:
    to, groups = build.shape(values[0]), int(call.attrs.num_groups)
    channel = int(call.attrs.channel_axis) % len(to)
    apart = [*to[:channel], groups, to[channel] // groups, *to[channel + 1:]]
    others = [axis + (axis > channel) for axis in axes(call.attrs.axes, len(to)) if axis != channel]
    value = _normal(build, build.reshape(values[0], apart), sorted([channel + 1, *others]), float(call.attrs.epsilon))
    return _scaled(build, call, build.reshape(value, to), values[1], values[2], [channel])


@operation("nn.rms_norm")
def _rms_norm(build: Builder, call: relax.Call, values: list[str]) -> str:
    value, to = values[0], build.shape(values[0])
    dimensions = axes(call.attrs.axes, len(to))
    power = mean(build, binary(build, "multiply", value, value), dimensions)
    inverse = unary(build, "rsqrt", binary(build, "add", power, like(build, float(call.attrs.epsilon), power)))
    value = binary(build, "multiply", value, keeping(build, inverse, to, dimensions))
    return binary(build, "multiply", value, _along(build, values[1], to, dimensions))


@operation("nn.batch_norm")
def _batch_norm(build: Builder, call: relax.Call, values: list[str]) -> list[str]:
    """For inference: with the given mean and variance, which it returns."""
    value, gamma, beta, middle, spread = values
    if bool(call.attrs.training):
        raise Unsupported("nn.batch_norm of training")
    to, axis = build.shape(value), int(call.attrs.axis) % len(build.shape(value))
    inverse = unary(build, "rsqrt", binary(build, "add", spread, like(build, float(call.attrs.epsilon), spread)))
    value = binary(build, "subtract", value, _along(build, middle, to, [axis]))
    value = binary(build, "multiply", value, _along(build, inverse, to, [axis]))
    return [_scaled(build, call, value, gamma, beta, [axis]), middle, spread]


# ---- windows ----

def _paddings(given: Any, rank: int) -> list[tuple[int, int]]:
    """TVM gives the low sides of all dimensions, then the high ones; or one for both."""
    sizes = [int(size) for size in given]
    sizes = sizes * (2 * rank // len(sizes))
    return list(zip(sizes[:rank], sizes[rank:]))


def _pairs(paddings: Sequence[tuple[int, int]]) -> str:
    return f"dense<{[list(pair) for pair in paddings]}> : tensor<{len(paddings)}x2xi64>"


def _dimensions(what: str, layout: str, letters: str, names: Sequence[str], space: Sequence[str]) -> str:
    """The dimension numbers, as separate attributes, as in StableHLO's portable form."""
    single = ", ".join(f"{what}_{name}_dimension = {layout.index(letter)} : i64" for letter, name in zip(letters, names))
    return f"{single}, {what}_spatial_dimensions = {integers(layout.index(letter) for letter in space)}"


@operation("nn.conv1d", "nn.conv2d")
def _conv(build: Builder, call: relax.Call, values: list[str]) -> str:
    attributes = call.attrs
    data, kernel = str(attributes.data_layout), str(attributes.kernel_layout)
    if not set(data) <= set("NCDHW") or not set(kernel) <= set("OIDHW") or str(attributes.out_layout) not in ("", data):
        raise Unsupported(f"a convolution of layout {data}, {kernel}, {attributes.out_layout}")
    space = [letter for letter in data if letter not in "NC"]

    numbers = ", ".join((_dimensions("input", data, "NC", ("batch", "feature"), space),
                         _dimensions("kernel", kernel, "OI", ("output_feature", "input_feature"), space),
                         _dimensions("output", data, "NC", ("batch", "feature"), space)))
    strides, dilation = ([int(size) for size in given] for given in (attributes.strides, attributes.dilation))
    to, kind = result(call)
    value = build.op("convolution", values, to, kind,
                     f"window_strides = {integers(strides)}, padding = {_pairs(_paddings(attributes.padding, len(space)))}, "
                     f"lhs_dilation = {integers([1] * len(space))}, rhs_dilation = {integers(dilation)}, "
                     f"{numbers}, feature_group_count = {int(attributes.groups)} : i64, "
                     f"batch_group_count = 1 : i64, precision_config = [#stablehlo<precision {matmul_precision()}>, "
                     f"#stablehlo<precision {matmul_precision()}>]")
    return value


def _windows(build: Builder, call: relax.Call, value: str, joined: str, begin: float) -> str:
    attributes = call.attrs
    layout = str(attributes.layout)
    if bool(attributes.ceil_mode) or not set(layout) <= set("NCDHW"):
        raise Unsupported("windows with ceil_mode, or of another layout than NCHW and NHWC")
    space = [place for place, letter in enumerate(layout) if letter not in "NC"]

    def full(given: Any, neutral: Any) -> list:
        listed = [int(size) for size in given]
        return [listed[space.index(place)] if place in space else neutral for place in range(len(layout))]

    sides = _paddings(attributes.padding, len(space))
    paddings = [sides[space.index(place)] if place in space else (0, 0) for place in range(len(layout))]
    kind = build.element(value)
    scalar = tensor_type((), kind)
    region = (f" ({{\n  ^bb0(%left: {scalar}, %right: {scalar}):\n"
              f'    %joined = "stablehlo.{joined}"(%left, %right) : ({scalar}, {scalar}) -> {scalar}\n'
              f'    "stablehlo.return"(%joined) : ({scalar}) -> ()\n  }})')
    return build.op("reduce_window", [value, build.constant(begin, kind)], shape(call.ty), kind,
                    f"window_dimensions = {integers(full(attributes.pool_size, 1))}, "
                    f"window_strides = {integers(full(attributes.strides, 1))}, "
                    f"base_dilations = {integers([1] * len(layout))}, "
                    f"window_dilations = {integers(full(attributes.dilation, 1))}, padding = {_pairs(paddings)}", region)


@operation("nn.max_pool1d", "nn.max_pool2d")
def _max_pool(build: Builder, call: relax.Call, values: list[str]) -> str:
    return _windows(build, call, values[0], "maximum", least(build.element(values[0])))


@operation("nn.avg_pool1d", "nn.avg_pool2d")
def _avg_pool(build: Builder, call: relax.Call, values: list[str]) -> str:
    total = _windows(build, call, values[0], "add", 0)
    if bool(call.attrs.count_include_pad):
        count = math.prod(int(size) for size in call.attrs.pool_size)
        return binary(build, "multiply", total, like(build, 1 / count, total))
    return binary(build, "divide", total, _windows(build, call, like(build, 1, values[0]), "add", 0))


@operation("nn.adaptive_avg_pool2d")
def _adaptive(build: Builder, call: relax.Call, values: list[str]) -> str:
    layout, to = str(call.attrs.layout), shape(call.ty)
    space = [place for place, letter in enumerate(layout) if letter in "HW"]
    if any(to[place] != 1 for place in space):
        raise Unsupported("nn.adaptive_avg_pool2d to more than one place")
    return build.reshape(mean(build, values[0], space), to)
