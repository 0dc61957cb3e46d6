#!/usr/bin/env python3
"""Cycles of compiled collectives on groups of chips, beside the time of their links alone.

  build/venv/bin/python benchmarks/collectives.py [--preset small,full] [--chips 4,8] [--size 1024,65536,1048576] [-k WORD]
                                                  [--build FOLDER] [--write]

Each is a `shard_map` in JAX, partitioned as the plugin does it, compiled, and run on the cycle-exact model of these
chips with links of the default rate and latency. Every result is compared with NumPy. Status 1 when one is wrong.
--write writes benchmarks/collectives.md.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = pathlib.Path(__file__).with_suffix(".md")
sys.path.insert(0, str(pathlib.Path(__file__).parent))

HEAD = """# Collectives on groups of chips

Written by `build/venv/bin/python benchmarks/collectives.py --write`; do not edit.

Cycles from start to halt of the chip that takes longest: the whole program, which fetches its text and its arguments,
too. *more*: what one more of the kind takes behind it (a third of what four take longer than one), where what comes
out is as what goes in. *links*: what the links alone take ([roofs.py](collective/roofs.py)), and how many times that the
program and one more take. Bytes are those of what is reduced, gathered or sent by one chip as a whole. f32, links of rate 8
and latency 64; every result is compared with NumPy.
"""


def output(command):
    ran = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{ran.stderr}")
    return ran.stdout


def cycles(build, folder, elf, preset, case):
    """Cycles of the slowest chip; whether each result is that of NumPy."""
    import numpy as np

    for chip, array in enumerate(case.inputs):
        np.save(folder / f"x{chip}.npy", array)
    told = json.loads(output([build / "tandem", "run", "--on", "cycle", "--chips", case.chips, "--machine", preset, "--json", elf,
                              "--in", f"arg0={folder}/x{{chip}}.npy", "--out", f"out0={folder}/y{{chip}}.npy"]))
    right = all(np.array_equal(np.load(folder / f"y{chip}.npy").reshape(wanted.shape), wanted)
                for chip, wanted in enumerate(case.wanted))
    return max(chip["cycles"] for chip in told["chips"]), right


def compiled(build, folder, case, preset, times):
    elf = folder / "program.elf"
    (folder / "program.mlirbc").write_bytes(case.artifact(times))
    output([build / "tandem-compile", folder / "program.mlirbc", "--links", "--preset", preset, "-o", elf])
    return elf


def measured(build, case, preset):
    """A line of the table as a dictionary."""
    from collective import roofs

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        alone, right = cycles(build, folder, compiled(build, folder, case, preset, 1), preset, case)
        more = None
        if case.repeats:
            four = case.again(4)
            last, is_right = cycles(build, folder, compiled(build, folder, four, preset, 4), preset, four)
            more, right = (last - alone) / 3, right and is_right
    links = roofs.links(case.name, case.chips, case.size, preset)
    return {"name": case.name, "preset": preset, "chips": case.chips, "size": case.size, "cycles": alone, "more": more,
            "links": links, "right": right}


def row(found):
    more = "" if found["more"] is None else f"{found['more']:,.0f}"
    times = "" if found["more"] is None else f"{found['more'] / found['links']:.2f}"
    return [found["name"], found["preset"], str(found["chips"]), f"{found['size']:,}", f"{found['links']:,.0f}", f"{found['cycles']:,}",
            f"{found['cycles'] / found['links']:.2f}", more, times]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--preset", default="small,full")
    parser.add_argument("--chips", default="4,8")
    parser.add_argument("--size", default="1024,65536,1048576", help="bytes")
    parser.add_argument("-k", default="", help="only collectives whose names contain one of these words")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path, help="file for all figures")
    parser.add_argument("--write", action="store_true", help="write benchmarks/collectives.md")
    options = parser.parse_args()
    chips = [int(number) for number in options.chips.split(",")]
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={max(chips)}"
    from collective import programs

    rows, every = [], []
    for name in programs.NAMES:
        if options.k and not any(word in name for word in options.k.split()):
            continue
        for preset in options.preset.split(","):
            for number in chips:
                for size in options.size.split(","):
                    found = measured(options.build, programs.case(name, number, int(size)), preset)
                    every.append(found)
                    rows.append(row(found))
                    print("  ".join(f"{cell:>9}" for cell in rows[-1]), "" if found["right"] else "WRONG", flush=True)
    if options.json:
        options.json.write_text(json.dumps(every, indent=1))
    if options.write:
        head = ["collective", "preset", "chips", "bytes", "links", "cycles", "times", "more", "times"]
        lines = ["| " + " | ".join(head) + " |", "|---|---|" + "---:|" * (len(head) - 2), *("| " + " | ".join(each) + " |" for each in rows)]
        RESULTS.write_text(HEAD + "\n" + "\n".join(lines) + "\n")
    return 0 if all(found["right"] for found in every) else 1


if __name__ == "__main__":
    sys.exit(main())
