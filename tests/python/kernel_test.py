"""tandem.kernel: instructions of one's own inside of jax.jit."""

import os
import subprocess
import sys
import unittest

os.environ["JAX_PLATFORMS"] = os.environ.get("JAX_PLATFORMS") or "tandem"

import jax
import jax.numpy as jnp
import numpy as np

import tandem
from tandem.assembly import *  # noqa: F403
from tandem.kernels import lanes, scratch_smem, scratch_vmem

import needs_compiler  # noqa: F401, skips without a compiler

FLAG = 24


def softsign_body(x, y):
    """y = x / (1 + |x|), all of it in VMEM at once."""
    if x.size % (8 * lanes()):
        raise ValueError(f"{x.size} elements are not whole vectors")
    rows = x.size // lanes()
    tile, descriptors = scratch_vmem(rows), scratch_smem(32)
    tile_place = Place("vmem", mul(tile, 4 * lanes()))
    descriptor(descriptors, x.place(), tile_place, 4 * x.size, flag=FLAG)
    descriptor(add(descriptors, 16), tile_place, y.place(), 4 * x.size, flag=FLAG)
    copy(descriptors + 0, s[0], s[0])
    wait(f[FLAG], 1)
    with loop(tile, add(tile, rows), 8) as row:
        value = vld(row + 0)
        size = vand(value, 0x7fffffff)
        vst(row + 0, vmul_f32(value, rcp(vadd_f32(size, 1.0))))
    copy(descriptors + 16, s[0], s[0])
    wait(f[FLAG], 2)
    fset(f[FLAG], 0)


softsign = tandem.kernel(outputs=lambda x: x)(softsign_body)


def exact(x):
    return x / (1 + np.abs(x))


X = np.linspace(-3, 3, 512, dtype=np.float32)


class Kernel(unittest.TestCase):
    def near(self, result, wanted):
        np.testing.assert_allclose(np.asarray(result), wanted, rtol=3e-7, atol=1e-30)

    def test_between_operations_of_jax(self):
        self.near(jax.jit(lambda x: softsign(2 * x) + softsign(x))(X), exact(2 * X) + exact(X))

    def test_by_itself(self):
        self.near(softsign(X), exact(X))

    def test_in_a_loop(self):
        thrice = jax.jit(lambda x: jax.lax.fori_loop(0, 3, lambda _, a: softsign(a), x))
        self.near(thrice(X), exact(exact(exact(X))))

    def test_in_a_branch(self):
        either = jax.jit(lambda p, x: jax.lax.cond(p, softsign, lambda a: -a, x))
        self.near(either(True, X), exact(X))
        self.near(either(False, X), -X)

    def test_vmap_goes_through_the_batch(self):
        self.near(jax.jit(jax.vmap(softsign))(X.reshape(4, 128)), exact(X).reshape(4, 128))

    def test_bf16_is_fp32_inside(self):
        x = jnp.asarray(X, jnp.bfloat16)
        result = jax.jit(softsign)(x)
        self.assertEqual(result.dtype, jnp.bfloat16)
        wanted = exact(np.asarray(x, np.float32))
        np.testing.assert_allclose(np.asarray(result, np.float32), wanted, rtol=2**-8)

    def test_on_all_models_at_once(self):
        code = ("import sys; sys.path.insert(0, 'tests/python'); import jax, kernel_test as t\n"
                "assert abs(jax.jit(t.softsign)(t.X) - t.exact(t.X)).max() < 1e-6")
        environment = dict(os.environ, JAX_PLATFORMS="tandem", TANDEM_MODEL="lockstep")
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)

    def test_its_own_mistakes_are_its_own_errors(self):
        with self.assertRaisesRegex(ValueError, "5 elements are not whole vectors"):
            jax.jit(softsign)(X[:5])
        with self.assertRaisesRegex(TypeError, "does not take 2 inputs"):
            softsign(X, X)
        with self.assertRaisesRegex(TypeError, "has 2 parameters"):
            tandem.kernel(outputs=lambda x: (x, x))(softsign_body)(X)

        @tandem.kernel(outputs=lambda x: x)
        def sections(x, y):
            vmem()

        with self.assertRaisesRegex(RuntimeError, "scratch_vmem"):
            sections(X)

        @tandem.kernel(outputs=lambda x: x)
        def far(x, y):
            vld(100000)  # out of reach

        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "100000"):
            jax.block_until_ready(far(X))

    def test_what_needs_too_much_memory_is_refused(self):
        @tandem.kernel(outputs=lambda x: x)
        def huge(x, y):
            scratch_vmem(1 << 20)

        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "rows of VMEM"):
            jax.block_until_ready(huge(X))

    def test_other_custom_calls_are_refused_by_name(self):
        call = jax.ffi.ffi_call("somebody.else", jax.ShapeDtypeStruct((4,), np.float32))
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "custom_call @somebody.else"):
            jax.block_until_ready(call(X[:4]))


if __name__ == "__main__":
    unittest.main()
