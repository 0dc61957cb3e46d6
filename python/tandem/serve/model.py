"""A Llama in the form of its file, and in that of the machine."""

from __future__ import annotations

import pathlib
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from tandem.serve.packed import packed
from tandem.serve.shape import Shape
from tandem.serve.tokens import Tokens
from tandem.weights.files import BROKEN


class Refused(ValueError):
    """A model or a request that is refused; the text gives the reason."""


@dataclass
class Model:
    """Matrices are [outputs, inputs], as in files; rotary pairs are half a head apart.

    Raises Refused if its parts do not match: a row or a token too few or too many would be clamped or broadcast.
    """

    name: str
    shape: Shape
    embedding: np.ndarray
    classifier: np.ndarray
    norm: np.ndarray
    layers: list[dict[str, np.ndarray]]  # attention_norm, query, key, value, output, hidden_norm, gate, up, down
    tokens: Tokens
    chat_template: str | None = None

    def __post_init__(self) -> None:
        shape = self.shape
        if len(self.layers) != shape.layers:
            raise Refused(f"{self.name}: {len(self.layers)} layers, {shape.layers} are wanted")
        table = (shape.vocabulary, shape.dim)
        for name, array, size in (("embedding", self.embedding, table), ("classifier", self.classifier, table), ("norm", self.norm, (shape.dim,))):
            self._check(name, array, size)
        for number, layer in enumerate(self.layers):
            for name, size in shape.layer_sizes.items():
                self._check(f"{name}` of layer `{number}", layer[name], size)
        begin = self.tokens.begin
        for token in (begin, *self.tokens.ends):
            if token is not None and (not isinstance(token, int) or isinstance(token, bool)):
                raise Refused(f"{self.name}: {str(token)[:100]} begins or ends a text, and is no token")
        if begin is not None and not 0 <= begin < shape.vocabulary:
            raise Refused(f"{self.name}: token {begin} begins a text; there are {shape.vocabulary}")

    def _check(self, name: str, array: np.ndarray, size: tuple[int, ...]) -> None:
        if np.shape(array) != size:
            raise Refused(f"{self.name}: `{name}` is {np.shape(array)}, {size} is wanted")

    def weights(self, form: str) -> dict[str, Any]:
        """The inputs of the step: matrices [inputs, outputs] in that form, except the classifier, where rounding would
        change ties."""
        layers = []
        for layer in self.layers:
            matrices = {"attention": np.concatenate([layer["query"], layer["key"], layer["value"]]), "output": layer["output"],
                        "hidden": np.concatenate([layer["gate"], layer["up"]]), "down": layer["down"]}
            layers.append({name: packed(matrix.T, form) for name, matrix in matrices.items()} |
                          {name: layer[name] for name in ("attention_norm", "hidden_norm")})
        return {"embedding": self.embedding, "norm": self.norm, "classifier": packed(self.classifier.T, "f32"), "layers": layers}


def halves(matrix: np.ndarray, head: int) -> np.ndarray:
    """A matrix for queries or keys whose rotary pairs are neighbours, with the pairs half a head apart."""
    order = np.concatenate([np.arange(0, head, 2), np.arange(1, head, 2)])
    return matrix.reshape(-1, head, matrix.shape[1])[:, order].reshape(matrix.shape)


def load(path: pathlib.Path) -> Model:
    """A model by the kind of its path: a file .gguf or .bin, or a folder of safetensors. Raises Refused, OSError,
    MemoryError."""
    try:
        return _read(path)
    except Refused:
        raise
    except (*BROKEN, struct.error) as error:
        raise Refused(f"{path}: no model that can be read: {type(error).__name__}: {str(error)[:300]}") from error


def _read(path: pathlib.Path) -> Model:
    if path.is_dir():
        from tandem.serve import safetensors_folder
        return safetensors_folder.read(path)
    if path.suffix == ".gguf":
        from tandem.serve import gguf_file
        return gguf_file.read(path)
    if path.suffix == ".bin":
        from tandem.serve import checkpoint
        return checkpoint.read(path)
    raise Refused(f"{path}: a file .gguf, a checkpoint .bin of llama2.c or a folder with .safetensors is wanted")
