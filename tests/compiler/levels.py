#!/usr/bin/env python3
"""Compiled programs mean the same at each level: tandem-compile --check-levels.

  tests/compiler/levels.py [--build FOLDER] [--preset small] [--all]

Stored artifacts and the programs of compiler/cycles. Also, that a program whose buffers share addresses
while both are in use is refused, with the line that overwrites.
"""

import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RIGHT = ["tensor: the same", "tiled: the same", "buffers: the same", "elf: the same"]
SLOW = {"llama_two_layers", "attention_8x1024x64", "attention_long", "eight_lines_1024"}  # nightly: --all


def compile_(options, *arguments, text=None):
    return subprocess.run([options.build / "tandem-compile", *arguments, "--preset", options.preset], input=text,
                          capture_output=True, text=True, check=False)


def check_levels(options, program):
    ran = compile_(options, program, "--check-levels")
    if ran.returncode == 0 and ran.stdout.splitlines() == RIGHT:
        return None
    return (ran.stdout + ran.stderr).strip()[:400]


def check_shared_addresses(options):
    """Every place in VMEM that a pass has chosen becomes 0."""
    source = HERE / "cycles" / "softmax_64x256.mlirbc"
    tiled = compile_(options, source, "--emit=tiled").stdout
    wrong = re.sub(r"tandem\.address = \d+", "tandem.address = 0", tiled)
    if wrong.count("tandem.address = 0") < 2:
        return "fewer than two buffers have a place at the level tiled"
    ran = compile_(options, "-", "--emit=buffers", text=wrong)
    if ran.returncode == 0:
        return "buffers that share addresses are not noticed"
    if "this overwrites a buffer that is still to be read" not in ran.stderr:
        return "another error: " + ran.stderr.strip()[:300]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build")
    parser.add_argument("--preset", default="small")
    parser.add_argument("--all", action="store_true", help="slow ones, too")
    options = parser.parse_args()
    programs = [*sorted((HERE / "cycles").glob("*.mlirbc")), *sorted((HERE / "artifacts").glob("*/artifact.mlirbc"))]
    failed = 0
    for program in programs:
        name = program.parent.name if program.name == "artifact.mlirbc" else program.stem
        if name in SLOW and not options.all:
            continue
        problem = check_levels(options, program)
        failed += problem is not None
        print(f"{'FAIL' if problem else 'ok  '}  {name}" + (f": {problem}" if problem else ""), flush=True)
    problem = check_shared_addresses(options)
    failed += problem is not None
    print(f"{'FAIL' if problem else 'ok  '}  shared addresses" + (f": {problem}" if problem else ""))
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
