"""The machine without JAX: devices, programs, runs.

    device = tandem.Device(preset="small", model="cycle")
    program = device.load(tandem.assemble(open("scale.s").read()))
    run = program(x=numpy.ones(100, numpy.float32))
    run.outputs["y"], run.cycles, run.counters
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from tandem import _core, html, tools

# The NumPy type of each element type.
_DTYPES = {"f32": np.dtype(np.float32), "s32": np.dtype(np.int32), "s8": np.dtype(np.int8),
           "i1": np.dtype(np.bool_), "u8": np.dtype(np.uint8), "u32": np.dtype(np.uint32),
           "u64": np.dtype(np.uint64), "f16": np.dtype(np.float16), "s16": np.dtype(np.int16),
           "u16": np.dtype(np.uint16), "c64": np.dtype(np.complex64)}


# Those of the package ml_dtypes, if it is installed.
_ML_DTYPES = {"bf16": "bfloat16", "s4": "int4", "u4": "uint4", "s2": "int2", "u2": "uint2",
              "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
              "f8e4m3b11fnuz": "float8_e4m3b11fnuz", "f8e4m3fnuz": "float8_e4m3fnuz",
              "f8e5m2fnuz": "float8_e5m2fnuz", "f8e4m3": "float8_e4m3", "f8e3m4": "float8_e3m4",
              "f8e8m0fnu": "float8_e8m0fnu", "f4e2m1fn": "float4_e2m1fn"}


def _dtype(name: str) -> np.dtype:
    if name in _ML_DTYPES:
        import ml_dtypes
        return np.dtype(getattr(ml_dtypes, _ML_DTYPES[name]))
    return _DTYPES[name]


@functools.cache
def type_name(dtype: np.dtype) -> str:
    """The machine's name for a NumPy type."""
    for name in (*_DTYPES, *_ML_DTYPES):
        if _dtype(name) == dtype:
            return name
    raise TypeError(f"the machine has no elements of type {dtype}")


# Called with the program and the inputs of each launch by name, while a recording is active (recording.py).
on_launch: Callable[[bytes, Mapping[str, np.ndarray]], None] | None = None


def default_machine() -> str:
    """The default machine: that of JAX's devices (TANDEM_PRESET), else small."""
    return os.environ.get("TANDEM_PRESET") or "small"


class RunError(RuntimeError):
    """A run that did not halt: a trap, a race, never-written data, a mismatch of models.

    outcome names which, report is the page about it, details the same as a dictionary.
    """

    def __init__(self, outcome: str, report: str, details: Any):
        super().__init__(f"the program ended with: {outcome}\n{report}")
        self.outcome = outcome
        self.report = report
        self.details = details


@dataclass(frozen=True)
class TensorInfo:
    """A tensor as a program declares it.

    A size of -1 is open: it comes from the array given, or, by its name, from another tensor's. A name
    as "n - 4" is made of such names.
    shares names the input whose memory an output takes.
    """

    name: str
    type: str
    shape: tuple[int, ...]
    size_names: tuple[str, ...]
    is_input: bool
    is_output: bool
    shares: str

    @property
    def dtype(self) -> np.dtype:
        return _dtype(self.type)


@dataclass(frozen=True)
class Run:
    """The results of a run: arrays by name, and its cost."""

    outputs: dict[str, np.ndarray]
    bundles: int
    cycles: int | None  # None on a model without time
    seconds: float
    counters: dict[str, Any] | None = field(repr=False, default=None)

    def _repr_html_(self) -> str:
        time = "" if self.cycles is None else f"{self.cycles:,} cycles, "
        return html.heading(f"{time}{self.bundles:,} bundles, {self.seconds:.3g} s") + html.table(
            ("output", "type", "shape", "begins with"),
            [(name, str(value.dtype), str(value.shape),
              np.array2string(value.reshape(-1)[:6], separator=", ", threshold=6))
             for name, value in self.outputs.items()])


class Device:
    """One machine with its memory.

    preset: nano, small, edge or full, or sizes as "lanes=32,vmem=2MiB", or a file of them
    ("mine.toml"); by default that of TANDEM_PRESET, else small. model: golden (fast), cycle (exact time), rtl (the
    Verilog), lockstep (all three, compared). hbm: bytes of memory; it costs the host only what is written. Threads may
    share a device: it executes one call at a time, and others wait for its end; different devices run in parallel.
    """

    def __init__(self, preset: str = "", model: str = "golden", *, hbm: int = 4 << 30,
                 seed: int = 1):
        preset = preset or default_machine()
        self._core = _core.Device(preset, model, hbm, seed)
        self.preset = _core.machine_name(preset)
        self.model = model

    def __repr__(self) -> str:
        return f"tandem.Device(preset={self.preset!r}, model={self.model!r})"

    @property
    def memory(self) -> dict[str, int]:
        """Bytes: capacity, used, peak, largest_free."""
        return self._core.memory()

    def load(self, program: bytes | str | os.PathLike[str]) -> "Program":
        """A program from the bytes of an ELF file, or from a file (assembly text if it ends in .s)."""
        if isinstance(program, bytes):
            return Program(self, program)
        path = tools.input_file(program)
        if path.suffix == ".s":
            return Program(self, assemble(path.read_text(), name=str(path), preset=self.preset))
        return Program(self, path.read_bytes())


