#!/usr/bin/env python3
"""The programs of the table of cycles, as artifacts: tests/compiler/cycles/<name>.mlirbc.

  tests/compiler/cycle_programs.py [NAME...]

Needs jax 0.10.2 (`jax_check.py` tells more). Run again only when a program changes here.
"""

import functools
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import jax_check


def zeros(*sizes, dtype=jnp.float32):
    return jnp.zeros(sizes, dtype)


def eight_lines(x, w1, w2):
    h = x @ w1
    h = h / jnp.sqrt(jnp.mean(h ** 2, axis=-1, keepdims=True) + 1e-6)
    e = jnp.exp(h - jnp.max(h, axis=-1, keepdims=True))
    return (e / jnp.sum(e, axis=-1, keepdims=True)) @ w2


def two_chains(x, y, w1, w2):
    return softmax(x @ w1) @ w2, softmax(y @ w1) @ w2


def precise(precision):
    return lambda x, w: jnp.dot(x, w, precision=precision)


def matmul(x, w):
    return x @ w


def softmax(x):
    return jax.nn.softmax(x, axis=-1)


def rms_norm(x, weight):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5) * weight


def layer_norm(x, weight, bias):
    centred = x - jnp.mean(x, axis=-1, keepdims=True)
    return centred * lax.rsqrt(jnp.mean(centred ** 2, axis=-1, keepdims=True) + 1e-5) * weight + bias


def gelu(x):
    return jax.nn.gelu(x)


def gelu_mlp(x, up, down):
    return jax.nn.gelu(x @ up) @ down


def attention(q, k, v):
    """Heads first, causal, written plainly."""
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / np.sqrt(q.shape[-1])
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[1:], bool)), scores, -jnp.inf)
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, axis=-1), v)


def attention_biased(q, k, v, bias):
    """Heads in the middle, as they come out of a projection."""
    scores = jnp.einsum("qhd,khd->hqk", q, k) + bias
    return jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores, axis=-1), v)


