"""All of it: artifact in, artifact and shardings out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxlib.mlir import ir

from tandem.partition import automatic, local, manual, modules
from tandem.partition.pieces import Partitioned

_RAW_POINTERS = ("error: unimplemented: jax.debug.inspect_array_sharding on Tandem: it wants a function of this "
                 "process called while the program is partitioned, which happens in another one")


def _refuse_raw_pointers(module: Any) -> None:
    for operation in modules.all_below(module):
        if modules.call_target(operation) == "InspectSharding":
            raise modules.Refused(modules.place_of(operation) + _RAW_POINTERS)


def _donations(module: Any) -> tuple[list[int], dict[int, int]]:
    """Arguments that may be donated, and those that are aliased to a result."""
    donors: list[int] = []
    aliases: dict[int, int] = {}
    for number, attributes in enumerate(modules.attributes_of_arguments(modules.main_of(module))):
        if "tf.aliasing_output" in attributes:
            aliases[number] = ir.IntegerAttr(attributes["tf.aliasing_output"]).value
        elif "jax.buffer_donor" in attributes:
            donors.append(number)
    return donors, aliases


def _drop_shardings(module: Any) -> None:
    for operation in modules.all_below(module):
        if operation.name == "sdy.mesh":
            operation.erase()
        elif "sdy.sharding" in operation.attributes:
            del operation.attributes["sdy.sharding"]


def partition(artifact: bytes, partitions: int, free_results: Sequence[bool],
              is_manual_allowed: bool = True) -> Partitioned:
    """The program of one device. `free_results`: of each result, whether its sharding may be chosen. Raises Refused."""
    with modules.new_context(), ir.Location.unknown():
        module = modules.read(ir.Context.current, artifact)
        _refuse_raw_pointers(module)
        modules.set_partitions(module, partitions)
        donors, aliases = _donations(module)
        _, results = modules.types_of(modules.main_of(module))
        free = list(free_results) or [False] * len(results)
        found = manual.local_program(module, free) if is_manual_allowed else None
        if found is None:
            module, inputs, outputs = automatic.local_program(module, free)
        else:
            inputs, outputs = found
        _drop_shardings(module)
        modules.set_partitions(module, partitions)
        local.donate(module, donors, aliases)
        shown = modules.write(module)
        takes_number = local.number_as_argument(module)
        return Partitioned(modules.write(module) if takes_number else shown, shown, takes_number, inputs, outputs)
