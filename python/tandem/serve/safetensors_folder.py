"""Llamas in the format of Hugging Face: a folder with config.json, *.safetensors and tokenizer.json."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from tandem import tools
from tandem.serve.model import Model, Refused
from tandem.serve.shape import Shape
from tandem.serve.tokens import BytePairs
from tandem.weights.files import Unreadable, tensors

_LAYER = {"attention_norm": "input_layernorm", "query": "self_attn.q_proj", "key": "self_attn.k_proj", "value": "self_attn.v_proj",
          "output": "self_attn.o_proj", "hidden_norm": "post_attention_layernorm", "gate": "mlp.gate_proj", "up": "mlp.up_proj",
          "down": "mlp.down_proj"}


def _json(path: pathlib.Path) -> dict[str, Any]:
    try:
        return json.loads(tools.input_file(path).read_text())
    except (OSError, ValueError) as error:
        raise Refused(f"{path}: {error}") from None


def _shape(config: dict[str, Any], where: pathlib.Path) -> Shape:
    if (kind := config.get("model_type")) != "llama":
        raise Refused(f"{where}: a model of type `{kind}`; `llama` is wanted")
    for name in ("attention_bias", "mlp_bias"):
        if config.get(name):
            raise Refused(f"{where}: `{name}` is not there")
    scaling = config.get("rope_scaling") or config.get("rope_parameters") or {}
    if scaling.get("rope_type", scaling.get("type", "default")) != "default":
        raise Refused(f"{where}: rotary embedding with scaling is not there")
    heads = config["num_attention_heads"]
    return Shape(config["hidden_size"], config["intermediate_size"], config["num_hidden_layers"], heads,
                 config.get("num_key_value_heads", heads), config.get("head_dim") or config["hidden_size"] // heads, config["vocab_size"],
                 config["max_position_embeddings"], scaling.get("rope_theta", config.get("rope_theta", 10000.0)), config["rms_norm_eps"])


def _ends(folder: pathlib.Path, config: dict[str, Any]) -> set[int]:
    generation = _json(folder / "generation_config.json") if (folder / "generation_config.json").is_file() else {}
    ends: set[int] = set()
    for given in (config.get("eos_token_id"), generation.get("eos_token_id")):
        ends |= set(given if isinstance(given, list) else [given]) - {None}
    return ends


def _tokens(folder: pathlib.Path, config: dict[str, Any]) -> BytePairs:
    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(tools.input_file(path)))
    except Exception as error:  # the package has no kind of its own
        raise Refused(f"{path}: {error}") from None
    begin = config.get("bos_token_id")
    adds = begin is not None and tokenizer.encode("a").ids[:1] == [begin]
    return BytePairs(tokenizer, begin=begin, ends=_ends(folder, config), adds_begin=adds)


def read(folder: pathlib.Path) -> Model:
    config = _json(folder / "config.json")
    shape = _shape(config, folder)
    try:
        found = tensors(folder)
    except Unreadable as error:
        raise Refused(str(error)) from None
    left = set(found)

    def take(name: str) -> np.ndarray:
        if name not in left:
            raise Refused(f"{folder}: no tensor `{name}`")
        left.remove(name)
        return found[name].astype(np.float32)

    layers = [{name: take(f"model.layers.{layer}.{other}.weight") for name, other in _LAYER.items()} for layer in range(shape.layers)]
    embedding, norm = take("model.embed_tokens.weight"), take("model.norm.weight")
    tied = config.get("tie_word_embeddings", False) or "lm_head.weight" not in left
    classifier = embedding if tied else take("lm_head.weight")
    left.discard("lm_head.weight")
    if others := sorted(name for name in left if not name.endswith("rotary_emb.inv_freq")):
        raise Refused(f"{folder}: tensors that a plain Llama has not: {', '.join(others[:4])}")
    tokenizer_config = _json(folder / "tokenizer_config.json") if (folder / "tokenizer_config.json").is_file() else {}
    return Model(folder.resolve().name, shape, embedding, classifier, norm, layers, _tokens(folder, config), tokenizer_config.get("chat_template"))
