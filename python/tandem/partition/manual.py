"""Programs that describe each device's part themselves: one `shard_map` or `pmap` over all axes of the mesh, and
nothing around it. Its body is the program of one device.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy

from tandem.partition import modules, shardings


def _only_operation(main: Any) -> Any:
    """The computation whose operands are the arguments and whose results are the results; else None."""
    block = main.operation.regions[0].blocks[0]
    operations = list(block.operations)
    if len(operations) != 2 or operations[0].operation.name != "sdy.manual_computation":
        return None
    computation, end = (operation.operation for operation in operations)
    whole = (list(computation.operands) == list(block.arguments) and list(end.operands) == list(computation.results))
    return computation if whole else None


def _texts(computation: Any, name: str, meshes: dict[str, shardings.Mesh]) -> list[str]:
    each = sdy.TensorShardingPerValueAttr(computation.attributes[name]).shardings
    return [shardings.text_of(sharding, meshes) for sharding in each]


def _all_axes_are_manual(computation: Any, meshes: dict[str, shardings.Mesh], partitions: int) -> bool:
    used = {ir.FlatSymbolRefAttr(sdy.TensorShardingAttr(sharding).mesh_or_ref).value
            for name in ("in_shardings", "out_shardings")
            for sharding in sdy.TensorShardingPerValueAttr(computation.attributes[name]).shardings}
    if len(used) != 1:
        return False
    mesh = meshes[used.pop()]
    axes = set(sdy.ManualAxesAttr(computation.attributes["manual_axes"]))
    return axes == set(mesh.sizes) and mesh.places.size == partitions


def _declared(attributes: Any, meshes: dict[str, shardings.Mesh]) -> str | None:
    """The program's sharding of an argument or a result; None if there is none."""
    return shardings.text_of(attributes["sdy.sharding"], meshes) if "sdy.sharding" in attributes else None


def _become_main(main: Any, computation: Any) -> None:
    block = main.operation.regions[0].blocks[0]
    body = computation.regions[0].blocks[0]
    *inner, end = (operation.operation for operation in list(body.operations))
    old = list(block.arguments)
    for inside, outside in zip(body.arguments, old, strict=True):
        inside.replace_all_uses_with(block.add_argument(inside.type, outside.location))
    for operation in inner:
        operation.move_before(computation)
    results = list(end.operands)
    location = end.location
    for operation in (list(block.operations)[-1].operation, computation):
        operation.erase()
    for _ in old:
        block.erase_argument(0)
    with ir.InsertionPoint(block):
        ir.Operation.create("func.return", operands=results, loc=location)
    types = ir.FunctionType.get([argument.type for argument in block.arguments], [result.type for result in results])
    main.operation.attributes["function_type"] = ir.TypeAttr.get(types)
    if "res_attrs" in main.operation.attributes:
        del main.operation.attributes["res_attrs"]  # of the whole


def local_program(module: Any, free_results: Sequence[bool]) -> tuple[list[bytes], list[bytes]] | None:
    """Makes the module that of one device and gives the shardings of its arguments and results; None, with the module
    unchanged, if that needs a partitioner. `free_results`: the caller accepts any sharding.
    """
    main = modules.main_of(module)
    computation = _only_operation(main)
    if computation is None:
        return None
    meshes = shardings.meshes_of(module)
    try:
        if not _all_axes_are_manual(computation, meshes, modules.partitions_of(module)):
            return None
        inputs, outputs = (_texts(computation, name, meshes) for name in ("in_shardings", "out_shardings"))
        given = [_declared(each, meshes) for each in modules.attributes_of_arguments(main)]
        wanted = [_declared(each, meshes) for each in modules.attributes_of_results(main)]
    except shardings.NotPlain:
        return None
    if [text or shardings.REPLICATED for text in given] != inputs:
        return None
    for text, output, free in zip(wanted, outputs, free_results, strict=True):
        if output != (text or (output if free else shardings.REPLICATED)):
            return None
    _become_main(main, computation)
    return [list(map(shardings.bytes_of, texts)) for texts in (inputs, outputs)]
