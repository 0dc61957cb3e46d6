#!/usr/bin/env python3
"""Plants every fault, finds it with random programs, and shrinks the program that found it.

  benchmarks/shrink_faults.py [--build build] [--preset nano] [--pairs 60] [--sample N]
                              [--report FILE.json]

Faults: every field that lockstep compares; the data that each operation writes; and that of an operation only in
the company of another one (`write.data:vadd.f32+vst`), pairs drawn from a fixed seed; --sample takes N of all,
evenly spread. Each is looked for with
`tandem lockstep --random`, then `tandem shrink` makes the program small. Prints a line per fault and a summary for
benchmarks/shrinking.md. Exit status 1: fewer than 95% shrank to 10 bundles within 5 minutes.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEEDS = 150
BUNDLES = 400


def fields():
    rows = re.findall(r'^FIELD\(\w+, "([^"]+)"', (ROOT / "cosim/checker/compare_fields.def").read_text(), re.M)
    return [row for row in rows if row != "end.nothing"]  # found by every run, and nothing is left to shrink


def writing_operations():
    """Mnemonics of operations that write something the retirement port reports."""
    text = (ROOT / "isa/instructions.def").read_text()
    rows = re.findall(r'^INSTRUCTION\(\w+, \w+, "([^"]+)", (\w+), \w+, OPS\(([^)]*)\)', text, re.M)
    silent = {"mxpush", "mxpusht", "copy", "wait"}
    return [name for name, group, operands in rows
            if name not in silent and (group != "control" or name == "call")]


def faults(pairs):
    operations = writing_operations()
    chosen = random.Random(14)
    listed = fields() + [f"write.data:{name}" for name in operations if name != "csr"]
    for _ in range(pairs):
        first, second = chosen.sample(operations, 2)
        listed.append(f"write.data:{first}+{second}")
    return listed


def spread(listed, count):
    """`count` of the list, evenly spread; all of it when there are no more."""
    return listed if count >= len(listed) else [listed[i * len(listed) // count] for i in range(count)]


def tandem(arguments, build):
    run = subprocess.run([str(build / "tandem"), *arguments], capture_output=True, text=True)
    return json.loads(run.stdout) if run.stdout.strip() else {"error": run.stderr}


def measure(fault, preset, build, scratch):
    knobs = ["--knob", f"bundles={BUNDLES}"]
    common = ["--preset", preset, "--plant", fault, *knobs, "--json"]
    started = time.monotonic()
    found = tandem(["lockstep", "--random", str(SEEDS), *common], build)
    seconds = time.monotonic() - started
    if "seed" not in found:
        return {"fault": fault, "found": False, "seconds_to_find": seconds, "bundles_run": found.get("bundles", 0)}
    shrunk = tandem(["shrink", "--random", "--seed", str(found["seed"]), *common, "-o", str(scratch)], build)
    return {"fault": fault, "found": True, "seconds_to_find": seconds, "bundles_run": found["bundles"], **shrunk}


def line(row):
    if not row["found"]:
        return f"{row['fault']:40} not met by {row['bundles_run']} bundles"
    if "bundles" not in row or "error" in row:
        return f"{row['fault']:40} shrink failed: {row.get('error', '')[:100]}"
    return (f"{row['fault']:40} {row['bundles_before']:5} -> {row['bundles']:3} bundles, {row['operations']:3} operations, "
            f"{row['seconds']:6.1f} s, {row['attempts']:5} attempts  {row['signature']}")


def distribution(sizes):
    counted = collections.Counter(sizes)
    return ", ".join(f"{size}: {counted[size]}" for size in sorted(counted))


def summary(rows):
    """Prints it; returns the share of found faults that shrank as promised, in percent."""
    small = [row for row in rows if row.get("attempts")]
    sizes = sorted(row["bundles"] for row in small)
    times = sorted(row["seconds"] for row in small)
    tried = [row for row in rows if row["found"]]  # one that did not shrink at all counts against us
    at_most = sum(1 for row in small if row["bundles"] <= 10 and row["seconds"] <= 300)
    share = 100 * at_most / max(len(tried), 1)
    if not small:
        print(f"{len(rows)} faults planted, {len(tried)} met by random programs, none shrunk")
        return 0.0
    print(f"{len(rows)} faults planted, {len(tried)} met by random programs; "
          f"{at_most} ({share:.1f}%) shrunk to at most 10 bundles within 300 s; "
          f"by size: {distribution(sizes)}; "
          f"median {sizes[len(sizes) // 2]} bundles, {times[len(times) // 2]:.1f} s; most {sizes[-1]} bundles, {times[-1]:.1f} s")
    return share


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--preset", default="nano")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    scratch = options.build / "shrunk.s"
    rows = []
    listed = faults(options.pairs)
    for fault in spread(listed, options.sample or len(listed)):
        rows.append(measure(fault, options.preset, options.build, scratch))
        print(line(rows[-1]), flush=True)
    if options.report:
        options.report.write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if summary(rows) >= 95 else 1


if __name__ == "__main__":
    sys.exit(main())
