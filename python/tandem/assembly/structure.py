"""Bundles, linear blocks, loops and branches as Python's `with`."""

from __future__ import annotations

import contextlib
from typing import ContextManager, Iterator, Union

from tandem.assembly import instructions
from tandem.assembly.operands import PredicateSource
from tandem.assembly.program import current
from tandem.assembly.values import (Accumulator, Mask, Predicate, Scalar, Vector, File)


def bundle() -> ContextManager[None]:
    """The operations inside are one bundle: all read the state before it."""
    return current().bundle()


def linear(name: str = "") -> ContextManager[None]:
    """Operations in order, with virtual registers; the assembler schedules and allocates."""
    return current().linear(name)


def _virtual(kind: type[File]) -> File:
    if not current().is_linear:
        raise RuntimeError("virtual registers exist in linear blocks only")
    return current().virtual(kind)


def scalar() -> Scalar:
    """A virtual scalar register, to be written later."""
    return _virtual(Scalar)


def predicate() -> Predicate:
    return _virtual(Predicate)


def vector() -> Vector:
    return _virtual(Vector)


def mask() -> Mask:
    return _virtual(Mask)


def accumulator() -> Accumulator:
    return _virtual(Accumulator)


@contextlib.contextmanager
def loop(start: Union[int, Scalar], stop: Union[int, Scalar], step: int = 1) -> Iterator[Scalar]:
    """Runs the body for start, start + step, ... below stop; in a linear block.

    With numbers the body runs at least once (an empty range is a ValueError); with registers an
    empty range is skipped.
    """
    if step <= 0:
        raise ValueError(f"a loop counts upwards, its step is {step}")
    if isinstance(start, int) and isinstance(stop, int) and start >= stop:
        raise ValueError(f"the range from {start} to {stop} is empty")
    program = current()
    after = program.new_label()
    counter = instructions.mov(start, to=scalar())
    if not (isinstance(start, int) and isinstance(stop, int)):
        instructions.br(after, on=~instructions.lt_s32(counter, stop))
    head = program.place(program.new_label())
    yield counter
    instructions.add(counter, step, to=counter)
    instructions.br(head, on=instructions.lt_s32(counter, stop))
    program.place(after)


@contextlib.contextmanager
def when(condition: PredicateSource) -> Iterator[None]:
    """The body runs if the condition holds; otherwise it is skipped."""
    program = current()
    after = program.new_label()
    instructions.br(after, on=~condition)
    yield
    program.place(after)


__all__ = ["accumulator", "bundle", "linear", "loop", "mask", "predicate", "scalar", "vector", "when"]
