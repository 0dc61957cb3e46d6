"""Resize: each axis by a matrix of weights, or by indices where the nearest element is taken."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, traced


def _coordinates(node: Node, mode: str, count: int, size: int, scale: float, roi: tuple[float, float]) -> np.ndarray:
    """The position of each element of the result in the source."""
    x, exact = np.arange(count, dtype=np.float64), scale * size  # without rounding
    if mode == "half_pixel":
        return (x + 0.5) / scale - 0.5
    if mode == "half_pixel_symmetric":
        return size / 2 * (1 - count / (scale * size)) + (x + 0.5) / scale - 0.5
    if mode == "pytorch_half_pixel":
        return (x + 0.5) / scale - 0.5 if count > 1 else np.zeros(count)
    if mode == "asymmetric":
        return x / scale
    if mode == "align_corners":
        return x * (size - 1) / (exact - 1) if exact != 1 else np.zeros(count)
    if mode == "tf_half_pixel_for_nn":
        return (x + 0.5) / scale
    if mode == "tf_crop_and_resize":
        if exact == 1:
            return np.full(1, 0.5 * (roi[0] + roi[1]) * (size - 1))
        return roi[0] * (size - 1) + x * (roi[1] - roi[0]) * (size - 1) / (exact - 1)
    raise node.refuse(f"coordinates {mode}")


def _cubic(a: float, distance: np.ndarray) -> np.ndarray:
    d = np.abs(distance)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


def _weights(node: Node, at: np.ndarray, size: int, scale: float) -> np.ndarray:
    """A row of weights for each element of the result."""
    cubic = node.attr("mode") == "cubic"
    stretch = max(1.0, 1 / scale) if node.attr("antialias", 0) else 1.0
    reach = (2 if cubic else 1) * stretch
    rows = np.zeros((len(at), size))
    for row, place in zip(rows, at, strict=True):
        taps = np.arange(int(np.floor(place - reach)), int(np.ceil(place + reach)) + 1)
        distance = (taps - place) / stretch
        amount = _cubic(node.attr("cubic_coeff_a"), distance) if cubic else np.maximum(1 - np.abs(distance), 0)
        outside = (taps < 0) | (taps >= size)
        if node.attr("exclude_outside", 0):
            amount = np.where(outside, 0, amount)
        if amount.sum() != 0:
            amount = amount / amount.sum()
        np.add.at(row, np.clip(taps, 0, size - 1), amount)
    return rows


def _nearest(node: Node, at: np.ndarray, size: int) -> np.ndarray:
    mode = node.attr("nearest_mode", "floor")
    rounded = {"floor": np.floor(at), "ceil": np.ceil(at), "round_prefer_floor": np.ceil(at - 0.5),
               "round_prefer_ceil": np.floor(at + 0.5)}[mode]
    return np.clip(rounded, 0, size - 1).astype(np.int32)


@operator("Resize", "Upsample")
def resize(node: Node, x: Value, *rest: Value) -> Value:
    x = traced(x)
    if node.kind == "Upsample" or node.opset < 11:
        roi, sizes, mode = None, None, "asymmetric"
        scales = np.asarray(node.attr("scales"), np.float32) if node.has("scales") else node.known(rest[0], 1)
    else:
        roi, scales, sizes = (*rest, None, None, None)[:3]
        mode = node.attr("coordinate_transformation_mode")
        scales = None if scales is None or 0 in scales.shape else node.known(scales, 2)
        sizes = None if sizes is None or 0 in sizes.shape else node.integers(sizes, 3)
    axes = node.some_axes(node.attr("axes") or range(x.ndim), x.ndim)
    factors, counts = _targets(node, x.shape, axes, scales, sizes)
    crop = node.known(roi, 1).astype(np.float64) if mode == "tf_crop_and_resize" else None
    inside: Any = True
    for i, axis in enumerate(axes):
        size, count = x.shape[axis], counts[i]
        part = (0.0, 1.0) if crop is None else (crop[i], crop[i + len(axes)])
        if count == size and factors[i] == 1 and crop is None:
            continue
        at = _coordinates(node, mode, count, size, factors[i], part)
        x = _resized(node, x, axis, at, factors[i])
        if crop is not None:
            fits = ((at >= 0) & (at <= size - 1)).reshape([-1 if j == axis else 1 for j in range(x.ndim)])
            inside = inside & fits
    if crop is not None:
        x = jnp.where(jnp.asarray(inside), x, jnp.asarray(node.attr("extrapolation_value"), x.dtype))
    return x


def _resized(node: Node, x: Any, axis: int, at: np.ndarray, scale: float) -> Any:
    if node.attr("mode") == "nearest":
        return jnp.take(x, _nearest(node, at, x.shape[axis]), axis)
    if node.attr("mode") not in ("linear", "cubic"):
        raise node.refuse(f"mode {node.attr('mode')}")
    weights = _weights(node, at, x.shape[axis], scale).astype(np.float32)
    moved = jnp.moveaxis(x.astype(jnp.float32), axis, -1) @ jnp.asarray(weights.T)
    return jnp.moveaxis(moved, -1, axis).astype(x.dtype)


def _targets(node: Node, shape: tuple[int, ...], axes: list[int], scales: Any, sizes: Any) -> tuple[list[float], list[int]]:
    if sizes is None:
        factors = [float(scale) for scale in np.asarray(scales).reshape(-1)]
        return factors, [int(np.floor(shape[axis] * factor)) for axis, factor in zip(axes, factors, strict=True)]
    factors = [size / shape[axis] for axis, size in zip(axes, sizes, strict=True)]
    policy = node.attr("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return factors, list(sizes)
    scale = min(factors) if policy == "not_larger" else max(factors)
    return [scale] * len(axes), [int(np.floor(shape[axis] * scale + 0.5)) for axis in axes]
