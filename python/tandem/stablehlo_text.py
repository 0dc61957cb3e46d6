"""StableHLO as text, in the generic form, which tandem-compile reads without Python's MLIR.

    builder = Builder()
    x = builder.argument((4, 5), "f32")
    y = builder.op("exponential", [x], (4, 5), "f32")
    builder.module([y])

A value is its name; its shape and element type are in `builder.types`. The same operation of the same values
is written once.
"""

from __future__ import annotations

import math
import os
from typing import Iterable, Sequence

import numpy as np

Shape = tuple[int, ...]

# Least values, where a maximum begins.
_LEAST = {"f32": -math.inf, "bf16": -math.inf, "f16": -math.inf, "i8": -2**7, "i16": -2**15, "i32": -2**31,
          "i64": -2**63}
_MOVEMENTS = {"constant", "iota", "broadcast_in_dim", "reshape", "transpose", "slice", "pad", "reverse", "concatenate", "gather"}
_INFINITY = {"f32": "0x7F800000", "bf16": "0x7F80", "f16": "0x7C00"}
_NAN = {"f32": "0x7FC00000", "bf16": "0x7FC0", "f16": "0x7E00"}
_SIGN = {"f32": 1 << 31, "bf16": 1 << 15, "f16": 1 << 15}


def is_float(element: str) -> bool:
    return element in _INFINITY


def is_unsigned(element: str) -> bool:
    return element.startswith("ui")


def least(element: str) -> float | int:
    """The least value of a type."""
    return _LEAST.get(element, 0)


def matmul_precision() -> str:
    """The precision of matrix products in StableHLO's words, from TANDEM_MATMUL_PRECISION."""
    asked = os.environ.get("TANDEM_MATMUL_PRECISION", "default")
    if asked not in ("default", "high", "highest"):
        raise ValueError(f"TANDEM_MATMUL_PRECISION is {asked!r}: there are default, high and highest")
    return asked.upper()


def tensor_type(shape: Sequence[int], element: str) -> str:
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def integers(values: Iterable[int]) -> str:
    text = ", ".join(str(int(value)) for value in values)
    return f"array<i64{': ' if text else ''}{text}>"


def _special(value: float, element: str) -> str:
    if math.isnan(value):
        return _NAN[element]
    bits = int(_INFINITY[element], 16) | (_SIGN[element] if value < 0 else 0)
    return f"0x{bits:0{len(_INFINITY[element]) - 2}X}"


def literal(value: float | int | bool, element: str) -> str:
    """A number as MLIR writes it; integers wrap as NumPy's do."""
    if element == "i1":
        return "true" if value else "false"
    if is_float(element):
        value = float(value)
        if math.isfinite(value) and element == "f32" and abs(value) > float(np.finfo(np.float32).max):
            value = math.copysign(math.inf, value)
        return f"{value:.17e}" if math.isfinite(value) else _special(value, element)
    bits = int(element.lstrip("ui"))
    whole = int(value) % (1 << bits)
    return str(whole if is_unsigned(element) or whole < 1 << (bits - 1) else whole - (1 << bits))


