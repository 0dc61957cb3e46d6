#!/usr/bin/env python3
"""How far the compiler's cost model is from the cycle-exact model, and what tuning gains.

  benchmarks/cost_model.py [--build FOLDER] [--check] [--no-tune] [NAME...]

Compiles the programs of tests/compiler/cycles: cycles as `tandem-compile --stats` predicts and
measures them, and those of `--tune` with an empty cache. Writes benchmarks/cost_model.md. --check writes nothing, tunes
nothing, and fails if the errors of the predictions exceed the bounds below.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "compiler" / "cycles"
RESULTS = pathlib.Path(__file__).with_suffix(".md")
# Of one program and on average, as shares of the measured cycles.
WORST, MEAN = 0.55, 0.20
# Iterations of the one loop whose count is in its data.
TURNS = {"llama_two_layers": 8}
RUNS = 12  # of a search


def rows(names):
    for line in (PROGRAMS / "table.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, preset = line.split()[:2]
            if not names or name in names:
                yield name, preset


def compiler(build, *arguments):
    ran = subprocess.run([build / "tandem-compile", *map(str, arguments)], capture_output=True,
                         text=True, check=False)
    if ran.returncode != 0:
        sys.exit(f"tandem-compile {' '.join(map(str, arguments))}\n{ran.stderr}")
    return ran.stdout


def told(build, name, preset):
    return json.loads(compiler(build, PROGRAMS / f"{name}.mlirbc", "--stats", "--json", "--preset",
                               preset, "--turns", TURNS.get(name, 1)))


def tuned(build, name, preset):
    """Cycles with the choices found by a search, and their number."""
    with tempfile.TemporaryDirectory() as folder:
        cache = pathlib.Path(folder, "cache")
        compiler(build, PROGRAMS / f"{name}.mlirbc", "--tune", "--tuning-cache", cache, "--preset",
                 preset, "--tune-runs", RUNS, "-o", pathlib.Path(folder, "program.elf"))
        lines = cache.read_text().splitlines()
    cycles = next(line.split() for line in lines if line.startswith("cycles"))
    return int(cycles[2]), sum(line.startswith("choice") for line in lines)


def error(run):
    return run["cycles"]["predicted"] / run["cycles"]["measured"] - 1


def by_bound(runs):
    """For regions with a share in their programs: their number and mean error, by bound."""
    found = {}
    for run in runs:
        for region in run["regions"]:
            if region["measured"] >= 0.05 * run["cycles"]["measured"]:
                off = abs(region["predicted"] / region["measured"] - 1)
                found.setdefault(region["bound"], []).append(off)
    return sorted(found.items())


def page(results, errors):
    lines = [
        "# The compiler's cost model, and tuning", "",
        "Written by `benchmarks/cost_model.py`; do not edit. Programs of `tests/compiler/cycles`: cycles as the cost model",
        "predicts them and as the cycle-exact model has them (`tandem-compile --stats`, random inputs), and with the choices",
        f"that `--tune` finds best from an empty cache in at most {RUNS} runs.", "",
        "| program | preset | predicted | measured | error | tuned | gain | choices |",
        "|---|---|---:|---:|---:|---:|---:|---:|"]
    for name, preset, run, search in results:
        cycles = run["cycles"]
        off = f"{100 * error(run):+.0f}%"
        gain = "" if search is None else f"{100 * (1 - search[0] / cycles['measured']):.1f}%"
        lines.append(f"| {name} | {preset} | {cycles['predicted']} | {cycles['measured']} | {off} | "
                     f"{'' if search is None else search[0]} | {gain} | "
                     f"{'' if search is None else search[1]} |")
    lines += ["", f"Error on average {100 * statistics.mean(errors):.0f}%, median "
              f"{100 * statistics.median(errors):.0f}%, worst {100 * max(errors):.0f}%; a test holds "
              f"{100 * MEAN:.0f}% and {100 * WORST:.0f}%.", "",
              "Regions with at least a twentieth of their program's cycles, by what bounds them:", "",
              "| bound | regions | error on average |", "|---|---:|---:|"]
    lines += [f"| {bound} | {len(offs)} | {100 * statistics.mean(offs):.0f}% |"
              for bound, offs in by_bound([run for _, _, run, _ in results])]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--no-tune", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    results = []
    for name, preset in rows(options.names):
        run = told(options.build, name, preset)
        search = None
        if not options.check and not options.no_tune:
            search = tuned(options.build, name, preset)
        results.append((name, preset, run, search))
        print(f"{name:<24} {preset:<6} {run['cycles']['predicted']:>9} "
              f"{run['cycles']['measured']:>9} {100 * error(run):+5.0f}%  {search or ''}", flush=True)
    errors = [abs(error(run)) for _, _, run, _ in results]
    if options.check:
        print(f"mean {statistics.mean(errors):.2f}, worst {max(errors):.2f}")
        return int(max(errors) > WORST or statistics.mean(errors) > MEAN)
    if not options.names:
        RESULTS.write_text(page(results, errors))
    return 0


if __name__ == "__main__":
    sys.exit(main())
