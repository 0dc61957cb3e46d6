"""A network quantised to s8 after training: calibration, integer matrix products, and the cost.

    JAX_PLATFORMS=tandem build/venv/bin/python examples/quantised_mlp.py

Weights get a scale for each output, activations one for each layer, from the largest value that a few
batches show. Products of s8 with s32 sums are exact, so the result is the same on every machine.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SIZES = [16, 64, 64, 4]


def network(seed):
    random = np.random.default_rng(seed)
    return [(random.normal(0, np.sqrt(2 / n), (n, m)).astype(np.float32),
             random.normal(0, 0.1, m).astype(np.float32)) for n, m in zip(SIZES, SIZES[1:])]


def forward(layers, x):
    """The outputs in fp32, and the inputs of every layer."""
    inputs = []
    for number, (weight, bias) in enumerate(layers):
        inputs.append(x)
        x = jnp.dot(x, weight, precision="highest") + bias
        x = jax.nn.relu(x) if number < len(layers) - 1 else x
    return x, inputs


def calibrated(layers, batches):
    """For each layer: s8 weights, the scale of each output, the scale of the inputs, the bias."""
    largest = np.zeros(len(layers))
    for batch in batches:
        _, inputs = jax.jit(forward)(layers, batch)
        largest = np.maximum(largest, [float(jnp.max(jnp.abs(x))) for x in inputs])
    result = []
    for (weight, bias), limit in zip(layers, largest):
        scale = np.abs(weight).max(axis=0) / 127
        result.append((np.round(weight / scale).astype(np.int8), scale.astype(np.float32),
                       np.float32(limit / 127), bias))
    return result


def quantised(layers, x):
    for number, (weight, scale, input_scale, bias) in enumerate(layers):
        rounded = jnp.clip(jnp.round(x / input_scale), -127, 127).astype(jnp.int8)
        sums = lax.dot_general(rounded, weight, (((1,), (0,)), ((), ())),
                               preferred_element_type=jnp.int32)
        x = sums.astype(jnp.float32) * (scale * input_scale) + bias
        x = jax.nn.relu(x) if number < len(layers) - 1 else x
    return x


def main():
    random = np.random.default_rng(1)
    layers = network(0)
    batches = random.standard_normal((4, 64, SIZES[0])).astype(np.float32)
    small = calibrated(layers, batches)
    x = random.standard_normal((256, SIZES[0])).astype(np.float32)
    exact, _ = jax.jit(forward)(layers, x)
    result = jax.jit(quantised)(small, x)
    error = float(jnp.sqrt(jnp.mean((result - exact) ** 2) / jnp.mean(exact ** 2)))
    same = float(jnp.mean(jnp.argmax(result, 1) == jnp.argmax(exact, 1)))
    print(f"error of s8 against fp32: {100 * error:.2f}% of the signal")
    print(f"same choice as fp32: {100 * same:.1f}%")


if __name__ == "__main__":
    main()
