"""Values of a graph: NumPy's if they are known while the program is built, JAX's if the machine computes them.

Known values keep ONNX's types, including 64 bits; values for the machine have at most 32 bits.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

Value = Any  # a NumPy array, a traced array of JAX, a list of them (a sequence), None

_NARROW = {np.dtype(np.int64): np.dtype(np.int32), np.dtype(np.uint64): np.dtype(np.uint32),
           np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.complex128): np.dtype(np.complex64)}


class Refused(NotImplementedError):
    """A feature of a graph that Tandem does not support. kind: the reason without names, for counting."""

    def __init__(self, text: str, kind: str):
        super().__init__(text)
        self.kind = kind


class Unknown(Exception):
    """A value that must be known and is not; name is the graph's."""

    def __init__(self, name: str, node: str):
        super().__init__(name)
        self.name, self.node = name, node


def is_known(*values: Value) -> bool:
    return all(value is None or isinstance(value, (np.ndarray, np.generic)) for value in values)


def narrowed(dtype: np.dtype) -> np.dtype:
    """The machine's element type for this type."""
    return _NARROW.get(np.dtype(dtype), np.dtype(dtype))


def narrow(array: np.ndarray, what: str) -> np.ndarray:
    """The array in the machine's type. Refuses values that 32 bits cannot hold."""
    array = np.asarray(array)
    if array.dtype.kind in "OSU":
        raise Refused(f"{what} holds strings", "strings")
    target = narrowed(array.dtype)
    if target == array.dtype:
        return array
    with np.errstate(over="ignore"):
        result = array.astype(target)
    lost = result != array if target.kind in "iu" else np.isinf(result) & np.isfinite(array)
    if np.any(lost):
        raise Refused(f"{what} holds {array[lost].reshape(-1)[0]}, which {target} cannot", f"values beyond {target}")
    return result


def traced(value: Value, what: str = "a constant") -> Any:
    """The value for JAX."""
    return jnp.asarray(narrow(value, what)) if is_known(value) else value


def library(*values: Value) -> tuple[Any, list[Value]]:
    """NumPy and the values if all are known, else jax.numpy and the values in the machine's types."""
    if is_known(*values):
        return np, [value if value is None else np.asarray(value) for value in values]
    return jnp, [value if value is None else traced(value) for value in values]


def zeros_like(shape: tuple[int, ...], value: Value) -> Any:
    return jnp.zeros(shape, narrowed(value.dtype))
