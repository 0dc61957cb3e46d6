"""An MLP classifier trained with Optax on the machine until it separates held-out data.

    JAX_PLATFORMS=tandem,cpu build/venv/bin/python examples/train_optax.py [--steps N]

Three rings of points; Adam with a cosine schedule and clipped gradients, all of it inside one jitted
step. The CPU trains beside it from the same start, and the losses are compared.
"""

import argparse

import jax
import jax.numpy as jnp
import numpy as np
import optax

CLASSES = 3
SIZES = [2, 32, 32, CLASSES]


def rings(count, seed):
    """Points in the plane and the ring that each is on."""
    random = np.random.default_rng(seed)
    label = random.integers(0, CLASSES, count)
    radius = 0.3 + 0.5 * label + random.normal(0, 0.05, count)
    angle = random.uniform(0, 2 * np.pi, count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return points.astype(np.float32), label.astype(np.int32)


def initial(seed):
    random = np.random.default_rng(seed)
    return [{"weight": random.normal(0, np.sqrt(2 / n), (n, m)).astype(np.float32),
             "bias": np.zeros(m, np.float32)} for n, m in zip(SIZES, SIZES[1:])]


def logits(parameters, x):
    for layer in parameters[:-1]:
        x = jax.nn.relu(jnp.dot(x, layer["weight"], precision="highest") + layer["bias"])
    return jnp.dot(x, parameters[-1]["weight"], precision="highest") + parameters[-1]["bias"]


def train(device, steps):
    """The loss of each step, and the share of held-out points classified correctly."""
    optimiser = optax.chain(optax.clip_by_global_norm(1.0),
                            optax.adam(optax.cosine_decay_schedule(1e-2, steps)))

    @jax.jit
    def step(parameters, state, x, label):
        def loss(parameters):
            return optax.softmax_cross_entropy_with_integer_labels(logits(parameters, x), label).mean()

        value, gradient = jax.value_and_grad(loss)(parameters)
        updates, state = optimiser.update(gradient, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    with jax.default_device(device):
        parameters = jax.device_put(initial(0), device)
        state = optimiser.init(parameters)
        losses = []
        for number in range(steps):
            x, label = jax.device_put(rings(64, number), device)
            parameters, state, value = step(parameters, state, x, label)
            losses.append(float(value))
        points, label = rings(600, 10_000)
        told = np.argmax(np.asarray(jax.jit(logits)(parameters, points)), axis=1)
    return np.array(losses), float(np.mean(told == label))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=150)
    steps = parser.parse_args().steps
    here, told = train(jax.devices()[0], steps)
    cpu, _ = train(jax.devices("cpu")[0], steps)
    for number in range(0, steps, max(1, steps // 10)):
        print(f"step {number:4}  loss {here[number]:.6f}  cpu {cpu[number]:.6f}")
    print(f"held-out points told right: {100 * told:.1f}%")
    print(f"largest difference of losses: {np.max(np.abs(here - cpu)):.1e}")


if __name__ == "__main__":
    main()
