"""A graph as torch calls it: a program for each set of shapes, made when it is first called with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

import jax
import numpy as np
import torch

from tandem import jax_tools, kernels
from tandem.device import Program
from tandem.torch import interpreter
from tandem.torch.machine import Machine, Value
from tandem.torch.values import Refused, element

PRECISION = {"highest": "highest", "high": "high", "medium": "default"}  # torch's words, and JAX's


@dataclass(frozen=True)
class _Prepared:
    """results: for each result, the number of the program's output, or its value otherwise."""

    program: Program
    results: list[tuple[int | None, Any]]
    mutated: dict[int, int]


class Graph:
    """kept_from: results from this one on are for the backward graph only, and stay in the machine's memory. names: the
    user's names of the arguments, where known.
    """

    def __init__(self, module: torch.fx.GraphModule, machine: Machine, kept_from: int | None = None,
                 names: Sequence[str] = ()):
        self._module, self._machine = module, machine
        self._inputs = module.graph.find_nodes(op="placeholder")
        self._names = list(names) if len(names) == len(self._inputs) else [node.name for node in self._inputs]
        self._taken = [number for number, node in enumerate(self._inputs)
                       if isinstance(node.meta.get("val"), torch.Tensor) and any(user.op != "output" for user in node.users)]
        outputs = module.graph.output_node().args[0]
        self._outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
        self._kept_from = len(self._outputs) if kept_from is None else kept_from
        self._random = interpreter.is_random(module)
        self._precision = PRECISION[torch.get_float32_matmul_precision()]
        self._prepared: dict[Any, _Prepared] = {}

    def __call__(self, arguments: Sequence[Any]) -> list[Any]:
        with self._machine.lock, torch.no_grad():
            return self._run(arguments)

    def _run(self, arguments: Sequence[Any]) -> list[Any]:
        key = tuple((tuple(value.shape), value.dtype) if isinstance(value, torch.Tensor) else value for value in arguments)
        if (prepared := self._prepared.get(key)) is None:
            prepared = self._prepared[key] = self._prepare(arguments)
        values = [self._machine.value_of(arguments[number], f"`{self._names[number]}`") for number in self._taken]
        if self._random:
            values.append(self._machine.send(torch.randint(0, 1 << 32, (2,)).numpy().astype(np.uint32)))
        outputs = self._machine.launch(prepared.program, values)
        results = [self._result(number, place, outputs, arguments) for number, place in enumerate(prepared.results)]
        for argument, place in prepared.mutated.items():
            self._leave(arguments[argument], outputs[place])
        return results

    def _result(self, number: int, place: tuple[int | None, Any], outputs: list[Value], arguments: Sequence[Any]) -> Any:
        node = self._outputs[number]
        if isinstance(node, torch.fx.Node) and node.op == "placeholder":
            return arguments[self._inputs.index(node)]
        if place[0] is None:
            return place[1]
        value, meta = outputs[place[0]], node.meta["val"]
        if number >= self._kept_from and not torch._C._autograd._top_saved_tensors_default_hooks(True):
            return self._machine.keep(value, meta.dtype)
        return self._machine.fetch_tensor(value, meta.dtype, _strides(meta, value.shape))

    def _leave(self, argument: torch.Tensor, value: Value) -> None:
        argument.copy_(torch.as_tensor(self._machine.fetch_tensor(value, argument.dtype, argument.stride())))
        self._machine.remember(argument, value)

    def _prepare(self, arguments: Sequence[Any]) -> _Prepared:
        structs = [jax.ShapeDtypeStruct(tuple(arguments[number].shape),
                                        element(arguments[number].dtype, f"`{self._names[number]}`")) for number in self._taken]
        if self._random:
            structs.append(jax.ShapeDtypeStruct((2,), np.uint32))
        results: list[tuple[int | None, Any]] = []
        mutated: dict[int, int] = {}

        def function(*values: Any) -> Any:
            results.clear()
            seed = values[-1] if self._random else None
            given = list(arguments)
            for number, value in enumerate(given):
                given[number] = None if isinstance(value, torch.Tensor) else value
            for number, value in zip(self._taken, values, strict=False):
                given[number] = value
            computed, left = interpreter.run(self._module, given, seed)
            arrays = []
            for value, node in zip(computed, self._outputs, strict=True):
                is_array = isinstance(value, jax.Array) and node.op != "placeholder"
                results.append((len(arrays), None) if is_array else (None, value))
                arrays += [value] if is_array else []
            for argument, value in left.items():
                mutated[argument] = len(arrays)
                arrays.append(value)
            return tuple(arrays)

        return _Prepared(self._machine.load(compiled(function, structs, self._machine.device.preset, self._precision)),
                         results, mutated)


def _strides(meta: torch.Tensor, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Torch's strides, if they are numbers; for open sizes, dense ones in the same order."""
    if all(isinstance(stride, int) for stride in meta.stride()):
        return tuple(meta.stride())
    return torch.empty(shape, device="meta").stride()


def compiled(function: Any, structs: Sequence[jax.ShapeDtypeStruct], preset: str, precision: str) -> bytes:
    """The ELF file. Raises Refused with the compiler's message."""
    try:
        with jax.default_matmul_precision(precision), kernels.on_preset(preset):
            return jax_tools.compile(jax.jit(function, keep_unused=True), *structs, preset=preset)
    except Refused:
        raise
    except (jax_tools.CompileError, NotImplementedError) as error:
        raise Refused(f"the compiler: {error}") from error
