"""Programs that only state the layout of arrays: XLA's own partitioner derives the rest.

It is part of jaxlib's CPU client. A compilation runs up to the end of the partitioner and is stopped before code
generation, and the module of one device is read from a dump.
"""

from __future__ import annotations

import functools
import os
import pathlib
import re
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from tandem.partition import groups, modules, shardings

_STOP = "partitioned"
_BEFORE_SCHEDULING = 0
_PASS = "spmd-partitioning"


def _stop(_module: Any) -> None:
    raise RuntimeError(_STOP)


@functools.cache
def _client(devices: int) -> Any:
    """A CPU with as many devices; the first of a process says how many."""
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    from jaxlib import _xla, xla_client

    _xla.register_xla_transform("tandem-stop", _BEFORE_SCHEDULING, _stop)
    return xla_client.make_cpu_client()


def _options(partitions: int, free_results: Sequence[bool], folder: str) -> Any:
    from jaxlib import xla_client

    options = xla_client.CompileOptions()
    options.num_replicas = 1
    options.num_partitions = partitions
    options.device_assignment = xla_client.DeviceAssignment.create(np.arange(partitions).reshape(1, partitions))
    build = options.executable_build_options
    build.use_spmd_partitioning = True
    build.use_shardy_partitioner = True
    build.allow_spmd_sharding_propagation_to_output = list(free_results)
    build.debug_options.xla_dump_to = folder
    build.debug_options.xla_dump_hlo_as_proto = True
    build.debug_options.xla_dump_hlo_pass_re = _PASS
    return options


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _module_of(dump: bytes) -> bytes:
    """The HloModuleProto, which is field 1 of HloProto and comes first."""
    key, at = _varint(dump, 0)
    if key != 0x0A:
        raise RuntimeError("internal: XLA's dump is no HloProto")
    size, at = _varint(dump, at)
    return dump[at:at + size]


def _partitioned(module: Any, partitions: int, free_results: Sequence[bool]) -> tuple[bytes, dict[int, np.ndarray]]:
    """The module of one device, as StableHLO's bytes, and groups by the channels of its collectives."""
    from jaxlib import _hlo, _jax, xla_client

    client = _client(partitions)
    devices = xla_client.DeviceList(tuple(client.local_devices()[:partitions]))
    with tempfile.TemporaryDirectory(prefix="tandem-partition-") as folder:
        try:
            client.compile_and_load(module, devices, _options(partitions, free_results, folder))
        except Exception as error:
            if _STOP not in str(error):
                said = str(error).split("\n*** Begin stack trace")[0]
                raise modules.Refused(f"error: XLA cannot partition the program: {said}") from error
        dumps = list(pathlib.Path(folder).glob(f"*after_{_PASS}*.hlo.pb"))
        if len(dumps) != 1:
            raise RuntimeError(f"internal: {len(dumps)} dumps of {_PASS}")
        proto = _module_of(dumps[0].read_bytes())
    hlo = _hlo.HloModule.from_serialized_hlo_module_proto(proto)
    return _jax.mlir.hlo_to_stablehlo(hlo.as_serialized_hlo_module_proto()), groups.groups_by_channel(hlo.to_string())


def _keep_only_shardings(main: Any) -> None:
    """The attributes of arguments to keep: others make XLA alias arrays that do not have their final size yet."""
    given = modules.attributes_of_arguments(main)
    modules.set_attributes_of_arguments(
        main, [{name: value for name, value in each.items() if name == "sdy.sharding"} for each in given])


_CHANNEL = re.compile(r"handle = (\d+)")


def _spell_out_groups(operation: Any, known: dict[int, np.ndarray]) -> None:
    """Groups given by axes of a mesh, as lists of partitions."""
    text = str(operation.attributes["replica_groups"])
    if "mesh_axes" not in text:
        return
    channel = _CHANNEL.search(str(operation.attributes["channel_handle"]))
    if channel is None or int(channel[1]) not in known:
        raise RuntimeError(f"internal: groups that are not understood: {text}")
    rows = known[int(channel[1])]
    operation.attributes["replica_groups"] = ir.DenseElementsAttr.get(np.ascontiguousarray(rows.astype(np.int64)))


# XLA keeps the shardings of calls without results only if it recognizes functions of the host: by this name.
_HOST_CALLS = ("tandem_debug", "xla_ffi_python_cpu_callback")


def _rename_calls(module: Any, old: str, new: str) -> None:
    for operation in modules.all_below(module):
        if modules.call_target(operation) == old:
            operation.attributes["call_target_name"] = ir.StringAttr.get(new)


def _take_tuples_apart(module: Any) -> None:
    """In XLA each call gives one value: a tuple if it has no result, several results, or is a function of the host."""
    calls = [each for each in modules.all_below(module) if each.name == "stablehlo.custom_call"
             and any(isinstance(result.type, ir.TupleType) for result in each.results)]
    for operation in calls:
        given, = operation.results
        kind = given.type
        with ir.InsertionPoint(operation):
            call = ir.Operation.create(operation.name, results=[kind.get_type(number) for number in range(kind.num_types)],
                                       operands=list(operation.operands), loc=operation.location,
                                       attributes={name: operation.attributes[name] for name in operation.attributes
                                                   if name != "xla_shape"})
        for use in list(given.uses):
            taken = use.owner.operation
            if taken.name != "stablehlo.get_tuple_element":
                raise RuntimeError(f"internal: a tuple that is not taken apart: {taken}")
            number = ir.IntegerAttr(taken.attributes["index"]).value
            taken.results[0].replace_all_uses_with(call.results[number])
            taken.erase()
        operation.erase()


def _clean(module: Any, known: dict[int, np.ndarray]) -> None:
    """Without what only XLA knows."""
    for operation in modules.all_below(module):
        if operation.name == "mhlo.copy":
            operation.results[0].replace_all_uses_with(operation.operands[0])
            operation.erase()
        elif "replica_groups" in operation.attributes:
            _spell_out_groups(operation, known)
    main = modules.main_of(module)
    for name in ("arg_attrs", "res_attrs"):
        if name in main.operation.attributes:
            del main.operation.attributes[name]


def local_program(module: Any, free_results: Sequence[bool]) -> tuple[Any, list[bytes], list[bytes]]:
    """The module of one device, and the shardings of arguments and results."""
    partitions = modules.partitions_of(module)
    modules.run_passes(module, "func.func(stablehlo-legalize-composite-to-call)")
    main = modules.main_of(module)
    numbers = [len(types) for types in modules.types_of(main)]
    _keep_only_shardings(main)
    _rename_calls(module, *_HOST_CALLS)
    code, known = _partitioned(module, partitions, free_results)
    local = modules.parse(code)
    attributes = local.operation.attributes
    outputs = shardings.bytes_of_each(ir.StringAttr(attributes["mhlo.spmd_output_sharding"]).value, numbers[1])
    inputs = [shardings.bytes_of(ir.StringAttr(each).value)
              for each in ir.ArrayAttr(attributes["mhlo.spmd_parameters_shardings"])] if numbers[0] else []
    for name in list(attributes):
        if name.startswith("mhlo."):
            del attributes[name]
    _clean(local, known)
    _take_tuples_apart(local)
    _rename_calls(local, *reversed(_HOST_CALLS))
    modules.run_passes(local, "func.func(stablehlo-legalize-deprecated-ops),symbol-dce,canonicalize,cse")
    return local, inputs, outputs
