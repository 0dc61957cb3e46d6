"""What became of a JAX function: every level of the compiler, and where the cycles go.

    print(tandem.explain(f, x))
    tandem.explain(f, x).levels["tiled"]
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable

from tandem import jax_tools, profiling

# As docs/compiler.md has them; `bundles` is the finished program, disassembled.
LEVELS = ("stablehlo", "tensor", "tiled", "buffers", "tpu", "asm", "bundles")


@dataclass(frozen=True)
class Line:
    """A line of the Python source, or of what it called, and the cycles spent there."""

    source: str  # file:line
    text: str
    cycles: int
    bundles: int  # issued


@dataclass(frozen=True)
class Operation:
    """What JAX calls a part of the program ("jit(f)/dot_general"), and the cycles spent there."""

    name: str
    cycles: int
    bundles: int  # issued


@dataclass(frozen=True)
class Explanation:
    """One run of a compiled function on the cycle-exact model, and the way there."""

    levels: dict[str, str] = field(repr=False)
    cycles: int
    bundles: int
    causes: dict[str, int]  # cycles by what they were spent on or lost to
    figures: dict[str, float]  # shares of what units and memory could do; docs/counters.md
    bytes_in: int  # from and to HBM
    bytes_out: int
    lines: tuple[Line, ...]  # most cycles first
    operations: tuple[Operation, ...]  # most cycles first

    def __str__(self) -> str:
        text = [f"{self.cycles} cycles, {self.bundles} bundles issued, "
                f"{len(re.findall(r'^ +{', self.levels['bundles'], re.M))} in the program; "
                f"{self.bytes_in} bytes read, {self.bytes_out} written"]
        text.append("levels, in lines: " + ", ".join(
            f"{name} {len(level.splitlines())}" for name, level in self.levels.items()))
        causes = sorted(self.causes.items(), key=lambda item: -item[1])
        text.append("cycles: " + ", ".join(f"{name} {100 * count / self.cycles:.0f}%"
                                           for name, count in causes if 200 * count >= self.cycles))
        text += [f"  {line.cycles:8} cycles  {line.source}  {line.text}".rstrip()
                 for line in self.lines[:12]]
        text += [f"  {part.cycles:8} cycles  {part.name}" for part in self.operations[:12]]
        return "\n".join(text)


def _level(artifact: pathlib.Path, level: str, preset: str) -> str:
    process = subprocess.run(
        [jax_tools.compiler_path(), artifact, f"--emit={level}", "-o", "-", "--preset", preset],
        capture_output=True, text=True, check=False)
    if process.returncode != 0:
        raise jax_tools.CompileError(process.stderr.strip())
    return process.stdout


def _levels(artifact: bytes, elf: bytes, preset: str) -> dict[str, str]:
    with tempfile.TemporaryDirectory(prefix="tandem-") as folder:
        source = pathlib.Path(folder, "program.mlir")
        source.write_bytes(artifact)
        levels = {name: _level(source, name, preset) for name in LEVELS[:-1]}
        program = pathlib.Path(folder, "program.elf")
        program.write_bytes(elf)
        levels["bundles"] = subprocess.run([profiling.command_line(), "dis", program],
                                           capture_output=True, text=True, check=True).stdout
        return levels


def explain(function: Callable[..., Any], *arguments: Any, preset: str = "small") -> Explanation:
    """Compiles `function` for these arguments and runs it once on the cycle-exact model."""
    artifact, inputs = jax_tools.artifact_and_inputs(function, arguments)
    elf = jax_tools.compiled(artifact, preset)
    run = profiling.page_data(elf, inputs)
    counters = run["counters"]
    lines = [Line(row["source"], row.get("text", "").strip(), row["cycles"], row["issues"])
             for row in run["lines"]["rows"] if row["cycles"]]
    operations = [Operation(row["operation"], row["cycles"], row["issues"])
                  for row in run["operations"]["rows"] if row["cycles"]]
    return Explanation(_levels(artifact, elf, preset), counters["cycles"],
                       counters["causes"]["issued"], counters["causes"], counters["figures"],
                       counters["events"]["hbm_read_bytes"], counters["events"]["hbm_write_bytes"],
                       tuple(sorted(lines, key=lambda line: -line.cycles)),
                       tuple(sorted(operations, key=lambda part: -part.cycles)))


__all__ = ["Explanation", "LEVELS", "Line", "Operation", "explain"]
