"""The least that useful work takes, as `tandem.explain` tells it for a program and for each of its lines: against
numbers from the sizes of the machine, and against the count of benchmarks/family/roofs.py, which is made from JAX's
own form of a program."""

import pathlib
import sys
import unittest

import needs_compiler  # noqa: F401, skips without a compiler

import jax
import jax.numpy as jnp
import numpy as np
import tandem

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))
from family import roofs  # noqa: E402

LANES = 16  # of small


def numbers(*shape):
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


class UsefulWork(unittest.TestCase):
    def line_of(self, told, word):
        line, = [line for line in told.lines if word in line.text]
        return line

    def test_a_product_takes_rows_of_tiles(self):
        told = tandem.explain(lambda x, w: x @ w, numbers(256, 96), numbers(96, 80))
        self.assertEqual((told.roof, told.bound), (256 * (96 // LANES) * (80 // LANES), "MXU"))
        self.assertLess(told.share, 1)
        self.assertIn(f"useful work takes {told.roof} cycles at least (MXU)", str(told))
        region = max(told.regions, key=lambda region: region.roof)
        self.assertEqual(region.roof, told.roof)
        self.assertGreaterEqual(region.plan, region.roof)

    def test_precision_asks_for_passes(self):
        def product(precision):
            told = tandem.explain(lambda x: jnp.matmul(x, x, precision=precision), numbers(256, 256), preset="full")
            return told.roof, told.bound
        self.assertEqual([product(each) for each in ("default", "high", "highest")],
                         [(passes * 256 * 4, "MXU") for passes in (1, 3, 6)])

    def test_iterations_count_and_what_nobody_needs_does_not(self):
        def f(w, x):
            def body(carried, _):
                x, waste = carried
                return (jnp.tanh(x @ w),  # the product
                        jnp.exp(waste @ w)), None  # what is thrown away
            return jax.lax.scan(body, (x, x), None, length=11)[0][0]
        told = tandem.explain(f, numbers(64, 64), numbers(64, 64))
        line = self.line_of(told, "# the product")
        self.assertEqual((line.roof, line.bound), (11 * 64 * 16, "MXU"))
        self.assertEqual(told.roof, line.roof)

    def test_rows_are_divided_by_one_reciprocal_each(self):
        told = tandem.explain(lambda x: x / x.sum(-1, keepdims=True), numbers(128, 256))
        self.assertEqual((told.roof, told.bound), (128 * 256 // LANES, "memory"))
        told = tandem.explain(lambda x: jnp.exp(jnp.tanh(jnp.exp(x))) / 3, numbers(128, 256))
        self.assertEqual((told.roof, told.bound), (3 * 128 * 256 // (2 * LANES), "EUP"))

    def test_the_longest_branch_counts(self):
        def f(n, x):
            return jax.lax.switch(n, [lambda x: x, lambda x: x @ x, lambda x: x + 1], x)
        told = tandem.explain(f, np.int32(1), numbers(128, 128))
        self.assertEqual((told.roof, told.bound), (128 * 64, "MXU"))

    def test_another_count_agrees(self):
        image, kernel = numbers(2, 12, 12, 32), numbers(3, 3, 32, 48)
        convolve = jax.tree_util.Partial(jax.lax.conv_general_dilated, window_strides=(2, 2), padding="SAME",
                                         dimension_numbers=("NHWC", "HWIO", "NHWC"))
        for f, arguments in ((convolve, (image, kernel)),
                             (lambda x, w: jnp.einsum("bsd,hd->bhs", x, w), (numbers(4, 48, 64), numbers(40, 64))),
                             (lambda x: jnp.tanh(jnp.exp(x) + 1).sum(0), (numbers(200, 96),)),
                             (lambda x: jnp.sort(x, 1), (numbers(64, 256),)),
                             (jax.grad(lambda w, x: (jnp.tanh(x @ w) ** 2).sum()), (numbers(96, 64), numbers(80, 96)))):
            bound, least = roofs.roof(f, arguments, "small")
            told = tandem.explain(f, *arguments)
            names = {"matrix": "MXU", "transcendentals": "EUP", "cross-lane": "XLU"}
            self.assertEqual((names.get(bound, bound), least), (told.bound, told.roof))


if __name__ == "__main__":
    unittest.main()
