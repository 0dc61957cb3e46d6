"""Relax's operations as StableHLO. Each takes the builder, the call and the values of its tensors, and returns the
value of its result, or a list of values. Single elements are here; products, windows and norms have files of their
own."""

from __future__ import annotations

import math
from typing import Any, Callable, Sequence

import numpy as np
from tvm import relax

from tandem.stablehlo_text import Builder, is_float, least
from tandem.tvm.types import Unsupported, element, shape

Operation = Callable[[Builder, relax.Call, list[Any]], Any]
OPERATIONS: dict[str, Operation] = {}


def operation(*names: str) -> Callable[[Operation], Operation]:
    def keep(function: Operation) -> Operation:
        for name in names:
            OPERATIONS[f"relax.{name}"] = function
        return function

    return keep


def number(expression: Any) -> int | float:
    """The value of an argument that is not a tensor."""
    if not hasattr(expression, "value"):
        raise Unsupported(f"the argument {expression}, which is known only when it runs")
    value = expression.value
    return value if isinstance(value, (int, float)) else value.numpy().item()


def numbers(expression: Any) -> list[int]:
    fields = expression.fields if hasattr(expression, "fields") else expression.values
    return [int(number(field)) for field in fields]


def axes(given: Any, rank: int) -> list[int]:
    """Axes of an attribute; all of them if it has none."""
    if given is None:
        return list(range(rank))
    listed = [given] if isinstance(given, int) or hasattr(given, "value") else list(given)
    return sorted(int(axis) % rank for axis in listed)


def result(call: relax.Call) -> tuple[tuple[int, ...], str]:
    return shape(call.ty), element(call.ty)


def like(build: Builder, value: float, other: str) -> str:
    return build.constant(value, build.element(other), build.shape(other))


def binary(build: Builder, name: str, left: str, right: str) -> str:
    return build.op(name, [left, right], build.shape(left), build.element(left))


def unary(build: Builder, name: str, value: str) -> str:
    return build.op(name, [value], *build.types[value])


def keeping(build: Builder, value: str, to: Sequence[int], dimensions: Sequence[int]) -> str:
    """A value reduced over these dimensions, broadcast to the original shape."""
    return build.spread(value, to, [axis for axis in range(len(to)) if axis not in dimensions])


# ---- single elements ----

def _table_of_unary() -> None:
    names = {"abs": "abs", "exp": "exponential", "log": "log", "sqrt": "sqrt", "rsqrt": "rsqrt", "tanh": "tanh",
             "sin": "sine", "cos": "cosine", "sigmoid": "logistic", "negative": "negate", "ceil": "ceil",
             "floor": "floor", "round": "round_nearest_even", "sign": "sign", "isfinite": "is_finite"}
    for relax_name, name in names.items():
        @operation(relax_name)
        def make(build: Builder, call: relax.Call, values: list[str], name: str = name) -> str:
            return build.op(name, values, *result(call))


def _table_of_binary() -> None:
    names = {"add": "add", "subtract": "subtract", "multiply": "multiply", "maximum": "maximum", "minimum": "minimum",
             "power": "power", "logical_and": "and", "logical_or": "or", "logical_xor": "xor", "bitwise_and": "and",
             "bitwise_or": "or", "bitwise_xor": "xor", "divide": "divide"}
    for relax_name, name in names.items():
        @operation(relax_name)
        def make(build: Builder, call: relax.Call, values: list[str], name: str = name) -> str:
            to, kind = result(call)
            return build.op(name, [build.fit(value, to) for value in values], to, kind)


def _table_of_comparisons() -> None:
    names = {"equal": "EQ", "not_equal": "NE", "less": "LT", "less_equal": "LE", "greater": "GT", "greater_equal": "GE"}
    for relax_name, direction in names.items():
        @operation(relax_name)
        def make(build: Builder, call: relax.Call, values: list[str], direction: str = direction) -> str:
            return build.compare(*(build.fit(value, shape(call.ty)) for value in values), direction)


