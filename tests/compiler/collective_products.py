#!/usr/bin/env python3
"""Products that go by parts while these go round a ring: results on golden, which looks for races, and the cycle-exact model against
NumPy, exact cycles against tests/compiler/cycles/collective_products.txt, and some in lockstep with the RTL.

  tests/compiler/collective_products.py --build FOLDER [--update]

Numbers are small and whole, so that sums are exact in every order. Products that are not split stay unchanged: no
steps, and correct.
"""

import dataclasses
import functools
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
PERMUTED = [[2, 0, 3, 1]]
MIXED = [[5, 1, 3, 0], [2, 4, 7, 6]]
BODY = """({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.{}"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }})"""


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    groups: list
    left: tuple  # extents on one chip
    right: tuple
    equation: str  # of the product
    gathered: int | None = None  # which operand
    dimension: int | None = 0  # gathered, or scattered; None: all_reduce
    by_parts: bool = True
    lockstep: bool = False
    computation: str = "add"

    @property
    def chips(self):
        return sum(map(len, self.groups))

    def expected(self, left, right):
        """The inputs of each chip."""
        wanted = {}
        for group in self.groups:
            whole = [[arrays[chip] for chip in group] for arrays in (left, right)]
            for place, chip in enumerate(group):
                if self.gathered is not None:
                    own = [left[chip], right[chip]]
                    own[self.gathered] = np.concatenate(whole[self.gathered], self.dimension)
                    wanted[chip] = np.einsum(self.equation, *own)
                    continue
                combine = {"add": np.add, "maximum": np.maximum}[self.computation]
                total = functools.reduce(combine, (np.einsum(self.equation, *each) for each in zip(*whole, strict=True)))
                wanted[chip] = total if self.dimension is None else np.split(total, len(group), self.dimension)[place]
        return [wanted[chip] for chip in range(self.chips)]

    def program(self):
        shapes = [self.left, self.right]
        among = f"replica_groups = dense<{self.groups}> : tensor<{len(self.groups)}x{len(self.groups[0])}xi64>"
        names, lines = ["%x", "%w"], []
        if self.gathered is not None:
            whole = list(shapes[self.gathered])
            whole[self.dimension] *= len(self.groups[0])
            lines.append(f'    %g = "stablehlo.all_gather"({names[self.gathered]}) {{all_gather_dim = {self.dimension} : i64, {among}}} : '
                         f"({kind(shapes[self.gathered])}) -> {kind(whole)}")
            names[self.gathered], shapes[self.gathered] = "%g", whole
        lines.append(self.product(names, shapes))
        made = result = self.shape(shapes)
        if self.gathered is None:
            operation, more = ("all_reduce", "") if self.dimension is None else ("reduce_scatter", f"scatter_dimension = {self.dimension} : i64, ")
            result = list(made)
            if self.dimension is not None:
                result[self.dimension] //= len(self.groups[0])
            lines.append(f'    %s = "stablehlo.{operation}"(%p) {BODY.format(self.computation)} {{{more}{among}}} : ({kind(made)}) -> {kind(result)}')
        return "\n".join([
            f"module attributes {{mhlo.num_partitions = {self.chips} : i32}} {{",
            f"  func.func public @main(%x: {kind(self.left)}, %w: {kind(self.right)}) -> {kind(result)} {{", *lines,
            f"    return %{'s' if self.gathered is None else 'p'} : {kind(result)}", "  }", "}"])

    def letters(self):
        operands, result = self.equation.split("->")
        return (*operands.split(","), result)

    def shape(self, shapes):
        left, right, result = self.letters()
        extents = dict(zip(left, shapes[0], strict=True)) | dict(zip(right, shapes[1], strict=True))
        return [extents[letter] for letter in result]

    def product(self, names, shapes):
        left, right, result = self.letters()
        both = [letter for letter in left if letter in right]
        batch = [letter for letter in both if letter in result]
        summed = [letter for letter in both if letter not in result]

        def dimensions(name, letters):
            sides = zip(("lhs", "rhs"), (left, right), strict=True)
            return [f"{side}_{name}_dimensions = {[operand.index(letter) for letter in letters]}" for side, operand in sides if letters]

        said = ", ".join(dimensions("batching", batch) + dimensions("contracting", summed))
        return (f'    %p = "stablehlo.dot_general"({names[0]}, {names[1]}) {{dot_dimension_numbers = #stablehlo.dot<{said}>}} : '
                f"({kind(shapes[0])}, {kind(shapes[1])}) -> {kind(self.shape(shapes))}")


def kind(shape):
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


