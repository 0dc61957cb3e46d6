"""The directed programs on pico behind the checker: all of them, or every N-th.

    python3 tests/pico/directed.py BUILD [--slice N]

A program whose header (tests/programs/README.md) asks for golden's report of a race or of never-written data must get
that report; one with a limit must not end.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import bench

REPORTS = {"race": "race at PC", "uninitialised": "never-written data at PC", "limit": "no end after"}
LIMIT = "+limit=20000000"


def agrees(tandem, executable, path, folder):
    """None, or what is wrong; and the cycles."""
    elf = folder / f"{path.parent.name}_{path.stem}.elf"
    subprocess.run([tandem, "asm", "-W", "none", "--preset", "nano", path, "-o", elf], check=True)
    wanted = next((text for word, text in REPORTS.items()
                   if re.search(rf"^# expect: {word}\b", path.read_text(), re.MULTILINE)), None)
    limit = "+limit=200000" if wanted == REPORTS["limit"] else LIMIT
    content, said, cycles = bench.run(executable, elf, limit)
    elf.unlink()
    return None if (wanted in said if wanted else content) else said, cycles


def main():
    options = argparse.ArgumentParser()
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--slice", type=int, default=1, help="every N-th program")
    options = options.parse_args()
    build = options.build.resolve()
    executable = bench.make(build)
    paths = sorted((bench.ROOT / "tests/programs").rglob("*.s"))[::options.slice]
    wrong, cycles = [], 0
    for path in paths:
        text, some = agrees(build / "tandem", executable, path, build / "pico_tests")
        cycles += some
        if text is not None:
            wrong.append((path.relative_to(bench.ROOT), text))
    bench.report(wrong, len(paths), cycles)


if __name__ == "__main__":
    sys.exit(main())
