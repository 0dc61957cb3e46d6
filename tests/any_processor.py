#!/usr/bin/env python3
"""Code for vectors of one width compiles without a warning for processors of any width.

  tests/any_processor.py BUILD

The build is for the processor it runs on (`TANDEM_NATIVE`), so one of another width meets warnings, which
are errors, that nobody saw before. Compiles the files that name vectors or ask for loops on them for levels
of x86-64 with narrower ones. Exit status 77: the build is for another architecture.
"""
import argparse
import concurrent.futures
import json
import pathlib
import platform
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEVELS = ("x86-64", "x86-64-v3")  # vectors of 128 and of 256 bits
VECTORS = re.compile(r"vector_size|pragma clang loop vectorize")


def commands(build):
    """Of each file with vectors, how the build compiles it, without the processor and the output."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        file = pathlib.Path(entry["file"])
        if not file.is_relative_to(ROOT) or file.is_relative_to(build):
            continue
        if not VECTORS.search(file.read_text(encoding="utf-8")):
            continue
        words = [word for word in shlex.split(entry["command"]) if not word.startswith("-march=")]
        compiler = next(i for i, word in enumerate(words) if "++" in pathlib.Path(word).name)
        words = words[compiler:]  # without a cache in front of it
        output = words.index("-o")
        yield file.relative_to(ROOT), entry["directory"], words[:output] + words[output + 2:]


def compile_for(job):
    (file, folder, words), level = job
    result = subprocess.run([*words, f"-march={level}", "-o", "/dev/null"], cwd=folder, capture_output=True,
                            text=True, check=False)
    return file, level, result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    if platform.machine() != "x86_64":
        print("SKIPPED: levels of processors are those of x86-64")
        return 77
    found = list(commands(build))
    if not found:
        sys.exit(f"any_processor: {build}/compile_commands.json names no file with vectors")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for file, level, result in pool.map(compile_for, [(one, level) for one in found for level in LEVELS]):
            if result.returncode:
                failed += 1
                print(f"{file} for {level}:\n{result.stderr}")
    print(f"{len(found)} files for {len(LEVELS)} processors, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
