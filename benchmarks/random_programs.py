#!/usr/bin/env python3
"""How many random programs an hour of one core checks, on each preset, and how busy a campaign keeps all cores;
writes benchmarks/random_programs.md.

  benchmarks/random_programs.py [--build FOLDER] [--programs N] [--output FILE]

`tandem lockstep --random N --seed 1`: RTL, golden and cycle-exact model, everything compared, once with
programs as the seeds draw them and once with long ones. Counts the processor time of the whole command.
Then `tandem regress` over as many seeds for each core, a worker a core. Presets whose RTL the build does not contain
are reported as missing. Exit status 1: a difference.
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PRESETS = ("nano", "small", "edge", "full")
CLOCK_TICK = 1 / os.sysconf("SC_CLK_TCK")  # the resolution of os.times(), in seconds
LENGTHS = {"as drawn": [], "long": ["--knob", "bundles=2000", "--knob", "turns=16"]}
HEAD = """# Random programs, measured

Written by `benchmarks/random_programs.py`; do not edit. Random programs with RTL, golden and cycle-exact model in lockstep, everything
compared: `tandem lockstep --random {programs} --seed 1 --preset P` (as drawn), and the same with `{long}` (long). Seconds are processor
time of the whole command, start included; a seed makes a machine, which runs one program after the other. {day}, commit {commit}.

| preset | programs | machines | checked | bundles | cycles | CPU s | programs an hour | bundles a CPU second |
|---|---|---:|---:|---:|---:|---:|---:|---:|
"""


CAMPAIGN = """
## A campaign

`tandem regress` over {seeds} seeds of nano and as many of small, as drawn, {cores} workers on {cores} cores. Busy: processor time of the whole
command by seconds of the clock and cores; what else runs on the machine takes its share.

| seconds | CPU s | cores busy |
|---:|---:|---:|
"""
BUSY = 90  # percent, at least


class Difference(Exception):
    """The output of a run that found a difference."""


def measured(command):
    """Its JSON output and its processor time; None if the build has no such RTL."""
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode != 0:
        if "there is no RTL" in done.stderr:
            return None
        raise Difference(f"{' '.join(map(str, command))}\nexit status {done.returncode}\n{done.stderr}")
    seconds = (after.children_user - before.children_user
               + after.children_system - before.children_system)
    return json.loads(done.stdout), max(seconds, CLOCK_TICK)


def row(preset, length, result):
    """A row of the table."""
    if result is None:
        return f"| {preset} | {length} | not in this build | | | | | | |"
    told, seconds = result
    return (f"| {preset} | {length} | {told['machines']} | {told['programs']:,} | {told['bundles']:,} | {told['cycles']:,} | "
            f"{seconds:.2f} | {3600 * told['programs'] / seconds:,.0f} | {told['bundles'] / seconds:,.0f} |")


def campaign(tandem, seeds):
    """Seconds of the clock and of the processor that a campaign takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "busy.toml"
        path.write_text(f'name = "busy"\nfirst_seed = 1\nseeds = {seeds}\npack = 5\npresets = ["nano", "small"]\n')
        start = time.perf_counter()
        result = measured([tandem, "regress", path, "--json"])
        return time.perf_counter() - start, result[1]


def busy_row(seconds, processor, cores):
    """The row of the campaign; bold if it misses the bar."""
    busy = 100 * processor / (seconds * cores)
    share = f"{busy:.0f}%" if busy >= BUSY else f"**{busy:.0f}%**"
    return f"| {seconds:.1f} | {processor:.1f} | {share} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True,
                            cwd=ROOT).stdout.strip()
    lines = []
    for preset in PRESETS:
        for length, knobs in LENGTHS.items():
            print(f"{preset}, {length} ...", file=sys.stderr)
            try:
                result = measured([options.build / "tandem", "lockstep", "--random", str(options.programs), "--seed",
                                   "1", "--preset", preset, "--json", *knobs])
            except Difference as difference:
                print(difference, file=sys.stderr)
                return 1
            lines.append(row(preset, length, result))
    head = HEAD.format(programs=options.programs, long=" ".join(LENGTHS["long"]), commit=commit,
                       day=datetime.date.today().isoformat())
    cores = os.cpu_count()
    seeds = options.programs * cores
    lines += [CAMPAIGN.format(seeds=seeds, cores=cores) + busy_row(*campaign(options.build / "tandem", seeds), cores)]
    options.output.write_text(head + "\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
