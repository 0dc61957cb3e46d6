"""Integers of 4 and 2 bits, floats of 8 and 4: every bit pattern and every rounding, as ml_dtypes
has them.
"""

import os
import unittest

os.environ.setdefault("JAX_PLATFORMS", "tandem,cpu")

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

import needs_compiler  # noqa: F401, skips without a compiler

INTEGERS = ("int4", "uint4", "int2", "uint2")
FLOATS = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz",
          "float8_e4m3", "float8_e3m4", "float8_e8m0fnu", "float4_e2m1fn")


def patterns(name):
    """Every number of the type."""
    if name in INTEGERS:
        low, high = ml_dtypes.iinfo(name).min, ml_dtypes.iinfo(name).max
        return np.arange(low, high + 1).astype(name)
    count = 16 if name.startswith("float4") else 256
    return np.arange(count, dtype=np.uint8).view(name)


def edges(name):
    """Numbers of fp32 at, between, and beside the middle of those of the type; and others."""
    with np.errstate(all="ignore"):
        exact = np.unique(patterns(name).astype(np.float32))
    exact = exact[np.isfinite(exact)]
    middle = (exact[1:] + exact[:-1]) / 2
    all_ = np.concatenate([exact, middle, np.nextafter(middle, np.float32(np.inf)),
                           np.nextafter(middle, np.float32(-np.inf)), exact[-1:] * np.float32(1.03),
                           [np.float32(v) for v in (np.inf, -np.inf, 1e30, -1e30, 0.0, -0.0)]])
    # Subnormal fp32 count as zeros.
    return np.where(np.abs(all_) < 1.2e-38, np.copysign(0, all_), all_).astype(np.float32)


def bits(array):
    return np.asarray(array).view(np.uint8)


class SmallTypes(unittest.TestCase):
    def assert_same(self, got, want, name):
        got, want = np.asarray(got), np.asarray(want)
        self.assertEqual(got.dtype, want.dtype)
        with np.errstate(all="ignore"):
            wide = want.astype(np.float32)
        numbers = ~np.isnan(wide)
        if name in INTEGERS:
            numbers[...] = True
        np.testing.assert_array_equal(bits(got)[numbers], bits(want)[numbers], err_msg=name)
        with np.errstate(all="ignore"):
            self.assertTrue(np.isnan(got.astype(np.float32))[~numbers].all(), name)

    def test_arrays_come_back_as_they_went(self):
        for name in INTEGERS + FLOATS:
            x = patterns(name)
            np.testing.assert_array_equal(bits(jax.device_put(x, jax.devices("tandem")[0])), bits(x))
            self.assert_same(jax.jit(lambda x: x[::-1])(x), x[::-1], name)

    def test_every_float_is_its_value(self):
        for name in FLOATS:
            x = patterns(name)
            with np.errstate(all="ignore"):
                want = x.astype(np.float32)
            if name == "float8_e8m0fnu":  # 2^-127 is not a normal fp32
                x, want = x[1:], want[1:]
            np.testing.assert_array_equal(jax.jit(lambda x: x.astype(jnp.float32))(x), want, err_msg=name)

    def test_fp32_is_rounded_to_the_nearest(self):
        for name in FLOATS:
            x = edges(name)
            if name == "float8_e8m0fnu":
                x = x[(x == 0) | (np.abs(x) > 1.2e-38)]
            with np.errstate(all="ignore"):
                want = x.astype(name)
            self.assert_same(jax.jit(lambda x, name=name: x.astype(name))(x), want, name)

    def test_integers_wrap(self):
        for name in INTEGERS:
            x = patterns(name)
            a, b = (v.ravel() for v in np.meshgrid(x, x))
            wide = a.astype(np.int32), b.astype(np.int32)
            run = jax.jit(lambda a, b, name=name: (a + b, a - b, a * b, -a, ~a, a < b, jnp.maximum(a, b),
                                        jax.lax.reduce(a, np.zeros((), name), jax.lax.add, (0,)),
                                        a.astype(jnp.int32)))
            got = run(a, b)
            want = (wide[0] + wide[1], wide[0] - wide[1], wide[0] * wide[1], -wide[0], ~wide[0])
            for have, whole in zip(got, want):
                np.testing.assert_array_equal(np.asarray(have).astype(np.int32),
                                              whole.astype(np.int8).astype(name).astype(np.int32), err_msg=name)
            np.testing.assert_array_equal(got[5], wide[0] < wide[1])
            np.testing.assert_array_equal(np.asarray(got[6]).astype(np.int32), np.maximum(*wide))
            self.assertEqual(int(got[7]), int(wide[0].sum().astype(np.int8).astype(name)))
            np.testing.assert_array_equal(got[8], wide[0])

    def test_bits_of_floats(self):
        for name in FLOATS[:3]:
            x = patterns(name)
            valid = ~np.isnan(x.astype(np.float32))
            got = jax.jit(lambda x: jax.lax.bitcast_convert_type(x, jnp.uint8))(x)
            np.testing.assert_array_equal(np.asarray(got)[valid], bits(x)[valid], err_msg=name)

    def test_products(self):
        random = np.random.default_rng(0)
        for name in ("float8_e4m3fn", "float8_e5m2", "int4", "uint4"):
            wide = np.float32 if name in FLOATS else np.int32
            x, y = (random.integers(0, 7, shape).astype(name) for shape in ((9, 33), (33, 5)))
            got = jax.jit(lambda x, y, wide=wide: jnp.dot(x, y, preferred_element_type=wide))(x, y)
            np.testing.assert_array_equal(got, x.astype(wide) @ y.astype(wide), err_msg=name)

    def test_arithmetic_is_rounded(self):
        for name in ("float8_e4m3fn", "float8_e5m2"):
            x = patterns(name)[::5]
            a, b = (v.ravel() for v in np.meshgrid(x, x))
            with np.errstate(all="ignore"):
                want = (a.astype(np.float32) + b.astype(np.float32)).astype(name)
            self.assert_same(jax.jit(lambda a, b: a + b)(a, b), want, name)


if __name__ == "__main__":
    unittest.main()
