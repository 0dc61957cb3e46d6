"""10,000 launches and 1,000 compilations in one process: the host's memory stays flat."""

import os
import unittest

os.environ["JAX_PLATFORMS"] = "tandem"
os.environ["TANDEM_CACHE_BYTES"] = "0"

import jax
import jax.numpy as jnp

import needs_compiler  # noqa: F401, skips without a compiler

MOST_GROWTH = 16  # MiB


def resident():
    """MiB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


class Soak(unittest.TestCase):
    def test_launches(self):
        function = jax.jit(lambda x: x + 1)
        x = jnp.zeros(256)
        for number in range(10_000):
            x = function(x)
            if number == 1000:
                before = resident()
        self.assertEqual(float(x[0]), 10_000)
        self.assertLess(resident() - before, MOST_GROWTH)

    def test_compilations(self):
        x = jnp.zeros(16)
        for number in range(1000):
            y = jax.jit(lambda x, number=number: x + number)(x)
            if number % 100 == 99:
                self.assertEqual(float(y[0]), number)
                jax.clear_caches()
            if number == 199:
                before = resident()
        self.assertLess(resident() - before, MOST_GROWTH)


if __name__ == "__main__":
    unittest.main()
