"""Operations of tinygrad on TANDEM beside tinygrad's own CPU device, values and gradients.

    tests/python/in_environment BUILD tests/python/tinygrad_cases/compare.py [--slice N] [NAME]...

Products are computed with precision highest. --slice N takes every Nth operation.
"""

import argparse
import os
import sys
import time
import zlib

os.environ["DEV"] = "TANDEM"
os.environ["TANDEM_MATMUL_PRECISION"] = "highest"

try:
    import tandem.tinygrad  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import numpy as np
from tinygrad import Tensor, dtypes

from operations import all_operations


def arrays(name, shapes):
    random = np.random.default_rng(zlib.crc32(name.encode()))
    return [random.uniform(-2, 2, shape).astype(np.float32) for shape in shapes]


def results(device, name, inputs, function):
    """The value, and gradients of a weighted sum of it."""
    tensors = [Tensor(array, device=device) for array in inputs]
    value = function(*tensors)
    found = [value]
    if not name.endswith("!") and all(array.size for array in inputs):
        weights = np.cos(np.arange(int(np.prod(value.shape)))).astype(np.float32).reshape(value.shape)
        found += (value * Tensor(weights, device=device)).sum().gradient(*tensors)
    return [(tensor.cast(dtypes.float32) if tensor.dtype == dtypes.bfloat16 else tensor).numpy() for tensor in found]


def difference(name, got, expected):
    """The error, or an empty text."""
    for number, (left, right) in enumerate(zip(got, expected, strict=True)):
        what = "the value" if number == 0 else f"gradient {number - 1}"
        if left.shape != right.shape or left.dtype != right.dtype:
            return f"{what} is {left.shape} {left.dtype}, not {right.shape} {right.dtype}"
        if not np.allclose(left, right, rtol=1e-4, atol=1e-5, equal_nan=True):
            return f"{what} differs by {np.nanmax(np.abs(left.astype(float) - right.astype(float))):.2g}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--slice", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    chosen = [case for case in all_operations() if not options.names or case[0].rstrip("!") in options.names]
    chosen = chosen[::options.slice]
    failed, begin = [], time.monotonic()
    for name, shapes, function in chosen:
        inputs = arrays(name, shapes)
        try:
            wrong = difference(name, results("TANDEM", name, inputs, function), results("CPU", name, inputs, function))
        except Exception as error:  # every operation is tried
            wrong = f"{type(error).__name__}: {str(error)[:400]}"
        if wrong:
            failed.append(name)
            print(f"{name}: {wrong}", flush=True)
    print(f"{len(chosen) - len(failed)} of {len(chosen)} operations as on the CPU, {time.monotonic() - begin:.0f} s")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
