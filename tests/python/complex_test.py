"""complex64: arrays, arithmetic with all its special values, products, reductions, transforms."""

import os
import unittest

os.environ.setdefault("JAX_PLATFORMS", "tandem,cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import needs_compiler  # noqa: F401, skips without a compiler

SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 0.7, -2.5, 1e-3, 40.0, -95.0, 3e38, 1e-30, np.inf, -np.inf, np.nan],
                   np.float32)
MACHINE = jax.devices("tandem")[0]
CPU = jax.devices("cpu")[0]


def numbers(*shape):
    random = np.random.default_rng(sum(shape) + len(shape))
    return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(np.complex64)


def on(device, function, *arguments):
    with jax.default_device(device):
        return jax.tree.leaves(jax.jit(function)(*jax.device_put(arguments, device)))


class Complex(unittest.TestCase):
    def compare(self, function, *arguments, tolerance=1e-5):
        with jax.default_matmul_precision("highest"):
            got = on(MACHINE, function, *arguments)
            want = on(CPU, function, *arguments)
        for have, right in zip(got, want, strict=True):
            self.assertEqual((have.dtype, have.shape), (right.dtype, right.shape))
            np.testing.assert_allclose(have, right, rtol=tolerance, atol=tolerance)

    def test_arrays(self):
        x = numbers(6, 5)
        for array in (x, x.T, x[::2, ::-1], x[:0], x[0, 0], np.broadcast_to(x[0], (3, 5))):
            on_machine = jax.device_put(array, MACHINE)
            np.testing.assert_array_equal(on_machine, array)
            np.testing.assert_array_equal(on_machine + 0, array)
            np.testing.assert_array_equal(on_machine.real, array.real)
            np.testing.assert_array_equal(on_machine.imag, array.imag)
        np.testing.assert_array_equal(jax.device_put(jax.device_put(x, MACHINE), CPU), x)

    def test_donation(self):
        x = numbers(40)
        given = jax.device_put(x, MACHINE)
        got = jax.jit(lambda x: x * 2, donate_argnums=0)(given)
        np.testing.assert_array_equal(got, x * 2)
        self.assertTrue(given.is_deleted())

    def test_moves(self):
        x, y = numbers(4, 6), numbers(3, 6)
        self.compare(lambda x, y: (jnp.concatenate([x, y]), x.T, x.reshape(2, 12), x[1:3, ::2], jnp.flip(x, 1),
                                   jnp.pad(x, 1), jnp.where(x.real > 0, x, 0), x[jnp.array([3, 0, 0])],
                                   x.at[jnp.array([1, 1])].add(y[:2]), x.astype(jnp.complex64),
                                   lax.dynamic_slice(x, (1, 2), (2, 2)), jnp.sort(x.ravel()), x == y[:1],
                                   x.conj(), jnp.sum(x, 0), jnp.cumsum(x, 1), jnp.prod(x), jnp.mean(x),
                                   x.real.astype(jnp.complex64), jnp.max(x)), x, y)

    def test_control(self):
        x = numbers(5)

        def function(x):
            def body(i, carried):
                total, number = carried
                return total + number * x, number * (0.5 + 0.5j)
            total, number = lax.fori_loop(0, 4, body, (jnp.zeros_like(x), jnp.complex64(1)))
            chosen = lax.cond(x[0].real > 0, lambda x: x * 1j, lambda x: x + 1, total)
            return total, number, chosen, lax.scan(lambda c, v: (c * v, c), jnp.complex64(1), x)
        self.compare(function, x)

    def test_products(self):
        a, b = numbers(2, 9, 7), numbers(2, 7, 5)
        self.compare(lambda a, b: (a @ b, jnp.vdot(a, a), jnp.einsum("bij,bjk->ik", a, b),
                                   jnp.convolve(a[0, 0], b[0, :, 0])), a, b, tolerance=1e-4)

    def test_gradient(self):
        def loss(x):
            return jnp.sum(jnp.abs(jnp.fft.fft(x) * jnp.exp(x)) ** 2)
        self.compare(jax.grad(loss), numbers(12), tolerance=1e-4)

    def test_functions_near_and_far(self):
        x, y = (v.ravel() for v in np.meshgrid(SPECIAL, SPECIAL))
        z = lax.complex(x, y)
        for name in ("abs", "sign", "sqrt", "exp", "log", "tanh", "tan", "expm1", "log1p", "negative"):
            function = getattr(jnp, name)
            got, want = (np.asarray(on(d, function, np.asarray(z))[0]) for d in (MACHINE, CPU))
            # If a part is NaN, the other one is the result of the formula.
            clear = ~np.isnan(want) & ~np.isnan(np.asarray(z))
            for part in (np.real, np.imag):
                np.testing.assert_allclose(part(got)[clear], part(want)[clear], rtol=3e-5, atol=1e-30,
                                           err_msg=name)

    def test_quotients(self):
        x, y = (v.ravel() for v in np.meshgrid(SPECIAL, SPECIAL))
        z = np.asarray(lax.complex(x, y))
        for other in (np.complex64(2 - 3j), np.complex64(0), np.complex64(np.inf), np.complex64(complex(1, np.nan))):
            for pair in ((z, np.full_like(z, other)), (np.full_like(z, other), z)):
                got, want = (np.asarray(on(d, jnp.divide, *pair)[0]) for d in (MACHINE, CPU))
                for part in (np.real, np.imag):
                    np.testing.assert_allclose(part(got), part(want), rtol=1e-5, atol=1e-37)

    def test_transforms(self):
        for length in (1, 5, 60, 131, 521, 1024):
            x = numbers(2, length)
            for name in ("fft", "ifft"):
                np.testing.assert_allclose(on(MACHINE, getattr(jnp.fft, name), x)[0], getattr(np.fft, name)(x),
                                           rtol=1e-5, atol=2e-6 * length ** 0.5)
        for length in (1, 7, 12, 130):
            x = numbers(3, length)
            np.testing.assert_allclose(on(MACHINE, jnp.fft.rfft, x.real)[0], np.fft.rfft(x.real), rtol=1e-5, atol=1e-5)
            np.testing.assert_allclose(on(MACHINE, lambda x, n=length: jnp.fft.irfft(x, n), x)[0],
                                       np.fft.irfft(x, length), rtol=1e-5, atol=1e-5)
        x = numbers(3, 4, 6)
        for name in ("fft2", "ifftn", "fftn"):
            np.testing.assert_allclose(on(MACHINE, getattr(jnp.fft, name), x)[0], getattr(np.fft, name)(x),
                                       rtol=1e-5, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
