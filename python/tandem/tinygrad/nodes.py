"""Queries about a node of tinygrad's graph."""

from __future__ import annotations

import math

from tinygrad.dtype import dtypes
from tinygrad.uop.ops import UOp

from tandem.tinygrad.device import TYPES


class Unsupported(NotImplementedError):
    def __init__(self, what: str):
        super().__init__(f"tinygrad on TANDEM: {what}")


def element(u: UOp) -> str:
    """Its element type. Python's numbers without a type yet are 32 bits wide."""
    dtype = {dtypes.weakint: dtypes.int32, dtypes.weakfloat: dtypes.float32}.get(u.dtype, u.dtype)
    if dtype not in TYPES:
        raise Unsupported(f"elements of {u.dtype}")
    return TYPES[dtype]


def shape(u: UOp) -> tuple[int, ...]:
    if not all(isinstance(size, int) for size in u.shape):
        raise Unsupported(f"sizes that are variables: {u.shape}")
    return tuple(u.shape)


def elements_of(u: UOp) -> int:
    return math.prod(shape(u))


def flipped(u: UOp) -> list[int]:
    """The dimensions that a FLIP reverses."""
    if any(isinstance(flag, bool) for flag in u.marg):
        return [axis for axis, flag in enumerate(u.marg) if flag]
    return list(u.marg)
