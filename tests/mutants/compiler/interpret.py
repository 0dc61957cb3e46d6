#!/usr/bin/env python3
"""Results of a program by StableHLO's own interpreter in jaxlib, beside those of a run.

  tests/mutants/compiler/interpret.py ARTIFACT FOLDER

FOLDER holds the tensors of the run: arg0.npy ..., out0.npy .... Status 0: they agree; 1: they do not; 77: there
is no jaxlib here.
"""

import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import numpy as np
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
except ImportError as problem:
    print(f"interpret: skipped, {problem}")
    sys.exit(77)

ROUNDING = 2.0 ** -6  # of the largest number: operands of products are bf16


def files(folder, name):
    """The arrays arg0, arg1 ... or out0, out1 ..."""
    found = []
    while (path := folder / f"{name}{len(found)}.npy").exists():
        found.append(np.load(path))
    return found


def agree(want, have):
    want, have = np.asarray(want, np.float64), np.asarray(have, np.float64).reshape(want.shape)
    finite = np.isfinite(want)
    largest = np.abs(want[finite]).max(initial=0)
    if not np.array_equal(want[~finite], have[~finite], equal_nan=True):
        return False
    return bool((np.abs(want - have)[finite] <= ROUNDING * (largest + 1e-3)).all())


def main():
    artifact, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with mlir.make_ir_context() as context:
        stablehlo.register_dialect(context)
        module = stablehlo.deserialize_portable_artifact(context, artifact.read_bytes())
        arguments = [ir.DenseElementsAttr.get(array) for array in files(folder, "arg")]
        wanted = [np.array(ir.DenseElementsAttr(result)) for result in stablehlo.eval_module(module, arguments)]
    given = files(folder, "out")
    return 0 if len(wanted) == len(given) and all(map(agree, wanted, given)) else 1


if __name__ == "__main__":
    sys.exit(main())
