"""A machine and the contents of its memory: values of torch's tensors, so that they are not sent again.

A tensor of torch on the CPU is sent when its bytes differ from what the machine has for it. The bytes are compared:
`.data`, NumPy and reused memory all change a tensor without notice.
"""

from __future__ import annotations

import collections
import functools
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
import torch

from tandem.device import Device, Program, type_name
from tandem.torch.values import element, host_array, narrow, of_torch


@dataclass
class Statistics:
    """What was done so far, on all machines of this process."""

    programs: int = 0
    launches: int = 0
    cycles: int = 0
    bytes_sent: int = 0
    bytes_fetched: int = 0


statistics = Statistics()


@dataclass(frozen=True)
class Value:
    """A value in the machine's memory, freed with its last reference."""

    handle: Any
    shape: tuple[int, ...]
    dtype: np.dtype


@dataclass(frozen=True)
class _Sent:
    bytes: np.ndarray
    value: Value


class Machine:
    """One device. Its user holds `lock`."""

    def __init__(self, preset: str, model: str):
        self.device = Device(preset, model)
        self.lock = threading.RLock()
        self._sent: collections.OrderedDict[Any, _Sent] = collections.OrderedDict()
        self._sent_bytes = 0
        self._resident: dict[int, Value] = {}

    def load(self, elf: bytes) -> Program:
        statistics.programs += 1
        return self.device.load(elf)

    def value_of(self, tensor: torch.Tensor, what: str) -> Value:
        """The tensor in the machine's memory. Raises Refused."""
        if (value := self._resident.get(tensor.untyped_storage().data_ptr())) is not None:
            assert value.shape == tuple(tensor.shape), "a view of what only the machine has"
            return value
        array, key = host_array(tensor, what), _identity(tensor)
        known = self._sent.get(key)
        if known is not None and np.array_equal(known.bytes, _bytes(array)):
            self._sent.move_to_end(key)
            return known.value
        value = self.send(narrow(array, element(tensor.dtype), what))
        self._remember(key, _bytes(array).copy(), value)
        return value

    def remember(self, tensor: torch.Tensor, value: Value) -> None:
        """Records that the machine has the tensor as `value`."""
        self._remember(_identity(tensor), _bytes(host_array(tensor, "a tensor")).copy(), value)

    def _remember(self, key: Any, contents: np.ndarray, value: Value) -> None:
        if (old := self._sent.pop(key, None)) is not None:
            self._sent_bytes -= old.bytes.size
        self._sent[key] = _Sent(contents, value)
        self._sent_bytes += contents.size
        while self._sent_bytes > _KEPT and len(self._sent) > 1:
            self._sent_bytes -= self._sent.popitem(last=False)[1].bytes.size

    def send(self, array: np.ndarray) -> Value:
        core, array = self.device._core, np.ascontiguousarray(array).reshape(array.shape)
        value = Value(self._allocate(type_name(array.dtype), array.shape), array.shape, array.dtype)
        core.write(value.handle, _bytes(array))
        statistics.bytes_sent += array.nbytes
        return value

    def fetch(self, value: Value) -> np.ndarray:
        array = np.empty(value.shape, value.dtype)
        self.device._core.read(value.handle, _bytes(array))
        statistics.bytes_fetched += array.nbytes
        return array

    def fetch_tensor(self, value: Value, dtype: torch.dtype, strides: tuple[int, ...] | None) -> torch.Tensor:
        """Fetches it for torch; the machine remembers that it has the same value."""
        tensor = of_torch(self.fetch(value), dtype, strides)
        self.remember(tensor, value)
        return tensor

    def keep(self, value: Value, dtype: torch.dtype) -> torch.Tensor:
        """A tensor without contents in the place of a value that only programs of this machine will read."""
        owner = np.full(dtype.itemsize, 1 if dtype == torch.bool else 0xFF, np.uint8)  # NaN: it must not be read
        storage = torch.from_numpy(owner).untyped_storage()
        address = storage.data_ptr()
        self._resident[address] = value
        weakref.finalize(owner, self._resident.pop, address, None)
        return torch.empty(0, dtype=dtype).set_(storage, 0, value.shape, (0,) * len(value.shape))

    def launch(self, program: Program, inputs: Sequence[Value]) -> list[Value]:
        """Runs it; the program's outputs in order. Raises tandem.RunError."""
        given, handles, outputs = iter(inputs), [], []
        for info in program.tensors:
            if info.is_input:
                handles.append(next(given).handle)
                continue
            handles.append(self._allocate(info.type, info.shape))
            outputs.append(Value(handles[-1], info.shape, info.dtype))
        result = program.launch(handles)
        statistics.launches += 1
        statistics.cycles += result["cycles"] or 0
        return outputs

    def _allocate(self, kind: str, shape: tuple[int, ...]) -> Any:
        core = self.device._core
        try:
            return core.allocate(kind, list(shape))
        except MemoryError:
            self._sent.clear()
            self._sent_bytes = 0
            return core.allocate(kind, list(shape))


_KEPT = 1 << 30  # bytes of tensors that a machine remembers


def _bytes(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1).view(np.uint8)


def _identity(tensor: torch.Tensor) -> Any:
    """Of a tensor, as long as it lives."""
    return tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype


@functools.cache
def machine_of(preset: str, model: str) -> Machine:
    """The machine of these options, one in a process."""
    return Machine(preset, model)
