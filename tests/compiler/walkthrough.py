#!/usr/bin/env python3
"""The dumps of docs/from_jax_to_vliw.md, regenerated: compared, or written with --update.

A comment above each block of the document describes its contents:
    <!-- dump LEVEL COUNT PATTERN -->
COUNT lines of that level from the first one that PATTERN, a regular expression, is found in, without locations
and cut at 150 columns.

    tests/compiler/walkthrough.py [--build FOLDER] [--update]
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENT = ROOT / "docs" / "from_jax_to_vliw.md"
ARTIFACT = ROOT / "tests" / "compiler" / "cycles" / "eight_lines.mlirbc"
SOURCE = ROOT / "tests" / "compiler" / "cycle_programs.py"
BLOCK = re.compile(r"(<!-- dump (\S+) (\d+) (.*?) -->\n```\w*\n)(.*?)(```\n)", re.S)
LOCATION = re.compile(r' loc\((?:#loc\d*|unknown|"[^"]*"(?:\([^)]*\))?)\)')
WIDTH = 150


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"walkthrough: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


class Levels:
    """The text of each level, generated on demand."""

    def __init__(self, build):
        self.build = build
        self.known = {"jax": SOURCE.read_text()}

    def text(self, level):
        if level not in self.known:
            self.known[level] = self.bundles() if level == "bundles" else self.compiled(level)
        return self.known[level]

    def compiled(self, level):
        return run(self.build / "tandem-compile", ARTIFACT, f"--emit={level}", "-o", "-")

    def bundles(self):
        with tempfile.TemporaryDirectory(prefix="tandem-") as folder:
            program = pathlib.Path(folder, "program.elf")
            run(self.build / "tandem-compile", ARTIFACT, "-o", program)
            return run(self.build / "tandem", "dis", program)

    def dump(self, level, count, pattern):
        lines = [LOCATION.sub("", line) for line in self.text(level).splitlines()]
        lines = [line for line in lines if not line.startswith("#loc")]
        first = next((i for i, line in enumerate(lines) if re.search(pattern, line)), None)
        if first is None:
            sys.exit(f"walkthrough: level {level} has no line with {pattern}")
        shown = lines[first:first + count]
        return "".join((line if len(line) <= WIDTH else line[:WIDTH - 1] + "…") + "\n" for line in shown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if not (options.build / "tandem-compile").exists():
        print("skipped: tandem-compile is not built (scripts/setup --group compiler)")
        return 77
    levels = Levels(options.build.resolve())
    old = DOCUMENT.read_text()
    new = BLOCK.sub(lambda m: m[1] + levels.dump(m[2], int(m[3]), m[4]) + m[6], old)
    if old == new:
        print(f"{len(BLOCK.findall(old))} dumps are what the compiler prints")
        return 0
    if options.update:
        DOCUMENT.write_text(new)
        return 0
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True),
                                               "docs/from_jax_to_vliw.md", "made now"))
    print("to take them over: tests/compiler/walkthrough.py --update")
    return 1


if __name__ == "__main__":
    sys.exit(main())
