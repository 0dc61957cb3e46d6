"""Ordinary programs beyond sizes and forms where the compiler changes how it writes something down: long loops,
one value many times, conditions that are constants, tokens, indices without a sign. Expected values are NumPy's, or those of
JAX on the CPU. Skipped where the compiler is not built."""

import os
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import needs_compiler  # noqa: F401, skips without a compiler


def on_cpu(function, *arguments):
    with jax.default_device(jax.devices("cpu")[0]):
        return jax.jit(function)(*arguments)


class Loops(unittest.TestCase):
    def test_loops_have_any_number_of_rounds(self):
        random = np.random.default_rng(0)
        x = random.normal(size=4097).astype(np.float32)
        i = random.permutation(4097).astype(np.int32)

        def program(x, i):
            return x[i], jnp.zeros(4097).at[i].add(x), jnp.sort(x), x.sum()

        gathered, scattered, ordered, total = jax.jit(program)(x, i)
        np.testing.assert_array_equal(gathered, x[i])
        expected = np.zeros_like(x)
        expected[i] = x
        np.testing.assert_array_equal(scattered, expected)
        np.testing.assert_array_equal(ordered, np.sort(x))
        self.assertAlmostEqual(float(total), float(x.sum(dtype=np.float64)), places=2)

    def test_a_long_vector_is_summed(self):
        for n in (65552, 100000):
            self.assertEqual(float(jax.jit(jnp.sum)(np.ones(n, np.float32))), n)

    def test_a_loop_whose_condition_is_constant_does_nothing(self):
        def swap(x, y):
            x, y = lax.while_loop(lambda _: False, lambda c: (c[1], c[0]), (x, y))
            return x + 10 * y

        self.assertEqual(float(jax.jit(swap)(1.0, 2.0)), 21)

    def test_a_branch_whose_condition_is_constant_is_taken(self):
        def chosen(x):
            never = x.sum() != x.sum()
            inner = lax.cond(never & False, lambda v: v + 1, lambda v: v - 1, x)
            return lax.cond(jnp.bool_(True), lambda v: v * 2, lambda v: v, inner)

        np.testing.assert_array_equal(jax.jit(chosen)(np.ones(3, np.float32)), np.zeros(3))


class Results(unittest.TestCase):
    def test_one_value_is_returned_many_times(self):
        x = np.float32(2)
        for name, function, expected in (
                ("product", lambda x: [x * 2] * 40, [4.0] * 40),
                ("argument", lambda x: [x] * 40, [2.0] * 40),
                ("vectors", lambda x: [jnp.zeros(8) + i % 2 for i in range(70)],
                 [np.full(8, i % 2) for i in range(70)])):
            with self.subTest(name):
                for got, want in zip(jax.jit(function)(x), expected, strict=True):
                    np.testing.assert_array_equal(got, want)

    def test_a_gradient_of_many_scalars(self):
        ones = jax.jit(jax.grad(lambda p: sum(p)))([float(i) for i in range(40)])
        self.assertEqual([float(v) for v in ones], [1.0] * 40)

    def test_the_third_derivative_of_sinc(self):
        third = jax.grad(jax.grad(jax.grad(jnp.sinc)))
        np.testing.assert_allclose(third(0.0), on_cpu(third, 0.0), atol=1e-5)


class Tokens(unittest.TestCase):
    def test_tokens_carry_nothing(self):
        token = lax.create_token()
        y, _ = jax.jit(lambda x, t: (x + 1, t))(jnp.ones(3), token)
        np.testing.assert_array_equal(y, np.full(3, 2))

        def ordered(x):
            lax.after_all(lax.create_token(x))
            return x + 1

        np.testing.assert_array_equal(jax.jit(ordered)(jnp.ones(3)), np.full(3, 2))

    def test_a_sink_means_nothing_on_a_device(self):
        def f(x):
            lax.dce_sink(jnp.sin(x), prevent_mlir_dce=True)
            return x + 1

        self.assertEqual(float(jax.jit(f)(1.0)), 2)


class Indices(unittest.TestCase):
    """An unsigned index is never negative, however large."""

    def test_gathers_and_slices_take_unsigned_indices(self):
        t = np.arange(256, dtype=np.float32)
        for kind, large in ((np.uint8, 200), (np.uint16, 40000), (np.uint32, 2**31 + 5)):
            with self.subTest(kind.__name__):
                i = np.array([7, large], kind)

                def program(t, i):
                    return (jnp.take(t, i, mode="clip"), lax.dynamic_slice(t, (i[1],), (2,)),
                            lax.dynamic_update_slice(t, jnp.full(1, -1.0), (i[1],)),
                            lax.fori_loop(0, 2, lambda k, s: s + t[i[k]], 0.0))

                taken, piece, written, total = jax.jit(program)(t, i)
                place = min(large, 255)
                np.testing.assert_array_equal(taken, t[[7, place]])
                np.testing.assert_array_equal(piece, t[min(large, 254):][:2])
                expected = t.copy()
                expected[place] = -1
                np.testing.assert_array_equal(written, expected)
                self.assertEqual(float(total), 7 + place)

    def test_a_scatter_drops_what_is_outside(self):
        t = np.arange(256, dtype=np.float32)
        numbers = lax.ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,),
                                              scatter_dims_to_operand_dims=(0,))

        def write(t, i):
            return lax.scatter(t, i[None, None], jnp.full(1, -1.0), numbers, mode="drop")

        for index, place in ((np.uint8(200), 200), (np.uint16(40000), None), (np.uint32(2**31), None)):
            expected = t.copy()
            if place is not None:
                expected[place] = -1
            np.testing.assert_array_equal(jax.jit(write)(t, index), expected)


