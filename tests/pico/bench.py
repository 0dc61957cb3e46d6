"""pico with its bench and the checker, as docs/pico.md builds it, in BUILD/pico_tests; and what it says about a program."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def environment(build):
    """Installs the checker into BUILD/pico/checker; the environment in which pkg-config finds it."""
    prefix = build / "pico_tests/checker"
    subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--component", "checker"], check=True,
                   stdout=subprocess.DEVNULL)
    folder = next(prefix.rglob("tandem_checker.pc")).parent
    return os.environ | {"PKG_CONFIG_PATH": str(folder)}


def make(build, *fault):
    """The executable; with a sed script and a file of pico/rtl/, of a core with that fault."""
    folder = build / "pico_tests" / ("fault" if fault else "bench")
    subprocess.run([ROOT / "pico/bench/build", folder, *fault], check=True, env=environment(build))
    return folder / "pico_bench"


def run(bench, elf, *options):
    """Whether the checker is content, what it says, and the cycles."""
    done = subprocess.run([bench, f"+elf={elf}", *options], capture_output=True, text=True)
    cycles = re.search(r"(\d+) cycles", done.stdout)
    return done.returncode == 0, done.stdout + done.stderr, int(cycles[1]) if cycles else 0


def report(wrong, count, cycles):
    """The end of a test: what is wrong, and a line about all."""
    for name, text in wrong:
        print(f"{name}\n{text}")
    print(f"{count - len(wrong)} of {count} programs agree with golden, {cycles} cycles")
    sys.exit(1 if wrong or count == 0 else 0)
