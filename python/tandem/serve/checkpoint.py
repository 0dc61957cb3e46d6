"""Llamas of llama2.c: a checkpoint of version 0, with its vocabulary beside it: NAME_tokenizer.bin, tokenizer.bin or tok*.bin."""

from __future__ import annotations

import math
import pathlib
import struct

import numpy as np

from tandem import tools
from tandem.serve.model import Model, Refused, halves
from tandem.serve.shape import Shape
from tandem.serve.tokens import Pieces

BEGIN = 1  # begins and ends a text


def _vocabulary(path: pathlib.Path) -> pathlib.Path:
    known = [path.with_name(f"{path.stem}_tokenizer.bin"), path.with_name("tokenizer.bin"), *sorted(path.parent.glob("tok[0-9]*.bin"))]
    for other in known:
        if other.is_file():
            return other
    raise Refused(f"{path}: no vocabulary beside it ({known[0].name} or tokenizer.bin)")


def pieces(path: pathlib.Path, count: int) -> Pieces:
    data, at = tools.input_file(path).read_bytes(), 4
    texts, scores = [], []
    for _ in range(count):
        score, length = struct.unpack_from("<fi", data, at)
        if length < 0 or at + 8 + length > len(data):
            raise Refused(f"{path}: the vocabulary has a piece of {length} bytes")
        texts.append(data[at + 8:at + 8 + length])
        scores.append(score)
        at += 8 + length
    texts = [bytes([int(text[3:5], 16)]) if len(text) == 6 and text.startswith(b"<0x") else text for text in texts]
    return Pieces(texts, scores, begin=BEGIN, ends={BEGIN, 2}, controls={0, 1, 2})


def read(path: pathlib.Path) -> Model:
    data = tools.input_file(path).read_bytes()
    dim, hidden, layers, heads, key_heads, vocabulary, positions = struct.unpack_from("<7i", data)
    shape = Shape(dim, hidden, layers, heads, key_heads, dim // heads, abs(vocabulary), positions)
    numbers, at = np.frombuffer(data, "<f4", offset=28, count=(len(data) - 28) // 4), 0

    def take(*sizes: int) -> np.ndarray:
        nonlocal at
        count = math.prod(sizes)
        at += count
        if at > numbers.size:
            raise Refused(f"{path}: shorter than its header says")
        return numbers[at - count:at].reshape(sizes)

    embedding = take(shape.vocabulary, dim)
    sizes = {"attention_norm": (dim,), "query": (dim, dim), "key": (shape.keys, dim), "value": (shape.keys, dim), "output": (dim, dim),
             "hidden_norm": (dim,), "gate": (hidden, dim), "down": (dim, hidden), "up": (hidden, dim)}
    stacked = {name: take(layers, *size) for name, size in sizes.items()}
    norm = take(dim)
    take(2 * positions * (shape.head // 2))  # tables of angles, unused
    classifier = embedding if vocabulary > 0 else take(shape.vocabulary, dim)
    for name in ("query", "key"):
        stacked[name] = np.stack([halves(matrix, shape.head) for matrix in stacked[name]])
    return Model(path.stem, shape, embedding, classifier, norm, [{name: part[layer] for name, part in stacked.items()} for layer in range(layers)],
                 pieces(_vocabulary(path), shape.vocabulary))
