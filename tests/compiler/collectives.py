"""Collectives of every computation, from text, on a group of golden chips against NumPy: also those that JAX does not make.

    collectives.py --build FOLDER
"""

import argparse
import functools
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no NumPy in this Python")
    sys.exit(77)

CHIPS = 4
GROUPS = [[2, 0], [1, 3]]
TYPES = {"f32": np.float32, "i32": np.int32, "ui32": np.uint32, "i1": np.bool_}
COMPUTATIONS = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum, "and": np.bitwise_and,
                "or": np.bitwise_or}
REDUCTIONS = [*((name, "f32") for name in ("add", "multiply", "maximum", "minimum")), *((name, "i32") for name in COMPUTATIONS),
              ("maximum", "ui32"), ("and", "i1"), ("or", "i1")]


def groups(rows):
    return f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


def reduction(number, name, kind):
    return f'''    %r{number} = "stablehlo.all_reduce"(%{kind}) ({{
    ^bb0(%a: tensor<{kind}>, %b: tensor<{kind}>):
      %c = "stablehlo.{name}"(%a, %b) : (tensor<{kind}>, tensor<{kind}>) -> tensor<{kind}>
      "stablehlo.return"(%c) : (tensor<{kind}>) -> ()
    }}) {{replica_groups = {groups(GROUPS)}}} : (tensor<5x{kind}>) -> tensor<5x{kind}>'''


def program():
    lines = [reduction(number, *each) for number, each in enumerate(REDUCTIONS)]
    results = [(f"%r{number}", f"tensor<5x{kind}>") for number, (_, kind) in enumerate(REDUCTIONS)]
    lines += [f'    %b = "stablehlo.collective_broadcast"(%f32) {{replica_groups = {groups(GROUPS)}}} : (tensor<5xf32>) -> tensor<5xf32>',
              f'    %g:2 = "stablehlo.all_gather"(%b, %i32) {{all_gather_dim = 0 : i64, replica_groups = {groups(GROUPS)}}} : '
              "(tensor<5xf32>, tensor<5xi32>) -> (tensor<10xf32>, tensor<10xi32>)",
              '    %p = "stablehlo.partition_id"() : () -> tensor<ui32>']
    results += [("%b", "tensor<5xf32>"), ("%g#0", "tensor<10xf32>"), ("%g#1", "tensor<10xi32>"), ("%p", "tensor<ui32>")]
    types = ", ".join(kind for _, kind in results)
    return "\n".join([
        f"module attributes {{mhlo.num_partitions = {CHIPS} : i32}} {{",
        f"  func.func public @main({', '.join(f'%{kind}: tensor<5x{kind}>' for kind in TYPES)}) -> ({types}) {{", *lines,
        f"    return {', '.join(name for name, _ in results)} : {types}", "  }", "}"])


def among_groups(function, x):
    """Each chip's result of `function` on its group's arrays, in order."""
    made = {chip: function([x[member] for member in group]) for group in GROUPS for chip in group}
    return [made[chip] for chip in range(CHIPS)]


def expected(inputs):
    wanted = [among_groups(lambda parts, name=name: functools.reduce(COMPUTATIONS[name], parts), inputs[kind]) for name, kind in REDUCTIONS]
    first = among_groups(lambda parts: parts[0], inputs["f32"])
    return [*wanted, first, among_groups(np.concatenate, first), among_groups(np.concatenate, inputs["i32"]),
            [np.uint32(chip) for chip in range(CHIPS)]]


def run(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    build = parser.parse_args().build
    rng = np.random.default_rng(0)
    inputs = {kind: [rng.integers(-9 if kind in ("f32", "i32") else 0, 9, 5).astype(made) if kind != "i1" else rng.random(5) < 0.6
                     for _ in range(CHIPS)] for kind, made in TYPES.items()}
    wanted = expected(inputs)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "program.mlir").write_text(program())
        run(build / "tandem-compile", folder / "program.mlir", "--links", "--preset", "nano", "-o", folder / "program.elf")
        words = []
        for number, arrays in enumerate(inputs.values()):
            words += ["--in", f"arg{number}={folder}/arg{number}_{{chip}}.npy"]
            for chip, array in enumerate(arrays):
                np.save(folder / f"arg{number}_{chip}.npy", array)
        for number in range(len(wanted)):
            words += ["--out", f"out{number}={folder}/out{number}_{{chip}}.npy"]
        run(build / "tandem", "run", "--chips", CHIPS, folder / "program.elf", *words)
        for number, arrays in enumerate(wanted):
            for chip, array in enumerate(arrays):
                np.testing.assert_array_equal(np.load(folder / f"out{number}_{chip}.npy"), array, f"out{number} of chip {chip}")
    print(f"{len(wanted)} results on {CHIPS} chips are NumPy's")


if __name__ == "__main__":
    main()
