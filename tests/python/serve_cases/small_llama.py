"""A random Llama, written as GGUF and as Hugging Face has it, and in NumPy."""

import json

import gguf
import numpy as np
from reference import Reference
from safetensors.numpy import save_file

DIM, HIDDEN, LAYERS, HEADS, KEYS, HEAD, VOCABULARY, POSITIONS = 64, 96, 2, 4, 2, 16, 272, 128
THETA, EPSILON = 50000.0, 1e-6
PROJECTIONS = {"query": ("attn_q", "self_attn.q_proj", (HEADS * HEAD, DIM)), "key": ("attn_k", "self_attn.k_proj", (KEYS * HEAD, DIM)),
               "value": ("attn_v", "self_attn.v_proj", (KEYS * HEAD, DIM)), "output": ("attn_output", "self_attn.o_proj", (DIM, HEADS * HEAD)),
               "gate": ("ffn_gate", "mlp.gate_proj", (HIDDEN, DIM)), "up": ("ffn_up", "mlp.up_proj", (HIDDEN, DIM)),
               "down": ("ffn_down", "mlp.down_proj", (DIM, HIDDEN)), "attention_norm": ("attn_norm", "input_layernorm", (DIM,)),
               "hidden_norm": ("ffn_norm", "post_attention_layernorm", (DIM,))}


def weights(seed):
    """As Hugging Face has them: rotary pairs half a head apart."""
    random = np.random.default_rng(seed)

    def drawn(*size):
        if len(size) == 1:
            return random.uniform(0.5, 1.5, size).astype(np.float32)
        return (random.normal(size=size) * 1.5 / np.sqrt(size[-1])).astype(np.float32)

    found = {name: [drawn(*size) for _ in range(LAYERS)] for name, (_, _, size) in PROJECTIONS.items()}
    return {**found, "embedding": drawn(VOCABULARY, DIM), "norm": drawn(DIM), "classifier": 3 * drawn(VOCABULARY, DIM)}


def reference(found):
    return Reference(found, HEADS, KEYS, THETA, EPSILON, halves=True)


def letters():
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(0x100 + place) for place, byte in enumerate(others)}


def vocabulary():
    """All bytes, some pairs, two control tokens."""
    of_bytes = letters()
    texts = [of_bytes[byte] for byte in range(256)]
    merges = ["t h", "th e", "Ġ a", "i n", "Ġ the", "a n", "Ġ in"]
    texts += ["".join(merge.split()) for merge in merges]
    texts += [f"<unused{number}>" for number in range(VOCABULARY - 2 - len(texts))]
    return [*texts, "<|begin|>", "<|end|>"], merges


def write_gguf(path, found, kind=gguf.GGMLQuantizationType.F32):
    """As llama.cpp's converter does it: rows of queries and keys are ordered so that rotary pairs are neighbours."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(POSITIONS)
    writer.add_embedding_length(DIM)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEYS)
    writer.add_rope_freq_base(THETA)
    writer.add_layer_norm_rms_eps(EPSILON)
    texts, merges = vocabulary()
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(texts)
    writer.add_token_types([gguf.TokenType.NORMAL] * (VOCABULARY - 2) + [gguf.TokenType.CONTROL] * 2)
    writer.add_token_merges(merges)
    writer.add_bos_token_id(VOCABULARY - 2)
    writer.add_eos_token_id(VOCABULARY - 1)
    writer.add_chat_template("{% for m in messages %}<|begin|>{{ m['role'] }}: {{ m['content'] }}<|end|>{% endfor %}")

    def add(name, array):
        if array.ndim == 2 and kind != gguf.GGMLQuantizationType.F32:
            writer.add_tensor(name, gguf.quantize(array, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, array)

    for layer in range(LAYERS):
        for name, (other, _, _) in PROJECTIONS.items():
            array = found[name][layer]
            if name in ("query", "key"):
                array = array.reshape(-1, 2, HEAD // 2, DIM).swapaxes(1, 2).reshape(array.shape)
            add(f"blk.{layer}.{other}.weight", np.ascontiguousarray(array))
    add("token_embd.weight", found["embedding"])
    add("output.weight", found["classifier"])
    writer.add_tensor("output_norm.weight", found["norm"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_folder(folder, found, **changes):
    folder.mkdir()
    config = {"model_type": "llama", "hidden_size": DIM, "intermediate_size": HIDDEN, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
              "num_key_value_heads": KEYS, "vocab_size": VOCABULARY, "max_position_embeddings": POSITIONS, "rope_theta": THETA,
              "rms_norm_eps": EPSILON, "eos_token_id": VOCABULARY - 1, "bos_token_id": VOCABULARY - 2, **changes}
    (folder / "config.json").write_text(json.dumps(config))
    named = {"model.embed_tokens.weight": found["embedding"], "model.norm.weight": found["norm"], "lm_head.weight": found["classifier"]}
    for layer in range(LAYERS):
        named |= {f"model.layers.{layer}.{other}.weight": found[name][layer] for name, (_, other, _) in PROJECTIONS.items()}
    save_file(dict(list(named.items())[::2]), folder / "model-00001-of-00002.safetensors")
    save_file(dict(list(named.items())[1::2]), folder / "model-00002-of-00002.safetensors")
    texts, merges = vocabulary()
    added = [{"id": VOCABULARY - 2 + place, "content": text, "special": True, "single_word": False, "lstrip": False, "rstrip": False,
              "normalized": False} for place, text in enumerate(texts[-2:])]
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "added_tokens": added, "normalizer": None, "post_processor": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Digits", "individual_digits": True}, {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}]},
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "vocab": {text: number for number, text in enumerate(texts)}, "merges": merges}}))
