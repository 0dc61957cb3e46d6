"""ONNX: models as JAX functions, as programs of the machine, and as a backend of the package onnx.

    function, weights = tandem.onnx.load("model.onnx")     # for jax.jit
    python -m tandem.onnx model.onnx -o model.elf          # a program
    import tandem.onnx.backend                              # prepare(model).run(inputs)

docs/onnx.md has more. interpreter.py walks a graph, operators/ implements its nodes in JAX, values.py tracks which
values are known while a program is built, model.py joins weights and inputs.
"""

from tandem import versions

versions.needs("tandem.onnx", "onnx", "1.23.")

from tandem.onnx.model import load  # noqa: E402
from tandem.onnx.values import Refused  # noqa: E402

__all__ = ["Refused", "load"]
