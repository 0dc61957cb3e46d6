"""Programs as in notebooks written for a CPU, with the data that they capture; each once failed here. Skipped where the
compiler is not built."""

import os
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"

import jax
import jax.numpy as jnp
import numpy as np
import optax

import tandem

import needs_compiler  # noqa: F401, skips without a compiler


class Notebook(unittest.TestCase):
    def compare(self, function, *arguments, relative=1e-5):
        with jax.default_matmul_precision("highest"):
            got = jax.tree.leaves(jax.jit(function)(*arguments))
            with jax.default_device(jax.devices("cpu")[0]):
                wanted = jax.tree.leaves(jax.jit(function)(*jax.device_put(arguments, jax.devices("cpu")[0])))
        for have, want in zip(got, wanted, strict=True):
            np.testing.assert_allclose(have, want, rtol=relative, atol=relative)

    def test_a_gradient_through_captured_data_and_a_scalar_parameter(self):
        data = np.random.default_rng(0).normal(size=(200, 6)).astype(np.float32)
        x, y = data[:, :5], data[:, 5]

        def loss(p):
            return jnp.mean((x @ p["w"] + p["b"] - y) ** 2)

        self.compare(jax.grad(loss), {"w": np.ones(5, np.float32), "b": np.float32(0.5)})

    def test_masks_that_live_across_loops(self):
        key = np.array([0, 11], np.uint32)
        for sample in (jax.random.loggamma, jax.random.t, jax.random.beta):
            parameters = (2.0, 3.0) if sample is jax.random.beta else (2.5,)
            self.compare(lambda k, f=sample, p=parameters: f(k, *p, (4,)), key, relative=1e-4)

    # More than a hundred: of the scalar's powers, which all rows share.
    def test_more_vectors_than_registers(self):
        self.compare(jax.scipy.special.zeta, np.linspace(1.1, 5, 50, dtype=np.float32),
                     np.float32(1), relative=1e-4)

    # Each copy has a descriptor in SMEM, which has room for about nine hundred.
    def test_an_adam_step_of_a_hundred_parameters(self):
        names = [f"p{i}" for i in range(100)]
        parameters = {name: np.full((8, 6 + i % 3), 0.1 + 0.01 * i, np.float32)
                      for i, name in enumerate(names)}

        def loss(p, x):
            return sum(jnp.mean(jnp.tanh(x @ p[name]) ** 2) for name in names)

        def step(p, state, x):
            value, gradients = jax.value_and_grad(loss)(p, x)
            updates, state = optimizer.update(gradients, state, p)
            return optax.apply_updates(p, updates), state, value

        optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))
        x = np.linspace(-1, 1, 32, dtype=np.float32).reshape(4, 8)
        self.compare(step, parameters, optimizer.init(parameters), x, relative=1e-3)

    def test_a_sum_of_many_arguments(self):
        arguments = [np.full(3, i, np.float32) for i in range(400)]
        self.compare(lambda *a: sum(a), *arguments)

    def test_typed_keys_are_arguments_of_what_is_measured(self):
        key = jax.random.key(3)
        self.assertGreater(tandem.cycles(lambda k: jax.random.uniform(k, (5,)), key), 10)


if __name__ == "__main__":
    unittest.main()
