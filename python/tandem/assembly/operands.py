"""Spells the operands of an operation, and refuses wrong operands.

One function for each kind of operand in isa/operands.hpp; the generated module `instructions`
calls them. All raise TypeError with the name of the operand.
"""

from __future__ import annotations

from typing import Iterable, Optional, Union

from tandem.assembly.values import (Accumulator, Address, Expression, Flag, Mask, Not, Number,
                                    Predicate, Register, Scalar, Vector, VectorPart, describe,
                                    number_text)

ScalarOrConstant = Union[Scalar, Number]
PredicateSource = Union[Predicate, Not]
MaskSource = Union[Mask, Not]
VectorSource = Union[Vector, VectorPart, Scalar]
VectorSourceOrConstant = Union[VectorSource, Number]
AddressLike = Union[Address, Scalar, Number]
Target = Union[Expression, int]
On = Optional[PredicateSource]
InSlot = Optional[str]


def _refuse(name: str, wanted: str, value: object) -> TypeError:
    return TypeError(f"`{name}` takes {wanted}, this is {describe(value)}")


def _register(name: str, value: object, kind: type[Register], wanted: str) -> str:
    if not isinstance(value, kind):
        raise _refuse(name, wanted, value)
    return value.text


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, Expression)) and not isinstance(value, bool)


def scalar(name: str, value: Scalar) -> str:
    return _register(name, value, Scalar, "a scalar register")


def vector(name: str, value: Vector) -> str:
    return _register(name, value, Vector, "a vector register")


def scalar_or_constant(name: str, value: ScalarOrConstant) -> str:
    if isinstance(value, Scalar):
        return value.text
    return constant(name, value, "a scalar register or a number")


def predicate(name: str, value: PredicateSource) -> str:
    negated = isinstance(value, Not) and isinstance(value.register, Predicate)
    if not negated and not isinstance(value, Predicate):
        raise _refuse(name, "a predicate", value)
    return value.text


def mask_source(name: str, value: MaskSource) -> str:
    negated = isinstance(value, Not) and isinstance(value.register, Mask)
    if not negated and not isinstance(value, Mask):
        raise _refuse(name, "a mask", value)
    return value.text


def vector_source(name: str, value: VectorSource) -> str:
    half = isinstance(value, VectorPart) and value.part in ("lo", "hi")
    if not half and not isinstance(value, (Vector, Scalar)):
        raise _refuse(name, "a vector, its .lo or .hi, or a scalar", value)
    return value.text


def vector_source_or_constant(name: str, value: VectorSourceOrConstant) -> str:
    return number_text(value) if _is_number(value) else vector_source(name, value)  # type: ignore[arg-type]


def part(name: str, value: VectorPart, allowed: Iterable[str]) -> str:
    if not isinstance(value, VectorPart) or value.part not in allowed:
        raise _refuse(name, "a part of a vector, one of " + ", ".join("." + p for p in allowed), value)
    return value.text


def constant(name: str, value: Number, wanted: str = "a number") -> str:
    if not _is_number(value):
        raise _refuse(name, wanted, value)
    return number_text(value)


def target(name: str, value: Target) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, Expression)):
        raise _refuse(name, "a label", value)
    return number_text(value)


def csr(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise _refuse(name, "the name of a register as a string", value)
    return value


def address(name: str, value: AddressLike) -> str:
    if not isinstance(value, (Address, Scalar)) and not _is_number(value):
        raise _refuse(name, "an address: a scalar, a number, or their sum", value)
    return f"[{value.text if isinstance(value, (Address, Scalar)) else number_text(value)}]"


def weight_row(name: str, value: AddressLike) -> str:
    if _is_number(value):
        return number_text(value)  # type: ignore[arg-type]
    return address(name, value)


def accumulator(name: str, value: Accumulator) -> str:
    return _register(name, value, Accumulator, "an accumulator")


def flag(name: str, value: Flag) -> str:
    return _register(name, value, Flag, "a flag")


def number_attribute(name: str, value: Number, default: int) -> Optional[str]:
    if not _is_number(value):
        raise _refuse(name, "a number", value)
    if isinstance(value, int) and value == default:
        return None
    return f"{name}={number_text(value)}"


def mask_attribute(name: str, value: Optional[MaskSource]) -> Optional[str]:
    return None if value is None else f"{name}={mask_source(name, value)}"


def option(name: str, value: bool) -> Optional[str]:
    if not isinstance(value, bool):
        raise _refuse(name, "True or False", value)
    return name if value else None