class Products(unittest.TestCase):
    def test_products_without_a_sum_are_not_rounded(self):
        x, y = np.random.default_rng(0).normal(size=(2, 8)).astype(np.float32)
        s = np.float32(0.19781)
        for name, function, arguments, expected in (
                ("scalar and vector", jnp.dot, (s, x), s * x),
                ("outer", lambda x, y: jnp.einsum("i,j->ij", x, y), (x, y), np.outer(x, y)),
                ("elements", lambda x, y: jnp.einsum("i,i->i", x, y), (x, y), x * y)):
            with self.subTest(name):
                np.testing.assert_array_equal(jax.jit(function)(*arguments), expected)

    def test_products_of_rows_are_not_rounded(self):
        a, b = np.random.default_rng(1).normal(size=(2, 5, 300)).astype(np.float32)
        exact = (a.astype(np.float64) * b).sum(axis=1)
        np.testing.assert_allclose(jax.jit(jnp.dot)(a[0], b[0]), exact[0], atol=2e-5)
        rows = jax.jit(jax.vmap(jnp.dot))
        np.testing.assert_allclose(rows(a, b), exact, atol=2e-5)
        wide = rows(a.astype(jnp.bfloat16), b.astype(jnp.bfloat16))
        np.testing.assert_allclose(wide.astype(np.float32), exact, atol=0.5)

    def test_integer_products_without_a_sum(self):
        a, b = np.array([100, -100, 3], np.int8), np.array([2, 2, -3], np.int8)
        np.testing.assert_array_equal(jax.jit(lambda a, b: jnp.einsum("i,j->ij", a, b))(a, b),
                                      np.outer(a, b))

    def test_batches_of_small_matrices_are_exact(self):
        random = np.random.default_rng(0)
        a = random.normal(size=(100, 3, 3)).astype(np.float32)
        x = 30 * random.normal(size=(100, 3, 1)).astype(np.float32)
        np.testing.assert_allclose(jax.jit(jax.vmap(jnp.dot))(a, x), a @ x, atol=1e-4)

    def test_algorithms_are_as_precise_as_they_say(self):
        random = np.random.default_rng(2)
        a, b = random.normal(size=(2, 32, 32)).astype(np.float32)
        exact = a.astype(np.float64) @ b
        for algorithm, error in (("BF16_BF16_F32", 0.1), ("BF16_BF16_F32_X3", 1e-3),
                                 ("BF16_BF16_F32_X6", 3e-5), ("TF32_TF32_F32", 1e-2),
                                 ("TF32_TF32_F32_X3", 3e-5), ("F32_F32_F32", 3e-5)):
            with self.subTest(algorithm):
                preset = getattr(lax.DotAlgorithmPreset, algorithm)
                got = jax.jit(lambda a, b: lax.dot(a, b, precision=preset))(a, b)
                np.testing.assert_allclose(got, exact, atol=error)

    def test_attention_of_bfloat16_under_jit(self):
        x = np.random.default_rng(3).normal(size=(1, 16, 2, 8)).astype(jnp.bfloat16)

        def attend(x):
            return jax.nn.dot_product_attention(x, x, x).astype(jnp.float32)

        wide = x.astype(np.float32)
        np.testing.assert_allclose(jax.jit(attend)(x), on_cpu(attend, wide), atol=0.05)

    def test_the_upper_half_of_a_product(self):
        a = np.array([2**31 - 1, -2**31, 123456789, -5, 0])
        b = np.array([2**31 - 1, 2**31 - 1, -987654321, 3, -1])
        for kind in (np.int32, np.uint32, np.int16, np.uint16, np.int8, np.uint8):
            with self.subTest(kind.__name__):
                x, y = a.astype(kind), b.astype(kind)
                expected = [(int(p) * int(q)) >> (8 * x.itemsize) for p, q in zip(x, y)]
                self.assertEqual(jax.jit(lax.mulhi)(x, y).tolist(), expected)


class Sixteen(unittest.TestCase):
    """Arrays of 16 bits, in and out."""

    def test_integers_of_16_bits(self):
        for kind in (np.int16, np.uint16):
            for shape in ((1,), (5,), (3, 7), (2, 16)):
                with self.subTest(kind.__name__, shape=shape):
                    random = np.random.default_rng(4)
                    a, b = random.integers(0, 65536, (2, *shape)).astype(kind)
                    got = jax.jit(lambda a, b: (a + b, a * b, jnp.maximum(a, b), a // 3, a < b))(a, b)
                    want = (a + b, a * b, np.maximum(a, b), a // 3, a < b)
                    for g, w in zip(got, want, strict=True):
                        np.testing.assert_array_equal(g, w)

    def test_reals_of_16_bits(self):
        special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 65504, 6e-8, 6.1e-5, 1, -1], np.float16)
        np.testing.assert_array_equal(jax.jit(lambda x: x)(special).view(np.uint16) & 0x7fff,
                                      special.view(np.uint16) & 0x7fff)
        for shape in ((), (1,), (5,), (3, 7), (2, 16)):
            with self.subTest(shape=shape):
                a, b = np.random.default_rng(5).normal(size=(2, *shape)).astype(np.float16)
                got = jax.jit(lambda a, b: (a + b, a * b, -a, jnp.maximum(a, b)))(a, b)
                for g, w in zip(got, (a + b, a * b, -a, np.maximum(a, b)), strict=True):
                    self.assertEqual(g.dtype, np.float16)
                    np.testing.assert_array_equal(g, w)
                np.testing.assert_allclose(jax.jit(jnp.tanh)(a), np.tanh(a), atol=1e-3)


if __name__ == "__main__":
    unittest.main()
