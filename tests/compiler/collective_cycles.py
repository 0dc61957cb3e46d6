#!/usr/bin/env python3
"""The exact cycles of collectives on a group of cycle-exact chips, against tests/compiler/cycles/collectives.txt, and their results
against NumPy.

  tests/compiler/collective_cycles.py --build FOLDER [--update]

Each is a program of one collective, from text: straight from each to each, and round a ring, of all devices in order and of other
groups. Cycles are those of the chip that takes longest. Numbers are small and whole, so that sums are exact in every order.
"""

import json
import sys

import cycle_table
from cycle_table import run

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no NumPy in this Python")
    sys.exit(77)

ALL = [[0, 1, 2, 3]]
MIXED = [[5, 1, 3, 0], [2, 4, 7, 6]]
FIVE = [[0, 1, 2, 3, 4]]  # an odd number
LITTLE, MUCH = 256, 4096  # words
# Name, groups, words of the operand.
CASES = [("all_reduce", ALL, LITTLE), ("all_reduce", ALL, MUCH), ("all_reduce", ALL, MUCH + 100), ("all_reduce", MIXED, MUCH),
         ("all_reduce", FIVE, 5 * 1024), ("all_gather", ALL, LITTLE // 4), ("all_gather", ALL, MUCH // 4 + 1), ("all_gather", MIXED, MUCH // 4),
         ("reduce_scatter", ALL, LITTLE), ("reduce_scatter", ALL, MUCH), ("reduce_scatter", MIXED, MUCH), ("all_to_all", ALL, MUCH),
         ("all_to_all", MIXED, MUCH), ("collective_permute", ALL, MUCH)]
ADD = "({\n    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n      %c = stablehlo.add %a, %b : tensor<f32>\n      stablehlo.return %c : tensor<f32>\n    })"
REGIONS = {"all_reduce": ADD, "reduce_scatter": ADD}


def label(case):
    name, groups, words = case
    return f"{name}/{len(groups)}x{len(groups[0])}/{words}"


def attributes(name, groups):
    if name == "collective_permute":
        ring = [[chip, (chip + 1) % len(groups[0])] for chip in groups[0]]
        return f"source_target_pairs = dense<{ring}> : tensor<{len(ring)}x2xi64>"
    among = f"replica_groups = dense<{groups}> : tensor<{len(groups)}x{len(groups[0])}xi64>"
    more = {"all_gather": "all_gather_dim = 0 : i64, ", "reduce_scatter": "scatter_dimension = 0 : i64, ",
            "all_to_all": f"split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = {len(groups[0])} : i64, "}
    return more.get(name, "") + among


def program(case, result_words):
    name, groups, words = case
    chips = sum(map(len, groups))
    kind = f"tensor<{words}xf32>"
    result = f"tensor<{result_words}xf32>"
    return "\n".join([
        f"module attributes {{mhlo.num_partitions = {chips} : i32}} {{", f"  func.func public @main(%x: {kind}) -> {result} {{",
        f'    %r = "stablehlo.{name}"(%x) {REGIONS.get(name, "")} {{{attributes(name, groups)}}} : ({kind}) -> {result}',
        f"    return %r : {result}", "  }", "}"])


def expected(case, inputs):
    """The inputs of each chip."""
    name, groups, _ = case
    wanted = {}
    for group in groups:
        parts = [inputs[chip] for chip in group]
        split = [np.array_split(part, len(group)) for part in parts]
        for place, chip in enumerate(group):
            wanted[chip] = {"all_reduce": lambda: sum(parts), "all_gather": lambda: np.concatenate(parts),
                            "reduce_scatter": lambda place=place: sum(each[place] for each in split),
                            "all_to_all": lambda place=place: np.concatenate([each[place] for each in split]),
                            "collective_permute": lambda place=place: parts[place - 1]}[name]()
    return [wanted[chip] for chip in sorted(wanted)]


def measure(build, case, folder):
    rng = np.random.default_rng([len(case[0]), case[2]])
    chips = sum(map(len, case[1]))
    inputs = [rng.integers(-9, 10, case[2]).astype(np.float32) for _ in range(chips)]
    wanted = expected(case, inputs)
    (folder / "program.mlir").write_text(program(case, wanted[0].size))
    run(build / "tandem-compile", folder / "program.mlir", "--links", "--preset", "small", "-o", folder / "program.elf")
    for chip, array in enumerate(inputs):
        np.save(folder / f"x{chip}.npy", array)
    files = ["--in", f"arg0={folder}/x{{chip}}.npy", "--out", f"out0={folder}/y{{chip}}.npy"]
    told = {}
    for model in ("golden", "cycle"):  # golden looks for races, too
        told = run(build / "tandem", "run", "--on", model, "--json", "--chips", chips, folder / "program.elf", *files)
        for chip, array in enumerate(wanted):
            np.testing.assert_array_equal(np.load(folder / f"y{chip}.npy"), array, f"{label(case)} of chip {chip} on {model}")
    return max(chip["cycles"] for chip in json.loads(told)["chips"])


def main():
    return cycle_table.compare(__file__, __doc__.splitlines()[0], "collectives.txt", "collectives on chips of small",
                               {label(case): case for case in CASES}, measure)


if __name__ == "__main__":
    sys.exit(main())
