"""How a JAX function was compiled: every level of the compiler, and where the cycles go.

    print(tandem.explain(f, x))
    tandem.explain(f, x).levels["tiled"]
"""

from __future__ import annotations

import json
import linecache
import re
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from tandem import html, jax_tools, profiling, tools

# As in docs/compiler.md; `bundles` is the finished program, disassembled.
LEVELS = ("stablehlo", "tensor", "tiled", "buffers", "tpu", "asm", "bundles")


@dataclass(frozen=True)
class Line:
    """A line of the Python source, or of called code, and the cycles spent there."""

    source: str  # file:line
    text: str
    cycles: int
    bundles: int  # issued
    roof: int = 0  # the least that the useful work of the line takes of its busiest unit, cycles; 0: none
    bound: str = ""  # that unit: MXU, vector, EUP, XLU

    @property
    def share(self) -> float:
        """Of the roof: the cycles that its useful work takes at least, by those that it took. Over 1 where the
        compiler found that a part of the work need not be done, as behind a mask."""
        return self.roof / self.cycles if self.cycles else 0.0


@dataclass(frozen=True)
class Operation:
    """JAX's name for a part of the program ("jit(f)/dot_general"), and the cycles spent there."""

    name: str
    cycles: int
    bundles: int  # issued


@dataclass(frozen=True)
class Region:
    """A kernel of the program: operations in one loop nest, as in `tandem-compile --stats`."""

    operations: tuple[str, ...]
    source: str  # file:line
    bound: str  # MXU, vector, EUP, XLU, load, store, scalar, memory, latency
    measured: int  # cycles
    predicted: int  # by the cost model
    roof: int  # the least that its useful work takes of the busiest unit, cycles; 0: none
    plan: int  # the same of what the compiler made of it, its own copies and conversions included
    bytes_in: int  # from and to HBM, by copies
    bytes_out: int
    flops: int

    @property
    def share(self) -> float:
        """Of the roof: the cycles that its useful work takes at least, by those that it took."""
        return self.roof / self.measured if self.measured else 0.0

    @property
    def works(self) -> bool:
        """Whether it took time or moved data."""
        return bool(self.measured or self.bytes_in or self.bytes_out)


@dataclass(frozen=True)
class Advice:
    """A remedy for the cycles that a line loses to one cause, and its maximum gain."""

    source: str  # file:line; "" for the program as a whole
    text: str
    cause: str  # as in `causes`
    cycles: int  # that the line loses to it
    at_most: int  # of these, the part that can be saved: at most what exceeds the work of the busiest unit
    remedy: str


@dataclass(frozen=True)
class Explanation:
    """One run of a compiled function on the cycle-exact model, and the way there."""

    levels: dict[str, str] = field(repr=False)
    cycles: int
    bundles: int
    causes: dict[str, int]  # cycles by cause
    figures: dict[str, float]  # shares of the peak of units and memory; docs/counters.md
    bytes_in: int  # from and to HBM
    bytes_out: int
    lines: tuple[Line, ...]  # most cycles first
    operations: tuple[Operation, ...]  # most cycles first
    regions: tuple[Region, ...]  # in the order of the program
    advice: tuple[Advice, ...]  # what gains most first
    roof: int  # the least that the useful work of the program takes of its busiest unit, cycles
    bound: str  # that unit: MXU, vector, EUP, XLU, memory

    @property
    def share(self) -> float:
        """Of the roof: the cycles that useful work takes at least, by those that the run took."""
        return self.roof / self.cycles

    def __str__(self) -> str:
        text = [f"{self.cycles} cycles, {self.bundles} bundles issued, "
                f"{len(re.findall(r'^ +{', self.levels['bundles'], re.M))} in the program; "
                f"{self.bytes_in} bytes read, {self.bytes_out} written"]
        text.append(f"useful work takes {self.roof} cycles at least ({self.bound}): "
                    f"{100 * self.share:.0f}% of the roof is reached")
        text.append("levels, in lines: " + ", ".join(
            f"{name} {len(level.splitlines())}" for name, level in self.levels.items()))
        causes = sorted(self.causes.items(), key=lambda item: -item[1])
        text.append("cycles: " + ", ".join(f"{name} {100 * count / self.cycles:.0f}%"
                                           for name, count in causes if 200 * count >= self.cycles))
        text += [f"  {line.cycles:8} cycles  {_share_text(line)}  {line.source}  {line.text}".rstrip()
                 for line in self.lines[:12]]
        text += [f"  {part.cycles:8} cycles  {part.name}" for part in self.operations[:12]]
        text.append("fused regions: cycles measured and predicted, share of the roof and what it is, "
                    "bytes from and to HBM")
        text += [f"  {region.measured:8} {region.predicted:8}  {100 * region.share:3.0f}% "
                 f"{region.bound:<8} {region.bytes_in:9} {region.bytes_out:9}  "
                 f"{', '.join(region.operations[:3])}"
                 for region in self.regions if region.works]
        if self.advice:
            text.append("what to do, and what it gains at most")
        text += [f"  {part.at_most:8} cycles  {part.source} {part.cause}: {part.remedy}"
                 for part in self.advice[:8]]
        return "\n".join(text)

    def _repr_html_(self) -> str:
        causes = sorted(self.causes.items(), key=lambda item: -item[1])
        return "".join([
            html.heading(f"{self.cycles:,} cycles, {self.bundles:,} bundles issued, "
                         f"{self.bytes_in:,} bytes read, {self.bytes_out:,} written"),
            html.table(("cycles", "share", "spent on"),
                       [(count, f"{100 * count / self.cycles:.0f}%", name) for name, count in causes
                        if 200 * count >= self.cycles]),
            html.table(("cycles", "of its roof", "line", ""),
                       [(line.cycles, _share_text(line).strip(), line.source, line.text)
                        for line in self.lines[:12]]),
            html.table(("cycles", "predicted", "share of the roof", "bound", "bytes in", "bytes out",
                        "operations"),
                       [(region.measured, region.predicted, f"{100 * region.share:.0f}%",
                         region.bound, region.bytes_in, region.bytes_out,
                         ", ".join(region.operations[:3]))
                        for region in self.regions if region.works]),
            html.table(("gains at most", "line", "cause", "what helps"),
                       [(part.at_most, part.source, part.cause, part.remedy)
                        for part in self.advice[:8]])])


