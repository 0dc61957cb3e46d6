"""Operations of Relax on the machine beside TVM's own CPU.

    tests/python/in_environment BUILD tests/python/tvm_cases/compare.py [--slice N] [NAME]...

Each must be one function for the machine, with nothing left to the CPU. Products are computed with precision highest.
"""

import argparse
import os
import sys
import time
import zlib

os.environ["TANDEM_MATMUL_PRECISION"] = "highest"

try:
    import tandem.tvm
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import numpy as np
import tvm
from operations import all_operations
from tvm import relax

# TVM's CPU has no code for these: their expected results.
NUMPY = {"attention": lambda q, k, v: attention(q, k, v), "take": lambda x, i: x[i], "take_columns": lambda x, i: x[:, i]}


def attention(query, key, value):
    scores = np.einsum("bqhd,bkhd->bhqk", query, key) / np.float32(np.sqrt(query.shape[-1]))
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.einsum("bhqk,bkhd->bqhd", grown / grown.sum(axis=-1, keepdims=True), value)


def sized(shapes):
    return [item if len(item) == 2 and isinstance(item[1], str) else (item, "float32") for item in shapes]


def module_of(shapes, call):
    parameters = [relax.Var(f"x{number}", relax.TensorType(shape, kind)) for number, (shape, kind) in enumerate(sized(shapes))]
    builder = relax.BlockBuilder()
    with builder.function("main", parameters):
        with builder.dataflow():
            result = builder.emit_output(builder.normalize(call(*parameters)))
        builder.emit_func_output(result)
    return builder.get()


def arrays(name, shapes):
    random = np.random.default_rng(zlib.crc32(name.encode()))
    return [random.integers(0, 3, shape).astype(kind) if kind != "float32" else
            random.uniform(-2, 2, shape).astype(kind) for shape, kind in sized(shapes)]


def ran(machine, inputs):
    return machine["main"](*[tvm.runtime.tensor(array) for array in inputs]).numpy()


def wrong(name, shapes, call):
    module, inputs = module_of(shapes, call), arrays(name, shapes)
    launches = tandem.tvm.statistics.launches
    got = ran(tandem.tvm.compile(module, strict=True), inputs)
    if tandem.tvm.statistics.launches != launches + 1:
        return f"{tandem.tvm.statistics.launches - launches} launches"
    expected = NUMPY[name](*inputs) if name in NUMPY else ran(
        relax.VirtualMachine(tvm.compile(relax.transform.DecomposeOpsForInference()(module), target="llvm"), tvm.cpu()),
        inputs)
    if got.shape != expected.shape or got.dtype != expected.dtype:
        return f"{got.shape} {got.dtype}, not {expected.shape} {expected.dtype}"
    if not np.allclose(got, expected, rtol=1e-4, atol=1e-5, equal_nan=True):
        return f"differs by {np.nanmax(np.abs(got.astype(float) - expected)):.2g}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--slice", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    chosen = [case for case in all_operations() if not options.names or case[0] in options.names][::options.slice]
    failed, begin = [], time.monotonic()
    for name, shapes, call in chosen:
        try:
            found = wrong(name, shapes, call)
        except Exception as error:  # every operation is tried
            found = f"{type(error).__name__}: {str(error)[:400]}"
        if found:
            failed.append(name)
            print(f"{name}: {found}", flush=True)
    print(f"{len(chosen) - len(failed)} of {len(chosen)} operations as on the CPU, {time.monotonic() - begin:.0f} s")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
