"""Programs of the machine in TVM's virtual machine: each function for the machine becomes a packed function that
launches its program."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import tvm
import tvm_ffi
from tvm import relax

from tandem import jax_tools
from tandem.device import Device
from tandem.tvm.partitioning import left, partition
from tandem.tvm.reading import stablehlo


@dataclass
class Statistics:
    programs: int = 0
    launches: int = 0
    cycles: int = 0  # on models that have time


statistics = Statistics()
_machine: list[Device] = []  # of the current compilation


class _Launch:
    def __init__(self, function: relax.Function, machine: Device):
        self.program = machine.load(jax_tools.compiled(stablehlo(function).encode(), machine.preset))
        self.outputs = [info for info in self.program.tensors if info.is_output]
        self.inputs = [info for info in self.program.tensors if info.is_input]
        statistics.programs += 1

    def __call__(self, *tensors: Any) -> None:
        """Inputs, then the outputs, which are written."""
        count = len(tensors) - len(self.outputs)
        given = [np.from_dlpack(tensor) for tensor in tensors[:count]]
        run = self.program(**{info.name: given[int(info.name.removeprefix("arg"))] for info in self.inputs})
        for info, tensor in zip(self.outputs, tensors[count:]):
            np.copyto(np.from_dlpack(tensor), run.outputs[info.name])
        statistics.launches += 1
        statistics.cycles += run.cycles or 0


@tvm_ffi.register_global_func("relax.ext.tandem", override=True)
def _codegen(functions: list[relax.Function], _options: Any, _names: Any) -> list:
    machine = _machine[-1] if _machine else _device(None, None)
    for function in functions:
        symbol = str(function.attrs["global_symbol"])
        tvm_ffi.register_global_func(symbol, _Launch(function, machine).__call__, override=True)
    return []


def _device(preset: str | None, model: str | None) -> Device:
    return Device(preset, model or os.environ.get("TANDEM_MODEL", "golden"))


def compile(module: tvm.IRModule, *, preset: str | None = None, model: str | None = None,  # noqa: A001, as TVM calls it
            target: str = "llvm", strict: bool = False) -> relax.VirtualMachine:
    """A virtual machine whose functions launch programs; what the machine cannot compute runs on `target`. strict:
    that is an error, with the operations' names."""
    if not any(function.attrs and "Codegen" in function.attrs for function in module.functions.values()):
        module = partition(module)
    if strict and (names := left(module)):
        raise NotImplementedError(f"Relax on Tandem: left to {target}: {', '.join(names)}")
    _machine.append(_device(preset, model))
    try:
        module = relax.transform.RunCodegen()(module)
    finally:
        _machine.pop()
    return relax.VirtualMachine(tvm.compile(module, target=target), tvm.cpu())
