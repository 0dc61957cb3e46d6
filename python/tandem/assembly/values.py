"""The parts of an operation: registers, labels, addresses, and their spelling.

Registers of the machine are `s[3]`, `p[1]`, `v[5]`, `m[2]`, `a[7]`, `f[4]`; virtual ones come from
the operations of a linear block, or from `scalar()`, `vector()` and so on. `v[5].lo` is a part,
`~p[1]` the negation, `s[3] + 8` an address, `a[s[3] + 5]` an accumulator counted by a scalar.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic, TypeVar, Union

from tandem.assembly.machine import REGISTERS


class Value:
    """Something that has a spelling in the assembly language."""

    text: str

    def __repr__(self) -> str:
        return self.text


class Expression(Value):
    """A number that the assembler or the linker computes from labels and numbers."""

    def __init__(self, text: str):
        self.text = text

    def __add__(self, other: "Number") -> "Expression":
        return Expression(f"({self.text} + {number_text(other)})")

    def __sub__(self, other: "Number") -> "Expression":
        return Expression(f"({self.text} - {number_text(other)})")

    def __rsub__(self, other: int) -> "Expression":
        return Expression(f"({number_text(other)} - {self.text})")

    def __mul__(self, other: int) -> "Expression":
        return Expression(f"({self.text} * {number_text(other)})")

    def __lshift__(self, other: int) -> "Expression":
        return Expression(f"({self.text} << {number_text(other)})")

    __radd__ = __add__
    __rmul__ = __mul__


class Label(Expression):
    """A name for a place, counted in bundles in .text, bytes in .data, rows in .vmem, words in .smem."""


Number = Union[int, float, Expression]


def number_text(number: Number) -> str:
    """A number as the assembler reads it. A float is rounded once, to fp32, by the assembler."""
    if isinstance(number, Expression):
        return number.text
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise TypeError(f"a number or a label is wanted, this is {describe(number)}")
    if isinstance(number, int):
        return str(number)
    if math.isnan(number):
        return "NAN"
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    text = repr(number)
    return text if "." in text or "e" in text else text + ".0"


def quoted(text: str) -> str:
    """A string as the assembler reads it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def lo(expression: Expression) -> Expression:
    """The low 32 bits."""
    return Expression(f"lo({number_text(expression)})")


def hi(expression: Expression) -> Expression:
    """The high 32 bits of an address."""
    return Expression(f"hi({number_text(expression)})")


class Register(Value):
    """A register of one file. Virtual ones have a name instead of a number."""

    letter = "?"
    kind = "register"

    def __init__(self, name: Union[int, str]):
        self.text = f"{self.letter}{name}" if isinstance(name, int) else f"%{name}"


class Scalar(Register):
    letter, kind = "s", "scalar"

    def __add__(self, offset: Number) -> "Address":
        return Address(self, offset)

    def __sub__(self, offset: int) -> "Address":
        return Address(self, -offset)


@dataclass(frozen=True, repr=False)
class Address(Value):
    """A scalar and an offset, in the unit of the memory: rows, words, accumulators, flags."""

    base: Scalar
    offset: Number

    @property
    def text(self) -> str:  # type: ignore[override]
        if isinstance(self.offset, int) and self.offset < 0:
            return f"{self.base.text} - {-self.offset}"
        return f"{self.base.text} + {number_text(self.offset)}"


@dataclass(frozen=True, repr=False)
class Not(Value):
    """A predicate or a mask, negated."""

    register: Union["Predicate", "Mask"]

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"!{self.register.text}"

    @property
    def kind(self) -> str:
        return self.register.kind

    def __invert__(self) -> Union["Predicate", "Mask"]:
        return self.register


class Predicate(Register):
    letter, kind = "p", "predicate"

    def __invert__(self) -> Not:
        return Not(self)


class Mask(Register):
    letter, kind = "m", "mask"

    def __invert__(self) -> Not:
        return Not(self)


@dataclass(frozen=True, repr=False)
class VectorPart(Value):
    """Half or quarter of each element of a vector, or all of it: lo, hi, b0 to b3, f32."""

    register: "Vector"
    part: str

    @property
    def text(self) -> str:  # type: ignore[override]
        return f"{self.register.text}.{self.part}"


class Vector(Register):
    letter, kind = "v", "vector"

    def __getattr__(self, part: str) -> VectorPart:
        if part in ("lo", "hi", "f32", "b0", "b1", "b2", "b3"):
            return VectorPart(self, part)
        raise AttributeError(f"a vector has parts lo, hi, f32, b0 to b3, but no `{part}`")


class Accumulator(Register):
    letter, kind = "a", "accumulator"


class Flag(Register):
    letter, kind = "f", "flag"


File = TypeVar("File", bound=Register)


class RegisterFile(Generic[File]):
    """All registers of a file, by number: `v[5]`."""

    def __init__(self, register: type[File], count: int):
        self._register = register
        self._count = count

    def __getitem__(self, number: int) -> File:
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"registers count from 0 to {self._count - 1}, not by {describe(number)}")
        if not 0 <= number < self._count:
            raise IndexError(f"there is no {self._register.letter}{number}: "
                             f"{self._register.kind}s go up to {self._count - 1}")
        return self._register(number)

    def __len__(self) -> int:
        return self._count


class CountedFile(RegisterFile[File]):
    """A file whose registers may also be counted by a scalar: `a[s[3] + 5]`.

    encodable: numbers from `count` up to this trap when executed, but have an encoding.
    """

    def __init__(self, register: type[File], count: int, encodable: int):
        super().__init__(register, encodable)
        self._named = count

    def __getitem__(self, number: Union[int, Scalar, Address]) -> File:  # type: ignore[override]
        if isinstance(number, int):
            register = super().__getitem__(number)
            if number >= self._named:
                register.text = f"{self._register.letter}[{number}]"
            return register
        if not isinstance(number, (Scalar, Address)):
            raise TypeError(f"a number or a scalar plus a number counts {self._register.kind}s, "
                            f"not {describe(number)}")
        register = self._register(0)
        register.text = f"{self._register.letter}[{number.text}]"
        return register


s = RegisterFile(Scalar, REGISTERS["s"])
p = RegisterFile(Predicate, REGISTERS["p"])
v = RegisterFile(Vector, REGISTERS["v"])
m = RegisterFile(Mask, REGISTERS["m"])
a = CountedFile(Accumulator, REGISTERS["a"], encodable=128)
f = CountedFile(Flag, REGISTERS["f"], encodable=REGISTERS["f"])

def describe(value: object) -> str:
    """The description of a wrong operand, for messages."""
    if isinstance(value, Register):
        return f"the {value.kind} {value.text}"
    if isinstance(value, Value):
        return f"`{value.text}`"
    return f"{value!r} of type {type(value).__name__}"
