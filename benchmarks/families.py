#!/usr/bin/env python3
"""Shares of the roof that families of ordinary JAX programs reach, compiled, with sizes drawn from a seed.

  build/venv/bin/python benchmarks/families.py [--seed N] [--programs N] [--preset small,full] [-k WORD] [--write]

Each program is compiled, run on the cycle-exact model in a process of its own, and compared with JAX's
CPU at precision HIGHEST. A roof counts useful work only (benchmarks/family/roofs.py). --write writes
benchmarks/families.md. Status 1 when a program is wrong, refused or out of time.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = pathlib.Path(__file__).with_suffix(".md")
sys.path.insert(0, str(pathlib.Path(__file__).parent))

# The allowed error of one bf16 pass, relative to the largest number of a result.
TOLERANCE = 3e-2


def seed_of(name, number):
    return [number, *name.encode()]


def error(run, wanted):
    """The largest difference, relative to the largest number of its result."""
    import numpy as np

    worst = 0.0
    for number, want in enumerate(wanted):
        want = np.asarray(want).astype(np.float64)
        have = np.asarray(run.outputs[f"out{number}"]).astype(np.float64).reshape(want.shape)
        if not want.size:
            continue
        apart = np.where((want == have) | (np.isnan(want) & np.isnan(have)), 0.0, np.abs(want - have))
        finite = np.abs(want[np.isfinite(want)])
        largest = max(float(finite.max(initial=0.0)), 1e-30)
        worst = max(worst, float(apart.max()) / largest if np.isfinite(apart).all() else math.inf)
    return worst


def one(name, number, preset):
    """One program: a line of JSON."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    from family import programs, roofs
    from tandem import jax_tools
    from tandem.device import Device

    function, arguments = programs.FAMILIES[name](programs.Draw(seed_of(name, number)))
    bound, least = roofs.roof(function, arguments, preset)
    before = time.monotonic()
    elf, inputs = jax_tools.program_and_inputs(function, arguments, preset)
    compiled = time.monotonic() - before
    run = Device(preset, "cycle").load(elf)(**inputs)
    with jax.default_matmul_precision("highest"):
        wanted = jax.tree.leaves(jax.jit(lambda *given: function(*given))(*arguments))
    off = error(run, wanted)
    causes = sorted(run.counters["causes"].items(), key=lambda cause: -cause[1])[:2]
    shapes = " ".join("x".join(map(str, leaf.shape)) or "1" for leaf in jax.tree.leaves(arguments))
    print("RESULT " + json.dumps({
        "cycles": run.cycles, "roof": least, "bound": bound, "share": 100 * least / run.cycles, "error": off,
        "right": off <= TOLERANCE, "seconds": round(compiled, 2), "shapes": shapes,
        "causes": ", ".join(f"{cause} {100 * value / run.cycles:.0f}%" for cause, value in causes)}))


def measured(name, number, preset, seconds):
    """The result of `one`, or {"fail": why}."""
    command = [sys.executable, __file__, "--one", name, "--seed", str(number), "--preset", preset]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"fail": f"more than {seconds:.0f} s"}
    for line in ran.stdout.splitlines():
        if line.startswith("RESULT "):
            return json.loads(line.removeprefix("RESULT "))
    said = ran.stderr.strip().splitlines() or ["no result"]
    return {"fail": " ".join(said[-1].split())[:200]}


def mean_of(shares):
    """Geometric mean of shares in percent."""
    return math.exp(statistics.fmean(map(math.log, shares))) if shares else 0.0


def table(results, presets):
    """Lines of Markdown: shares by group, then by family."""
    from family import programs

    def cells(chosen):
        shares = sorted(r["share"] for r in chosen if "share" in r)
        if not shares:
            return ["", "", "", ""]
        return [f"{mean_of(shares):.1f}", f"{shares[0]:.1f}", f"{statistics.median(shares):.1f}",
                str(sum(share < 5 for share in shares))]

    head = ["mean", "least", "median", "under 5%"]
    columns = [f"{preset}: {what}" for preset in presets for what in head]
    lines = ["| group | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for group in [*dict.fromkeys(programs.GROUPS.values()), "all"]:
        row = [group]
        for preset in presets:
            row += cells([r for r in results if r["preset"] == preset
                          and group in ("all", programs.GROUPS[r["name"]])])
        lines.append("| " + " | ".join(row) + " |")
    lines += ["", "| family | " + " | ".join(f"{preset}: shares" for preset in presets) + " |",
              "|---|" + "---:|" * len(presets)]
    for name in dict.fromkeys(r["name"] for r in results):
        row = [name]
        for preset in presets:
            row.append(", ".join(f"{r['share']:.1f}" if "share" in r else r["fail"].replace("|", "/")
                                 for r in results if r["name"] == name and r["preset"] == preset))
        lines.append("| " + " | ".join(row) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the first program of each family")
    parser.add_argument("--programs", type=int, default=2, help="of each family")
    parser.add_argument("--preset", default="small,full")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one program")
    parser.add_argument("-k", default="", help="only families or groups whose names contain one of these words")
    parser.add_argument("--json", type=pathlib.Path, help="file for all figures")
    parser.add_argument("--write", action="store_true", help="write benchmarks/families.md")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return one(options.one, options.seed, options.preset)

    from family import programs

    presets = options.preset.split(",")
    words = options.k.split()
    results = []
    bad = 0
    for name, group in programs.GROUPS.items():
        if words and not any(word in name or word in group for word in words):
            continue
        for number in range(options.seed, options.seed + options.programs):
            for preset in presets:
                found = measured(name, number, preset, options.timeout)
                results.append({"name": name, "number": number, "preset": preset, **found})
                bad += not found.get("right", False)
                if "share" in found:
                    verdict = "" if found["right"] else f"  WRONG by {found['error']:.3g}"
                    print(f"{group:12} {name:22} {preset:5} {found['share']:6.2f}% of {found['bound']:15} "
                          f"{found['cycles']:>10,} {found['seconds']:6.2f} s  {found['shapes'][:60]:60} "
                          f"{found['causes']}{verdict}", flush=True)
                else:
                    print(f"{group:12} {name:22} {preset:5} {found['fail']}", flush=True)
    lines = table(results, presets)
    print("\n".join(lines))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    if options.write:
        RESULTS.write_text("\n".join([
            "# Families of compiled programs", "",
            f"Written by `build/venv/bin/python benchmarks/families.py --seed {options.seed} --programs "
            f"{options.programs} --write`; do not edit.", "",
            "Shares of the roof in percent; means are geometric. A roof is what useful work alone takes of the unit",
            "that bounds it ([roofs.py](family/roofs.py)); the programs and their sizes are in",
            "[programs.py](family/programs.py).", "", *lines]) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
