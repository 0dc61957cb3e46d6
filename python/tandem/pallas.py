"""Unchanged Pallas kernels for TPU: rules for the platform, and the chip's properties that kernels may query.

A kernel goes into the program as JAX has lowered it for a TPU, `custom_call @tpu_custom_call`; the
compiler makes code of it (docs/pallas.md). Only `interpret=True` asks for JAX's interpreter.

Pallas takes a while to import, so nothing here does it: each rule is registered when the module of its primitive is
imported.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from types import ModuleType
from typing import Any, Callable, Sequence

from tandem.assembly.sizes import sizes_of

# The sizes for checks of blocks, for every preset: JAX has these numbers as constants, too.
_LANES = 128
_SUBLANES = 8
# That of the TPU whose rules for blocks and types are the plainest.
_GENERATION = 5
_WORD = 4
_HERTZ = 1_000_000_000
_HBM_BYTES = 1 << 34


def _info(machine: str) -> Any:
    from jax._src.pallas.mosaic import tpu_info
    sizes = sizes_of(machine)
    products = 2 * sizes.lanes * sizes.lanes * _HERTZ
    return tpu_info.TpuInfo(
        chip_version=tpu_info.ChipVersion.TPU_V5E, generation=_GENERATION, num_cores=1,
        num_lanes=_LANES, num_sublanes=_SUBLANES, mxu_column_size=_LANES, num_mxus=1,
        num_accumulators=0, vmem_capacity_bytes=sizes.vmem_rows * sizes.lanes * _WORD,
        cmem_capacity_bytes=0, smem_capacity_bytes=sizes.smem_words * _WORD,
        hbm_capacity_bytes=_HBM_BYTES, mem_bw_bytes_per_second=sizes.lanes * _WORD * _HERTZ,
        bf16_ops_per_second=products, int8_ops_per_second=products, fp8_ops_per_second=0,
        int4_ops_per_second=0)


class _Chips(dict):
    """JAX's table of chips by the kind of a device, extended by all machines: there is one for each size."""

    _PREFIX = "Tandem "

    def __contains__(self, kind: object) -> bool:
        return super().__contains__(kind) or str(kind).startswith(self._PREFIX)

    def __missing__(self, kind: str) -> Callable[[], Any]:
        return lambda: _info(kind.removeprefix(self._PREFIX))


def _know_machines(tpu_info: ModuleType) -> None:
    tpu_info.registry = _Chips(tpu_info.registry)


def _pallas_call_rule(module: ModuleType, platform: str) -> None:
    from jax._src.interpreters import mlir

    def rule(context: Any, *operands: Any, interpret: Any, **parameters: Any) -> Any:
        if interpret:
            return module._pallas_call_lowering(context, *operands, interpret=interpret,
                                                **parameters)
        from jax._src.pallas.mosaic import pallas_call_registration
        return pallas_call_registration.pallas_call_tpu_lowering_rule(
            context, *operands, interpret=False, **parameters)

    mlir.register_lowering(module.pallas_call_p, rule, platform=platform)


def _mpmd_rule(module: ModuleType, platform: str) -> None:
    from jax._src.interpreters import mlir
    mlir.register_lowering(module.mpmd_map_p, module._mpmd_map_tpu_lowering, platform=platform)


def _custom_call_rule(module: ModuleType, platform: str) -> None:
    from jax._src.interpreters import mlir
    mlir.register_lowering(module.tpu_custom_call_p, module._tpu_custom_call_lowering,
                           platform=platform)


class _WhenImported(importlib.abc.MetaPathFinder):
    """Calls a function with a module once that is imported."""

    def __init__(self, functions: dict[str, Callable[[ModuleType], None]]):
        self._functions = functions

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
                  ) -> importlib.machinery.ModuleSpec | None:
        function = self._functions.pop(name, None)
        if function is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            function(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def register(platform: str) -> None:
    """Gives the platform its rules, now or when Pallas is imported."""
    functions: dict[str, Callable[[ModuleType], None]] = {
        "jax._src.pallas.pallas_call": lambda module: _pallas_call_rule(module, platform),
        "jax._src.pallas.mpmd": lambda module: _mpmd_rule(module, platform),
        "jax._src.tpu_custom_call": lambda module: _custom_call_rule(module, platform),
        "jax._src.pallas.mosaic.tpu_info": _know_machines,
    }
    for name in list(functions):
        if name in sys.modules:
            functions.pop(name)(sys.modules[name])
    if functions:
        sys.meta_path.insert(0, _WhenImported(functions))