class Program:
    """A program in the memory of a device, called with its input tensors by name."""

    def __init__(self, device: Device, elf: bytes):
        self.device = device
        self._elf = elf
        self._core = device._core.load(elf)
        self.tensors = tuple(
            TensorInfo(name, type_, tuple(sizes), tuple(names), is_input, is_output, shares)
            for name, type_, sizes, names, is_input, is_output, shares in self._core.tensors)

    def __call__(self, *, limit: int = 0, **inputs: Any) -> Run:
        """Runs; limit: bundles (golden) or cycles after which to give up, 0 for the model's default."""
        self._check_names(inputs)
        core = self.device._core
        arrays = {info.name: self._array(info, inputs) for info in self.tensors if info.is_input}
        shapes = self._shapes(arrays)
        if on_launch is not None:
            on_launch(self._elf, arrays)
        tensors: dict[str, Any] = {}
        for info in self.tensors:
            if info.shares:
                tensors[info.name] = tensors[info.shares]
                continue
            tensors[info.name] = core.allocate(info.type, list(shapes[info.name]))
            if info.is_input:
                core.write(tensors[info.name], _bytes(arrays[info.name]))
        result = self.launch(list(tensors.values()), limit)
        outputs = {}
        for info in self.tensors:
            if info.is_output:
                outputs[info.name] = np.empty(shapes[info.name], info.dtype)
                core.read(tensors[info.name], _bytes(outputs[info.name]))
        return Run(outputs, result["bundles"], result["cycles"] or None, result["seconds"],
                   json.loads(result["counters"]) if result["counters"] else None)

    def launch(self, tensors: Sequence[Any], limit: int = 0) -> dict[str, Any]:
        """Runs on tensors in the device's memory, in the order of `tensors`; the cost of the run. Raises RunError."""
        result = self.device._core.launch(self._core, list(tensors), limit)
        if result["outcome"] != "halted":
            details = json.loads(result["report_json"]) if result["report_json"] else None
            raise RunError(result["outcome"], result["report"], details)
        return result

    def _shapes(self, arrays: Mapping[str, np.ndarray]) -> dict[str, tuple[int, ...]]:
        """Every tensor's sizes, the open ones from arrays with the same names of sizes."""
        known: dict[str, int] = {}
        for info in self.tensors:
            if info.name in arrays:
                known.update(zip(info.size_names, arrays[info.name].shape))
        shapes = {}
        for info in self.tensors:
            declared = arrays[info.name].shape if info.name in arrays else info.shape
            names = info.size_names or ("",) * len(declared)
            shapes[info.name] = tuple(self._open_size(info, name, known) if size < 0 else size
                                      for name, size in zip(names, declared))
            if any(size < 0 for size in shapes[info.name]):
                raise ValueError(f"the program leaves the size of `{info.name}` open")
        return shapes

    @staticmethod
    def _open_size(info: TensorInfo, name: str, known: Mapping[str, int]) -> int:
        if name in known or not _core.is_size_expression(name):
            return known.get(name, -1)
        try:
            return _core.size_of(name, dict(known))
        except ValueError as error:
            raise ValueError(f"the size of `{info.name}`: {error}") from None

    def _check_names(self, inputs: Mapping[str, Any]) -> None:
        wanted = {info.name for info in self.tensors if info.is_input}
        if missing := sorted(wanted - set(inputs)):
            raise TypeError(f"missing inputs: {', '.join(missing)}")
        if unknown := sorted(set(inputs) - wanted):
            raise TypeError(f"the program has no inputs {', '.join(unknown)}")

    @staticmethod
    def _array(info: TensorInfo, inputs: Mapping[str, Any]) -> np.ndarray:
        array = np.ascontiguousarray(inputs[info.name], dtype=info.dtype)
        array = array.reshape(np.shape(inputs[info.name]))  # ascontiguousarray lifts scalars
        fits = len(array.shape) == len(info.shape) and all(
            want in (-1, have) for have, want in zip(array.shape, info.shape))
        if not fits:
            raise ValueError(f"`{info.name}` is {info.shape}, an array of {array.shape} was given")
        return array


def _bytes(array: np.ndarray) -> np.ndarray:
    """The array's own memory as bytes."""
    return array.reshape(-1).view(np.uint8)


def assemble(text: str, *, name: str = "<text>", preset: str = "",
             include_paths: tuple[str, ...] = (), schedule: str = "full",
             link: bool = True) -> bytes:
    """Assembly text to the bytes of an ELF file. Raises ValueError with every mistake in the text.

    schedule: how linear blocks are scheduled: none, list or full. link=False gives an object.
    """
    return _core.assemble(text, name, preset, list(include_paths), schedule, link)
