"""A transformer block of Flax NNX, unchanged library code, on the machine and on the CPU.

    JAX_PLATFORMS=tandem,cpu build/venv/bin/python examples/flax_transformer.py
"""

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


class Block(nnx.Module):
    def __init__(self, width: int, heads: int, rngs: nnx.Rngs):
        self.attention = nnx.MultiHeadAttention(num_heads=heads, in_features=width, decode=False,
                                                rngs=rngs)
        self.first_norm = nnx.LayerNorm(width, rngs=rngs)
        self.second_norm = nnx.LayerNorm(width, rngs=rngs)
        self.up = nnx.Linear(width, 4 * width, rngs=rngs)
        self.down = nnx.Linear(4 * width, width, rngs=rngs)

    def __call__(self, x):
        causal = nnx.make_causal_mask(jnp.ones(x.shape[:2]))
        x = x + self.attention(self.first_norm(x), mask=causal)
        return x + self.down(nnx.gelu(self.up(self.second_norm(x))))


class Transformer(nnx.Module):
    def __init__(self, vocabulary: int, width: int, heads: int, layers: int, rngs: nnx.Rngs):
        self.embedding = nnx.Embed(vocabulary, width, rngs=rngs)
        self.blocks = nnx.List([Block(width, heads, rngs) for _ in range(layers)])
        self.norm = nnx.LayerNorm(width, rngs=rngs)

    def __call__(self, tokens):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        return self.embedding.attend(self.norm(x))


def results(device):
    """Scores and the loss's gradient, as NumPy."""
    with jax.default_device(device), jax.default_matmul_precision("highest"):
        model = Transformer(64, 32, 4, 2, nnx.Rngs(0))
        tokens = jnp.asarray(np.random.default_rng(1).integers(0, 64, (2, 12)), jnp.int32)

        @nnx.jit
        def loss_and_gradient(model, tokens):
            def loss(model):
                scores = jax.nn.log_softmax(model(tokens)[:, :-1])
                return -jnp.take_along_axis(scores, tokens[:, 1:, None], axis=-1).mean()

            return nnx.value_and_grad(loss)(model)

        value, gradient = loss_and_gradient(model, tokens)
        return float(value), [np.asarray(leaf) for leaf in jax.tree.leaves(gradient)]


def main():
    value, gradient = results(jax.devices()[0])
    wanted, wanted_gradient = results(jax.devices("cpu")[0])
    print(f"loss {value:.6f}, on the CPU {wanted:.6f}")
    worst = max(np.max(np.abs(a - b)) for a, b in zip(gradient, wanted_gradient))
    print(f"largest difference of {len(gradient)} gradients: {worst:.1e}")


if __name__ == "__main__":
    main()