class Builder:
    """The operations of one function."""

    def __init__(self) -> None:
        self.types: dict[str, tuple[Shape, str]] = {}
        self.lines: list[str] = []
        self.arguments: list[str] = []
        self.work = 0  # operations on single numbers
        self._made: dict[tuple, str] = {}

    def shape(self, value: str) -> Shape:
        return self.types[value][0]

    def element(self, value: str) -> str:
        return self.types[value][1]

    def argument(self, shape: Sequence[int], element: str) -> str:
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(name)
        self.types[name] = (tuple(shape), element)
        return name

    def op(self, name: str, operands: Sequence[str], shape: Sequence[int], element: str, attributes: str = "",
           region: str = "") -> str:
        key = (name, tuple(operands), tuple(shape), element, attributes, region)
        if key in self._made:
            return self._made[key]
        value = f"%{len(self._made)}"
        operand_types = ", ".join(tensor_type(*self.types[operand]) for operand in operands)
        given = f" {{{attributes}}}" if attributes else ""
        self.lines.append(f'  {value} = "stablehlo.{name}"({", ".join(operands)}){region}{given} : '
                          f"({operand_types}) -> {tensor_type(shape, element)}")
        self.types[value] = (tuple(shape), element)
        self._made[key] = value
        if name not in _MOVEMENTS:  # a reduction does one operation for each element that it takes
            self.work += math.prod(self.shape(operands[0]) if name == "reduce" else shape)
        return value

    def module(self, results: Sequence[str]) -> str:
        arguments = ", ".join(f"{name}: {tensor_type(*self.types[name])}" for name in self.arguments)
        types = ", ".join(tensor_type(*self.types[result]) for result in results)
        body = "\n".join([*self.lines, f'  "func.return"({", ".join(results)}) : ({types}) -> ()'])
        return f"module {{\nfunc.func public @main({arguments}) -> ({types}) {{\n{body}\n}}\n}}\n"

    # ---- the most common operations ----

    def constant(self, value: float | int | bool, element: str, shape: Sequence[int] = ()) -> str:
        return self.op("constant", [], shape, element,
                       f"value = dense<{literal(value, element)}> : {tensor_type(shape, element)}")

    def array(self, values: np.ndarray, element: str) -> str:
        """A constant with a value for each element."""
        def nested(part: np.ndarray) -> str:
            if part.ndim == 0:
                return literal(part.item(), element)
            return "[" + ", ".join(nested(row) for row in part) + "]"

        if values.size == 0 or (values == values.flat[0]).all():
            return self.constant(values.flat[0].item() if values.size else 0, element, values.shape)
        return self.op("constant", [], values.shape, element,
                       f"value = dense<{nested(values)}> : {tensor_type(values.shape, element)}")

    def spread(self, value: str, shape: Sequence[int], dimensions: Sequence[int]) -> str:
        """broadcast_in_dim."""
        if self.shape(value) == tuple(shape) and list(dimensions) == list(range(len(shape))):
            return value
        return self.op("broadcast_in_dim", [value], shape, self.element(value),
                       f"broadcast_dimensions = {integers(dimensions)}")

    def fit(self, value: str, shape: Sequence[int]) -> str:
        """Broadcasts as NumPy does: dimensions are added in front."""
        return self.spread(value, shape, range(len(shape) - len(self.shape(value)), len(shape)))

    def reshape(self, value: str, shape: Sequence[int]) -> str:
        if self.shape(value) == tuple(shape):
            return value
        return self.op("reshape", [value], shape, self.element(value))

    def transpose(self, value: str, order: Sequence[int]) -> str:
        if list(order) == list(range(len(order))):
            return value
        shape = [self.shape(value)[source] for source in order]
        return self.op("transpose", [value], shape, self.element(value), f"permutation = {integers(order)}")

    def convert(self, value: str, element: str) -> str:
        if self.element(value) == element:
            return value
        return self.op("convert", [value], self.shape(value), element)

    def slice(self, value: str, begin: Sequence[int], end: Sequence[int], step: Sequence[int] | None = None) -> str:
        step = [1] * len(begin) if step is None else list(step)
        shape = [max(0, -(-(last - first) // stride)) for first, last, stride in zip(begin, end, step)]
        if tuple(shape) == self.shape(value):
            return value
        return self.op("slice", [value], shape, self.element(value),
                       f"start_indices = {integers(begin)}, limit_indices = {integers(end)}, strides = {integers(step)}")

    def pad(self, value: str, low: Sequence[int], high: Sequence[int], filler: float | int = 0) -> str:
        if not any(low) and not any(high):
            return value
        element = self.element(value)
        shape = [before + size + after for before, size, after in zip(low, self.shape(value), high)]
        return self.op("pad", [value, self.constant(filler, element)], shape, element,
                       f"edge_padding_low = {integers(low)}, edge_padding_high = {integers(high)}, "
                       f"interior_padding = {integers([0] * len(shape))}")

    def reverse(self, value: str, dimensions: Sequence[int]) -> str:
        if not dimensions:
            return value
        return self.op("reverse", [value], self.shape(value), self.element(value),
                       f"dimensions = {integers(dimensions)}")

    def concatenate(self, values: Sequence[str], dimension: int) -> str:
        if len(values) == 1:
            return values[0]
        shape = list(self.shape(values[0]))
        shape[dimension] = sum(self.shape(value)[dimension] for value in values)
        return self.op("concatenate", values, shape, self.element(values[0]), f"dimension = {dimension} : i64")

    def compare(self, left: str, right: str, direction: str) -> str:
        return self.op("compare", [left, right], self.shape(left), "i1",
                       f"comparison_direction = #stablehlo<comparison_direction {direction}>")

    def select(self, which: str, yes: str, no: str) -> str:
        return self.op("select", [which, yes, no], self.shape(yes), self.element(yes))

    def reduce(self, value: str, name: str, begin: float | int, dimensions: Sequence[int]) -> str:
        """`name` is the operation that joins two elements."""
        if not dimensions:
            return value
        element = self.element(value)
        scalar = tensor_type((), element)
        region = (f" ({{\n  ^bb0(%left: {scalar}, %right: {scalar}):\n"
                  f'    %joined = "stablehlo.{name}"(%left, %right) : ({scalar}, {scalar}) -> {scalar}\n'
                  f'    "stablehlo.return"(%joined) : ({scalar}) -> ()\n  }})')
        shape = [size for axis, size in enumerate(self.shape(value)) if axis not in dimensions]
        return self.op("reduce", [value, self.constant(begin, element)], shape, element,
                       f"dimensions = {integers(sorted(dimensions))}", region)

    def dot(self, left: str, right: str, batch: tuple[Sequence[int], Sequence[int]],
            contracted: tuple[Sequence[int], Sequence[int]], precision: str = "DEFAULT") -> str:
        """dot_general. The result has the batch, then the remaining dimensions of `left`, then those of `right`."""
        def free(value: str, side: int) -> list[int]:
            return [size for axis, size in enumerate(self.shape(value))
                    if axis not in batch[side] and axis not in contracted[side]]

        shape = [self.shape(left)[axis] for axis in batch[0]] + free(left, 0) + free(right, 1)
        depth = math.prod(self.shape(left)[axis] for axis in contracted[0])
        self.work += math.prod(shape) * (2 * depth - 1)
        numbers = (f"lhs_batching_dimensions = {list(batch[0])}, rhs_batching_dimensions = {list(batch[1])}, "
                   f"lhs_contracting_dimensions = {list(contracted[0])}, "
                   f"rhs_contracting_dimensions = {list(contracted[1])}")
        return self.op("dot_general", [left, right], shape, self.element(left),
                       f"dot_dimension_numbers = #stablehlo.dot<{numbers}>, precision_config = "
                       f"[#stablehlo<precision {precision}>, #stablehlo<precision {precision}>]")
