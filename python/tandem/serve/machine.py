"""The step as one program that stays in a device's memory, with weights and pages beside it."""

from __future__ import annotations

import functools
import os
from typing import Any, Sequence

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # JAX only traces here

import jax
import numpy as np

from tandem import jax_tools
from tandem.device import Device, type_name
from tandem.serve.model import Model
from tandem.serve.step import Rows, step


def _bytes(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


class Machine:
    """`rows` rows a step, requests of at most `table` pages, `count` pages of `page` positions in all."""

    def __init__(self, model: Model, *, preset: str, simulation: str, form: str, rows: int, table: int, page: int, count: int, hbm: int):
        self.preset, self.simulation, self.rows, self.table = preset, simulation, rows, table
        self._vocabulary = model.shape.vocabulary
        weights = model.weights(form)
        pages = jax.ShapeDtypeStruct((model.shape.layers * count, page, 2 * model.shape.keys), np.float32)
        told = Rows(*(np.zeros(size, np.int32) for size in (rows, rows, (rows, table))))
        program = jax.jit(functools.partial(step, model.shape), donate_argnums=1, keep_unused=True)
        elf = jax_tools.compile(program, weights, pages, told, preset=preset)
        leaves = jax.tree.leaves((weights, pages, told))
        self._runs = _Resident(Device(preset, simulation, hbm=hbm), elf, leaves)
        self.cycles_are_measured = simulation == "cycle"
        self.step_cycles = 0
        if not self.cycles_are_measured:  # the same work each time: one step on the exact model gives the cycles of all
            self.step_cycles = _Resident(Device(preset, "cycle", hbm=hbm), elf, leaves).launch(told)

    def step(self, rows: Rows) -> tuple[np.ndarray, int]:
        """The likeliest next token of each row, and the cycles of the step."""
        cycles = self._runs.launch(rows)
        return self._runs.output(0, (self.rows,), np.int32), cycles or self.step_cycles

    def scores(self) -> np.ndarray:
        """Of the last step, [rows, vocabulary]."""
        return self._runs.output(1, (self.rows, self._vocabulary), np.float32)


class _Resident:
    """A program with its tensors in a device; all but the last three inputs are written once."""

    def __init__(self, device: Device, elf: bytes, leaves: Sequence[Any]):
        self._device, self._program = device, device.load(elf)
        given, handles = iter(leaves), {}
        for info in self._program.tensors:
            handles[info.name] = handles[info.shares] if info.shares else device._core.allocate(info.type, list(info.shape))
            if info.is_input:
                leaf = next(given)
                assert info.shape == tuple(leaf.shape) and info.type == type_name(np.dtype(leaf.dtype)), info.name
                if not isinstance(leaf, jax.ShapeDtypeStruct):
                    device._core.write(handles[info.name], _bytes(np.asarray(leaf)))
                else:
                    _clear(device, handles[info.name], leaf)
        self._handles = list(handles.values())
        names = [info.name for info in self._program.tensors if info.is_input]
        self._told = [handles[name] for name in names[-3:]]
        self._outputs = [handles[info.name] for info in self._program.tensors if info.is_output]

    def launch(self, rows: Rows) -> int:
        """Cycles; 0 on a model without time."""
        for handle, array in zip(self._told, rows, strict=True):
            self._device._core.write(handle, _bytes(np.asarray(array, np.int32)))
        return self._program.launch(self._handles)["cycles"]

    def output(self, number: int, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        array = np.empty(shape, dtype)
        self._device._core.read(self._outputs[number], _bytes(array))
        return array


def _clear(device: Device, handle: Any, leaf: Any) -> None:
    """Zeros: rows are masked by position, but never-written data may be NaN."""
    device._core.write(handle, np.zeros(int(np.prod(leaf.shape)) * np.dtype(leaf.dtype).itemsize, np.uint8))


__all__ = ["Machine", "Rows"]
