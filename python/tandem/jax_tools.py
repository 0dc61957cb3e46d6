"""Compiles JAX functions for the machine, and measures how long they take there.

Works whatever platform JAX itself is on: the function is lowered for Tandem, compiled, and run on
a device of its own. For a function over several devices, this is the first device's part.
"""

from __future__ import annotations

import io
from typing import Any, Callable

import numpy as np

from tandem import one_of_several, tools
from tandem.device import Device, Run
from tandem.partition.pieces import Partitioned

compiler_path = tools.compiler_path  # programs look for it here
_STABLEHLO = "1.13.0"  # the same as the plugin's


class CompileError(RuntimeError):
    """The program cannot be compiled; the text gives the reason and the place in the Python source."""


def _artifact(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bytes, Any, Partitioned | None]:
    """The function as a portable artifact, as the plugin gets it, as JAX lowered it, and as it is split over several
    devices; the artifact is then that of one. Raises CompileError.
    """
    import jax
    from jax._src.interpreters import mlir
    from jaxlib import _jax

    from tandem import jax_plugin

    jax_plugin.allow_donation(mlir)
    jitted = function if hasattr(function, "trace") else jax.jit(function)
    lowered = jitted.trace(*arguments).lower(lowering_platforms=("tandem",))
    module = io.BytesIO()
    lowered.compiler_ir("stablehlo").operation.write_bytecode(module)
    is_split = lowered._lowering.compile_args["num_devices"] > 1
    artifact = _jax.mlir.serialize_portable_artifact(module.getvalue(), _STABLEHLO, is_split)  # Shardy's dialect stays
    try:
        made = one_of_several.partitioned(artifact, lowered)
    except RuntimeError as error:
        raise CompileError(str(error)) from None
    return artifact if made is None else made.artifact, lowered, made


def compile(function: Callable[..., Any], *arguments: Any,  # noqa: A001  as jax calls it
            preset: str = "small") -> bytes:
    """The ELF file that `function` becomes for arguments of these shapes and types."""
    artifact, _, _ = _artifact(function, arguments)
    return compiled(artifact, preset)


def compiled(artifact: bytes, preset: str) -> bytes:
    """The ELF file of a portable artifact. Raises CompileError."""
    ended = tools.run([tools.compiler_path(), "-", "-o", "-", "--preset", preset], artifact)
    if ended.status != 0:
        raise CompileError(_said(ended) or f"the compiler ended with status {ended.status}")
    return ended.output


def _said(ended: tools.Ended) -> str:
    """Without the compiler's name for the program."""
    return "\n".join(line.removeprefix("<stdin>: ") for line in ended.errors.strip().splitlines())


def _numbers(leaf: Any) -> np.ndarray:
    """An argument in the machine's form: for a random key its words."""
    import jax

    if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    return np.asarray(leaf)


def artifact_and_inputs(function: Callable[..., Any], arguments: tuple[Any, ...]
                        ) -> tuple[bytes, dict[str, np.ndarray]]:
    """`function` for the compiler, and the arrays that it takes by name (JAX drops unused ones)."""
    import jax

    artifact, lowered, made = _artifact(function, arguments)
    leaves = [_numbers(leaf) for leaf in jax.tree.leaves(arguments)]
    kept = sorted(lowered._lowering.compile_args.get("kept_var_idx", range(len(leaves))))
    taken = [leaves[index].astype(_narrowed(leaves[index].dtype), copy=False) for index in kept]
    if made is not None:
        taken = one_of_several.arguments_of(made, taken)
    return artifact, {f"arg{position}": array for position, array in enumerate(taken)}


def program_and_inputs(function: Callable[..., Any], arguments: tuple[Any, ...],
                       preset: str) -> tuple[bytes, dict[str, np.ndarray]]:
    """The ELF file of `function`, and the arrays that it takes by name."""
    artifact, inputs = artifact_and_inputs(function, arguments)
    return compiled(artifact, preset), inputs


def _narrowed(dtype: np.dtype) -> np.dtype:
    """As JAX represents it on the device: Python's numbers are 32 bits wide there."""
    import jax

    return jax.dtypes.canonicalize_dtype(dtype)


def run(function: Callable[..., Any], *arguments: Any, preset: str = "small",
        model: str = "cycle") -> Run:
    """One run of `function` on a device of its own; outputs are called out0, out1, ..."""
    elf, inputs = program_and_inputs(function, arguments, preset)
    return Device(preset, model).load(elf)(**inputs)


def cycles(function: Callable[..., Any], *arguments: Any, preset: str = "small") -> int:
    """How many cycles the machine takes for `function(*arguments)`: exact, and always the same."""
    taken = run(function, *arguments, preset=preset, model="cycle").cycles
    assert taken is not None
    return taken
