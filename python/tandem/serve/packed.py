"""Weights of products as words: float32, or two bfloat16, four int8 or eight int4 to a word.

A word holds elements of rows that are far apart (row i, i + rows / 2, ...), so unpacking it is shifts of whole rows,
and each part is multiplied by its own columns of the other factor. The machine's copies move words; the parts become
float32 on their way to the matrix unit.
"""

from __future__ import annotations

from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy as np

GROUP = 32  # at most so many rows share a scale in int4


def _parts(matrix: np.ndarray, count: int) -> np.ndarray:
    """[count, rows / count, columns] of [rows, columns], with zeros if they do not divide."""
    short = -matrix.shape[0] % count
    return np.pad(matrix, ((0, short), (0, 0))).reshape(count, -1, matrix.shape[1])


def _joined(parts: np.ndarray, bits: int) -> np.ndarray:
    """Words of unsigned parts."""
    words = np.zeros(parts.shape[1:], np.uint32)
    for place, part in enumerate(parts):
        words |= part.astype(np.uint32) << np.uint32(bits * place)
    return words.view(np.int32)


def _float32(matrix: np.ndarray) -> dict[str, np.ndarray]:
    return {"f32": np.ascontiguousarray(matrix, np.float32)}


def _bfloat16(matrix: np.ndarray) -> dict[str, np.ndarray]:
    return {"bf16": _joined(_parts(matrix, 2).astype(jnp.bfloat16).view(np.uint16), 16)}


def _int8(matrix: np.ndarray) -> dict[str, np.ndarray]:
    """A scale for each column."""
    scale = np.maximum(np.abs(matrix).max(axis=0), np.finfo(np.float32).tiny) / 127
    numbers = np.rint(_parts(matrix, 4) / scale).astype(np.int8)
    return {"int8": _joined(numbers.view(np.uint8), 8), "scale": scale.astype(np.float32)}


def _int4(matrix: np.ndarray) -> dict[str, np.ndarray]:
    """Sixteen levels from the minimum to the maximum of a group of rows in a column, with their distance and the
    minimum."""
    parts = _parts(matrix, 8)
    group = max(size for size in range(1, GROUP + 1) if parts.shape[1] % size == 0)
    grouped = parts.reshape(8, -1, group, parts.shape[2])
    least = grouped.min(axis=2)
    distance = np.maximum((grouped.max(axis=2) - least) / 15, np.finfo(np.float32).tiny)
    numbers = np.clip(np.rint((grouped - least[:, :, None]) / distance[:, :, None]), 0, 15).reshape(parts.shape)
    return {"int4": _joined(numbers, 4), "distance": distance.astype(np.float32), "least": least.astype(np.float32)}


FORMS: dict[str, Callable[[np.ndarray], dict[str, np.ndarray]]] = {"f32": _float32, "bf16": _bfloat16, "int8": _int8, "int4": _int4}


def packed(matrix: np.ndarray, form: str) -> dict[str, np.ndarray]:
    """A matrix [inputs, outputs] in one of FORMS."""
    return FORMS[form](np.asarray(matrix, np.float32))


def _matrix(weight: dict[str, Any]) -> Any:
    """[inputs, outputs] as float32, without the scales of int8, which belong to outputs."""
    if "f32" in weight:
        return weight["f32"]
    if "bf16" in weight:
        words = weight["bf16"]
        parts = [jax.lax.bitcast_convert_type(part, jnp.float32) for part in (words << 16, words & jnp.int32(-1 << 16))]
    elif "int8" in weight:
        parts = [((weight["int8"] << (24 - 8 * place)) >> 24).astype(jnp.float32) for place in range(4)]
    else:
        rows, columns = weight["int4"].shape
        groups = weight["least"].shape[1]
        parts = []
        for place in range(8):
            numbers = ((weight["int4"] >> (4 * place)) & 15).astype(jnp.float32).reshape(groups, rows // groups, columns)
            real = numbers * weight["distance"][place][:, None] + weight["least"][place][:, None]
            parts.append(real.reshape(rows, columns))
    return jnp.concatenate(parts, axis=0)


def product(x: Any, weight: dict[str, Any], precision: Any = None) -> Any:
    """x [rows, inputs] times a packed weight, in float32."""
    matrix = _matrix(weight)
    result = jnp.dot(jnp.pad(x, ((0, 0), (0, matrix.shape[0] - x.shape[1]))), matrix, precision=precision)
    return result * weight["scale"] if "scale" in weight else result
