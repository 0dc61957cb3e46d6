"""Where the time of an attention layer goes, as a page for the browser.

    JAX_PLATFORMS=tandem build/venv/bin/python examples/profile_attention.py attention.html
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

import tandem


def attention(q, k, v):
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores) @ v


def main():
    page = sys.argv[1] if len(sys.argv) > 1 else "attention.html"
    random = np.random.default_rng(0)
    q, k, v = (random.normal(size=(64, 32)).astype(np.float32) for _ in range(3))
    with tandem.profile(page) as profile:
        result = jax.jit(attention)(q, k, v)
    scores = q @ k.T / np.sqrt(32)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = weights / weights.sum(axis=1, keepdims=True) @ v
    print(f"largest difference from NumPy: {np.max(np.abs(result - expected)):.2g}")
    print(profile)


if __name__ == "__main__":
    main()
