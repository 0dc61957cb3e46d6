"""Trains a small classifier on the machine and on the CPU, side by side.

    JAX_PLATFORMS=tandem,cpu build/venv/bin/python examples/train_mlp.py [--steps N]

Two interleaved spirals, a network of two hidden layers, gradient descent with momentum: ordinary JAX, one jitted step
per batch, independent of where it runs. The last lines compare the losses with the CPU's, and print the machine's
cycles of a step.
"""

import argparse

import jax
import jax.numpy as jnp
import numpy as np

import tandem

CLASSES = 2
LEARNING_RATE = 0.1
MOMENTUM = 0.9


def spirals(count, seed):
    """Points in the plane and the spiral that each is on."""
    random = np.random.default_rng(seed)
    label = random.integers(0, CLASSES, count)
    distance = random.uniform(0.2, 1, count)
    angle = 4 * distance + np.pi * label + random.normal(0, 0.1, count)
    points = np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=1)
    return points.astype(np.float32), label.astype(np.int32)


def initial(sizes, seed):
    random = np.random.default_rng(seed)
    return [(random.normal(0, np.sqrt(2 / n), (n, m)).astype(np.float32), np.zeros(m, np.float32))
            for n, m in zip(sizes, sizes[1:])]


def logits(parameters, x):
    for weights, bias in parameters[:-1]:
        x = jnp.tanh(jnp.matmul(x, weights, precision="highest") + bias)
    weights, bias = parameters[-1]
    return jnp.matmul(x, weights, precision="highest") + bias


def loss(parameters, x, label):
    chosen = jax.nn.log_softmax(logits(parameters, x)) * jax.nn.one_hot(label, CLASSES)
    return -jnp.sum(chosen) / x.shape[0]


@jax.jit
def step(parameters, momentum, x, label):
    value, gradient = jax.value_and_grad(loss)(parameters, x, label)
    momentum = jax.tree.map(lambda m, g: MOMENTUM * m + g, momentum, gradient)
    parameters = jax.tree.map(lambda p, m: p - LEARNING_RATE * m, parameters, momentum)
    return parameters, momentum, value


def train(device, steps):
    """The losses of all steps, and the share of held-out points that are classified correctly."""
    parameters = jax.device_put(initial([2, 32, 32, CLASSES], 0), device)
    momentum = jax.tree.map(lambda p: p * 0, parameters)
    losses = []
    for number in range(steps):
        x, label = jax.device_put(spirals(64, number), device)
        parameters, momentum, value = step(parameters, momentum, x, label)
        losses.append(value)
    points, label = spirals(500, 10_000)
    told = np.argmax(np.asarray(jax.jit(logits)(parameters, jax.device_put(points, device))), axis=1)
    return np.array(losses), float(np.mean(told == label))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=300)
    steps = options.parse_args().steps

    losses, right = train(jax.devices("tandem")[0], steps)
    cpu_losses, cpu_right = train(jax.devices("cpu")[0], steps)
    for number in range(0, steps, max(1, steps // 10)):
        print(f"step {number:4}: loss {losses[number]:.4f}, on the CPU {cpu_losses[number]:.4f}")
    print(f"held-out points told right: {right:.1%}, on the CPU {cpu_right:.1%}")
    print(f"largest difference of losses: {np.max(np.abs(losses - cpu_losses)):.2g}")
    parameters = initial([2, 32, 32, CLASSES], 0)
    momentum = jax.tree.map(np.zeros_like, parameters)
    print(f"a step takes {tandem.cycles(step, parameters, momentum, *spirals(64, 0))} cycles")


if __name__ == "__main__":
    main()
