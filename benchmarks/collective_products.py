#!/usr/bin/env python3
"""Products with collectives on four chips: cycles, and the share of them in which the matrix unit is busy.

  build/venv/bin/python benchmarks/collective_products.py [--preset small,full] [-k WORD] [--build FOLDER] [--write]

Each is a `shard_map` in JAX, compiled as the plugin does it, and run on the cycle-exact model of four chips with links of the default
rate and latency. Results are compared with NumPy. Status 1 when one is wrong. --write writes
benchmarks/collective_products.md.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import sys
import tempfile

from collectives import ROOT, output

CHIPS = 4
RESULTS = pathlib.Path(__file__).with_suffix(".md")
HEAD = """# Products with collectives

Written by `build/venv/bin/python benchmarks/collective_products.py --write`; do not edit.

`all_gather(x) @ w`, `psum_scatter(x @ w)` and `psum(x @ w)` on four chips, f32, links of rate 8 and latency 64 ([decision
192](../docs/decisions/0192-products-inside-rings.md)). Rows are those that are gathered from one chip, or that one chip gets of
the sum; depth is what each chip sums over. *cycles*: from start to halt of the chip that takes longest, the whole program. *busy*: how
much of them the matrix unit multiplies. *alone*: the same of the product without the collective, on the same chip. Every result is
compared with NumPy.
"""
SHAPES = {"small": [(256, 256, 64), (512, 512, 64), (1024, 1024, 64), (1024, 1024, 128)],
          "full": [(1024, 2048, 512), (2048, 1024, 512), (4096, 1024, 512), (2048, 1024, 1024)]}
LANES = {"small": 16, "full": 128}


@dataclasses.dataclass
class Case:
    name: str
    preset: str
    rows: int
    depth: int
    columns: int

    def inputs(self):
        import numpy as np

        rng = np.random.default_rng([self.rows, self.depth, self.columns])
        rows = self.rows if self.name == "all_gather, product" else CHIPS * self.rows
        return [[rng.integers(-4, 5, shape).astype(np.float32) for _ in range(CHIPS)]
                for shape in ((rows, self.depth), (self.depth, self.columns))]

    def wanted(self, left, right):
        import numpy as np

        if self.name == "product":
            return [a @ b for a, b in zip(left, right, strict=True)]
        if self.name == "all_gather, product":
            return [np.concatenate(left) @ b for b in right]
        total = sum(a @ b for a, b in zip(left, right, strict=True))
        return [total] * CHIPS if self.name == "product, all_reduce" else np.split(total, CHIPS)

    def artifact(self, left, right):
        """The program of one chip, as the plugin's compiler gets it."""
        import io

        import jax
        import numpy as np
        from jax import lax
        from jax.sharding import PartitionSpec as P
        from jaxlib import _jax
        from tandem import one_of_several

        bodies = {"product": lambda x, w: x @ w, "all_gather, product": lambda x, w: lax.all_gather(x, "i", tiled=True) @ w,
                  "product, reduce_scatter": lambda x, w: lax.psum_scatter(x @ w, "i", tiled=True),
                  "product, all_reduce": lambda x, w: lax.psum(x @ w, "i")}
        mesh = jax.make_mesh((CHIPS,), ("i",), devices=jax.devices("cpu")[:CHIPS], axis_types=(jax.sharding.AxisType.Auto,))
        program = jax.jit(jax.shard_map(bodies[self.name], mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False))
        lowered = program.trace(np.concatenate(left), np.concatenate(right)).lower()
        module = io.BytesIO()
        lowered.compiler_ir("stablehlo").operation.write_bytecode(module)
        return one_of_several.partitioned(_jax.mlir.serialize_portable_artifact(module.getvalue(), "1.13.0", True), lowered).artifact


def cycles(build, case):
    """Cycles of the slowest chip; whether each result is that of NumPy."""
    import numpy as np

    arrays = case.inputs()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "program.mlirbc").write_bytes(case.artifact(*arrays))
        output([build / "tandem-compile", folder / "program.mlirbc", "--links", "--preset", case.preset, "-o", folder / "program.elf"])
        words = [build / "tandem", "run", "--on", "cycle", "--chips", CHIPS, "--machine", case.preset, "--json", folder / "program.elf",
                 "--out", f"out0={folder}/out_{{chip}}.npy"]
        for number, operand in enumerate(arrays):
            words += ["--in", f"arg{number}={folder}/arg{number}_{{chip}}.npy"]
            for chip, array in enumerate(operand):
                np.save(folder / f"arg{number}_{chip}.npy", array)
        told = json.loads(output(words))
        right = all(np.array_equal(np.load(folder / f"out_{chip}.npy"), wanted) for chip, wanted in enumerate(case.wanted(*arrays)))
    return max(chip["cycles"] for chip in told["chips"]), right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--preset", default="small,full")
    parser.add_argument("-k", default="", help="only products whose names contain this")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--write", action="store_true", help="write benchmarks/collective_products.md")
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={CHIPS}"
    lines, right = [], True
    for preset in options.preset.split(","):
        for shape in SHAPES[preset]:
            alone, is_right = cycles(options.build, Case("product", preset, *shape))
            right = right and is_right
            ideal = CHIPS * shape[0] * shape[1] * shape[2] / LANES[preset] ** 2
            for name in ("all_gather, product", "product, reduce_scatter", "product, all_reduce"):
                if options.k not in name:
                    continue
                taken, is_right = cycles(options.build, Case(name, preset, *shape))
                right = right and is_right
                lines.append(f"| {name} | {preset} | {shape[0]:,} | {shape[1]:,} | {shape[2]:,} | {taken:,} | {ideal / taken:.1%} | {ideal / alone:.1%} |")
                print(lines[-1], "" if is_right else "WRONG", flush=True)
    if options.write:
        head = ["| program | preset | rows | depth | columns | cycles | busy | alone |", "|---|---|---:|---:|---:|---:|---:|---:|"]
        RESULTS.write_text(HEAD + "\n" + "\n".join([*head, *lines]) + "\n")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
