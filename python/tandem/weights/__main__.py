"""A StableHLO program with the weights of a file in it.

    python -m tandem.weights program.mlir --weights model.safetensors [--bind arg0=TENSOR]... --preset full -o model.elf

The program is text or an artifact, as jax.jit(f).lower(...) or jax.export give it. An argument becomes a constant if
its name, or the last key in it (`weights['layers.0.w']`), is that of a tensor. The others are the program's inputs,
whose names are printed.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # nothing runs here

from tandem import jax_tools, tools
from tandem.device import default_machine
from tandem.weights.binding import Unbound, bound
from tandem.weights.files import Unreadable, files_of, tensors


def pair(text: str) -> tuple[str, str]:
    name, _, tensor = text.rpartition("=")
    if not name or not tensor:
        raise argparse.ArgumentTypeError(f"'{text}' is no ARGUMENT=TENSOR")
    return name, tensor


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tandem.weights", description="A program with weights from a file.")
    parser.add_argument("program", type=pathlib.Path, help="StableHLO, text or artifact")
    parser.add_argument("--weights", type=pathlib.Path, required=True, help="a file .safetensors or .gguf, or a folder with .safetensors")
    parser.add_argument("--bind", type=pair, action="append", default=[], metavar="ARGUMENT=TENSOR")
    parser.add_argument("--preset", default=default_machine())
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    try:
        tools.check_output(options.output, [options.program, *files_of(options.weights)])
        made = bound(tools.input_file(options.program).read_bytes(), tensors(options.weights), dict(options.bind))
        if not made.tensors:
            raise Unbound(f"no argument has the name of a tensor; they are {', '.join(made.left)}")
        tools.write_output(options.output, jax_tools.compiled(made.artifact, options.preset))
    except (Unbound, Unreadable, jax_tools.CompileError, OSError, MemoryError) as error:
        print(f"tandem.weights: {error}", file=sys.stderr)
        return 1
    for name, tensor in made.tensors.items():
        print(f"{name}: {tensor}")
    for number, name in enumerate(made.left):
        print(f"arg{number}: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
