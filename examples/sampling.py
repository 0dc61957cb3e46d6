"""Random numbers of jax.random: the same on the machine as on the CPU, and used to estimate things.

    JAX_PLATFORMS=tandem,cpu build/venv/bin/python examples/sampling.py
"""

import jax
import jax.numpy as jnp
import numpy as np


def drawn(key):
    """One of each kind."""
    keys = jax.random.split(key, 6)
    return {"bits": jax.random.bits(keys[0], (64,)),
            "uniform": jax.random.uniform(keys[1], (64,)),
            "normal": jax.random.normal(keys[2], (64,)),
            "integers": jax.random.randint(keys[3], (64,), -5, 6),
            "categorical": jax.random.categorical(keys[4], jnp.log(jnp.arange(1.0, 6.0)), shape=(64,)),
            "permutation": jax.random.permutation(keys[5], 64)}


@jax.jit
def quarter_of_pi(key):
    """The share of points in the unit square that are in the circle."""
    points = jax.random.uniform(key, (4096, 2))
    return jnp.mean(jnp.sum(points * points, axis=1) < 1)


def main():
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = jax.jit(drawn)(jax.random.key(3))
    here = jax.jit(drawn)(jax.random.key(3))
    for name, numbers in here.items():
        difference = np.max(np.abs(np.asarray(numbers, np.float64) - np.asarray(wanted[name])))
        print(f"{name}: {'the same as on the CPU' if difference == 0 else f'within {difference:.0e}'}")
    print(f"pi is about {4 * float(quarter_of_pi(jax.random.key(0))):.3f}")


if __name__ == "__main__":
    main()
