"""What a JAX function becomes on the machine, and how long it takes there.

Works whatever platform JAX itself is on: the function is lowered for Tandem, compiled, and run on
a device of its own.
"""

from __future__ import annotations

import io
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Callable

import numpy as np

from tandem.device import Device, Run

_STABLEHLO = "1.13.0"  # what the plugin asks for, too


class CompileError(RuntimeError):
    """The program cannot be compiled; the text says what, and where in the Python source."""


def installed(name: str, how: str) -> pathlib.Path:
    """An executable of the project: in this package, or in the build folder around it."""
    here = pathlib.Path(__file__).parent
    for folder in (here, *here.parents[:2]):
        for candidate in (folder / "bin" / name, folder / name):
            if candidate.is_file():
                return candidate
    raise FileNotFoundError(f"{name} is not built: {how}")


def compiler_path() -> pathlib.Path:
    """tandem-compile; TANDEM_COMPILER names another one."""
    if asked := os.environ.get("TANDEM_COMPILER"):
        return pathlib.Path(asked)
    return installed("tandem-compile", "scripts/setup --group compiler")


def _artifact(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bytes, Any]:
    """The function as a portable artifact, as the plugin gets it, and as JAX lowered it."""
    import jax
    from jaxlib import _jax

    jitted = function if hasattr(function, "trace") else jax.jit(function)
    lowered = jitted.trace(*arguments).lower(lowering_platforms=("tandem",))
    module = io.BytesIO()
    lowered.compiler_ir("stablehlo").operation.write_bytecode(module)
    return _jax.mlir.serialize_portable_artifact(module.getvalue(), _STABLEHLO), lowered


def compile(function: Callable[..., Any], *arguments: Any,  # noqa: A001  as jax calls it
            preset: str = "small") -> bytes:
    """The ELF file that `function` becomes for arguments of these shapes and types."""
    artifact, _ = _artifact(function, arguments)
    return compiled(artifact, preset)


def compiled(artifact: bytes, preset: str) -> bytes:
    """The ELF file of a portable artifact. Raises CompileError."""
    with tempfile.TemporaryDirectory(prefix="tandem-") as folder:
        source = pathlib.Path(folder, "program.mlir")
        target = pathlib.Path(folder, "program.elf")
        source.write_bytes(artifact)
        process = subprocess.run(
            [compiler_path(), source, "-o", target, "--preset", preset], capture_output=True,
            text=True, check=False)
        if process.returncode != 0:
            raise CompileError(process.stderr.strip() or
                               f"the compiler ended with status {process.returncode}")
        return target.read_bytes()


def _numbers(leaf: Any) -> np.ndarray:
    """An argument as the machine has it: of a random key its words."""
    import jax

    if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    return np.asarray(leaf)


def artifact_and_inputs(function: Callable[..., Any], arguments: tuple[Any, ...]
                        ) -> tuple[bytes, dict[str, np.ndarray]]:
    """`function` for the compiler, and the arrays that it takes by name (JAX drops unused ones)."""
    import jax

    artifact, lowered = _artifact(function, arguments)
    leaves = [_numbers(leaf) for leaf in jax.tree.leaves(arguments)]
    kept = sorted(lowered._lowering.compile_args.get("kept_var_idx", range(len(leaves))))
    inputs = {f"arg{position}": leaves[index].astype(_narrowed(leaves[index].dtype), copy=False)
              for position, index in enumerate(kept)}
    return artifact, inputs


def program_and_inputs(function: Callable[..., Any], arguments: tuple[Any, ...],
                       preset: str) -> tuple[bytes, dict[str, np.ndarray]]:
    """The ELF file of `function`, and the arrays that it takes by name."""
    artifact, inputs = artifact_and_inputs(function, arguments)
    return compiled(artifact, preset), inputs


def _narrowed(dtype: np.dtype) -> np.dtype:
    """As JAX has it on the device: Python's numbers are 32 bits wide there."""
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