def attention_grouped(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


def attention_long(q, k, v):
    return jax.nn.softmax(q @ k.T / 8) @ v


# A Llama of two layers with a cache, and greedy decoding of eight tokens in one launch.
WIDTH, HEADS, GROUPS, HEAD, HIDDEN, WORDS, LAYERS, PLACES = 64, 8, 4, 8, 172, 128, 2, 32


def llama_parameters():
    def weights(*sizes):
        return zeros(*sizes, dtype=jnp.bfloat16)

    layer = lambda: dict(wq=weights(WIDTH, WIDTH), wk=weights(WIDTH, GROUPS * HEAD),
                         wv=weights(WIDTH, GROUPS * HEAD), wo=weights(WIDTH, WIDTH),
                         w1=weights(WIDTH, HIDDEN), w2=weights(HIDDEN, WIDTH),
                         w3=weights(WIDTH, HIDDEN), n1=weights(WIDTH), n2=weights(WIDTH))
    return dict(embedding=weights(WORDS, WIDTH), layers=[layer() for _ in range(LAYERS)],
                norm=weights(WIDTH))


def llama_step(parameters, cache, token, position):
    norm = lambda x, w: x * lax.rsqrt(jnp.mean(x * x) + 1e-5) * w.astype(jnp.float32)
    product = lambda x, w: jnp.dot(x, w.astype(jnp.float32), precision="high")

    def rotated(x):
        angle = position * (1.0 / (10000.0 ** (jnp.arange(0, HEAD, 2) / HEAD)))
        even, odd, cosine, sine = x[..., ::2], x[..., 1::2], jnp.cos(angle), jnp.sin(angle)
        pairs = [even * cosine - odd * sine, even * sine + odd * cosine]
        return jnp.stack(pairs, -1).reshape(x.shape)

    x = parameters["embedding"][token].astype(jnp.float32)
    written = []
    for layer, (keys, values) in zip(parameters["layers"], cache):
        h = norm(x, layer["n1"])
        q = rotated(product(h, layer["wq"]).reshape(HEADS, HEAD))
        k = rotated(product(h, layer["wk"]).reshape(GROUPS, HEAD))
        v = product(h, layer["wv"]).reshape(GROUPS, HEAD)
        keys = lax.dynamic_update_slice(keys, k[None], (position, 0, 0))
        values = lax.dynamic_update_slice(values, v[None], (position, 0, 0))
        q = q.reshape(GROUPS, HEADS // GROUPS, HEAD)
        scores = jnp.einsum("kgd,skd->kgs", q, keys) / np.sqrt(HEAD)
        scores = jnp.where(jnp.arange(PLACES) <= position, scores, -jnp.inf)
        mixed = jnp.einsum("kgs,skd->kgd", jax.nn.softmax(scores, -1), values).reshape(WIDTH)
        x = x + product(mixed, layer["wo"])
        h = norm(x, layer["n2"])
        x = x + product(jax.nn.silu(product(h, layer["w1"])) * product(h, layer["w3"]),
                        layer["w2"])
        written.append((keys, values))
    return product(norm(x, parameters["norm"]), parameters["embedding"].T), written


def llama(parameters, token):
    cache = [(zeros(PLACES, GROUPS, HEAD),) * 2 for _ in range(LAYERS)]
    tokens = jnp.zeros((PLACES,), jnp.int32).at[0].set(token)

    def body(state):
        position, tokens, cache = state
        logits, cache = llama_step(parameters, cache, tokens[position], position)
        best = jnp.argmax(logits).astype(jnp.int32)
        return position + 1, tokens.at[position + 1].set(best), cache

    return lax.while_loop(lambda state: state[0] < 8, body, (jnp.int32(0), tokens, cache))[1]


bf16 = functools.partial(zeros, dtype=jnp.bfloat16)
PROGRAMS = {
    "eight_lines": (eight_lines, zeros(16, 64), zeros(64, 64), zeros(64, 32)),
    "eight_lines_1024": (eight_lines, zeros(1024, 1024), zeros(1024, 1024), zeros(1024, 512)),
    "two_chains": (two_chains, zeros(67, 96), zeros(67, 96), zeros(96, 48), zeros(48, 32)),
    "matmul_bf16_512": (matmul, bf16(512, 512), bf16(512, 512)),
    "matmul_f32_256": (matmul, zeros(256, 256), zeros(256, 256)),
    "matmul_high_256": (precise("high"), zeros(256, 256), zeros(256, 256)),
    "matmul_highest_256": (precise("highest"), zeros(256, 256), zeros(256, 256)),
    "softmax_64x256": (softmax, zeros(64, 256)),
    "softmax_1024": (softmax, zeros(1024, 1024)),
    "softmax_256x128": (softmax, zeros(256, 128)),  # in stages on nano
    "rms_norm_1024": (rms_norm, zeros(1024, 1024), zeros(1024)),
    "layer_norm_1024": (layer_norm, zeros(1024, 1024), zeros(1024), zeros(1024)),
    "gelu_1024": (gelu, zeros(1024, 1024)),
    "gelu_mlp_256": (gelu_mlp, zeros(256, 256), zeros(256, 512), zeros(512, 256)),
    "attention_2x128x64": (attention, zeros(2, 128, 64), zeros(2, 128, 64), zeros(2, 128, 64)),
    "attention_8x1024x64": (attention, zeros(8, 1024, 64), zeros(8, 1024, 64), zeros(8, 1024, 64)),
    "attention_biased": (attention_biased, zeros(512, 2, 64), zeros(512, 2, 64), zeros(512, 2, 64),
                         zeros(2, 512, 512)),
    "attention_grouped": (attention_grouped, zeros(2, 300, 4, 16), zeros(2, 300, 2, 16),
                          zeros(2, 300, 2, 16)),
    "attention_long": (attention_long, zeros(4096, 64), zeros(4096, 64), zeros(4096, 64)),
    "llama_two_layers": (llama, llama_parameters(), jnp.int32(5)),
}


def main():
    folder = pathlib.Path(__file__).parent / "cycles"
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
    for name in sys.argv[1:] or PROGRAMS:
        function, *arguments = PROGRAMS[name]
        (folder / f"{name}.mlirbc").write_bytes(jax_check.artifact(function, arguments))


if __name__ == "__main__":
    main()
