"""Changes of type."""

from __future__ import annotations

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import onnx
from jax import lax

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, is_known, narrowed, traced


def _target(node: Node, kind: int) -> np.dtype:
    if kind == onnx.TensorProto.STRING:
        raise node.refuse("strings")
    return np.dtype(onnx.helper.tensor_dtype_to_np_dtype(kind))


def converted(node: Node, x: Value, target: np.dtype) -> Value:
    source = np.dtype(x.dtype)
    small = str(target).startswith("float8") or str(target).startswith("float4")
    if str(target) == "float8_e8m0fnu" or source.name == "float8_e8m0fnu":
        raise node.refuse("float8e8m0")
    if target.kind in "iu" or target.name in ("int4", "uint4", "int2", "uint2"):
        if is_known(x) and source.kind in "iufb" and target.kind in "iu":
            return x.astype(target)
        x = traced(x)
        if target.name in ("int4", "uint4", "int2", "uint2"):  # by way of 32 bits
            bits = int(target.name[-1])
            x = x.astype(jnp.int32)
            x = lax.bitwise_and(x, jnp.int32((1 << bits) - 1))
            if target.name.startswith("i"):
                x = jnp.where(x >= 1 << (bits - 1), x - (1 << bits), x)
            return x.astype(target)
        if jnp.issubdtype(source, jnp.floating) and target.itemsize < 4:
            x = x.astype(jnp.int32)
        return x.astype(narrowed(target))
    if is_known(x) and not small:
        return x.astype(target)
    x = traced(x)
    if small and node.attr("saturate", 1):
        limit = float(ml_dtypes.finfo(target).max)
        x = jnp.clip(x.astype(jnp.float32), -limit, limit)
    return x.astype(narrowed(target))


@operator("Cast")
def cast(node: Node, x: Value) -> Value:
    return converted(node, x, _target(node, node.attr("to")))


@operator("CastLike")
def cast_like(node: Node, x: Value, like: Value) -> Value:
    return converted(node, x, np.dtype(like.dtype))


@operator("BitCast")
def bit_cast(node: Node, x: Value) -> Value:
    node.only_32_bits(0, x)
    target = _target(node, node.attr("to"))
    if target.itemsize == 8:
        raise node.refuse("64-bit elements")
    if target == np.bool_ or np.dtype(x.dtype) == np.bool_:
        raise node.refuse("bool")
    return lax.bitcast_convert_type(traced(x), target)
