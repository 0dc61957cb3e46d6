"""Copies and arguments: descriptors word by word is what docs/reference.md, section 5, says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from tandem.assembly import instructions
from tandem.assembly.operands import ScalarOrConstant
from tandem.assembly.values import Scalar

_SPACES = {"hbm": 0, "vmem": 1, "smem": 2}
_NO_DIMENSION = (1, 0, 0)

Dimension = tuple[ScalarOrConstant, ScalarOrConstant, ScalarOrConstant]


@dataclass(frozen=True)
class Place:
    """Where a copy begins: a byte address in hbm, vmem or smem, in two words."""

    space: str
    low: ScalarOrConstant
    high: ScalarOrConstant = 0

    def __post_init__(self) -> None:
        if self.space not in _SPACES:
            raise ValueError(f"`{self.space}` is no memory: hbm, vmem or smem")


def descriptor(at: ScalarOrConstant, source: Place, target: Place, length: ScalarOrConstant,
               dimensions: Sequence[Dimension] = (), *, flag: int = 1) -> None:
    """Writes the 16 words of a copy's descriptor at the SMEM word `at`, in a linear block.

    length: bytes of a contiguous run; dimensions: (count, source stride, target stride) in bytes,
    innermost first, at most three. The copy adds 1 to the flag when it is complete.
    """
    if len(dimensions) > 3:
        raise ValueError(f"a copy has three dimensions, not {len(dimensions)}")
    kind = _SPACES[source.space] << 8 | _SPACES[target.space] << 10 | flag << 16
    words: list[ScalarOrConstant] = [kind, 1, source.low, source.high, target.low, target.high, length]
    for dimension in [*dimensions, *[_NO_DIMENSION] * (3 - len(dimensions))]:
        words.extend(dimension)
    base = at if isinstance(at, Scalar) else instructions.mov(at)
    for offset, word in enumerate(words):
        if isinstance(word, Scalar):
            instructions.sst(base + offset, word)
        elif isinstance(word, int):
            instructions.ssti(base + offset, word & 0xffffffff)
        else:
            instructions.sst(base + offset, instructions.mov(word))


def argument_address(number: int) -> Place:
    """Where the tensor declared as number (from 0) lies; the program says `arguments()`."""
    return Place("hbm", instructions.sld(16 * number), instructions.sld(16 * number + 1))


def argument_size(number: int, dimension: int) -> Scalar:
    """A size of the tensor declared as number, in elements."""
    return instructions.sld(16 * number + (4 if dimension < 4 else 7) + dimension)


def argument_pitch(number: int) -> Scalar:
    """Bytes from one row of the last dimension to the next."""
    return instructions.sld(16 * number + 8)


__all__ = ["Place", "argument_address", "argument_pitch", "argument_size", "descriptor"]
