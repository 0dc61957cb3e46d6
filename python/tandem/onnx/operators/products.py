"""Products of matrices."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, is_known, narrowed, traced


def wide(value: Value) -> Any:
    """A factor for the machine: float16 as float32, as its products would have the precision of bf16."""
    value = traced(value)
    return value.astype(jnp.float32) if value.dtype == np.float16 else value


@operator("MatMul")
def matmul(node: Node, x: Value, y: Value) -> Value:
    if is_known(x, y):
        return np.matmul(x, y)
    return jnp.matmul(wide(x), wide(y)).astype(narrowed(x.dtype))


@operator("Gemm")
def gemm(node: Node, a: Value, b: Value, c: Value = None) -> Value:
    a, b = traced(a), traced(b)
    a = a.T if node.attr("transA") else a
    b = b.T if node.attr("transB") else b
    result = jnp.matmul(wide(a), wide(b)).astype(a.dtype)
    if node.attr("alpha") != 1:
        result = (node.attr("alpha") * result).astype(a.dtype)
    if c is None:
        return result
    c = traced(c)
    return result + (c if node.attr("beta") == 1 else (node.attr("beta") * c).astype(a.dtype))


@operator("Einsum")
def einsum(node: Node, *values: Value) -> Value:
    return jnp.einsum(node.attr("equation"), *[wide(value) for value in values]).astype(narrowed(values[0].dtype))


@operator("MatMulInteger")
def matmul_integer(node: Node, a: Value, b: Value, a_zero: Value = None, b_zero: Value = None) -> Value:
    a, b = traced(a).astype(jnp.int32), traced(b).astype(jnp.int32)
    if a_zero is not None:
        zero = traced(a_zero).astype(jnp.int32)
        a = a - (zero[:, None] if zero.ndim == 1 and zero.shape[0] > 1 else zero)
    if b_zero is not None:
        b = b - traced(b_zero).astype(jnp.int32)
    return jnp.matmul(a, b)


@operator("Det")
def determinant(node: Node, x: Value) -> Value:
    return jnp.linalg.det(traced(x))


