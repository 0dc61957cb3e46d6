"""Exact cycles of named cases against a file of them, and helpers for tests of groups of chips."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent / "cycles"


def run(*words):
    """The output of a command; ends the test if it fails."""
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def compare(script, purpose, table, what, cases, measure):
    """The status of a test with the options --build FOLDER and --update. `cases`: what `measure(build, case, folder)` takes, by name,
    for its cycles; `table`: the file in cycles/; `what`: these are cycles of."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    file = FOLDER / table
    known = {}
    if file.exists():
        known = dict(line.rsplit(maxsplit=1) for line in file.read_text().splitlines() if not line.startswith("#"))
    width = max(map(len, cases)) + 2
    found = {}
    for name, case in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            found[name] = cycles = str(measure(options.build, case, pathlib.Path(folder)))
        state = "same" if known.get(name) == cycles else f"table: {known.get(name)}"
        print(f"{name:<{width}} {cycles:>8}  {state}", flush=True)
    command = f"tests/compiler/{pathlib.Path(script).name} --update"
    if options.update:
        head = f"# Cycles of {what}; made by {command}.\n"
        file.write_text(head + "".join(f"{name:<{width}} {cycles:>8}\n" for name, cycles in found.items()))
        return 0
    if found != known:
        print(f"the table differs; if that is meant: {command}")
    return 0 if found == known else 1
