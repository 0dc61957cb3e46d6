#!/usr/bin/env python3
"""Each access of a compiled program finds what its own buffer was given: tandem run --check-lifetimes.

  tests/compiler/lifetimes.py [--build FOLDER] [--preset small...]

Stored artifacts and the programs of compiler/cycles run clean. A program two of whose buffers are put at
the same addresses is reported, with the lines of both. Unsupported programs are refused.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from cycles import write_npy

HERE = pathlib.Path(__file__).resolve().parent
SLOW = {"attention_8x1024x64", "attention_long", "eight_lines_1024"}  # nightly


def call(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


class Programs:
    """Compiles and runs in a folder of its own."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = folder
        self.elf = folder / "program.elf"

    def compile(self, source, *arguments):
        return call(self.build / "tandem-compile", source, "-o", self.elf, *arguments)

    def inputs(self):
        text = call(self.build / "tandem", "dis", self.elf).stdout
        given = []
        for name, element, sizes, way in re.findall(r"\.tensor (\w+), (\w+), \[(.*)\], (\w+)", text):
            if way != "out":
                path = self.folder / f"{name}.npy"
                write_npy(path, element, [int(size) for size in sizes.split(",") if size.strip()])
                given += ["--in", f"{name}={path}"]
        return given

    def run(self, *arguments):
        return call(self.build / "tandem", "run", self.elf, "--check-lifetimes", *self.inputs(), *arguments)


def check_clean(programs, source, preset):
    made = programs.compile(source, "--preset", preset)
    if made.returncode != 0:
        return made.stderr[:300]
    ran = programs.run()
    return None if ran.returncode == 0 else ran.stderr[:600]


def check_same_text(programs):
    """The program's description of its buffers is the same after a round trip through its text."""
    text = programs.folder / "text.s"
    again = programs.folder / "again.elf"
    text.write_text(call(programs.build / "tandem", "dis", programs.elf).stdout)
    made = call(programs.build / "tandem", "asm", text, "-o", again)
    if made.returncode != 0:
        return made.stderr[:300]
    if ".touch " not in text.read_text():
        return "no `.touch` in the text of a compiled program"
    return None if again.read_bytes() == programs.elf.read_bytes() else "another file after dis and asm"


def check_shared(programs):
    """The second of two buffers allocated in VMEM gets the place of the first one."""
    buffers = call(programs.build / "tandem-compile", HERE / "cycles" / "softmax_64x256.mlirbc",
                   "--emit=buffers").stdout
    places = [int(place) for place in re.findall(r"tandem\.address = (\d+)", buffers)]
    wrong = programs.folder / "wrong.mlir"
    wrong.write_text(re.sub(r"tandem\.address = \d+", f"tandem.address = {max(places)}", buffers))
    made = programs.compile(wrong)
    if len(set(places)) < 2 or made.returncode != 0:
        return "the program with shared addresses does not compile: " + made.stderr[:300]
    ran = programs.run("--no-race-check")
    said = re.search(r"ended lifetime at PC \d+ \(cycle_programs\.py:\d+.* is read as buffer \d+ .* and holds "
                     r"buffer \d+ (?s:.*)it comes from PC \d+ \(cycle_programs\.py:\d+", ran.stderr)
    return None if ran.returncode == 1 and said else "not reported: " + ran.stderr[:600]


def check_refusals(programs):
    text = programs.folder / "bare.s"
    text.write_text("halt\n")
    bare = call(programs.build / "tandem", "run", text, "--check-lifetimes")
    if bare.returncode != 2 or "does not say which buffers it touches" not in bare.stderr:
        return "a program without lifetimes: " + bare.stderr[:300]
    cycle = call(programs.build / "tandem", "run", text, "--check-lifetimes", "--on", "cycle")
    if cycle.returncode != 2 or "on the golden model only" not in cycle.stderr:
        return "on another model: " + cycle.stderr[:300]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build")
    parser.add_argument("--preset", nargs="+", default=["small"])
    parser.add_argument("--all", action="store_true", help="slow ones, too")
    options = parser.parse_args()
    sources = [*sorted((HERE / "cycles").glob("*.mlirbc")), *sorted((HERE / "artifacts").glob("*/artifact.mlirbc"))]
    failed = 0

    def tell(name, problem):
        nonlocal failed
        failed += problem is not None
        print(f"{'FAIL' if problem else 'ok  '}  {name}" + (f": {problem}" if problem else ""), flush=True)

    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(options.build, pathlib.Path(folder))
        for preset in options.preset:
            for source in sources:
                name = source.parent.name if source.name == "artifact.mlirbc" else source.stem
                if options.all or name not in SLOW:
                    tell(f"{name} {preset}", check_clean(programs, source, preset))
        tell("text", check_same_text(programs))
        tell("shared addresses", check_shared(programs))
        tell("refusals", check_refusals(programs))
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
