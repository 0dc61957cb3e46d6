"""Shapes and element types of Relax's expressions in StableHLO."""

from __future__ import annotations

import tvm
from tvm import relax

ELEMENTS = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "bool": "i1", "int8": "i8", "uint8": "ui8",
            "int16": "i16", "uint16": "ui16", "int32": "i32", "uint32": "ui32"}


class Unsupported(NotImplementedError):
    def __init__(self, what: str):
        super().__init__(f"Relax on Tandem: {what}")


def shape(type_: relax.Type) -> tuple[int, ...]:
    sizes = type_.shape
    if sizes is None or not all(isinstance(size, (int, tvm.tirx.IntImm)) for size in sizes):
        raise Unsupported("a tensor whose sizes are known only when it runs")
    return tuple(int(size) for size in sizes)


def element(type_: relax.Type) -> str:
    name = str(type_.dtype)
    if name not in ELEMENTS:
        raise Unsupported(f"elements of {name}")
    return ELEMENTS[name]


def tensors(type_: relax.Type) -> list[relax.Type]:
    """Those of a tuple, or the one."""
    if isinstance(type_, relax.TupleType):
        return [inner for field in type_.fields for inner in tensors(field)]
    if not isinstance(type_, relax.TensorType):
        raise Unsupported(f"a value of type {type_}")
    return [type_]
