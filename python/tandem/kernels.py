"""Kernels in Python inside of `jax.jit`.

    @tandem.kernel(outputs=lambda x: x)
    def double(x, y):
        # tandem.assembly, in a linear block: x.words and y.words are word addresses in HBM
        ...

    jax.jit(lambda x: double(x) + 1)(x)
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import inspect
import operator
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Sequence

import numpy as np

from tandem.assembly import instructions
from tandem.assembly.copies import Place
from tandem.assembly.sizes import sizes_of
from tandem.assembly.operands import InSlot, On
from tandem.assembly.program import Program, current
from tandem.assembly.values import Scalar


@dataclass(frozen=True)
class Tensor:
    """An operand or result of a kernel: dense, row-major, an element a 32-bit word.

    f32 is itself, bf16 the fp32 of its value, integers are extended to 32 bits, booleans 0 or 1.
    The kernel's value of an output is rounded or truncated to the output's type.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    words: Scalar  # its word address, for the offsets of a copy whose descriptor begins at 0

    @property
    def size(self) -> int:
        """Elements, and so words."""
        return int(np.prod(self.shape))

    def place(self) -> Place:
        """Its place for a descriptor."""
        return Place("hbm", instructions.shl(self.words, 2), instructions.shr(self.words, 30))


_LEAVING = {"halt", "jump", "ret", "call"}


class KernelProgram(Program):
    """The program that a kernel's function writes to: the inside of a linear block.

    preset and lanes are those of its machine.
    """

    def __init__(self, preset: str):
        super().__init__(preset)
        self._lines.clear()
        self._places.clear()
        self._linear = True
        self.lanes = sizes_of(preset).lanes
        self.vmem_rows = 0
        self.smem_words = 0

    def operation(self, text: str, on: On, slot: InSlot) -> None:
        mnemonic = text.split("= ", 1)[-1].split(" ", 1)[0]
        if mnemonic in _LEAVING:
            raise RuntimeError(f"`{mnemonic}` in a kernel: it is part of a program, which goes on "
                               "after its last line")
        super().operation(text, on, slot)

    def directive(self, name: str, *arguments: str) -> None:
        raise RuntimeError(f"`{name}` in a kernel: it has scratch_vmem and scratch_smem, "
                           f"constants come from the caller")


def _kernel_program() -> KernelProgram:
    program = current()
    if not isinstance(program, KernelProgram):
        raise RuntimeError("this is for functions under tandem.kernel")
    return program


def lanes() -> int:
    """Lanes of the machine that the kernel is for."""
    return _kernel_program().lanes


def _count(what: str, number: Any) -> int:
    """A requested number of rows or words."""
    try:
        count = operator.index(number)
    except TypeError:
        raise TypeError(f"{what} is a number, not {number!r}") from None
    if not 0 <= count < 1 << 31:
        raise ValueError(f"{what} is 0 to 2^31 - 1, not {count}")
    return count


def scratch_vmem(rows: int) -> Scalar:
    """Reserves rows of VMEM until the kernel ends; returns the number of the first."""
    program = _kernel_program()
    rows = _count("the number of rows of scratch_vmem", rows)
    begin = program.vmem_rows
    program.vmem_rows += (rows + 7) // 8 * 8
    return instructions.add(Scalar("vmem"), begin)


def scratch_smem(words: int) -> Scalar:
    """Reserves words of SMEM, at a multiple of 16, until the kernel ends; returns the first."""
    program = _kernel_program()
    words = _count("the number of words of scratch_smem", words)
    begin = program.smem_words
    program.smem_words += (words + 15) // 16 * 16
    return instructions.add(Scalar("smem"), begin)


_preset: contextvars.ContextVar[str | None] = contextvars.ContextVar("tandem_preset", default=None)


@contextlib.contextmanager
def on_preset(preset: str) -> Iterator[None]:
    """Everything traced inside is for a machine of this preset, on any platform of JAX."""
    token = _preset.set(preset)
    try:
        yield
    finally:
        _preset.reset(token)


