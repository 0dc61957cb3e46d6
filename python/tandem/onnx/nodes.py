"""A node as seen by its operator, and the table of operators."""

from __future__ import annotations

import math
from typing import Any, Callable, Iterable

import numpy as np
import onnx

from tandem.onnx.values import Refused, Unknown, Value, is_known

Operator = Callable[..., Any]
_MOST = 1 << 30  # numbers of a value
_WIDE = (onnx.TensorProto.INT64, onnx.TensorProto.UINT64, onnx.TensorProto.DOUBLE)
OPERATORS: dict[tuple[str, str], Operator] = {}


def operator(*names: str, domain: str = "") -> Callable[[Operator], Operator]:
    """The function computes the nodes of these names: it gets the node and its inputs."""

    def add(function: Operator) -> Operator:
        for name in names:
            OPERATORS[domain, name] = function
        return function

    return add


def attribute_value(attribute: onnx.AttributeProto) -> Any:
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list) and value and isinstance(value[0], bytes):
        return [item.decode() for item in value]
    return value


class Node:
    """attributes: of the node itself, with those of a function's caller filled in."""

    def __init__(self, proto: onnx.NodeProto, opset: int, attributes: dict[str, onnx.AttributeProto], interpreter: Any,
                 scope: dict[str, Value]):
        self.proto, self.opset, self.protos, self.interpreter, self.scope = proto, opset, attributes, interpreter, scope
        self.domain = "" if proto.domain == "ai.onnx" else proto.domain
        self.kind = proto.op_type
        self.outputs = list(proto.output)

    @property
    def title(self) -> str:
        name = self.proto.name or (self.outputs[0] if self.outputs else "")
        return f"{self.domain + '.' if self.domain else ''}{self.kind} (node `{name}`, opset {self.opset})"

    def schema(self) -> onnx.defs.OpSchema | None:
        try:
            return onnx.defs.get_schema(self.kind, max_inclusive_version=self.opset, domain=self.domain)
        except onnx.defs.SchemaError:
            return None

    def attr(self, name: str, default: Any = None) -> Any:
        """The node's attribute, or ONNX's default if it is omitted, or `default`."""
        if name in self.protos:
            return attribute_value(self.protos[name])
        schema = self.schema()
        if schema is not None and name in schema.attributes:
            proto = schema.attributes[name].default_value
            if proto.type != onnx.AttributeProto.UNDEFINED:
                return attribute_value(proto)
        return default

    def has(self, name: str) -> bool:
        return name in self.protos

    def wants(self, position: int) -> bool:
        """Whether this output is used."""
        return position < len(self.outputs) and bool(self.outputs[position])

    def refuse(self, reason: str) -> Refused:
        return Refused(f"ONNX on Tandem: {self.title}: {reason}", f"{self.kind}: {reason}")

    def known(self, value: Value, position: int) -> np.ndarray:
        """Input `position`, which must be known while the program is built."""
        if not is_known(value):
            raise Unknown(self.proto.input[position], self.title)
        return np.asarray(value)

    def integers(self, value: Value, position: int) -> list[int]:
        return [int(item) for item in self.known(value, position).reshape(-1)]

    def check_room(self, sizes: Iterable[int], limit: int = _MOST) -> None:
        """Refuses a result that no program has room for, before it is made."""
        counts = [int(size) for size in sizes]
        most = max(math.prod(counts), *counts, 0)
        if most > limit:
            raise self.refuse(f"{most} numbers")

    def one_axis(self, axis: int, rank: int) -> int:
        """A given axis, counted from the first."""
        if not -rank <= axis < max(rank, 1):
            raise self.refuse(f"axis {axis} of a tensor with {rank}")
        return int(axis) % rank if rank else 0

    def some_axes(self, axes: Iterable[int], rank: int) -> list[int]:
        """Given axes, none of them twice."""
        found = [self.one_axis(axis, rank) for axis in axes]
        if len(set(found)) != len(found):
            raise self.refuse(f"axes {found}: one of them twice")
        return found

    def axis(self, rank: int, name: str = "axis", default: int = 0) -> int:
        return self.one_axis(self.attr(name, default), rank)

    def axes(self, rank: int, value: Value, position: int, name: str = "axes") -> list[int] | None:
        """Axes from the attribute of old opsets or the input of new ones."""
        axes = self.attr(name) if value is None else self.integers(value, position)
        return None if axes is None else self.some_axes(axes, rank)

    def run(self, name: str, inputs: list[Value]) -> list[Value]:
        """The graph that is the attribute `name`."""
        return self.interpreter.subgraph(self.attr(name), inputs, self.scope)

    def only_32_bits(self, position: int, value: Value) -> None:
        """Refuses an input of 64 bits, of which the machine has the lower 32. Within functions types are not known."""
        kind = self.interpreter.types.get(self.proto.input[position])
        if kind in _WIDE or kind is None and np.dtype(value.dtype).itemsize >= 4:
            raise self.refuse("bits of 64-bit elements")