_table_of_unary()
_table_of_binary()
_table_of_comparisons()


@operation("logical_not", "bitwise_not")
def _not(build: Builder, call: relax.Call, values: list[str]) -> str:
    return build.op("not", values, *result(call))


@operation("square")
def _square(build: Builder, call: relax.Call, values: list[str]) -> str:
    return binary(build, "multiply", values[0], values[0])


@operation("tan")
def _tan(build: Builder, call: relax.Call, values: list[str]) -> str:
    return binary(build, "divide", unary(build, "sine", values[0]), unary(build, "cosine", values[0]))


@operation("where")
def _where(build: Builder, call: relax.Call, values: list[str]) -> str:
    to, _ = result(call)
    return build.select(*(build.fit(value, to) for value in values))


@operation("clip")
def _clip(build: Builder, call: relax.Call, values: list[str]) -> str:
    low, high = (like(build, number(bound), values[0]) for bound in call.args[1:3])
    return binary(build, "minimum", binary(build, "maximum", values[0], low), high)


@operation("astype")
def _astype(build: Builder, call: relax.Call, values: list[str]) -> str:
    if element(call.ty) == "i1":
        return build.compare(values[0], like(build, 0, values[0]), "NE")
    return build.convert(values[0], element(call.ty))


@operation("nn.dropout")
def _dropout(build: Builder, call: relax.Call, values: list[str]) -> list[str]:
    """Relax's operation is that of inference: the value, and a mask of ones."""
    return [values[0], like(build, 1, values[0])]


# ---- functions of neural networks ----

@operation("nn.relu")
def _relu(build: Builder, call: relax.Call, values: list[str]) -> str:
    return binary(build, "maximum", values[0], like(build, 0, values[0]))


@operation("nn.leakyrelu")
def _leakyrelu(build: Builder, call: relax.Call, values: list[str]) -> str:
    value = values[0]
    small = binary(build, "multiply", value, like(build, float(call.attrs.alpha), value))
    return build.select(build.compare(value, like(build, 0, value), "LT"), small, value)


@operation("nn.silu")
def _silu(build: Builder, call: relax.Call, values: list[str]) -> str:
    return binary(build, "multiply", values[0], unary(build, "logistic", values[0]))


@operation("nn.softplus")
def _softplus(build: Builder, call: relax.Call, values: list[str]) -> str:
    value, beta = values[0], float(call.attrs.beta)
    scaled = binary(build, "multiply", value, like(build, beta, value))
    grown = unary(build, "log_plus_one", unary(build, "exponential", scaled))
    soft = binary(build, "divide", grown, like(build, beta, value))
    return build.select(build.compare(scaled, like(build, float(call.attrs.threshold), value), "GT"), value, soft)


def _polynomial(build: Builder, value: str, coefficients: Sequence[float]) -> str:
    total = like(build, coefficients[0], value)
    for coefficient in coefficients[1:]:
        total = binary(build, "add", binary(build, "multiply", total, value), like(build, coefficient, value))
    return total


@operation("erf")
def erf(build: Builder, call: relax.Call, values: list[str]) -> str:
    """The rational approximation that XLA uses for f32 (Eigen's), to 4 units in the last place."""
    value = binary(build, "maximum", binary(build, "minimum", values[0], like(build, 4, values[0])),
                   like(build, -4, values[0]))
    square = binary(build, "multiply", value, value)
    above = _polynomial(build, square, (-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06,
                                        -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
                                        -1.60960333262415e-02))
    below = _polynomial(build, square, (-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
                                        -7.37332916720468e-03, -1.42647390514189e-02))
    return binary(build, "divide", binary(build, "multiply", value, above), below)


@operation("nn.gelu")
def _gelu(build: Builder, call: relax.Call, values: list[str]) -> str:
    value = values[0]
    bell = erf(build, call, [binary(build, "multiply", value, like(build, math.sqrt(0.5), value))])
    half = binary(build, "multiply", value, like(build, 0.5, value))
    return binary(build, "multiply", half, binary(build, "add", bell, like(build, 1, value)))


