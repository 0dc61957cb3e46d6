"""MLIR modules: reading, walking, writing."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterator
from typing import Any

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import chlo, sdy, stablehlo

VERSION = "1.13.0"  # the version that the plugin asks JAX for


class Refused(Exception):
    """A program that cannot be partitioned; the text begins as the compiler's diagnostics do."""


@functools.cache
def _register_passes() -> None:
    from jaxlib.mlir._mlir_libs import _mlirHlo, _stablehlo

    _stablehlo.register_stablehlo_passes()
    _mlirHlo.register_mhlo_passes()


def new_context() -> Any:
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext

    _register_passes()
    context = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in (stablehlo, sdy, chlo):
        dialect.register_dialect(context)
    context.allow_unregistered_dialects = True
    return context


def read(context: Any, artifact: bytes) -> Any:
    return stablehlo.deserialize_portable_artifact(context, artifact)


def parse(code: bytes) -> Any:
    """StableHLO in any form."""
    return ir.Module.parse(code)


def write(module: Any) -> bytes:
    """As an artifact; the module stays unchanged, which the serializer alone would not guarantee."""
    module.operation.verify()
    code = io.BytesIO()
    module.operation.write_bytecode(code)
    return stablehlo.serialize_portable_artifact(parse(code.getvalue()), VERSION)


def run_passes(module: Any, passes: str) -> None:
    passmanager.PassManager.parse(f"builtin.module({passes})").run(module.operation)


def name_of(operation: Any) -> str:
    return ir.StringAttr(operation.operation.attributes["sym_name"]).value


def main_of(module: Any) -> Any:
    for function in module.body:
        if function.operation.name == "func.func" and name_of(function) == "main":
            return function
    raise Refused("error: a program without a function `main`")


def types_of(function: Any) -> tuple[list[Any], list[Any]]:
    kind = ir.FunctionType(ir.TypeAttr(function.operation.attributes["function_type"]).value)
    return list(kind.inputs), list(kind.results)


def _attributes(function: Any, name: str, number: int) -> list[dict[str, Any]]:
    attributes = function.operation.attributes
    if name not in attributes:
        return [{} for _ in range(number)]
    return [{entry.name: entry.attr for entry in ir.DictAttr(each)} for each in ir.ArrayAttr(attributes[name])]


def attributes_of_arguments(function: Any) -> list[dict[str, Any]]:
    """One dictionary for each argument of a function."""
    return _attributes(function, "arg_attrs", len(types_of(function)[0]))


def attributes_of_results(function: Any) -> list[dict[str, Any]]:
    return _attributes(function, "res_attrs", len(types_of(function)[1]))


def set_attributes_of_arguments(function: Any, attributes: list[dict[str, Any]]) -> None:
    function.operation.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(each) for each in attributes])


def all_below(operation: Any) -> Iterator[Any]:
    """Every operation inside of one, which may be erased once it has been given."""
    for region in operation.operation.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                yield from all_below(inner.operation)
                yield inner.operation


def call_target(operation: Any) -> str | None:
    """Of a custom call."""
    if "call_target_name" not in operation.attributes:
        return None
    return ir.StringAttr(operation.attributes["call_target_name"]).value


_PARTITIONS = "mhlo.num_partitions"


def partitions_of(module: Any) -> int:
    return ir.IntegerAttr(module.operation.attributes[_PARTITIONS]).value


def set_partitions(module: Any, number: int) -> None:
    module.operation.attributes[_PARTITIONS] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), number)


def place_of(operation: Any) -> str:
    """file:line of the user, as far as it is known: the innermost one."""
    found = re.search(r'"([^"]+)":(\d+):\d+', str(operation.location))
    return f"{found.group(1)}:{found.group(2)}: " if found else ""
