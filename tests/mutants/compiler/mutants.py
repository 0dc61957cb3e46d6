#!/usr/bin/env python3
"""Faults planted into programs on their way through the compiler: what finds them?

  tests/mutants/compiler/mutants.py [--build FOLDER] [--count 300] [--first 1] [--bar 97] [--jobs N] [--show]

Mutant N is one change (tests/mutants/compiler/mutations.cpp) after one pass, in one of the stored programs: all
drawn by N. Of those that change what a program computes, at least --bar percent must be found by something
else than a comparison with XLA: the compiler itself (its verifier, the check of placements, the proof of
schedules), the runs of levels (--check-levels), golden's checks (races, never-written data, traps), the check
of lifetimes, or the interpreter of StableHLO for what is wrong before there are levels.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
STORED = ROOT / "tests" / "compiler"
PROGRAMS = [
    *(f"artifacts/{name}/artifact.mlirbc" for name in
      ("eight_lines", "gather", "plus_one_streamed", "scan", "scatter", "softmax", "switch", "transpose")),
    *(f"cycles/{name}.mlirbc" for name in
      ("attention_2x128x64", "eight_lines", "llama_two_layers", "softmax_64x256", "two_chains")),
]
LEVELS = ("tensor", "tiled", "buffers", "tpu", "asm")
BEFORE_LEVELS = "tandem-lower-to-tensor"  # what is wrong here is wrong at each level
# Columns of the table, in the order of the checks: a mutant counts for its first finder in `first`.
CHECKS = ("crash", "refused", "placement", "levels", "binary", "golden", "lifetimes", "interpreter")


def limited():
    """A program with a fault may go on for ever, or want all memory."""
    resource.setrlimit(resource.RLIMIT_AS, (5 << 30, 5 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def judged(options, number):
    """A mutant, and what finds it."""
    program = STORED / PROGRAMS[number % len(PROGRAMS)]
    with tempfile.TemporaryDirectory() as folder:
        mutant = planted(options, program, number, folder)
        mutant["found"] = found_by(options, mutant, program, folder)
    return mutant


def planted(options, program, number, folder):
    """tandem-mutate's report on a mutant, whose results it leaves in the folder."""
    name = program.parent.name if program.name == "artifact.mlirbc" else program.stem
    command = [options.build / "tandem-mutate", program, options.preset, str(number), folder]
    try:
        ran = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=600,
                             preexec_fn=limited)
    except subprocess.TimeoutExpired:
        return {"seed": number, "program": name, "planted": True, "crashed": "no end in 600 s"}
    if ran.returncode < 0:  # a pass that met an impossible program
        return {"seed": number, "program": name, "planted": True, "crashed": -ran.returncode}
    if ran.returncode != 0:
        sys.exit(f"mutant {number}: {' '.join(map(str, command))}\n{ran.stderr}")
    return {"program": name, **json.loads(ran.stdout)}


def found_by(options, mutant, program, folder):
    """The checks that notice the mutant."""
    if mutant.get("crashed"):  # in a pass, or at a level: the program is not valid any more
        return ["crash"]
    if mutant.get("refused"):
        return ["placement" if "overwrites a buffer" in mutant["refused"] else "refused"]
    found = [check for check in ("levels", "binary", "golden", "lifetimes") if mutant.get(check)]
    if mutant.get("changes") and not found and mutant["pass"] == BEFORE_LEVELS:
        asked = subprocess.run([options.python, HERE / "interpret.py", program, folder], capture_output=True, check=False)
        found = ["interpreter"] if asked.returncode == 1 else []
    return found


def table(mutants):
    rows = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        row = rows[mutant.get("level", "unknown")]
        row["planted"] += 1
        row["stopped"] += "changes" not in mutant
        row["same"] += mutant.get("changes") is False
        if mutant.get("changes"):
            row["change"] += 1
            row["found"] += bool(mutant["found"])
            for check in mutant["found"]:
                row[check] += 1
        elif "changes" not in mutant:
            for check in mutant["found"]:
                row[check] += 1
    names = ("planted", "same", *CHECKS[:3], "change", "found", *CHECKS[3:])
    lines = ["| level | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    total = collections.Counter()
    for level in [*LEVELS, *sorted(set(rows) - set(LEVELS))]:
        if level in rows:
            total.update(rows[level])
            lines.append(f"| {level} | " + " | ".join(str(rows[level][name]) for name in names) + " |")
    lines.append("| all | " + " | ".join(str(total[name]) for name in names) + " |")
    return "\n".join(lines), total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("TANDEM_BUILD", ROOT / "build")))
    parser.add_argument("--preset", default="small")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--bar", type=float, default=97)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--python", default=None, help="one that has jax; that of the build's venv")
    parser.add_argument("--show", action="store_true", help="each mutant as a line of JSON")
    options = parser.parse_args()
    venv = options.build / "venv" / "bin" / "python"
    options.python = options.python or os.environ.get("TANDEM_JAX_PYTHON") or (venv if venv.exists() else sys.executable)
    subprocess.run(["ninja", "-C", str(options.build), "tandem-mutate", "tandem"], check=True, stdout=subprocess.DEVNULL)
    numbers = range(options.first, options.first + options.count)
    mutants, seen = [], set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant in pool.map(lambda number: judged(options, number), numbers):
            place = tuple(mutant.get(key) for key in ("program", "pass", "number", "kind", "where"))
            if not mutant.get("planted") or place in seen:
                continue  # the program has no such place there, or it has been tried
            if "crashed" not in mutant:
                seen.add(place)
            if mutant.get("same_program"):
                mutant["changes"] = False
            mutants.append(mutant)
            if options.show:
                print(json.dumps(mutant), flush=True)
            elif mutant.get("changes") and not mutant["found"]:
                print(f"not found: {json.dumps(mutant)}", flush=True)
    text, total = table(mutants)
    print(text)
    share = 100 * total["found"] / max(1, total["change"])
    print(f"{total['found']} of {total['change']} that change results are found, {share:.1f}%")
    return 0 if share >= options.bar and total["change"] else 1


if __name__ == "__main__":
    sys.exit(main())
