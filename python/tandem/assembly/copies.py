"""Copies and arguments: docs/reference.md, section 5, defines descriptors word by word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from tandem.assembly import instructions
from tandem.assembly.machine import ARGUMENT, ARGUMENT_WORDS, DESCRIPTOR, SPACES
from tandem.assembly.operands import ScalarOrConstant
from tandem.assembly.values import Scalar

_NO_DIMENSION = (1, 0, 0)

Dimension = tuple[ScalarOrConstant, ScalarOrConstant, ScalarOrConstant]


@dataclass(frozen=True)
class Place:
    """Where a copy begins: a byte address in hbm, vmem or smem, in two words."""

    space: str
    low: ScalarOrConstant
    high: ScalarOrConstant = 0

    def __post_init__(self) -> None:
        if self.space not in SPACES:
            raise ValueError(f"`{self.space}` is no memory: hbm, vmem or smem")


def descriptor(at: ScalarOrConstant, source: Place, target: Place, length: ScalarOrConstant,
               dimensions: Sequence[Dimension] = (), *, flag: int = 1, chip: ScalarOrConstant | None = None,
               flag_here: int | None = None) -> None:
    """Writes the 16 words of a copy's descriptor at the SMEM word `at`, in a linear block.

    length: bytes of a contiguous run; dimensions: (count, source stride, target stride) in bytes,
    innermost first, at most three. The copy adds 1 to the flag when it is complete. With a chip, the destination and
    the flag are on that chip of the group; flag_here, of this chip, then counts completed reads.
    """
    if len(dimensions) > 3:
        raise ValueError(f"a copy has three dimensions, not {len(dimensions)}")
    fields: dict[str, ScalarOrConstant] = {
        "amount": 1, "source": source.low, "source_high": source.high, "target": target.low,
        "target_high": target.high, "length": length}
    for name, dimension in zip(("inner", "middle", "outer"),
                               [*dimensions, *[_NO_DIMENSION] * (3 - len(dimensions))]):
        fields |= zip((name, f"{name}_source_stride", f"{name}_target_stride"), dimension)
    words = {DESCRIPTOR[name][0]: value for name, value in fields.items()}
    words[0] = _field_bits(source_space=SPACES[source.space], destination_space=SPACES[target.space], flag=flag,
                           version=0 if chip is None else 1)
    if chip is not None:
        words[0] = _with_chip(words[0], chip)
        here = {} if flag_here is None else {"flag_here": flag_here, "amount_here": 1}
        words[1] = _field_bits(amount_there=1, **here)
    elif flag_here is not None:
        raise ValueError("a flag here is for copies to a chip")
    base = at if isinstance(at, Scalar) else instructions.mov(at)
    for offset, word in sorted(words.items()):
        if isinstance(word, Scalar):
            instructions.sst(base + offset, word)
        elif isinstance(word, int):
            instructions.ssti(base + offset, word & 0xffffffff)
        else:
            instructions.sst(base + offset, instructions.mov(word))


def _field_bits(**fields: int) -> int:
    return sum(value << DESCRIPTOR[name][1] for name, value in fields.items())


def _with_chip(word: int, chip: ScalarOrConstant) -> ScalarOrConstant:
    first_bit = DESCRIPTOR["chip"][1]
    if isinstance(chip, Scalar):
        return instructions.or_(instructions.shl(chip, first_bit), instructions.mov(word))
    if isinstance(chip, int):
        return word | chip << first_bit
    raise ValueError("a chip is a scalar or a number")


def argument_address(number: int) -> Place:
    """Where the tensor declared as number (from 0) is; the program must call `arguments()`."""
    return Place("hbm", _argument(number, "address"), _argument(number, "address", 1))


def argument_size(number: int, dimension: int) -> Scalar:
    """A size of the tensor declared as number, in elements."""
    first = ARGUMENT["pitch"] - ARGUMENT["sizes"]  # sizes before the pitch
    if dimension < first:
        return _argument(number, "sizes", dimension)
    return _argument(number, "more_sizes", dimension - first)


def argument_pitch(number: int) -> Scalar:
    """Bytes from one row of the last dimension to the next."""
    return _argument(number, "pitch")


def _argument(number: int, field: str, word: int = 0) -> Scalar:
    return instructions.sld(ARGUMENT_WORDS * number + ARGUMENT[field] + word)


__all__ = ["Place", "argument_address", "argument_pitch", "argument_size", "descriptor"]