@operation("nn.gelu_tanh")
def _gelu_tanh(build: Builder, call: relax.Call, values: list[str]) -> str:
    value = values[0]
    cube = binary(build, "multiply", binary(build, "multiply", value, value), value)
    inner = binary(build, "add", value, binary(build, "multiply", cube, like(build, 0.044715, value)))
    bent = unary(build, "tanh", binary(build, "multiply", inner, like(build, math.sqrt(2 / math.pi), value)))
    half = binary(build, "multiply", value, like(build, 0.5, value))
    return binary(build, "multiply", half, binary(build, "add", bent, like(build, 1, value)))


# ---- reductions ----

_JOINS = {"sum": ("add", 0), "prod": ("multiply", 1), "max": ("maximum", None), "min": ("minimum", None)}


def reduced(build: Builder, value: str, name: str, dimensions: Sequence[int]) -> str:
    joined, begin = _JOINS[name]
    kind = build.element(value)
    if begin is None:
        begin = least(kind)
        if name == "min":
            begin = math.inf if is_float(kind) else (2**int(kind.strip("ui")) - 1 if kind[0] == "u" else -least(kind) - 1)
    return build.reduce(value, joined, begin, dimensions)


def mean(build: Builder, value: str, dimensions: Sequence[int]) -> str:
    count = math.prod(build.shape(value)[axis] for axis in dimensions)
    total = reduced(build, value, "sum", dimensions)
    return binary(build, "multiply", total, like(build, 1 / count, total))


def variance(build: Builder, value: str, dimensions: Sequence[int]) -> str:
    middle = keeping(build, mean(build, value, dimensions), build.shape(value), dimensions)
    distance = binary(build, "subtract", value, middle)
    return mean(build, binary(build, "multiply", distance, distance), dimensions)


@operation("sum", "prod", "max", "min", "mean", "variance", "std")
def _reduce(build: Builder, call: relax.Call, values: list[str]) -> str:
    name = call.op.name.removeprefix("relax.")
    dimensions = axes(call.attrs.axis, len(build.shape(values[0])))
    if name in _JOINS:
        value = reduced(build, values[0], name, dimensions)
    elif name == "mean":
        value = mean(build, values[0], dimensions)
    else:
        value = variance(build, values[0], dimensions)
        value = unary(build, "sqrt", value) if name == "std" else value
    return build.reshape(value, shape(call.ty))


@operation("argmax", "argmin")
def _arg(build: Builder, call: relax.Call, values: list[str]) -> str:
    """The first position of the extreme; Relax gives it 64 bits, of which 32 are enough."""
    raise Unsupported("results of int64")


# ---- constants ----

@operation("full", "zeros", "ones")
def _full(build: Builder, call: relax.Call, values: list[str]) -> str:
    to, kind = result(call)
    if call.op.name == "relax.full":
        return build.fit(build.convert(values[-1], kind), to)
    return build.constant(1 if call.op.name == "relax.ones" else 0, kind, to)


@operation("zeros_like", "ones_like", "full_like")
def _full_like(build: Builder, call: relax.Call, values: list[str]) -> str:
    to, kind = result(call)
    if call.op.name == "relax.full_like":
        return build.fit(build.convert(values[1], kind), to)
    return build.constant(1 if call.op.name == "relax.ones_like" else 0, kind, to)


@operation("tril", "triu")
def _triangle(build: Builder, call: relax.Call, values: list[str]) -> str:
    to, _ = result(call)
    place = np.tri(to[-2], to[-1], int(number(call.args[1])) - (call.op.name == "relax.triu"), dtype=bool)
    kept = build.fit(build.array(place if call.op.name == "relax.tril" else ~place, "i1"), to)
    return build.select(kept, values[0], like(build, 0, values[0]))
