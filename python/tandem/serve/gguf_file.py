"""Llamas in GGUF, read by the package `gguf`, with tensors of any type."""

from __future__ import annotations

import pathlib
from typing import Any

import gguf
import numpy as np

from tandem.serve.model import Model, Refused, halves
from tandem.serve.shape import Shape
from tandem.serve.tokens import BytePairs, Pieces, Tokens
from tandem.weights.files import Unreadable, gguf_reader, plain

_LAYER = {"attention_norm": "attn_norm", "query": "attn_q", "key": "attn_k", "value": "attn_v", "output": "attn_output",
          "hidden_norm": "ffn_norm", "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"}
_CONTROL, _BYTE = gguf.TokenType.CONTROL, gguf.TokenType.BYTE


class _Fields:
    def __init__(self, reader: Any, path: pathlib.Path):
        self._reader, self._path = reader, path

    def get(self, name: str, default: Any = None) -> Any:
        field = self._reader.get_field(name)
        return default if field is None else field.contents()

    def __getitem__(self, name: str) -> Any:
        if (found := self.get(name)) is None:
            raise Refused(f"{self._path}: no field `{name}`")
        return found


def _shortest(number: float) -> float:
    """The decimal number that was rounded to this float32."""
    return float(str(np.float32(number)))


def _shape(fields: _Fields, path: pathlib.Path, vocabulary: int) -> Shape:
    if (kind := fields["general.architecture"]) != "llama":
        raise Refused(f"{path}: a model of architecture `{kind}`; `llama` is wanted")
    if fields.get("llama.expert_count", 0):
        raise Refused(f"{path}: mixtures of experts are not there")
    if (scaling := fields.get("llama.rope.scaling.type", "none")) != "none":
        raise Refused(f"{path}: rotary embedding with scaling `{scaling}` is not there")
    dim, heads = fields["llama.embedding_length"], fields["llama.attention.head_count"]
    head = fields.get("llama.attention.key_length", dim // heads)
    if fields.get("llama.rope.dimension_count", head) != head:
        raise Refused(f"{path}: rotary embedding of a part of each head is not there")
    return Shape(dim, fields["llama.feed_forward_length"], fields["llama.block_count"], heads, fields.get("llama.attention.head_count_kv", heads),
                 head, vocabulary, fields["llama.context_length"], fields.get("llama.rope.freq_base", 10000.0),
                 _shortest(fields["llama.attention.layer_norm_rms_epsilon"]))


def _tensors(reader: Any, shape: Shape, path: pathlib.Path) -> tuple[dict[str, np.ndarray], list[dict[str, np.ndarray]]]:
    left = {tensor.name: tensor for tensor in reader.tensors}

    def take(name: str, *sizes: int) -> np.ndarray:
        if name not in left:
            raise Refused(f"{path}: no tensor `{name}`")
        tensor = left.pop(name)
        array = plain(tensor).astype(np.float32)
        if array.shape != sizes:
            raise Refused(f"{path}: `{name}` is {array.shape}, {sizes} is wanted")
        return array

    dim = shape.dim
    layers = [{name: take(f"blk.{layer}.{_LAYER[name]}.weight", *size) for name, size in shape.layer_sizes.items()} for layer in range(shape.layers)]
    for layer in layers:  # the pairs of architecture `llama` are neighbours
        layer.update({name: halves(layer[name], shape.head) for name in ("query", "key")})
    others = {"embedding": take("token_embd.weight", shape.vocabulary, dim), "norm": take("output_norm.weight", dim)}
    others["classifier"] = take("output.weight", shape.vocabulary, dim) if "output.weight" in left else others["embedding"]
    if left:
        raise Refused(f"{path}: tensors that a plain Llama has not: {', '.join(sorted(left)[:4])}")
    return others, layers


def _begin_and_ends(fields: _Fields, texts: list[str]) -> tuple[int | None, set[int]]:
    ends = {fields.get(f"tokenizer.ggml.{name}_token_id") for name in ("eos", "eot")} - {None}
    ends |= {number for number, text in enumerate(texts) if text in ("<|im_end|>", "<|eot_id|>")}
    return fields.get("tokenizer.ggml.bos_token_id"), ends


def _byte_pairs(fields: _Fields, path: pathlib.Path) -> BytePairs:
    from tandem.serve.byte_pairs import made

    texts = fields["tokenizer.ggml.tokens"]
    kinds = fields.get("tokenizer.ggml.token_type", [gguf.TokenType.NORMAL] * len(texts))
    added = {text: kind == _CONTROL for text, kind in zip(texts, kinds, strict=True) if kind in (_CONTROL, gguf.TokenType.USER_DEFINED)}
    tokenizer = made(texts, fields["tokenizer.ggml.merges"], added, fields.get("tokenizer.ggml.pre", "default"), str(path))
    begin, ends = _begin_and_ends(fields, texts)
    return BytePairs(tokenizer, begin=begin, ends=ends, adds_begin=bool(fields.get("tokenizer.ggml.add_bos_token", False)))


def _pieces(fields: _Fields) -> Pieces:
    texts, kinds = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    coded = [bytes([int(text[3:5], 16)]) if kind == _BYTE else text.replace("▁", " ").encode() for text, kind in zip(texts, kinds, strict=True)]
    begin, ends = _begin_and_ends(fields, texts)
    controls = {number for number, kind in enumerate(kinds) if kind in (_CONTROL, gguf.TokenType.UNKNOWN)}
    return Pieces(coded, fields["tokenizer.ggml.scores"], begin=begin if fields.get("tokenizer.ggml.add_bos_token", True) else None,
                  ends=ends, controls=controls)


def _tokens(fields: _Fields, path: pathlib.Path) -> Tokens:
    kind = fields["tokenizer.ggml.model"]
    if kind == "gpt2":
        return _byte_pairs(fields, path)
    if kind == "llama":
        return _pieces(fields)
    raise Refused(f"{path}: a vocabulary of kind `{kind}`; `gpt2` or `llama` is wanted")


def read(path: pathlib.Path) -> Model:
    try:
        reader = gguf_reader(path)
    except Unreadable as error:
        raise Refused(str(error)) from None
    fields = _Fields(reader, path)
    shape = _shape(fields, path, len(fields["tokenizer.ggml.tokens"]))
    others, layers = _tensors(reader, shape, path)
    return Model(path.stem, shape, others["embedding"], others["classifier"], others["norm"], layers, _tokens(fields, path),
                 fields.get("tokenizer.chat_template"))
