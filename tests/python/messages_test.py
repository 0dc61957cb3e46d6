"""Unsupported operations are refused by name, with the Python line, and never with a file that no longer exists.
Skipped where the compiler is not built."""

import os
import unittest

os.environ["JAX_PLATFORMS"] = "tandem"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["TANDEM_HBM"] = "64M"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import needs_compiler  # noqa: F401, skips without a compiler

ONE = np.ones(4, np.float32)


def made_inside(kind):
    return lambda x: x.astype(kind).astype(jnp.float32)


def with_algorithm(x):
    return lax.dot(x, x, precision=lax.DotAlgorithmPreset.ANY_F8_ANY_F8_F32)


class Messages(unittest.TestCase):
    def refused(self, function, arguments, code, words):
        with self.assertRaises(jax.errors.JaxRuntimeError) as caught:
            jax.jit(function)(*arguments)
        text = str(caught.exception)
        self.assertRegex(text, f"^{code}: [^ ]*messages_test.py:[0-9]+:[0-9]+: error: .*{words}")
        self.assertNotRegex(text, r"/tmp|program\.mlir|temporary")

    def test_types_are_refused_by_name(self):
        for kind, words in ((jnp.complex128, "type complex<f64>"), (jnp.float64, "type f64"), (jnp.int64, "type i64")):
            with self.subTest(words):
                self.refused(made_inside(kind), (ONE,), "UNIMPLEMENTED", f"unimplemented: .*{words}")

    def test_types_of_arguments_have_a_line(self):
        for kind, words in ((np.float64, "type f64"), (np.complex128, "type complex<f64>")):
            with self.subTest(words):
                self.refused(lambda x: x + x, (np.ones(4, kind),), "UNIMPLEMENTED", f"{words}.*of argument 0")

    def test_results_of_64_bits_are_refused(self):
        self.refused(lambda x: x.astype(jnp.uint64), (np.ones(4, np.int32),), "UNIMPLEMENTED", "type ui64")

    def test_arrays_beyond_the_memory_are_refused_before_compiling(self):
        self.refused(lambda x: jnp.broadcast_to(x, (1 << 20, 16)) + 1, (np.ones(16, np.float32),),
                     "RESOURCE_EXHAUSTED", "no room: arguments and results take 67108928 bytes of HBM, there are 67108864")

    def test_temporaries_beyond_the_memory_have_the_line_of_the_largest(self):
        def f(x):
            y = x + 1
            z = lax.rev(lax.cumsum(jnp.broadcast_to(y, (9000, 2048)), axis=0), (0,))
            return z[:2, :3]

        self.refused(f, (np.float32(1),), "RESOURCE_EXHAUSTED",
                     r"no room: arguments, results and temporaries take \d+ bytes of HBM, there are 67108864")

    def test_random_numbers_without_a_key_are_refused_by_name(self):
        self.refused(lambda x: lax.rng_uniform(x, np.float32(1), (5,)), (np.float32(0),), "UNIMPLEMENTED",
                     "unimplemented: stablehlo.rng, random numbers without a key")

    def test_tensors_beyond_all_memory_have_a_line(self):
        for sizes in ((1 << 32, 1 << 32), (1 << 40, 1 << 40), (1 << 41,)):
            words = f"no room: a tensor of more than 2.40 elements, 'tensor<{'x'.join(map(str, sizes))}xf32>'"
            with self.subTest(sizes=sizes):
                self.refused(lambda x: jnp.broadcast_to(x, sizes).sum(), (np.float32(1),), "RESOURCE_EXHAUSTED", words)
        lowered = jax.jit(lambda x: x[0, 0]).trace(jax.ShapeDtypeStruct((1 << 32, 1 << 32), jnp.float32)).lower()
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "RESOURCE_EXHAUSTED: .*no room: a tensor of more than 2.40 elements"):
            lowered.compile()

    def test_arrays_of_other_types_name_what_there_is(self):
        for kind, name in ((np.uint64, "uint64"), (np.float64, "float64"), (np.complex128, "complex128")):
            with self.assertRaisesRegex(jax.errors.JaxRuntimeError,
                                        f"UNIMPLEMENTED.*element type {name}; this machine has float32"):
                jax.device_put(np.ones(4, kind)).block_until_ready()

    def test_temporaries_may_take_what_is_left(self):
        # More than a quarter of the memory, beside an array.
        held = jax.device_put(np.ones(1 << 20, np.float32)).block_until_ready()
        program = jax.jit(lambda x: lax.rev(lax.cumsum(jnp.broadcast_to(x, (600, 2048)), axis=0), (0,))[:2, :3])
        compiled = program.lower(np.float32(1)).compile()
        self.assertGreater(compiled.memory_analysis().temp_size_in_bytes, 16 << 20)
        np.testing.assert_array_equal(program(np.float32(1)), [[600] * 3, [599] * 3])
        self.assertEqual(float(np.asarray(held)[5]), 1)


if __name__ == "__main__":
    unittest.main()
