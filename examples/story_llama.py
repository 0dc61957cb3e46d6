"""A small Llama in plain JAX tells a story on the machine: one jit, one launch.

    JAX_PLATFORMS=tandem build/venv/bin/python examples/story_llama.py [--tokens N] [--cycles]

The weights are those of `tandem llama` (llama/model): bf16 parameters, a cache of all 256 positions that attention
reads through a mask, the likeliest token each time in a `while_loop`. Only the classifier's weights stay fp32: rounding
them would flip ties.
"""

import argparse
import pathlib
import struct
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

MODEL = pathlib.Path(__file__).parent.parent / "llama" / "model"
BEGIN = 1  # begins and ends a text


class Shape:
    """The header of a llama2.c checkpoint."""

    def __init__(self, header):
        (self.dim, self.hidden, self.layers, self.heads, self.key_heads, self.vocabulary,
         self.positions) = struct.unpack("7i", header)
        self.head = self.dim // self.heads


def load(path):
    """The shape and the parameters, matrices as bf16 [inputs, outputs]."""
    data = pathlib.Path(path).read_bytes()
    shape = Shape(data[:28])
    numbers = np.frombuffer(data, np.float32, offset=28)
    keys = shape.key_heads * shape.head

    def take(*sizes):
        nonlocal numbers
        count = int(np.prod(sizes))
        array, numbers = numbers[:count].reshape(sizes), numbers[count:]
        return array

    def matrices(outputs, inputs):
        return jnp.asarray(take(shape.layers, outputs, inputs).swapaxes(1, 2), jnp.bfloat16)

    embedding = take(shape.vocabulary, shape.dim)
    layers = {"attention_norm": jnp.asarray(take(shape.layers, shape.dim)),
              "query": matrices(shape.dim, shape.dim), "key": matrices(keys, shape.dim),
              "value": matrices(keys, shape.dim), "output": matrices(shape.dim, shape.dim),
              "hidden_norm": jnp.asarray(take(shape.layers, shape.dim)),
              "gate": matrices(shape.hidden, shape.dim), "down": matrices(shape.dim, shape.hidden),
              "up": matrices(shape.hidden, shape.dim)}
    return shape, {"embedding": jnp.asarray(embedding, jnp.bfloat16),
                   "classifier": jnp.asarray(embedding.T), "norm": jnp.asarray(take(shape.dim)),
                   "layers": [{name: array[layer] for name, array in layers.items()}
                              for layer in range(shape.layers)]}


def pieces(path):
    """The vocabulary as bytes."""
    data = pathlib.Path(path).read_bytes()
    at, words = 4, []
    while at < len(data):
        length = struct.unpack_from("i", data, at + 4)[0]
        words.append(data[at + 8:at + 8 + length])
        at += 8 + length
    return words


def norm(x, weight):
    return x * lax.rsqrt(jnp.mean(x * x) + 1e-5) * weight


def rotate(x, position):
    """Rotary embedding of [heads, head]."""
    half = x.shape[-1] // 2
    angles = position * 10000.0 ** (-jnp.arange(half) / half)
    even, odd = x[:, 0::2], x[:, 1::2]
    turned = (even * jnp.cos(angles) - odd * jnp.sin(angles),
              even * jnp.sin(angles) + odd * jnp.cos(angles))
    return jnp.stack(turned, axis=-1).reshape(x.shape)


def matvec(x, weights, precision=None):
    return jnp.dot(x.astype(jnp.bfloat16) if precision is None else x, weights, precision=precision,
                   preferred_element_type=jnp.float32)


def attention(shape, x, layer, cache, position):
    """The attention's output, and the cache with this position's key and value in it."""
    keys, values = cache
    query = rotate(matvec(x, layer["query"]).reshape(shape.heads, shape.head), position)
    key = rotate(matvec(x, layer["key"]).reshape(shape.key_heads, shape.head), position)
    value = matvec(x, layer["value"]).reshape(shape.key_heads, shape.head)
    keys = lax.dynamic_update_slice(keys, key[:, None].astype(keys.dtype), (0, position, 0))
    values = lax.dynamic_update_slice(values, value[:, None].astype(values.dtype), (0, position, 0))
    query = query.reshape(shape.key_heads, -1, shape.head).astype(jnp.bfloat16)
    scores = jnp.einsum("kgd,kpd->kgp", query, keys, preferred_element_type=jnp.float32)
    seen = jnp.arange(shape.positions) <= position
    weights = jax.nn.softmax(jnp.where(seen, scores / shape.head ** 0.5, -jnp.inf), axis=-1)
    mixed = jnp.einsum("kgp,kpd->kgd", weights.astype(jnp.bfloat16), values,
                       preferred_element_type=jnp.float32)
    return matvec(mixed.reshape(-1), layer["output"]), (keys, values)


def step(shape, parameters, caches, token, position):
    """One position: the scores of the next token, and the caches."""
    x = parameters["embedding"][token].astype(jnp.float32)
    after = []
    for layer, cache in zip(parameters["layers"], caches):
        mixed, cache = attention(shape, norm(x, layer["attention_norm"]), layer, cache, position)
        after.append(cache)
        x = x + mixed
        h = norm(x, layer["hidden_norm"])
        gated = jax.nn.silu(matvec(h, layer["gate"])) * matvec(h, layer["up"])
        x = x + matvec(gated, layer["down"])
    scores = matvec(norm(x, parameters["norm"]), parameters["classifier"],
                    lax.Precision.HIGH)
    return scores, after


def tell(shape, parameters, limit):
    """The tokens of a story, of which the first is BEGIN, and how many there are."""
    cache = jnp.zeros((shape.key_heads, shape.positions, shape.head), jnp.bfloat16)

    def more(state):
        position, tokens, _ = state
        return (position < limit) & ((position == 0) | (tokens[position] != BEGIN))

    def advance(state):
        position, tokens, caches = state
        scores, caches = step(shape, parameters, caches, tokens[position], position)
        following = jnp.argmax(scores).astype(jnp.int32)
        return position + 1, tokens.at[position + 1].set(following), caches

    tokens = jnp.zeros(shape.positions, jnp.int32).at[0].set(BEGIN)
    count, tokens, _ = lax.while_loop(more, advance,
                                      (jnp.int32(0), tokens, [(cache, cache)] * shape.layers))
    return tokens, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=255, help="at most so many")
    parser.add_argument("--cycles", action="store_true", help="run on the cycle-exact model, too")
    parser.add_argument("--print-tokens", action="store_true", help="numbers, one a line")
    options = parser.parse_args()
    shape, parameters = load(MODEL / "stories.bin")
    limit = min(options.tokens, shape.positions - 1)

    def story(parameters):
        return tell(shape, parameters, limit)

    compiled = jax.jit(story).lower(parameters).compile()
    start = time.perf_counter()
    tokens, count = jax.block_until_ready(compiled(parameters))
    seconds = time.perf_counter() - start
    told = np.asarray(tokens)[1:int(count) + 1]
    told = told[told != BEGIN]
    if options.print_tokens:
        print("\n".join(str(token) for token in told))
    else:
        words = pieces(MODEL / "stories_tokenizer.bin")
        print(b"".join(words[token] for token in told).decode().strip())
    print(f"{len(told)} tokens, {len(told) / seconds:.0f} tokens/s on {jax.devices()[0]}")
    if options.cycles:
        import tandem
        print(f"{tandem.cycles(story, parameters) / max(1, int(count)):.0f} cycles a token")


if __name__ == "__main__":
    main()
