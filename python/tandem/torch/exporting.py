"""A model as a program of the machine, in a file that needs no Python:

    exported = tandem.torch.export(model, (x,), preset="full")
    exported.write("model.elf")     # tandem run model.elf --in arg0=x.npy --out out0=y.npy
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch
from torch.export.graph_signature import InputKind, OutputKind
from torch.utils import _pytree

from tandem import tools
from tandem.device import default_machine
from tandem.torch import interpreter
from tandem.torch.backend import decompositions
from tandem.torch.graph import PRECISION, compiled
from tandem.torch.values import Refused, element, host_array, narrow


@dataclass(frozen=True)
class Exported:
    """The program, and its names of inputs and outputs: for each name (arg0, out0) the model's."""

    elf: bytes
    inputs: dict[str, str]
    outputs: dict[str, str]

    def write(self, path: str | os.PathLike[str]) -> None:
        tools.write_output(path, self.elf)


def _array(tensor: torch.Tensor, what: str) -> np.ndarray:
    return narrow(host_array(tensor, what), element(tensor.dtype, what), what)


def _kept(program: torch.export.ExportedProgram, spec: Any) -> np.ndarray:
    """A parameter, buffer or constant of the model."""
    if spec.kind is InputKind.CONSTANT_TENSOR or spec.target not in program.state_dict:
        return _array(program.constants[spec.target], spec.target)
    return _array(program.state_dict[spec.target], spec.target)


def export(model: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, *,
           preset: str | None = None) -> Exported:
    """The program of the model for arguments of these shapes; its weights are in it. Raises Refused."""
    preset = preset or default_machine()
    with torch.no_grad():
        program = torch.export.export(model, args, kwargs or {}, strict=False).run_decompositions(decompositions())
    module, signature = program.graph_module, program.graph_signature
    if interpreter.is_random(module):
        raise Refused("random numbers in a program that is exported: model.eval() comes before")
    if mutations := [spec for spec in signature.output_specs if spec.kind is not OutputKind.USER_OUTPUT]:
        raise Refused(f"the model changes `{mutations[0].target}`: model.eval() comes before")
    leaves = dict(zip(signature.user_inputs, _pytree.tree_leaves((args, kwargs or {})), strict=True))
    taken = [spec.arg.name for spec in signature.input_specs
             if spec.kind is InputKind.USER_INPUT and isinstance(leaves[spec.arg.name], torch.Tensor)]
    kept = {spec.arg.name: _kept(program, spec) for spec in signature.input_specs if spec.kind is not InputKind.USER_INPUT}

    def function(*values: Any) -> tuple[Any, ...]:
        given = {**leaves, **{name: jnp.asarray(array) for name, array in kept.items()}, **dict(zip(taken, values, strict=True))}
        results, _ = interpreter.run(module, [given[spec.arg.name] for spec in signature.input_specs], None)
        return tuple(jnp.asarray(result) for result in results if result is not None)

    structs = [jax.ShapeDtypeStruct(tuple(leaves[name].shape), element(leaves[name].dtype, name)) for name in taken]
    elf = compiled(function, structs, preset, PRECISION[torch.get_float32_matmul_precision()])
    outputs = [name for name in signature.user_outputs if name is not None]
    return Exported(elf, {f"arg{number}": name for number, name in enumerate(taken)},
                    {f"out{number}": str(name) for number, name in enumerate(outputs)})
