"""A program under construction: operations go to the innermost `with Program(...)`.

The text is assembled by the assembler itself, so all its rules hold here; its errors name the Python line of the
operation, and so do traps, profiles and the debugger.
"""

from __future__ import annotations

import bisect
import contextlib
import contextvars
import os
import pathlib
import re
import sys
import types
from typing import Iterator, Optional, Sequence

from tandem.assembly.operands import InSlot, On, predicate
from tandem.assembly.sizes import target_of
from tandem.assembly.values import File, Label, quoted
from tandem.device import default_machine

_HERE = str(pathlib.Path(__file__).parent.parent) + os.sep
_current: contextvars.ContextVar["Program"] = contextvars.ContextVar("tandem.assembly.program")

Place = tuple[str, int]  # file and line
# Of long code, by its id: the code, where each stretch of a line begins in it, and the lines.
_LineTables = dict[int, tuple[types.CodeType, list[int], list[Optional[int]]]]


def current() -> "Program":
    """The program that operations go to."""
    try:
        return _current.get()
    except LookupError:
        raise RuntimeError("operations belong inside of `with Program(...)`") from None


def _caller(tables: _LineTables) -> Place:
    """The innermost line outside of this package (and of contextlib, which calls it)."""
    frame = sys._getframe(1)
    while frame.f_back is not None and (frame.f_code.co_filename.startswith(_HERE)
                                        or frame.f_code.co_filename == contextlib.__file__):
        frame = frame.f_back
    return frame.f_code.co_filename, _line_of(frame, tables)


_LONG = 1 << 12  # bytes of code


def _line_of(frame: types.FrameType, tables: _LineTables) -> int:
    """The frame's line. Python searches all lines of its code from the first on, each time."""
    if frame.f_lasti < _LONG:
        return frame.f_lineno
    code = frame.f_code
    table = tables.get(id(code))
    if table is None:
        spans = list(code.co_lines())
        table = code, [start for start, _, _ in spans], [line for _, _, line in spans]
        tables[id(code)] = table
    _, starts, lines = table
    return lines[bisect.bisect_right(starts, frame.f_lasti) - 1] or code.co_firstlineno


