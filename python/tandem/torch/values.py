"""Conversion of torch's tensors to the machine's form and back: at most 32 bits for a number, and nothing is lost
silently."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import torch

# Torch's types, and the machine's element types for them.
ELEMENTS: dict[torch.dtype, np.dtype] = {
    torch.bool: np.dtype(np.bool_), torch.float32: np.dtype(np.float32), torch.float64: np.dtype(np.float32),
    torch.float16: np.dtype(np.float16), torch.bfloat16: np.dtype(ml_dtypes.bfloat16),
    torch.int8: np.dtype(np.int8), torch.int16: np.dtype(np.int16), torch.int32: np.dtype(np.int32),
    torch.int64: np.dtype(np.int32), torch.uint8: np.dtype(np.uint8), torch.uint16: np.dtype(np.uint16),
    torch.uint32: np.dtype(np.uint32), torch.uint64: np.dtype(np.uint32), torch.complex64: np.dtype(np.complex64),
    torch.complex128: np.dtype(np.complex64), torch.float8_e4m3fn: np.dtype(ml_dtypes.float8_e4m3fn),
    torch.float8_e5m2: np.dtype(ml_dtypes.float8_e5m2)}

# Those that torch passes to NumPy as the bits of another type.
_BY_BITS = {torch.bfloat16: torch.int16, torch.float8_e4m3fn: torch.uint8, torch.float8_e5m2: torch.uint8}
_OF_TORCH = {np.dtype(ml_dtypes.bfloat16): torch.bfloat16, np.dtype(ml_dtypes.float8_e4m3fn): torch.float8_e4m3fn,
             np.dtype(ml_dtypes.float8_e5m2): torch.float8_e5m2}


class Refused(NotImplementedError):
    """A feature that Tandem does not support."""

    def __init__(self, text: str):
        super().__init__(f"PyTorch on Tandem: {text}")


def element(dtype: torch.dtype, what: str = "a tensor") -> np.dtype:
    """The machine's element type for this type. Raises Refused."""
    if dtype not in ELEMENTS:
        raise Refused(f"{what} has elements of type {str(dtype).removeprefix('torch.')}")
    return ELEMENTS[dtype]


def host_array(tensor: torch.Tensor, what: str) -> np.ndarray:
    """The tensor's own memory as a dense array, in torch's type. Raises Refused."""
    if tensor.layout != torch.strided or tensor.is_quantized:
        raise Refused(f"{what} is no dense tensor")
    if tensor.device.type != "cpu":
        raise Refused(f"{what} is on {tensor.device}: tensors come from the CPU")
    element(tensor.dtype, what)
    dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
    if tensor.dtype in _BY_BITS:
        return dense.view(_BY_BITS[tensor.dtype]).numpy().view(ELEMENTS[tensor.dtype])
    return dense.numpy()


def narrow(array: np.ndarray, target: np.dtype, what: str) -> np.ndarray:
    """With the machine's elements. Refuses values that these cannot hold."""
    if array.dtype == target:
        return array
    with np.errstate(over="ignore"):
        result = array.astype(target)
    lost = result != array if target.kind in "iu" else np.isinf(result) & np.isfinite(array)
    if np.any(lost):
        raise Refused(f"{what} holds {array[lost].reshape(-1)[0]}, which {target} cannot")
    return result


def of_torch(array: np.ndarray, dtype: torch.dtype, strides: tuple[int, ...] | None = None) -> torch.Tensor:
    """A tensor of torch's type and strides, with memory of its own."""
    if array.dtype in _OF_TORCH:
        kept = _OF_TORCH[array.dtype]
        tensor = torch.from_numpy(array.view(np.int16 if array.itemsize == 2 else np.uint8).copy()).view(kept).to(dtype)
    else:
        tensor = torch.from_numpy(np.array(array)).to(dtype)
    if strides is None or tensor.stride() == strides or tensor.numel() == 0:
        return tensor
    once = tuple(slice(0, 1) if stride == 0 else slice(None) for stride in strides)  # an expanded dimension is one element
    part = tensor[once]
    return torch.empty_strided(part.shape, strides, dtype=dtype).copy_(part).expand(tensor.shape)

