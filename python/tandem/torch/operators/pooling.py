"""Pooling and its gradients, for windows of any rank.

The gradient of a maximum goes to the first of the largest elements of a window, as in torch; it is recomputed from the
input, so a forward graph need not compute otherwise unused indices.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, Sequence

import jax
import jax.numpy as jnp
import numpy as np
import torch

from tandem.torch.operators import decomposition, operator
from tandem.torch.operators.adaptive import scattered

aten = torch.ops.aten


class Windows:
    """The windows over the last dimensions of x."""

    def __init__(self, x: jax.Array, kernel: Sequence[int], stride: Any, padding: Any, dilation: Any, ceil_mode: bool):
        kernel = list(kernel)
        rank = len(kernel)

        def of_each(value: Any) -> list[int]:
            values = [value] if isinstance(value, int) else list(value)
            return [int(one) for one in (values * rank if len(values) == 1 else values)]

        self.outer = x.ndim - rank
        self.kernel = of_each(kernel)
        self.stride = of_each(stride) if stride not in (None, [], ()) else self.kernel
        self.padding, self.dilation = of_each(padding), of_each(dilation)
        self.sizes = list(x.shape[self.outer:])
        self.spans = [step * (size - 1) + 1 for size, step in zip(self.kernel, self.dilation, strict=True)]
        self.outputs = [self._output(axis, ceil_mode) for axis in range(rank)]

    def _output(self, axis: int, ceil_mode: bool) -> int:
        """How many windows; in ceil mode the last one still begins in the input or in its padding before it."""
        size, pad, stride = self.sizes[axis], self.padding[axis], self.stride[axis]
        room = size + 2 * pad - self.spans[axis]
        count = (-(-room // stride) if ceil_mode else room // stride) + 1
        return count - 1 if ceil_mode and (count - 1) * stride >= size + pad else count

    @property
    def pads(self) -> list[tuple[int, int]]:
        behind = [(count - 1) * stride + span - size - pad for count, stride, span, size, pad in
                  zip(self.outputs, self.stride, self.spans, self.sizes, self.padding, strict=True)]
        return [(0, 0)] * self.outer + [(pad, max(pad, after)) for pad, after in zip(self.padding, behind, strict=True)]

    def reduce(self, x: Any, initial: Any, function: Any) -> Any:
        ones = [1] * self.outer
        return jax.lax.reduce_window(x, initial, function, ones + self.kernel, ones + self.stride, self.pads,
                                     window_dilation=ones + self.dilation)

    def elements(self, with_padding: bool) -> np.ndarray:
        """The number of elements by which torch divides a window's sum."""
        counts = []
        for count, stride, pad, kernel, size in zip(self.outputs, self.stride, self.padding, self.kernel, self.sizes, strict=True):
            begin = np.arange(count) * stride - pad
            end = np.minimum(begin + kernel, size + pad)
            counts.append(end - begin if with_padding else np.minimum(end, size) - np.maximum(begin, 0))
        return np.array([math.prod(each) for each in itertools.product(*counts)]).reshape(self.outputs)


def lowest(dtype: Any) -> Any:
    return np.array(-np.inf if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).min, dtype)


def largest(x: jax.Array, windows: Windows) -> jax.Array:
    return windows.reduce(x, lowest(x.dtype), jax.lax.max)


def indices_of_largest(x: jax.Array, windows: Windows) -> jax.Array:
    """Within the pooled dimensions, row by row; NaN counts as largest."""
    places = jnp.broadcast_to(jnp.arange(math.prod(windows.sizes), dtype=jnp.int32).reshape(windows.sizes), x.shape)

    def better(left: Any, right: Any) -> Any:
        (a, at_a), (b, at_b) = left, right
        first = (a > b) | ((a == b) & (at_a < at_b)) | ((a != a) & ((b == b) | (at_a > at_b)))
        return jnp.where(first, a, b), jnp.where(first, at_a, at_b)

    return windows.reduce((x, places), (lowest(x.dtype), np.int32(-1)), better)[1]


@operator(aten.max_pool2d_with_indices.default, aten.max_pool3d_with_indices.default)
def max_pool_with_indices(x: jax.Array, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1,
                          ceil_mode: bool = False) -> tuple[jax.Array, jax.Array]:
    windows = Windows(x, kernel, stride, padding, dilation, ceil_mode)
    return largest(x, windows), indices_of_largest(x, windows)


_library = torch.library.Library("tandem", "FRAGMENT")
_library.define("max_pool_backward(Tensor gradient, Tensor x, int[] kernel, int[] stride, int[] padding, int[] dilation, "
                "bool ceil_mode) -> Tensor")
torch.library.register_fake("tandem::max_pool_backward", lambda gradient, x, *_options: torch.empty_like(x), lib=_library)


@decomposition(aten.max_pool2d_with_indices_backward.default, aten.max_pool3d_with_indices_backward.default)
def without_indices(gradient: torch.Tensor, x: torch.Tensor, kernel: Any, stride: Any, padding: Any, dilation: Any,
                    ceil_mode: bool, indices: torch.Tensor) -> torch.Tensor:
    return torch.ops.tandem.max_pool_backward(gradient, x, kernel, stride, padding, dilation, ceil_mode)


@operator(torch.ops.tandem.max_pool_backward.default)
def max_pool_backward(gradient: jax.Array, x: jax.Array, kernel: Any, stride: Any, padding: Any, dilation: Any,
                      ceil_mode: bool) -> jax.Array:
    windows = Windows(x, kernel, stride, padding, dilation, ceil_mode)
    if any(step != 1 for step in windows.dilation):
        return scattered(gradient, x, indices_of_largest(x, windows), len(kernel))  # XLA has no rule for these
    return jax.vjp(lambda x: largest(x, windows), x)[1](gradient)[0]


def mean(x: jax.Array, windows: Windows, with_padding: bool, divisor: int | None) -> jax.Array:
    total = windows.reduce(x, np.array(0, x.dtype), jax.lax.add)
    counts = windows.elements(with_padding) if divisor is None else np.array(divisor)
    if jnp.issubdtype(x.dtype, jnp.integer):
        return jax.lax.div(total, jnp.broadcast_to(counts.astype(x.dtype), total.shape))
    return total / counts.astype(x.dtype)


def _enter_means(rank: int, forward: Any, backward: Any) -> None:
    def windows_of(x: jax.Array, kernel: Any, stride: Any, padding: Any, ceil_mode: bool) -> Windows:
        sizes = [kernel] if isinstance(kernel, int) else list(kernel)
        return Windows(x, sizes * rank if len(sizes) == 1 else sizes, stride, padding, 1, ceil_mode)

    def avg_pool(x: jax.Array, kernel: Any, stride: Any = (), padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True, divisor_override: int | None = None) -> jax.Array:
        return mean(x, windows_of(x, kernel, stride, padding, ceil_mode), count_include_pad, divisor_override)

    def avg_pool_backward(gradient: jax.Array, x: jax.Array, *options: Any) -> jax.Array:
        return jax.vjp(lambda x: avg_pool(x, *options), x)[1](gradient)[0]

    operator(forward)(avg_pool)
    if backward is not None:
        operator(backward)(avg_pool_backward)


_enter_means(1, aten.avg_pool1d.default, None)
_enter_means(2, aten.avg_pool2d.default, aten.avg_pool2d_backward.default)
_enter_means(3, aten.avg_pool3d.default, aten.avg_pool3d_backward.default)