class Program:
    """A text that grows by one operation a call.

    target: the preset the program is for.
    """

    def __init__(self, target: str = ""):
        target = target or default_machine()
        self.preset = target
        self._lines: list[str] = []
        self._places: list[Place] = []
        self._line_tables: _LineTables = {}
        self._where: Optional[Place] = None
        self._tracks_lines = True
        self._bundle: Optional[list[str]] = None
        self._linear = False
        self._labels = 0
        self._virtuals = 0
        self._tokens: list[contextvars.Token["Program"]] = []
        self.write(f"        .target {target_of(target)}")
        self.write("        .lines off")

    def __enter__(self) -> "Program":
        self._tokens.append(_current.set(self))
        return self

    def __exit__(self, *error: object) -> None:
        _current.reset(self._tokens.pop())

    @property
    def text(self) -> str:
        """The program in assembly language."""
        return "\n".join(self._lines) + "\n"

    @property
    def is_linear(self) -> bool:
        """Whether a linear block is open."""
        return self._linear

    def assemble(self, *, schedule: str = "full", link: bool = True) -> bytes:
        """The bytes of the ELF file. Raises ValueError with every mistake and its Python line.

        schedule: how linear blocks are scheduled: none, list or full. link=False gives an object.
        """
        from tandem.device import assemble

        try:
            return assemble(self.text, name="<program>", preset=self.preset,
                            schedule=schedule, link=link)
        except ValueError as error:
            raise ValueError(self._in_python(str(error))) from None

    def _in_python(self, complaints: str) -> str:
        """The assembler's places as those of the Python lines that wrote them."""

        def place(match: re.Match[str]) -> str:
            number = int(match.group(1))
            if not 1 <= number <= len(self._places):
                return match.group(0)
            file, line = self._places[number - 1]
            return f"{file}:{line}:"

        return re.sub(r"^<program>:(\d+):\d+:", place, complaints, flags=re.MULTILINE)

    def write(self, line: str) -> None:
        """A line, unchanged."""
        self._lines.append(line)
        self._places.append(_caller(self._line_tables))

    def directive(self, name: str, *arguments: str) -> None:
        if self._bundle is not None:
            raise RuntimeError(f"`{name}` inside of a bundle")
        self.write(f"        {name} {', '.join(arguments)}".rstrip())

    def keep_lines(self, keep: bool) -> None:
        """Whether operations get the Python line they are in as their place."""
        self._tracks_lines = keep

    def _locate(self) -> None:
        where = _caller(self._line_tables)
        if not self._tracks_lines or where == self._where:
            return
        file, line = where
        self.write(f"        .loc {line}, {quoted(file)}")
        self._where = where

    def operation(self, text: str, on: On, slot: InSlot) -> None:
        """An operation: in the open bundle, or a line of its own."""
        text = f"@{predicate('on', on)} {text}" if on is not None else text
        text = f"{slot}: {text}" if slot is not None else text
        if self._bundle is not None:
            self._bundle.append(text)
            return
        self._locate()
        self.write(f"        {text}" if self._linear else f"        {{ {text} }}")

    def destination(self, mnemonic: str, register: type[File], to: Optional[File], on: On) -> File:
        """The register that an operation writes: `to`, or in a linear block a new one."""
        if to is None:
            if not self._linear:
                raise TypeError(f"`{mnemonic}` needs `to`: only linear blocks have registers to spare")
            if on is not None:
                raise TypeError(f"`{mnemonic}` needs `to`: predicated, it may leave it as it was")
            return self.virtual(register)
        if type(to) is not register:
            raise TypeError(f"`{mnemonic}` writes a {register.kind}, `to` is {to!r}")
        return to

    @contextlib.contextmanager
    def bundle(self) -> Iterator[None]:
        """The operations inside are one bundle."""
        if self._bundle is not None or self._linear:
            raise RuntimeError("a bundle inside of a " + ("linear block" if self._linear else "bundle"))
        self._bundle = []
        self._locate()
        try:
            yield
            self.write("        { " + " ; ".join(self._bundle) + " }")
        finally:
            self._bundle = None

    @contextlib.contextmanager
    def linear(self, name: str = "") -> Iterator[None]:
        """A linear block: operations in order, virtual registers, scheduled by the assembler."""
        if self._bundle is not None or self._linear:
            raise RuntimeError("linear blocks cannot be inside of anything else")
        self.directive(".linear", *([name] if name else []))
        self._linear = True
        try:
            yield
        finally:
            self._linear = False
        self.directive(".endlinear")

    def virtual(self, register: type[File]) -> File:
        """A new virtual register. Its first writer need not be known yet."""
        self._virtuals += 1
        return register(f"{register.letter}{self._virtuals}")

    def new_label(self, name: Optional[str] = None) -> Label:
        """A label for `place`; without a name, one that no other label has."""
        if name is None:
            self._labels += 1
            name = f"$python_{self._labels}"
        return Label(name)

    def place(self, label: Label) -> Label:
        """The label is here, in the section that is open."""
        self._where = None  # a jump here comes from another line
        self.write(f"{label.text}:")
        return label


def _call(mnemonic: str, operands: Sequence[Optional[str]]) -> str:
    arguments = ", ".join(operand for operand in operands if operand is not None)
    return f"{mnemonic} {arguments}".rstrip()


def operation(mnemonic: str, operands: Sequence[Optional[str]], on: On, slot: InSlot) -> None:
    """Adds an operation that writes no register. Operands of None have their default."""
    current().operation(_call(mnemonic, operands), on, slot)


def assignment(mnemonic: str, register: type[File], to: Optional[File],
               operands: Sequence[Optional[str]], on: On, slot: InSlot) -> File:
    """Adds an operation that writes a register, and returns that."""
    program = current()
    to = program.destination(mnemonic, register, to, on)
    program.operation(f"{to.text} = {_call(mnemonic, operands)}", on, slot)
    return to
