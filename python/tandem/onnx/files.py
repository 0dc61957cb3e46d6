"""The files of a model: its own, and those that it keeps its weights in."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Iterator

import onnx
from onnx.external_data_helper import ExternalDataInfo, load_external_data_for_model, uses_external_data

from tandem import tools


def files_of(path: str | os.PathLike[str]) -> Iterator[pathlib.Path]:
    yield tools.input_file(path)
    yield from _of_weights(onnx.load(path, load_external_data=False), pathlib.Path(path).parent)


def _of_weights(model: onnx.ModelProto, folder: pathlib.Path) -> Iterator[pathlib.Path]:
    for tensor in model.graph.initializer:
        if uses_external_data(tensor):
            yield folder / ExternalDataInfo(tensor).location


def read(path: Any) -> onnx.ModelProto:
    """A model by its name, or what onnx.load takes besides. Raises OSError."""
    if not isinstance(path, (str, os.PathLike)):
        return onnx.load(path)
    model = onnx.load(tools.input_file(path), load_external_data=False)
    folder = pathlib.Path(path).parent
    for file in _of_weights(model, folder):
        tools.input_file(file)
    load_external_data_for_model(model, str(folder))
    return model
