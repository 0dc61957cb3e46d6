"""A model as a program of the machine.

    python -m tandem.onnx model.onnx --preset full -o model.elf [--size batch=1]... [--precision default]

The weights are in the program. The program's names of inputs and outputs, from arg0 and out0 on, are printed beside the
model's names. Sizes that the model leaves open are given by --size.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import Any

import jax
import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx.checker import ValidationError
from onnx.shape_inference import InferenceError

from tandem import jax_tools, tools
from tandem.device import default_machine
from tandem.onnx.files import files_of
from tandem.onnx.model import Function, load
from tandem.onnx.values import Refused, narrowed


def shapes_of(function: Function, sizes: dict[str, int], fixed: dict[str, Any]) -> dict[str, jax.ShapeDtypeStruct]:
    """The inputs that the program takes. Raises Refused where a size is open."""
    found = {}
    for name, value in function.inputs.items():
        if name in fixed:
            continue
        if value.type.WhichOneof("value") != "tensor_type":
            raise Refused(f"the input `{name}` is no tensor", "inputs that are no tensors")
        tensor = value.type.tensor_type
        if not tensor.HasField("shape"):
            raise Refused(f"the input `{name}` has no shape", "inputs without a shape")
        shape = []
        for place, size in enumerate(tensor.shape.dim):
            label = size.dim_param or f"{name}.{place}"
            if not size.HasField("dim_value") and label not in sizes:
                raise Refused(f"the input `{name}` leaves a size open: --size {label}=...", "open sizes")
            shape.append(size.dim_value if size.HasField("dim_value") else sizes[label])
        kind = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
        if kind.kind in "OSU":
            raise Refused(f"the input `{name}` holds strings", "strings")
        found[name] = jax.ShapeDtypeStruct(tuple(shape), narrowed(kind))
    return found


def sized(text: str) -> tuple[str, int]:
    name, _, size = text.rpartition("=")
    if not name or not size.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no NAME=SIZE")
    return name, int(size)


def fixed_input(text: str) -> tuple[str, pathlib.Path]:
    name, _, path = text.partition("=")
    if not name or not path:
        raise argparse.ArgumentTypeError(f"'{text}' is no INPUT=FILE.npy")
    return name, pathlib.Path(path)


# The packages' exceptions for invalid or damaged files.
_UNREADABLE = (DecodeError, ValidationError, InferenceError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tandem.onnx", description="An ONNX model as a program of Tandem.")
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    parser.add_argument("--preset", default=default_machine())
    parser.add_argument("--size", type=sized, action="append", default=[], metavar="NAME=SIZE",
                        help="a size that the model leaves open; without a name of its own it is INPUT.PLACE")
    parser.add_argument("--fix", type=fixed_input, action="append", default=[], metavar="INPUT=FILE.npy", help="an input as a constant")
    parser.add_argument("--precision", choices=["default", "high", "highest"], default="highest",
                        help="of products: in bf16, in three such products, or (default) in f32")
    options = parser.parse_args()
    try:
        tools.check_output(options.output, [*files_of(options.model), *(path for _, path in options.fix)])
        fixed = {name: np.load(tools.input_file(path)) for name, path in options.fix}
        function, weights = load(options.model, fixed=fixed, precision=options.precision)
        if not function.outputs:  # an empty file is a model, too
            raise Refused("the model has no outputs", "no outputs")
        inputs = shapes_of(function, dict(options.size), fixed)
        program = jax.jit(lambda *arrays: function(weights, dict(zip(inputs, arrays, strict=True))), keep_unused=True)
        elf = jax_tools.compile(program, *inputs.values(), preset=options.preset)
        tools.write_output(options.output, elf)
    except (Refused, jax_tools.CompileError, OSError, MemoryError) as error:
        print(f"tandem.onnx: {error}", file=sys.stderr)
        return 1
    except _UNREADABLE as error:
        print(f"tandem.onnx: {options.model}: no model that can be read: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    for number, (name, kind) in enumerate(inputs.items()):
        print(f"arg{number}: {name} {'x'.join(map(str, kind.shape)) or 'scalar'} {kind.dtype}")
    for number, name in enumerate(function.outputs):
        print(f"out{number}: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
