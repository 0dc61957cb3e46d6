"""Kernels of tandem.kernel and tandem.function as operators of torch, in graphs and by themselves:

    softsign = tandem.torch.operator("mine::softsign", kernel)
    softsign(x)                     # one launch; in a compiled function a part of its program
"""

from __future__ import annotations

import inspect
import os
from typing import Any, Callable

import jax
import torch

from tandem.device import default_machine
from tandem.torch import operators
from tandem.torch.graph import compiled
from tandem.torch.machine import machine_of
from tandem.torch.values import ELEMENTS, element

_TORCH = {dtype: name for name, dtype in reversed(ELEMENTS.items())}


def operator(name: str, kernel: Any, *, results: int = 1) -> torch._library.custom_ops.CustomOpDef:
    """The kernel as torch.ops.<name>, "namespace::name"; `results` is how many tensors it gives.

    The returned object has `register_autograd` and the rest of torch.library.custom_op's methods.
    """
    parameters = list(inspect.signature(kernel._outputs).parameters)
    returns = "Tensor" if results == 1 else f"({', '.join(['Tensor'] * results)})"
    schema = f"({', '.join(f'Tensor {parameter}' for parameter in parameters)}) -> {returns}"
    made = torch.library.custom_op(name, _alone(kernel), mutates_args=(), schema=schema)
    made.register_fake(_shapes(kernel))
    operators.operator(made._opoverload)(kernel)
    return made


def _structs(tensors: tuple[torch.Tensor, ...]) -> list[jax.ShapeDtypeStruct]:
    return [jax.ShapeDtypeStruct(tuple(tensor.shape), element(tensor.dtype)) for tensor in tensors]


def _shapes(kernel: Any) -> Callable[..., Any]:
    def fake(*tensors: torch.Tensor) -> Any:
        outputs = kernel._outputs(*_structs(tensors))
        made = [torch.empty(struct.shape, dtype=_TORCH[jax.numpy.dtype(struct.dtype)])
                for struct in (outputs if isinstance(outputs, (tuple, list)) else [outputs])]
        return tuple(made) if isinstance(outputs, (tuple, list)) else made[0]

    return fake


def _alone(kernel: Any) -> Callable[..., Any]:
    """Outside of a compiled function: a program of its own, on the machine that the environment names."""
    programs: dict[Any, Any] = {}

    def run(*tensors: torch.Tensor) -> Any:
        machine = machine_of(default_machine(), os.environ.get("TANDEM_MODEL", "golden"))
        structs = _structs(tensors)
        key = tuple((struct.shape, struct.dtype) for struct in structs)
        with machine.lock:
            if key not in programs:
                programs[key] = machine.load(compiled(kernel, structs, machine.device.preset, "highest"))
            values = [machine.value_of(tensor, f"argument {number}") for number, tensor in enumerate(tensors)]
            outputs = machine.launch(programs[key], values)
            made = [machine.fetch_tensor(value, _TORCH[value.dtype], None) for value in outputs]
        return tuple(made) if isinstance(kernel._outputs(*structs), (tuple, list)) else made[0]

    return run
