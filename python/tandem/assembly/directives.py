"""Sections, data, tensors and names: everything in a program except operations."""

from __future__ import annotations

from typing import Optional, Sequence, Union

from tandem.assembly.program import current
from tandem.assembly.values import Expression, Label, Number, number_text, quoted


def tensor(name: str, type: str, sizes: Sequence[Union[int, str]], use: str, *,
           shares: Optional[str] = None) -> None:
    """What the host binds at launch. use: in, out or inout.

    A size is a number, a name, what is made of names ("n - 4", "2 * n") or "?".
    """
    shape = "[" + ", ".join(str(size) for size in sizes) + "]"
    extra = [] if shares is None else [f"shares {shares}"]
    current().directive(".tensor", name, type, shape, use, *extra)


def entry_of(tensor_name: str) -> Expression:
    """The byte offset of a tensor's entry in the argument block."""
    return Expression(f"{tensor_name}.entry")


def arguments() -> None:
    """The argument block is in SMEM words 0.. at start."""
    current().directive(".arguments")


def start_copy(tensor_name: str, **fields: int) -> None:
    """A copy that a start begins, from a tensor to VMEM, by the fields of a descriptor: its source is a byte of the tensor."""
    current().directive(".start_copy", tensor_name, *(f"{name}={value}" for name, value in fields.items()))


def producer(text: str) -> None:
    """What makes this program and of which version: up to 200 printable letters, without quotes and backslashes."""
    current().directive(".producer", quoted(text))


def text() -> None:
    current().directive(".text")


def data() -> None:
    current().directive(".data")


def bss() -> None:
    current().directive(".bss")


def vmem() -> None:
    current().directive(".vmem")


def smem() -> None:
    current().directive(".smem")


def space(count: int) -> None:
    """Space: bytes, rows or words, in the unit of the section."""
    current().directive(".space", number_text(count))


def align(to: int) -> None:
    current().directive(".align", number_text(to))


def values(type: str, *numbers: Number) -> None:
    """Numbers in .data: f32, bf16, s8, u8, s16, u16, s32, u32, s64, u64."""
    current().directive(f".{type}", *(number_text(number) for number in numbers))


def label(name: Optional[str] = None) -> Label:
    """A label here."""
    program = current()
    return program.place(program.new_label(name))


def new_label(name: Optional[str] = None) -> Label:
    """A label to branch to before it is placed; `place` it later."""
    return current().new_label(name)


def place(name: Label) -> Label:
    """The label is here."""
    return current().place(name)


def equ(name: str, value: Number) -> Expression:
    """A named constant, which is in the file's symbols."""
    current().directive(".equ", name, number_text(value))
    return Expression(name)


def global_(*names: str) -> None:
    """Other objects may use these."""
    current().directive(".global", *names)


def extern(*names: str) -> None:
    """Other objects define these."""
    current().directive(".extern", *names)


def entry(where: Number) -> None:
    """Execution begins here: a label or the number of a bundle."""
    current().directive(".entry", number_text(where))


def lines(keep: bool) -> None:
    """Whether operations carry the Python line they are in (the default)."""
    current().keep_lines(keep)


def loc(line: int, *rest: Union[int, str], operation: Optional[str] = None,
        slot: Optional[str] = None) -> None:
    """The next bundle, or the operation in this slot of it, comes from this line.

    rest: its file, then line and file of each call that led there, innermost first.
    operation: the name of what it is part of, free text.
    """
    places = [slot] if slot is not None else []
    places += [str(line), *(quoted(item) if isinstance(item, str) else str(item) for item in rest)]
    if operation is not None:
        places.append(f"operation {quoted(operation)}")
    current().directive(".loc", *places)


def buffer(kind: str, first: int, words: int, name: Optional[str] = None) -> None:
    """The next buffer that touch() may speak of: "vmem", "hbm", "tensor" or "constant"."""
    place = [kind, str(first), str(words)]
    current().directive(".buffer", *place, *([] if name is None else [quoted(name)]))


def touch(slot: str, reads: Union[int, str], writes: Union[int, str]) -> None:
    """The operation in this slot of the next bundle reads and writes these buffers.

    Numbers from 1 in the order of buffer(); 0 is none, "spill" the frame of the registers.
    """
    current().directive(".touch", slot, str(reads), str(writes))


def reloc(slot: str, value: Expression) -> None:
    """The constant of this slot in the next bundle is this address (in objects)."""
    current().directive(".reloc", slot, number_text(value))


def raw_bundle(*words: int) -> None:
    """A bundle that no operations could give, as its sixteen words."""
    current().directive(".bundle", *(hex(word) for word in words))


__all__ = [
    "tensor",
    "entry_of",
    "arguments",
    "start_copy",
    "producer",
    "text",
    "data",
    "bss",
    "vmem",
    "smem",
    "space",
    "align",
    "values",
    "label",
    "new_label",
    "place",
    "equ",
    "global_",
    "extern",
    "entry",
    "lines",
    "loc",
    "buffer",
    "touch",
    "reloc",
    "raw_bundle",
]
