"""Where a JAX program's time goes on the machine: pages by Python line, with counters.

    with tandem.profile("run.html") as profile:
        y = jax.jit(f)(x)
    print(profile)
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator

import numpy as np

from tandem import html, jax_tools, tools
from tandem.recording import recorded, saved_inputs


@dataclass
class ProgramProfile:
    """One compiled program: how often it ran, the cycles of one run, and the page about it."""

    runs: int
    cycles: int
    page: pathlib.Path
    name: str = ""  # of the function, as JAX calls it: "jit(f)"


@dataclass
class Profile:
    """What ran inside a `with tandem.profile(...)`, the program with most cycles first."""

    programs: list[ProgramProfile] = field(default_factory=list)

    @property
    def cycles(self) -> int:
        """Of all runs, each counted like the first run of its program."""
        return sum(program.runs * program.cycles for program in self.programs)

    def __str__(self) -> str:
        lines = [f"{self.cycles} cycles in {sum(p.runs for p in self.programs)} runs"]
        lines += [f"  {p.runs} x {p.cycles} cycles: {p.name}, {p.page}" for p in self.programs]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        runs = sum(program.runs for program in self.programs)
        return "".join([
            html.heading(f"{self.cycles:,} cycles in {runs:,} runs"),
            html.table(("function", "runs", "cycles of one", "page"),
                       [(p.name, p.runs, p.cycles, p.page.name) for p in self.programs]),
            *(html.link(p.page, p.page.name) for p in self.programs)])


def _write_page(elf: pathlib.Path, arguments: list[pathlib.Path], page: pathlib.Path) -> int:
    """Runs on the cycle-exact model; returns the cycles."""
    command = [tools.command_line(), "report", elf, "--json", "-o", page]
    for path in arguments:
        command += ["--in", f"{path.stem}={path}"]
    ended = tools.run(command)
    if ended.status != 0:
        raise RuntimeError(ended.errors.strip())
    return json.loads(ended.output)["cycles"]


def _report(elf: bytes, inputs: dict[str, np.ndarray], page: pathlib.Path) -> int:
    with tempfile.TemporaryDirectory(prefix="tandem-") as folder:
        program = pathlib.Path(folder, "program.elf")
        program.write_bytes(elf)
        return _write_page(program, saved_inputs(inputs, folder), page)


def report(function: Callable[..., Any], *arguments: Any, path: str | os.PathLike[str],
           preset: str = "small") -> int:
    """Writes a page about one run of `function(*arguments)`; returns its cycles."""
    elf, inputs = jax_tools.program_and_inputs(function, arguments, preset)
    return _report(elf, inputs, pathlib.Path(path))


def _held_data(page: pathlib.Path) -> Any:
    begin = '<script type="application/json" id="run">'
    return json.loads(page.read_text().partition(begin)[2].partition("</script>")[0])


def page_data(elf: bytes, inputs: dict[str, np.ndarray]) -> Any:
    """What a page about one run of the program would show, as data."""
    with tempfile.TemporaryDirectory(prefix="tandem-") as folder:
        page = pathlib.Path(folder, "page.html")
        _report(elf, inputs, page)
        return _held_data(page)


@contextlib.contextmanager
def profile(path: str | os.PathLike[str]) -> Iterator[Profile]:
    """Profiles what JAX runs on Tandem in the block, on any model.

    When the block ends, the first run of each program is repeated on the cycle-exact model. The page
    about the program with most cycles gets the path given, the others numbers: run-2.html, ...
    """
    result = Profile()
    with tempfile.TemporaryDirectory(prefix="tandem-") as folder:
        with recorded(folder):
            yield result
        result.programs = _profiled(pathlib.Path(folder), pathlib.Path(path))


def _profiled(folder: pathlib.Path, path: pathlib.Path) -> list[ProgramProfile]:
    programs = []
    for line in (folder / "counts.txt").read_text().splitlines():
        name, runs = line.split()
        page = folder / f"{name}.html"
        cycles = _write_page(folder / name / "program.elf", sorted((folder / name).glob("*.npy")),
                             page)
        programs.append(ProgramProfile(int(runs), cycles, page, _held_data(page)["program"]))
    programs.sort(key=lambda program: program.runs * program.cycles, reverse=True)
    for number, program in enumerate(programs, start=1):
        target = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        tools.write_output(target, program.page.read_bytes())
        program.page = target
    return programs
