"""The device itself: its memory, and programs in it. Buffers are in the host's memory; a launch copies its inputs."""

from __future__ import annotations

import os
import sys

import numpy as np
from tinygrad.device import Allocator, Compiled, Compiler, Program, TinyELF
from tinygrad.dtype import dtypes
from tinygrad.renderer import Renderer

from tandem import jax_tools
from tandem.device import Device, default_machine

TYPES = {dtypes.float32: "f32", dtypes.bfloat16: "bf16", dtypes.half: "f16", dtypes.bool: "i1", dtypes.int8: "i8",
         dtypes.uint8: "ui8", dtypes.int16: "i16", dtypes.uint16: "ui16", dtypes.int32: "i32", dtypes.uint32: "ui32",
         dtypes.int64: "i64", dtypes.uint64: "ui64"}


def preset() -> str:
    return default_machine()


class TandemCompiler(Compiler):
    """StableHLO to an ELF file; tinygrad caches the results on disk (unless CCACHE=0)."""

    def __init__(self) -> None:
        compiler = jax_tools.compiler_path().stat()
        super().__init__(f"tandem_{preset()}_{compiler.st_size}_{compiler.st_mtime_ns}")

    def compile(self, src: str) -> bytes:
        return jax_tools.compiled(src.encode(), preset())


class TandemRenderer(Renderer):
    """A placeholder for tinygrad's renderer. Programs come from the tensor graph: nothing is rendered."""

    has_local = has_shared = False

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.compiler = TandemCompiler()

    def supported_dtypes(self) -> set:
        return set(TYPES) - {dtypes.int64, dtypes.uint64}  # those are in programs only


class TandemAllocator(Allocator):
    def _alloc(self, size: int, options: object) -> memoryview:
        return memoryview(bytearray(size))

    def _as_buffer(self, src: memoryview) -> memoryview:
        return src

    def _copyin(self, dest: memoryview, src: memoryview) -> None:
        dest[:] = src

    def _copyout(self, dest: memoryview, src: memoryview) -> None:
        dest[:] = src

    def _transfer(self, dest: memoryview, src: memoryview, size: int, src_dev: object, dest_dev: object) -> None:
        dest[:] = src

    def _offset(self, buf: memoryview, size: int, offset: int) -> memoryview:
        return buf[offset:offset + size]


class TandemProgram(Program):
    """Called with the buffers of its outputs, then with those of its inputs. Returns the seconds that the machine would
    take at 1 GHz: cycles if the model has time, else bundles."""

    def __init__(self, device: TandemDevice, obj: TinyELF):
        self.program = device.machine.load(obj.lib)
        self.outputs = [info for info in self.program.tensors if info.is_output]
        self.inputs = {info.name: info for info in self.program.tensors if info.is_input}

    def __call__(self, *buffers: memoryview, **_: object) -> float:
        given = buffers[len(self.outputs):]
        inputs = {}
        for name, info in self.inputs.items():
            buffer = given[int(name.removeprefix("arg"))]
            inputs[name] = np.frombuffer(buffer, info.dtype).reshape(info.shape)
        run = self.program(**inputs)
        for info, buffer in zip(self.outputs, buffers):
            buffer[:] = memoryview(run.outputs[info.name].reshape(-1).view(np.uint8))
        TandemDevice.launches += 1
        TandemDevice.cycles += run.cycles or 0
        return (run.cycles or run.bundles) * 1e-9


class TandemDevice(Compiled):
    launches = 0
    cycles = 0  # on models that have time

    def __init__(self, device: str):
        if sys.byteorder != "little":
            raise RuntimeError("the device TANDEM needs a little-endian host")
        super().__init__(device, TandemAllocator(self), [TandemRenderer], TandemProgram)
        self.machine = Device(preset(), os.environ.get("TANDEM_MODEL", "golden"))
