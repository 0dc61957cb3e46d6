"""A Relax function as a StableHLO module."""

from __future__ import annotations

from typing import Any

from tvm import relax

from tandem.stablehlo_text import Builder
from tandem.tvm import layers, movements  # noqa: F401, for their operations
from tandem.tvm.operations import OPERATIONS
from tandem.tvm.types import ELEMENTS, Unsupported, element, shape, tensors


class Reader:
    """Values of variables: the name of one, or a list for a tuple."""

    def __init__(self, function: relax.Function):
        self.build = Builder()
        self.values: dict[relax.Var, Any] = {}
        self.functions: dict[relax.Var, relax.Function] = {}
        for parameter in function.params:
            parts = [self.build.argument(shape(part), element(part)) for part in tensors(parameter.ty)]
            self.values[parameter] = parts if isinstance(parameter.ty, relax.TupleType) else parts[0]
        self.result = self._body(function)

    def text(self) -> str:
        return self.build.module(self.result if isinstance(self.result, list) else [self.result])

    def _body(self, function: relax.Function) -> Any:
        """A body is a sequence of blocks and a result."""
        for block in function.body.blocks:
            for binding in block.bindings:
                self._bind(binding.var, binding.value)
        return self._value(function.body.body)

    def _bind(self, variable: relax.Var, value: relax.Expr) -> None:
        if isinstance(value, relax.Function):
            self.functions[variable] = value
        else:
            self.values[variable] = self._value(value)

    def _value(self, expression: relax.Expr) -> Any:
        if isinstance(expression, relax.Var):
            return self.values[expression]
        if isinstance(expression, relax.Tuple):
            return [self._value(field) for field in expression.fields]
        if isinstance(expression, relax.TupleGetItem):
            return self._value(expression.tuple_value)[expression.index]
        if isinstance(expression, relax.Call):
            return self._call(expression)
        return self._constant(expression)

    def _constant(self, expression: relax.Expr) -> str:
        if not isinstance(expression, type(relax.const(0))):
            raise Unsupported(f"the expression {type(expression).__name__}")
        array = expression.value.numpy()
        if str(array.dtype) not in ELEMENTS:
            raise Unsupported(f"elements of {array.dtype}")
        return self.build.array(array, ELEMENTS[str(array.dtype)])

    def _call(self, call: relax.Call) -> Any:
        if call.op in self.functions:  # a group of calls, as a function in the function
            inner = self.functions[call.op]
            for parameter, argument in zip(inner.params, call.args):
                self.values[parameter] = self._value(argument)
            return self._body(inner)
        name = getattr(call.op, "name", str(call.op))
        if name not in OPERATIONS:
            raise Unsupported(f"the operation {name}")
        values = [self._value(argument) for argument in call.args if is_tensor(argument)]
        return OPERATIONS[name](self.build, call, values)


def is_tensor(argument: relax.Expr) -> bool:
    """Or a tuple of tensors: not a number, nor a tuple of those, nor a shape."""
    if isinstance(argument.ty, relax.TupleType):
        return all(isinstance(field, relax.TensorType) for field in argument.ty.fields)
    return isinstance(argument.ty, relax.TensorType)


def stablehlo(function: relax.Function) -> str:
    return Reader(function).text()
