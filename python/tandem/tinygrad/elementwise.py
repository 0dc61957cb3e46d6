"""Operations on elements in StableHLO. Operands are broadcast against each other as NumPy does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tinygrad.uop.ops import Ops, UOp

from tandem.stablehlo_text import Builder, is_float, is_unsigned
from tandem.tinygrad.nodes import Unsupported, element, shape

if TYPE_CHECKING:
    from tandem.tinygrad.graph import Graph
_UNARY = {Ops.SIN: "sine", Ops.SQRT: "sqrt", Ops.NEG: "negate"}
_BINARY = {Ops.ADD: "add", Ops.MUL: "multiply", Ops.MAX: "maximum", Ops.XOR: "xor", Ops.AND: "and", Ops.OR: "or",
           Ops.SUB: "subtract", Ops.FDIV: "divide", Ops.POW: "power", Ops.SHL: "shift_left", Ops.CDIV: "divide",
           Ops.CMOD: "remainder"}
_OF_TRUTHS = {Ops.ADD: "or", Ops.MUL: "and", Ops.MAX: "or"}
_COMPARE = {Ops.CMPLT: "LT", Ops.CMPNE: "NE", Ops.CMPEQ: "EQ"}


def make(graph: Graph, u: UOp) -> str:
    build, to, kind = graph.builder, shape(u), element(u)
    sources = [graph.made(source) for source in u.src]
    if u.op is Ops.CAST:
        return cast(build, sources[0], kind)
    if u.op is Ops.BITCAST:
        same = build.element(sources[0]) == kind
        return sources[0] if same else build.op("bitcast_convert", sources, to, kind)
    if u.op in _COMPARE:
        common = _common(build, u, sources)
        return build.compare(*(build.fit(cast(build, source, common), to) for source in sources), _COMPARE[u.op])
    if u.op is Ops.WHERE:
        yes, no = (build.fit(cast(build, source, kind), to) for source in sources[1:])
        return build.select(build.fit(sources[0], to), yes, no)
    operands = [build.fit(cast(build, source, kind), to) for source in sources]
    if u.op in _BINARY:
        name = _OF_TRUTHS.get(u.op, _BINARY[u.op]) if kind == "i1" else _BINARY[u.op]
        return logarithm(graph, u) or build.op(name, operands, to, kind)
    if u.op in _UNARY:
        return build.op(_UNARY[u.op], operands, to, kind)
    return _other(graph, u, operands)


def cast(build: Builder, value: str, kind: str) -> str:
    """To a boolean: whether it is not zero."""
    if kind != "i1" or build.element(value) == "i1":
        return build.convert(value, kind)
    return build.compare(value, build.constant(0, build.element(value), build.shape(value)), "NE")


def _common(build: Builder, u: UOp, values: list[str]) -> str:
    """The type in which operands are compared: that of the one that has been given a type."""
    given = [build.element(value) for source, value in zip(u.src, values) if "weak" not in str(source.dtype)]
    return given[0] if given else build.element(values[0])


def _other(graph: Graph, u: UOp, operands: list[str]) -> str:
    build, value = graph.builder, operands[0]
    to, kind = build.types[value]
    if u.op is Ops.EXP2:
        return exponential(graph, u) or build.op("exponential", [_scaled(build, value, math.log(2))], to, kind)
    if u.op is Ops.LOG2:
        return _scaled(build, build.op("log", [value], to, kind), 1 / math.log(2))
    if u.op is Ops.RECIPROCAL:
        return build.op("divide", [build.constant(1, kind, to), value], to, kind)
    if u.op is Ops.SHR:
        return build.op("shift_right_logical" if is_unsigned(kind) else "shift_right_arithmetic", operands, to, kind)
    if u.op is Ops.TRUNC:
        if not is_float(kind):
            return value
        negative = build.compare(value, build.constant(0, kind, to), "LT")
        return build.select(negative, build.op("ceil", [value], to, kind), build.op("floor", [value], to, kind))
    if u.op in (Ops.FLOORDIV, Ops.FLOORMOD):
        return _towards_minus_infinity(build, u.op, *operands)
    if u.op is Ops.MULACC:
        return build.op("add", [build.op("multiply", operands[:2], to, kind), operands[2]], to, kind)
    raise Unsupported(f"the operation {u.op.name}")


def _scaled(build: Builder, value: str, factor: float) -> str:
    to, kind = build.types[value]
    return build.op("multiply", [value, build.constant(factor, kind, to)], to, kind)


def _towards_minus_infinity(build: Builder, op: Ops, left: str, right: str) -> str:
    """StableHLO divides towards zero: subtracts one if there is a remainder whose sign differs from the divisor's."""
    to, kind = build.types[left]
    zero = build.constant(0, kind, to)
    rest = build.op("remainder", [left, right], to, kind)
    signs = build.op("xor", [build.compare(rest, zero, "LT"), build.compare(right, zero, "LT")], to, "i1")
    wrong = build.op("and", [build.compare(rest, zero, "NE"), signs], to, "i1")
    if op is Ops.FLOORMOD:
        return build.select(wrong, build.op("add", [rest, right], to, kind), rest)
    quotient = build.op("divide", [left, right], to, kind)
    return build.select(wrong, build.op("subtract", [quotient, build.constant(1, kind, to)], to, kind), quotient)


def _times(u: UOp, factor: float) -> UOp | None:
    """The operand that is multiplied by this constant."""
    if u.op is not Ops.MUL:
        return None
    for number, other in (u.src, u.src[::-1]):
        if number.base.op is Ops.CONST and math.isclose(float(number.base.val), factor, rel_tol=1e-6):
            return other
    return None


def exponential(graph: Graph, u: UOp) -> str | None:
    """tinygrad writes exp(x) as exp2(x * log2(e)); one rounding less."""
    build = graph.builder
    inner = _times(u.src[0], 1 / math.log(2))
    if inner is None or not is_float(build.element(graph.made(inner))):
        return None
    to, kind = build.types[graph.made(u.src[0])]
    return build.op("exponential", [build.fit(build.convert(graph.made(inner), kind), to)], to, kind)


def logarithm(graph: Graph, u: UOp) -> str | None:
    """And log(x) as log2(x) * log(2)."""
    inner = _times(u, math.log(2))
    if inner is None or inner.op is not Ops.LOG2:
        return None
    build = graph.builder
    value = graph.made(inner.src[0])
    to, kind = build.types[graph.made(inner)]
    if not is_float(kind) or kind != build.element(value) or tuple(u.shape) != to:
        return None
    return build.op("log", [build.fit(value, to)], to, kind)
