"""A model as a JAX function of its weights and inputs."""

from __future__ import annotations

from typing import Any, Mapping

import jax
import numpy as np
import onnx

from tandem.onnx.files import read
from tandem.onnx.interpreter import Interpreter, constant, sources
from tandem.onnx.values import Refused, Unknown, Value, narrow, narrowed, traced

_WEIGHT = 16  # elements: smaller constants stay in the program, where they may decide shapes


class Function:
    """Called with the weights and a dictionary of inputs, it gives the outputs in the graph's order; jax.jit takes it.

    inputs: names and types of what it takes. outputs: names. fixed: inputs that are constants of the program.
    """

    def __init__(self, model: onnx.ModelProto, *, fixed: Mapping[str, Any] | None = None,
                 precision: str = "highest"):
        self.model, self.precision = model, precision
        self._interpreter = Interpreter(model)
        constants = {}
        for tensor in model.graph.initializer:
            constants[tensor.name] = constant(tensor)
        if len(model.graph.sparse_initializer):
            raise Refused("ONNX on Tandem: sparse initialisers", "sparse initialisers")
        self.weights = {name: narrow(array, f"`{name}`") for name, array in constants.items()
                        if array.size > _WEIGHT and array.dtype.kind not in "iub"}
        self._constants = {name: array for name, array in constants.items() if name not in self.weights}
        self.inputs = {value.name: value for value in model.graph.input if value.name not in constants}
        self.outputs = [value.name for value in model.graph.output]
        self.fixed = {name: np.asarray(array) for name, array in (fixed or {}).items()}

    def __call__(self, weights: Mapping[str, Any], inputs: Mapping[str, Any]) -> tuple[Value, ...]:
        results = self._results(weights, inputs)
        return tuple(jax.tree.map(traced, result) for result in results)

    def _results(self, weights: Mapping[str, Any], inputs: Mapping[str, Any]) -> list[Value]:
        given = {**self.fixed, **inputs}
        if missing := [name for name in self.inputs if name not in given]:
            raise TypeError(f"missing inputs: {', '.join(missing)}")
        if unknown := [name for name in given if name not in self.inputs]:
            raise TypeError(f"the model has no inputs {', '.join(unknown)}")
        for name, value in given.items():
            self._check(name, value)
        scope: dict[str, Value] = {**self._constants, **weights}
        scope.update({name: value if name in self.fixed else traced(value, f"`{name}`") for name, value in given.items()})
        try:
            with jax.default_matmul_precision(self.precision):
                return self._interpreter.graph(self.model.graph, scope)
        except Unknown as unknown:
            raise self._steering(unknown) from None

    def _check(self, name: str, value: Any) -> None:
        """Raises TypeError or ValueError if the model does not declare an input."""
        tensor = self.inputs[name].type.tensor_type
        if not tensor.elem_type:
            return
        wanted = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
        if np.dtype(value.dtype).kind not in "OSU" and narrowed(value.dtype) != narrowed(wanted):
            raise TypeError(f"the input `{name}` is declared as {wanted}, an array of {value.dtype} was given")
        sizes = [size.dim_value if size.HasField("dim_value") else -1 for size in tensor.shape.dim]
        if tensor.HasField("shape") and (len(sizes) != len(value.shape) or any(
                size not in (-1, have) for size, have in zip(sizes, value.shape, strict=True))):
            raise ValueError(f"the input `{name}` is declared with the shape {sizes}, an array of {list(value.shape)} was given")

    def _steering(self, unknown: Unknown) -> Exception:
        """What to say, or which input to fix."""
        name = sources(self.model.graph.node, unknown.name, set(self.inputs) - set(self.fixed))
        if name in self.inputs and name not in self.fixed:
            return Steering(name, unknown.node)
        return Refused(f"ONNX on Tandem: {unknown.node}: `{unknown.name}` decides shapes and is not known before the run",
                       f"{unknown.node.split()[0]}: shapes that values decide")


class Steering(Refused):
    """An input whose values decide shapes; it has to be fixed."""

    def __init__(self, name: str, node: str):
        super().__init__(f"ONNX on Tandem: {node}: the values of the input `{name}` decide shapes; give them as fixed={{{name!r}: ...}}",
                         f"{node.split()[0]}: shapes that values decide")
        self.name = name


def load(path: Any, *, fixed: Mapping[str, Any] | None = None, precision: str = "highest"
         ) -> tuple[Function, dict[str, np.ndarray]]:
    """A model's function and its weights, for jax.jit and other transformations of JAX:

        function, weights = tandem.onnx.load("model.onnx")
        outputs = jax.jit(function)(weights, {"x": x})

    path: a file or an onnx.ModelProto. fixed: inputs that become constants. precision: of products, as in
    jax.default_matmul_precision; "default" multiplies in bf16. Raises Refused.
    """
    model = path if isinstance(path, onnx.ModelProto) else read(path)
    function = Function(model, fixed=fixed, precision=precision)
    return function, function.weights
