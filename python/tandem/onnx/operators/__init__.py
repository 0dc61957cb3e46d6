"""ONNX's operators in JAX, one file for each kind. Importing them fills the table of nodes.py."""

from tandem.onnx.operators import (  # noqa: F401
    casts,
    comparisons,
    control_flow,
    convolutions,
    elementwise,
    gathers,
    normalisation,
    pooling,
    products,
    quantisation,
    recurrent,
    reductions,
    resizing,
    shapes,
)
