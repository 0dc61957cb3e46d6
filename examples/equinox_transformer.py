"""A transformer of Equinox modules, unchanged library code, on the machine and on the CPU.

    JAX_PLATFORMS=tandem,cpu build/venv/bin/python examples/equinox_transformer.py
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class Block(eqx.Module):
    attention: eqx.nn.MultiheadAttention
    first_norm: eqx.nn.LayerNorm
    second_norm: eqx.nn.LayerNorm
    mlp: eqx.nn.MLP

    def __init__(self, width, heads, key):
        one, two = jax.random.split(key)
        self.attention = eqx.nn.MultiheadAttention(heads, width, key=one)
        self.first_norm = eqx.nn.LayerNorm(width)
        self.second_norm = eqx.nn.LayerNorm(width)
        self.mlp = eqx.nn.MLP(width, width, 4 * width, 1, activation=jax.nn.gelu, key=two)

    def __call__(self, x):
        causal = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))
        h = jax.vmap(self.first_norm)(x)
        x = x + self.attention(h, h, h, mask=causal)
        return x + jax.vmap(self.mlp)(jax.vmap(self.second_norm)(x))


class Transformer(eqx.Module):
    embedding: eqx.nn.Embedding
    blocks: list
    head: eqx.nn.Linear

    def __init__(self, vocabulary, width, heads, layers, key):
        keys = jax.random.split(key, layers + 2)
        self.embedding = eqx.nn.Embedding(vocabulary, width, key=keys[0])
        self.head = eqx.nn.Linear(width, vocabulary, key=keys[1])
        self.blocks = [Block(width, heads, key) for key in keys[2:]]

    def __call__(self, tokens):
        x = jax.vmap(self.embedding)(tokens)
        for block in self.blocks:
            x = block(x)
        return jax.vmap(self.head)(x)


def results(device):
    """The loss and its gradient, as NumPy."""
    with jax.default_device(device), jax.default_matmul_precision("highest"):
        model = Transformer(48, 32, 4, 2, jax.random.key(0))
        tokens = jnp.asarray(np.random.default_rng(1).integers(0, 48, (3, 10)), jnp.int32)

        @eqx.filter_jit
        @eqx.filter_value_and_grad
        def loss(model, tokens):
            scores = jax.nn.log_softmax(jax.vmap(model)(tokens)[:, :-1])
            return -jnp.take_along_axis(scores, tokens[:, 1:, None], axis=-1).mean()

        value, gradient = loss(model, tokens)
        return float(value), [np.asarray(leaf) for leaf in jax.tree.leaves(gradient)]


def main():
    value, gradient = results(jax.devices()[0])
    wanted, wanted_gradient = results(jax.devices("cpu")[0])
    print(f"loss {value:.6f}, on the CPU {wanted:.6f}")
    worst = max(np.max(np.abs(a - b)) for a, b in zip(gradient, wanted_gradient))
    print(f"largest difference of {len(gradient)} gradients: {worst:.1e}")


if __name__ == "__main__":
    main()
