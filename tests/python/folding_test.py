"""Folding of constants gives the same as the machine's computation on arguments: every elementwise operation, and
values where libraries part: zeros of both signs, subnormals, the ends of the range, infinities, no numbers. Both come
from the compiler, so that a few results are held against IEEE 754 as well. Skipped where the compiler is not built."""

import os
import unittest

os.environ["JAX_PLATFORMS"] = "tandem"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import needs_compiler  # noqa: F401, skips without a compiler

SPECIAL = np.array([0.0, -0.0, 1e-40, -1e-40, 1.1754944e-38, 1.0, -1.0, 0.5, -2.5, 3.0, 3e38, np.inf, -np.inf, np.nan], np.float32)
FEW = SPECIAL[[0, 1, 2, 3, 5, 8, 11, 12, 13]]

# Operations that round to nearest give the same bits. Functions may be off by their units in the last place.
EXACT = [lax.neg, lax.abs, lax.sign, lax.floor, lax.ceil, lax.is_finite, lax.round,
         lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
         lambda x: lax.convert_element_type(x, jnp.bfloat16),
         lambda x: lax.convert_element_type(x, jnp.float16),
         lambda x: lax.convert_element_type(x, jnp.int32), lambda x: lax.convert_element_type(x, jnp.uint8),
         lambda x: lax.convert_element_type(x, jnp.bool_), lambda x: lax.reduce_precision(x, 5, 10)]
FUNCTIONS = [lax.exp, lax.exp2, lax.expm1, lax.log, lax.log1p, lax.sqrt, lax.rsqrt, lax.cbrt, lax.tanh, lax.logistic,
             lax.sin, lax.cos, lax.tan, lambda x: lax.integer_pow(x, 3)]
EXACT_OF_TWO = [lax.add, lax.sub, lax.mul, lax.max, lax.min, lax.eq, lax.ne, lax.lt, lax.le, lax.gt, lax.ge,
                lambda x, y: lax.select(x < y, x, y)]
FUNCTIONS_OF_TWO = [lax.div, lax.rem, lax.pow, lax.atan2]


def constant(value):
    """Through a barrier, or JAX would compute some with NumPy."""
    return lax.optimization_barrier(lax.full((), value, jnp.float32))


def both(functions, *columns):
    """For each function and each row of values: of constants, and of arguments."""
    rows = list(zip(*columns))

    def known():
        return [jnp.stack([f(*map(constant, row)) for row in rows]) for f in functions]

    def unknown(*values):
        return [f(*values) for f in functions]

    return (jax.tree.map(np.asarray, jax.jit(known)()), jax.tree.map(np.asarray, jax.jit(unknown)(*columns)))


def bits(values):
    """Bits, with all NaNs equal, and subnormals as the zeros that they are read as: operations without effect (x * 1)
    are dropped."""
    if values.dtype.kind != "f" and values.dtype.name != "bfloat16":
        return values
    words = values.view(f"u{values.itemsize}")
    wide = values.astype(np.float32)
    sign = np.asarray(1, words.dtype) << (8 * values.itemsize - 1)
    words = np.where(np.abs(wide) < np.finfo(np.float32).tiny, words & sign, words)
    return np.where(np.isnan(wide), 0, words)


class Folding(unittest.TestCase):
    def same(self, functions, *columns, within=0.0):
        known, unknown = both(functions, *columns)
        for i, (k, u) in enumerate(zip(known, unknown, strict=True)):
            with self.subTest(function=i):
                ordinary = np.isfinite(k.astype(np.float32)) & (k != 0) & np.isfinite(u.astype(np.float32)) & (u != 0)
                if not within:
                    ordinary[...] = False
                np.testing.assert_array_equal(bits(k)[~ordinary], bits(u)[~ordinary])
                np.testing.assert_allclose(k[ordinary].astype(np.float32), u[ordinary].astype(np.float32), rtol=within)

    def test_operations_of_one(self):
        self.same(EXACT, SPECIAL)

    def test_functions_of_one(self):
        self.same(FUNCTIONS, SPECIAL, within=1e-6)

    def test_operations_of_two(self):
        x, y = (m.ravel() for m in np.meshgrid(FEW, FEW))
        self.same(EXACT_OF_TWO, x, y)

    def test_functions_of_two(self):
        x, y = (m.ravel() for m in np.meshgrid(FEW, FEW))
        self.same(FUNCTIONS_OF_TWO, x, y, within=1e-5)

    def test_integers_become_reals(self):
        numbers = [0, 1, -1, 2**24 + 1, -2**31, 2**31 - 1]
        known = jax.jit(lambda: [lax.convert_element_type(lax.full((), n, jnp.int32), jnp.float32) for n in numbers])()
        np.testing.assert_array_equal(known, np.array(numbers, np.int32).astype(np.float32))

    def test_values_that_the_compiler_finds_out(self):
        def zeros(a):
            z = lax.convert_element_type(lax.bitwise_xor(lax.ne(a, 0), lax.ne(a, 0)), jnp.float32)
            return lax.atan2(z, z)

        np.testing.assert_array_equal(jax.jit(zeros)(np.arange(3, dtype=np.int32)), np.zeros(3))

    def test_the_four_angles_of_zeros(self):
        angles = jax.jit(lambda: [lax.atan2(constant(y), constant(x)) for y in (0.0, -0.0) for x in (0.0, -0.0)])()
        expected = np.arctan2(np.float32([0, 0, -0.0, -0.0]), np.float32([0, -0.0, 0, -0.0]))
        np.testing.assert_array_equal(angles, expected)
        np.testing.assert_array_equal(np.signbit(angles), np.signbit(expected))

    def test_subnormals_count_as_zeros(self):
        tiny = np.float32(1e-40)
        self.assertEqual([float(v) for v in jax.jit(lambda x: (lax.sign(x), lax.sqrt(x), lax.ceil(x)))(tiny)], [0, 0, 0])


if __name__ == "__main__":
    unittest.main()
