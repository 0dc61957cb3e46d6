"""onnx.backend's interface: tandem.onnx.backend.prepare(model).run(inputs), as ONNX's own tests call it.

A program is compiled for each set of shapes. Inputs that decide shapes are constants of it: other values need another
program.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Sequence

import jax
import numpy as np
import onnx
import onnx.checker
from onnx.backend.base import Backend, BackendRep

from tandem import jax_tools
from tandem.device import Device
from tandem.onnx.model import Function, Steering
from tandem.onnx.values import Refused, is_known, narrow, narrowed

_STEERING = 64  # at most so many elements for an input that becomes a constant

Run = Callable[[Sequence[np.ndarray]], list[np.ndarray]]
Make = Callable[[Callable[..., Any], tuple[np.ndarray, ...]], Run]


def on_device(device: Device) -> Make:
    """Functions as programs of this device."""

    def make(function: Callable[..., Any], arrays: tuple[np.ndarray, ...]) -> Run:
        try:
            kept = jax.jit(function, keep_unused=True)
            elf, taken = jax_tools.program_and_inputs(kept, arrays, device.preset)
        except jax_tools.CompileError as error:
            raise Refused(f"ONNX on Tandem: the compiler: {error}", f"compiler: {str(error).splitlines()[0]}") from error
        program, names = device.load(elf), list(taken)

        def run(values: Sequence[np.ndarray]) -> list[np.ndarray]:
            outputs = program(**{name: values[int(name.removeprefix("arg"))] for name in names}).outputs
            return [outputs[f"out{number}"] for number in range(len(outputs))]

        return run

    return make


class Representation(BackendRep):
    """A model that is ready to run: its programs, by the shapes and by the values that decide shapes."""

    def __init__(self, model: onnx.ModelProto, make: Make, precision: str):
        self._model, self._make, self._precision = model, make, precision
        self._function = Function(model, precision=precision)
        self._programs: dict[Any, tuple[Run, Any, list[str]]] = {}
        self._steering: list[str] = []

    def run(self, inputs: Any, **_options: Any) -> tuple[Any, ...]:
        """inputs: arrays in the graph's order, or by name. Raises Refused."""
        names = list(self._function.inputs)
        given = dict(inputs) if isinstance(inputs, dict) else dict(zip(names, inputs, strict=False))
        arrays = {name: value for name, value in given.items() if isinstance(value, np.ndarray | np.generic)}
        if odd := [name for name in given if name not in arrays]:
            raise Refused(f"ONNX on Tandem: the input `{odd[0]}` is no tensor", "inputs that are no tensors")
        key = self._key(arrays)
        while key not in self._programs:
            try:
                self._programs[key] = self._program(arrays)
            except Steering as steering:
                if arrays[steering.name].size > _STEERING:
                    raise
                self._steering.append(steering.name)
                key = self._key(arrays)
        run, structure, taken = self._programs[key]
        flat = run([narrow(arrays[name], f"`{name}`") for name in taken])
        results = jax.tree.unflatten(structure, flat)
        return tuple(_declared(result, value.type, value.name)
                     for result, value in zip(results, self._model.graph.output, strict=True))

    def _key(self, arrays: dict[str, np.ndarray]) -> Any:
        return tuple((name, array.shape, str(array.dtype), array.tobytes() if name in self._steering else b"")
                     for name, array in sorted(arrays.items()))

    def _program(self, arrays: dict[str, np.ndarray]) -> tuple[Run, Any, list[str]]:
        fixed = {name: arrays[name] for name in self._steering}
        function = Function(self._model, fixed=fixed, precision=self._precision)
        taken, structure = [name for name in arrays if name not in fixed], []

        def call(*values: Any) -> Any:
            results = function(function.weights, dict(zip(taken, values, strict=True)))
            structure[:] = [jax.tree.structure(results)]
            return results

        run = self._make(call, tuple(narrow(arrays[name], f"`{name}`") for name in taken))
        return run, structure[0], taken


def _declared(result: Any, declared: onnx.TypeProto, name: str) -> Any:
    """In the type that the graph declares: the machine's 32 bits widened to 64."""
    if isinstance(result, list):
        return [_declared(item, declared.sequence_type.elem_type, name) for item in result]
    if result is None or not is_known(result):
        return result
    kind = declared
    while kind.WhichOneof("value") == "optional_type":
        kind = kind.optional_type.elem_type
    wanted = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(kind.tensor_type.elem_type))
    if narrowed(wanted) != result.dtype:
        raise Refused(f"ONNX on Tandem: `{name}` is declared as {wanted}, computed as {result.dtype}", "an output of another type")
    return result.astype(wanted)


class TandemBackend(Backend):
    """Preset and model as options of prepare, or from TANDEM_PRESET and TANDEM_MODEL."""

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **_options: Any) -> bool:
        """Whether its graph can be read; unsupported nodes are refused when they run."""
        try:
            Function(model)
        except Refused:
            return False
        return True

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """ONNX knows CPU and CUDA; a simulated machine counts as the first."""
        return device in ("CPU", "TANDEM")

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", *, preset: str | None = None, simulation: str | None = None,
                precision: str = "highest", **_options: Any) -> Representation:
        if not cls.supports_device(device):
            raise ValueError(f"device {device}: there are CPU and TANDEM")
        onnx.checker.check_model(model)
        machine = Device(preset,
                         simulation or os.environ.get("TANDEM_MODEL", "golden"))
        return Representation(model, on_device(machine), precision)

    @classmethod
    def run_node(cls, node: onnx.NodeProto, inputs: Any, device: str = "CPU", outputs_info: Any = None,
                 **options: Any) -> tuple[Any, ...]:
        """outputs_info: (element type, shape) of each output, inferred where it is not given."""
        super().run_node(node, inputs, device, outputs_info)
        return cls.run_model(_model_of(node, inputs, outputs_info), list(inputs), device, **options)


def _model_of(node: onnx.NodeProto, inputs: Sequence[np.ndarray], outputs_info: Any) -> onnx.ModelProto:
    names = [name for name in node.input if name]
    values = [onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
              for name, array in zip(names, map(np.asarray, inputs), strict=True)]
    if outputs_info is None:
        outputs = [onnx.helper.make_empty_tensor_value_info(name) for name in node.output if name]
    else:
        outputs = [onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind)), shape)
                   for name, (kind, shape) in zip([name for name in node.output if name], outputs_info, strict=True)]
    graph = onnx.helper.make_graph([node], "node", values, outputs)
    model = onnx.helper.make_model(graph)
    return onnx.shape_inference.infer_shapes(model) if outputs_info is None else model


prepare = TandemBackend.prepare
run_model = TandemBackend.run_model
run_node = TandemBackend.run_node
supports_device = TandemBackend.supports_device
is_compatible = TandemBackend.is_compatible
