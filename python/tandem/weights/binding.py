"""Arguments of a StableHLO program that become constants, by the names of weights.

A program that was traced with a dictionary of weights has arguments with names such as `weights['layers.0.w']`: JAX
puts them into the argument's location. The last key is a tensor's name.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Any, Mapping

import jax.numpy as jnp
import numpy as np
from jax._src.interpreters import mlir
from jaxlib import _jax
from jaxlib.mlir import ir

_STABLEHLO = "1.13.0"  # as the plugin asks for

_KEY = re.compile(r"""\[(['"])(.*?)\1\]$""")


class Unbound(ValueError):
    """Weights and program do not match."""


@dataclass
class Bound:
    """The program with constants, the tensor of each argument that became one, and the names of the remaining ones."""

    artifact: bytes
    tensors: dict[str, str]
    left: list[str]


def _parsed(program: bytes) -> Any:
    try:
        if program.startswith(b"ML\xefR") and b"StableHLO_v" in program[:64]:
            return _jax.mlir.deserialize_portable_artifact(program)
        return ir.Module.parse(program)
    except (ValueError, RuntimeError, ir.MLIRError) as error:
        raise Unbound(f"no StableHLO: {(str(error).splitlines() or [''])[0]}") from None


def _main(module: Any) -> Any:
    for operation in module.body.operations:
        if getattr(operation, "sym_name", None) is not None and operation.sym_name.value == "main":
            return operation
    raise Unbound("the program has no function `main`")


def _name(argument: Any, number: int) -> str:
    place = argument.location
    return place.name_str if hasattr(place, "name_str") and str(place).startswith('loc("') and place.name_str else f"arg{number}"


def _tensor_of(name: str, number: int, given: Mapping[str, str], known: Mapping[str, np.ndarray]) -> str | None:
    for wanted in (name, f"arg{number}"):
        if wanted in given:
            return given[wanted]
    key = _KEY.search(name)
    return next((candidate for candidate in (name, key[2] if key else name) if candidate in known), None)


def _is_real(dtype: np.dtype) -> bool:
    return bool(jnp.issubdtype(dtype, jnp.floating))


def _fitting(array: np.ndarray, kind: Any, what: str) -> np.ndarray:
    """The array in the argument's type: real numbers are rounded to it, others must have it."""
    element = next((dtype for dtype in _DTYPES if mlir.dtype_to_ir_type(dtype) == kind.element_type), None)
    if element is None:
        raise Unbound(f"{what}: elements of type {kind.element_type} are no weights")
    if array.shape != tuple(kind.shape):
        raise Unbound(f"{what}: {array.shape} in the file, {tuple(kind.shape)} in the program")
    if array.dtype != element and not (_is_real(array.dtype) and _is_real(element)):
        raise Unbound(f"{what}: {array.dtype} in the file, {element} in the program")
    return np.ascontiguousarray(array.astype(element)).reshape(array.shape)


_DTYPES = [np.dtype(name) for name in (np.float32, np.float16, jnp.bfloat16, np.int32, np.uint32, np.int16, np.uint16, np.int8, np.uint8, np.bool_)]


def _without(main: Any, gone: list[int]) -> None:
    """The function without those arguments, which are unused."""
    for number in reversed(gone):
        main.entry_block.erase_argument(number)
    kinds = ir.FunctionType.get([argument.type for argument in main.arguments], main.function_type.value.results)
    attributes = [attribute for number, attribute in enumerate(main.arg_attrs) if number not in gone] if "arg_attrs" in main.attributes else None
    main.attributes["function_type"] = ir.TypeAttr.get(kinds)
    if attributes is not None:
        main.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)


def bound(program: bytes, weights: Mapping[str, np.ndarray], given: Mapping[str, str] | None = None) -> Bound:
    """The program with weights as constants. `given`: tensors by names of arguments, or by arg0, arg1, ... Raises Unbound."""
    given = dict(given or {})
    with mlir.make_ir_context(), ir.Location.unknown():
        module = _parsed(program)
        main = _main(module)
        tensors, gone, left = {}, [], []
        for number, argument in enumerate(main.arguments):
            name = _name(argument, number)
            tensor = _tensor_of(name, number, given, weights)
            if tensor is None:
                left.append(name)
                continue
            if tensor not in weights:
                raise Unbound(f"`{name}`: no tensor `{tensor}`")
            array = _fitting(weights[tensor], argument.type, f"`{name}`, `{tensor}`")
            with ir.InsertionPoint.at_block_begin(main.entry_block), argument.location:
                argument.replace_all_uses_with(mlir.ir_constant(array))
            tensors[name] = tensor
            gone.append(number)
            given.pop(name, None)
            given.pop(f"arg{number}", None)
        if given:
            raise Unbound(f"the program has no argument {', '.join(f'`{name}`' for name in given)}")
        _without(main, gone)
        text = io.BytesIO()
        module.operation.write_bytecode(text)
    return Bound(_jax.mlir.serialize_portable_artifact(text.getvalue(), _STABLEHLO), tensors, left)