def _share_text(line: Line) -> str:
    """" 37% of MXU"; blank for a line without useful work."""
    return f"{100 * line.share:3.0f}% of {line.bound:6}" if line.roof else " " * 14


def _text_of(row: dict[str, Any]) -> str:
    """The line's text. A notebook's cells are not files; Python keeps their lines for tracebacks."""
    if row.get("text"):
        return str(row["text"]).strip()
    file, _, line = row["source"].rpartition(":")
    return linecache.getline(file, int(line)).strip() if line.isdigit() else ""


def _compiler_says(artifact: bytes, *options: str, **variables: str) -> str:
    ended = tools.run([tools.compiler_path(), "-", "-o", "-", *options], artifact, **variables)
    if ended.status != 0:
        raise jax_tools.CompileError(ended.errors.strip())
    return ended.output.decode()


def _levels(artifact: bytes, elf: bytes, preset: str) -> dict[str, str]:
    levels = {name: _compiler_says(artifact, f"--emit={name}", "--preset", preset)
              for name in LEVELS[:-1]}
    ended = tools.run([tools.command_line(), "dis", "-"], elf)
    if ended.status != 0:
        raise RuntimeError(ended.errors.strip())
    return {**levels, "bundles": ended.output.decode()}


def _statistics(artifact: bytes, inputs: dict[str, np.ndarray], preset: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="tandem-") as folder:
        options = ["--stats", "--json", "--preset", preset]
        for path in profiling.saved_inputs(inputs, folder):
            options += ["--in", f"{path.stem}={path}"]
        return json.loads(_compiler_says(artifact, *options, TANDEM_EXECUTABLE=str(tools.command_line())))


def _regions(statistics: dict[str, Any]) -> tuple[Region, ...]:
    return tuple(Region(tuple(row["operations"]), row["place"], row["bound"], row["measured"],
                        row["predicted"], row["roof"], row["plan"], row["hbm_in"], row["hbm_out"], row["flops"])
                 for row in statistics["regions"])


def explain(function: Callable[..., Any], *arguments: Any, preset: str = "small") -> Explanation:
    """Compiles `function` for these arguments and runs it once on the cycle-exact model."""
    artifact, inputs = jax_tools.artifact_and_inputs(function, arguments)
    elf = jax_tools.compiled(artifact, preset)
    run = profiling.page_data(elf, inputs)
    counters = run["counters"]
    statistics = _statistics(artifact, inputs, preset)
    useful = {row["place"]: (row["roof"], row["bound"]) for row in statistics["useful"]["lines"]}
    lines = [Line(row["source"], _text_of(row), row["cycles"], row["issues"], *useful.get(row["source"], ()))
             for row in run["lines"]["rows"] if row["cycles"]]
    operations = [Operation(row["operation"], row["cycles"], row["issues"])
                  for row in run["operations"]["rows"] if row["cycles"]]
    return Explanation(_levels(artifact, elf, preset), counters["cycles"],
                       counters["causes"]["issued"], counters["causes"], counters["figures"],
                       counters["events"]["hbm_read_bytes"], counters["events"]["hbm_write_bytes"],
                       tuple(sorted(lines, key=lambda line: -line.cycles)),
                       tuple(sorted(operations, key=lambda part: -part.cycles)),
                       _regions(statistics),
                       tuple(Advice(row["source"], _text_of(row), row["cause"], row["cycles"],
                                    row["at_most"], row["remedy"])
                             for row in run["advice"]["rows"]),
                       statistics["useful"]["roof"], statistics["useful"]["bound"])


__all__ = ["Advice", "Explanation", "LEVELS", "Line", "Operation", "Region", "explain"]