CASES = [
    Case("gathered rows", ALL, (64, 96), (96, 32), "mk,kn->mn", 0, 0, lockstep=True),
    Case("gathered rows, three chips", [[0, 1, 2]], (128, 96), (96, 32), "mk,kn->mn", 0, 0, lockstep=True),
    Case("gathered rows, five chips", [[0, 1, 2, 3, 4]], (64, 96), (96, 32), "mk,kn->mn", 0, 0),
    Case("gathered rows, permuted", PERMUTED, (64, 96), (96, 32), "mk,kn->mn", 0, 0),
    Case("gathered rows, eight chips", [list(range(8))], (64, 96), (96, 32), "mk,kn->mn", 0, 0),
    Case("gathered columns of the left", MIXED, (96, 128), (96, 32), "km,kn->mn", 0, 1),
    Case("gathered rows of a batch", ALL, (2, 128, 96), (2, 96, 32), "bmk,bkn->bmn", 0, 1),
    Case("gathered columns of the right", ALL, (32, 96), (96, 64), "mk,kn->mn", 1, 1, by_parts=False),
    Case("gathered batch", ALL, (2, 64, 96), (8, 96, 8), "bmk,bkn->bmn", 0, 0, by_parts=False),
    Case("gathered depth", ALL, (64, 96), (384, 16), "mk,kn->mn", 0, 1, by_parts=False),
    Case("gathered odd rows", ALL, (129, 96), (96, 32), "mk,kn->mn", 0, 0, by_parts=False),
    Case("gathered little", ALL, (8, 16), (16, 8), "mk,kn->mn", 0, 0, by_parts=False),
    Case("scattered rows", ALL, (256, 32), (32, 96), "mk,kn->mn", None, 0, lockstep=True),
    Case("scattered rows, five chips", [[0, 1, 2, 3, 4]], (320, 32), (32, 96), "mk,kn->mn", None, 0),
    Case("scattered rows, mixed groups", MIXED, (256, 32), (32, 96), "mk,kn->mn", None, 0),
    Case("scattered rows of one batch", ALL, (1, 256, 32), (32, 96), "bmk,kn->bmn", None, 1),
    Case("scattered columns", ALL, (256, 32), (32, 96), "mk,kn->mn", None, 1, by_parts=False),
    Case("scattered columns of one row", ALL, (1, 80), (80, 4096), "mk,kn->mn", None, 1, by_parts=False),
    Case("sum", ALL, (256, 32), (32, 96), "mk,kn->mn", None, None),
    Case("largest", ALL, (256, 32), (32, 96), "mk,kn->mn", None, None, by_parts=False, computation="maximum"),
    Case("sum that has no halves", ALL, (260, 32), (32, 96), "mk,kn->mn", None, None, by_parts=False),
]


def measure(build, case, folder):
    rng = np.random.default_rng(1)
    arrays = [[rng.integers(-4, 5, shape).astype(np.float32) for _ in range(case.chips)] for shape in (case.left, case.right)]
    wanted = case.expected(*arrays)
    (folder / "program.mlir").write_text(case.program())
    options = ["--links", "--preset", "nano"]
    run(build / "tandem-compile", folder / "program.mlir", *options, "--emit=stablehlo", "-o", folder / "program.stablehlo")
    assert ("tandem_step" in (folder / "program.stablehlo").read_text()) == case.by_parts, f"{case.name}: by parts or not"
    run(build / "tandem-compile", folder / "program.mlir", *options, "-o", folder / "program.elf")
    words = ["--chips", case.chips, folder / "program.elf", "--out", f"out0={folder}/out_{{chip}}.npy"]
    for number, operand in enumerate(arrays):
        words += ["--in", f"arg{number}={folder}/arg{number}_{{chip}}.npy"]
        for chip, array in enumerate(operand):
            np.save(folder / f"arg{number}_{chip}.npy", array)
    told = {}
    for model in ("golden", "cycle"):
        told = run(build / "tandem", "run", "--on", model, "--json", *words)
        for chip, array in enumerate(wanted):
            np.testing.assert_array_equal(np.load(folder / f"out_{chip}.npy"), array, f"{case.name} of chip {chip} on {model}")
    if case.lockstep:
        run(build / "tandem", "lockstep", "--preset", "nano", *words)
    return max(chip["cycles"] for chip in json.loads(told)["chips"])


def main():
    return cycle_table.compare(__file__, __doc__.splitlines()[0], "collective_products.txt", "products with collectives on chips of nano",
                               {case.name: case for case in CASES}, measure)


if __name__ == "__main__":
    sys.exit(main())
