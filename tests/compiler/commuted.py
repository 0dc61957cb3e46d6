#!/usr/bin/env python3
"""Other names of values and swapped operands change no cycle.

  tests/compiler/commuted.py [--build FOLDER] [--seeds 2] [NAME...]

Programs of the table of cycles, as text of the level `stablehlo`: each value gets another name, and operands of
commutative operations are swapped here and there. Cycles, bundles and bytes must be those of the table.
"""

import argparse
import pathlib
import random
import re
import sys
import tempfile

import cycles

NAMES = ("eight_lines", "softmax_64x256", "softmax_256x128", "attention_2x128x64", "attention_biased",
         "gelu_mlp_256", "layer_norm_1024", "llama_two_layers")
COMMUTATIVE = re.compile(r'("stablehlo\.(?:add|multiply|maximum|minimum|and|or|xor)"\()(%[\w#]+), (%[\w#]+)(\))')


def changed(text, seed):
    """The same program, and how many operations are swapped."""
    choice = random.Random(seed)
    swapped = 0

    def swap(match):
        nonlocal swapped
        if match[2] == match[3] or choice.random() < 0.3:
            return match[0]
        swapped += 1
        return f"{match[1]}{match[3]}, {match[2]}{match[4]}"

    text = COMMUTATIVE.sub(swap, text)
    # Arguments and results keep their order, and so their names outside.
    return re.sub(r"%(\w+)", rf"%other{seed}_\1", text), swapped


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--build", type=pathlib.Path, default=root / "build")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    failed = total = 0
    for (name, preset), wanted in cycles.read_table().items():
        if name not in (options.names or NAMES):
            continue
        text = cycles.output([options.build / "tandem-compile", cycles.FOLDER / f"{name}.mlirbc", "--emit=stablehlo",
                              "--preset", preset])
        for seed in range(options.seeds):
            other, swapped = changed(text, seed)
            total += swapped
            with tempfile.TemporaryDirectory() as folder:
                artifact = pathlib.Path(folder, "other.mlir")
                artifact.write_text(other)
                got = cycles.measure(options.build, name, preset, pathlib.Path(folder), artifact)
            failed += got != wanted
            print(f"{'ok   ' if got == wanted else 'FAIL '} {name} {preset} {seed}: {swapped} swapped"
                  + ("" if got == wanted else f", {got}, table {wanted}"), flush=True)
    if total == 0:
        print("FAIL  nothing was swapped")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
