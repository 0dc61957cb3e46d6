"""A small convolutional network that distinguishes drawn bars and crosses, trained on the machine.

    JAX_PLATFORMS=tandem build/venv/bin/python examples/convolution.py [--steps N]
"""

import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SIZE = 12
CLASSES = 3  # a level bar, an upright bar, a cross


def pictures(count, seed):
    """Noisy pictures [count, SIZE, SIZE, 1] and their classes."""
    random = np.random.default_rng(seed)
    label = random.integers(0, CLASSES, count)
    picture = random.normal(0, 0.2, (count, SIZE, SIZE, 1)).astype(np.float32)
    for image, kind in zip(picture, label):
        row, column = random.integers(2, SIZE - 2, 2)
        if kind != 1:
            image[row, :, 0] += 1
        if kind != 0:
            image[:, column, 0] += 1
    return picture, label.astype(np.int32)


def initial(seed):
    random = np.random.default_rng(seed)

    def normal(*sizes):
        return random.normal(0, np.sqrt(2 / np.prod(sizes[:-1])), sizes).astype(np.float32)

    return {"first": normal(3, 3, 1, 8), "second": normal(3, 3, 8, 16), "last": normal(16, CLASSES)}


def convolve(x, kernel, stride):
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", precision="highest",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def logits(parameters, x):
    x = jax.nn.relu(convolve(x, parameters["first"], 1))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = jax.nn.relu(convolve(x, parameters["second"], 2))
    return jnp.dot(x.max(axis=(1, 2)), parameters["last"], precision="highest")


@jax.jit
def step(parameters, x, label):
    def loss(parameters):
        chosen = jax.nn.log_softmax(logits(parameters, x)) * jax.nn.one_hot(label, CLASSES)
        return -jnp.mean(jnp.sum(chosen, axis=1))

    value, gradient = jax.value_and_grad(loss)(parameters)
    return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradient), value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60)
    steps = parser.parse_args().steps
    parameters = initial(0)
    for number in range(steps):
        parameters, value = step(parameters, *pictures(32, number))
        if number % 10 == 0:
            print(f"step {number:4}  loss {float(value):.4f}")
    x, label = pictures(200, 10_000)
    told = np.argmax(np.asarray(jax.jit(logits)(parameters, x)), axis=1)
    print(f"new pictures told right: {100 * np.mean(told == label):.1f}%")


if __name__ == "__main__":
    main()
