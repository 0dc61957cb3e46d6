"""Tensors by name, out of files of weights."""

from __future__ import annotations

import pathlib
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from tandem import tools


class Unreadable(ValueError):
    """A file without weights, or with unsupported ones."""


# The exceptions for invalid numbers, here and in the packages that read them.
BROKEN = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError)


class Tensors(Mapping[str, np.ndarray]):
    """Read on demand."""

    def __init__(self, readers: dict[str, Callable[[], np.ndarray]]):
        self._readers = readers

    def __getitem__(self, name: str) -> np.ndarray:
        reader = self._readers[name]
        try:
            return reader()
        except Exception as error:  # the packages have kinds of their own
            raise Unreadable(f"the tensor `{name}`: {type(error).__name__}: {error}") from error

    def __contains__(self, name: object) -> bool:
        return name in self._readers

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


def _safetensors(path: pathlib.Path) -> dict[str, Callable[[], np.ndarray]]:
    from safetensors import SafetensorError, safe_open

    try:
        opened = safe_open(tools.input_file(path), "numpy")
        return {name: lambda name=name: np.asarray(opened.get_tensor(name)) for name in opened.keys()}
    except SafetensorError as error:
        raise Unreadable(f"{path}: {error}") from None


def gguf_reader(path: pathlib.Path) -> Any:
    """The file as the package `gguf` reads it. Raises Unreadable."""
    import gguf

    try:
        return gguf.GGUFReader(tools.input_file(path))
    except BROKEN as error:
        raise Unreadable(f"{path}: {error}") from None


def _gguf(path: pathlib.Path) -> dict[str, Callable[[], np.ndarray]]:
    """Quantised tensors as float32."""
    return {tensor.name: lambda tensor=tensor: plain(tensor) for tensor in gguf_reader(path).tensors}


def plain(tensor: Any) -> np.ndarray:
    """A tensor of the package `gguf` as an array of its sizes."""
    import gguf

    kept = {getattr(gguf.GGMLQuantizationType, name) for name in ("F32", "F16", "F64", "I8", "I16", "I32", "I64")}
    array = tensor.data if tensor.tensor_type in kept else gguf.dequantize(tensor.data, tensor.tensor_type)
    return array.reshape(tuple(int(size) for size in reversed(tensor.shape)))


def files_of(path: pathlib.Path) -> list[pathlib.Path]:
    """The file, or all .safetensors in a folder."""
    return sorted(path.glob("*.safetensors")) if path.is_dir() else [path]


def tensors(path: pathlib.Path) -> Mapping[str, np.ndarray]:
    """Of a file .safetensors or .gguf, or of all .safetensors in a folder. Raises Unreadable, OSError."""
    if path.is_dir():
        files = files_of(path)
        if not files:
            raise Unreadable(f"{path}: no .safetensors in it")
        found: dict[str, Callable[[], np.ndarray]] = {}
        for file in files:
            new = _safetensors(file)
            if twice := found.keys() & new.keys():
                raise Unreadable(f"{file}: `{min(twice)}` is in another file of the folder, too")
            found |= new
        return Tensors(found)
    if not path.is_file():
        raise Unreadable(f"{path}: no such file")
    if path.suffix == ".safetensors":
        return Tensors(_safetensors(path))
    if path.suffix == ".gguf":
        return Tensors(_gguf(path))
    raise Unreadable(f"{path}: .safetensors or .gguf is wanted")