def check_platform() -> str:
    """The preset of the device; an error if the platform is not Tandem."""
    import jax

    if (preset := _preset.get()) is not None:
        return preset
    for device in jax.devices():
        if device.platform == "tandem":
            return device.preset
    raise RuntimeError("a kernel of tandem.kernel runs on the platform tandem only, this is "
                       f"{jax.default_backend()}: JAX_PLATFORMS=tandem")


class Kernel:
    """A function of tandem.assembly that is called with JAX arrays."""

    def __init__(self, function: Callable[..., None], outputs: Callable[..., Any]):
        functools.update_wrapper(self, function)
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self._function = function
        self._outputs = outputs
        self._refuse_later(None)

    def text(self, inputs: Sequence[Any], outputs: Sequence[Any], preset: str) -> KernelProgram:
        """The program for arrays of these shapes and types."""
        wanted = len(inspect.signature(self._function).parameters)
        if wanted != len(inputs) + len(outputs):
            raise TypeError(f"{self.__name__} has {wanted} parameters; a kernel takes its "
                            f"{len(inputs)} inputs and {len(outputs)} outputs")
        tensors = [Tensor(tuple(struct.shape), np.dtype(struct.dtype), Scalar(f"{kind}{number}"))
                   for kind, structs in (("arg", inputs), ("out", outputs))
                   for number, struct in enumerate(structs)]
        with KernelProgram(preset) as program:
            self._refuse_later(self._function(*tensors))
        return program

    def _refuse_later(self, result: Any) -> None:
        """A generator or coroutine function has not run, so it has written nothing."""
        kinds = ((inspect.isgeneratorfunction, inspect.isgenerator, "a generator"),
                 (inspect.iscoroutinefunction, inspect.isawaitable, "a coroutine (`async def`)"),
                 (inspect.isasyncgenfunction, inspect.isasyncgen, "an asynchronous generator"))
        for is_function, is_result, kind in kinds:
            if is_function(self._function) or is_result(result):
                if inspect.iscoroutine(result):
                    result.close()  # it is never awaited
                raise TypeError(f"{self.__name__} is {kind}: a kernel is a function that has made "
                                "its operations when it returns")

    def _check_signature(self, inputs: Sequence[Any]) -> None:
        try:
            inspect.signature(self._outputs).bind(*inputs)
        except TypeError:
            raise TypeError(f"{self.__name__}: the rule for its outputs does not take "
                            f"{len(inputs)} inputs") from None

    def __call__(self, *arguments: Any) -> Any:
        import jax

        inputs = [jax.ShapeDtypeStruct(np.shape(x), jax.numpy.result_type(x)) for x in arguments]
        self._check_signature(inputs)
        results = self._outputs(*inputs)
        several = isinstance(results, (tuple, list))
        structs = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in (results if several else [results])]
        preset = check_platform()
        program = self.text(inputs, structs, preset)
        call = jax.ffi.ffi_call("tandem.kernel", structs, vmap_method="sequential")
        values = call(*arguments, text=program.text, preset=preset,
                      vmem_words=np.int64(program.vmem_rows * program.lanes),
                      smem_words=np.int64(program.smem_words))
        return tuple(values) if several else values[0]


def kernel(*, outputs: Callable[..., Any]) -> Callable[[Callable[..., None]], Kernel]:
    """Makes a function of tandem.assembly callable with JAX arrays, inside of `jax.jit` too.

    outputs: the forms of the results, one or a tuple, as a function of the inputs (with shape and dtype), as anything
    with shape and dtype. The function gets a Tensor for each input and each output, in this order, and writes linear
    assembly: no sections, no halt. `jax.vmap` calls it in a loop.
    """
    return lambda function: Kernel(function, outputs)


__all__ = ["Kernel", "Tensor", "kernel", "lanes", "scratch_smem", "scratch_vmem"]
