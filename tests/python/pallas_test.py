"""Pallas kernels for TPU run on the platform as they are; values against JAX's interpreter on the CPU."""

import base64
import doctest
import os
import pathlib
import re
import subprocess
import unittest

os.environ["JAX_PLATFORMS"] = os.environ.get("JAX_PLATFORMS") or "tandem,cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import needs_compiler  # noqa: F401, skips without a compiler
from pallas_cases.kernels import CASES
from tandem import tools

# Sums in another order, and six bf16 passes for HIGHEST.
TOLERANCE = 2e-5
TOLERANCES = {"halves": 2 ** -8}


def on_cpu(function, *arguments):
    return jax.jit(function)(*jax.device_put(arguments, jax.devices("cpu")[0]))


class Values(unittest.TestCase):
    def test_each_case_is_what_the_interpreter_says(self):
        for name, make in CASES.items():
            with self.subTest(name):
                interpreted, *arguments = make(True)
                native = make(False)[0]
                want = jax.tree.leaves(on_cpu(interpreted, *arguments))
                self.assertIn("tpu_custom_call", jax.jit(native).lower(*arguments).as_text())
                got = jax.tree.leaves(jax.jit(native)(*arguments))
                for one, other in zip(got, want, strict=True):
                    one, other = (np.asarray(value, np.float64) for value in (one, other))
                    largest = np.abs(other[np.isfinite(other)]).max(initial=0)
                    worst = TOLERANCES.get(name, TOLERANCE) * largest
                    np.testing.assert_allclose(one, other, rtol=0, atol=worst)

    def test_the_interpreter_runs_where_it_is_asked_for(self):
        make = CASES["softmax_of_rows"]
        function, *arguments = make(True)
        self.assertNotIn("tpu_custom_call", jax.jit(function).lower(*arguments).as_text())
        np.testing.assert_allclose(jax.jit(function)(*arguments), on_cpu(function, *arguments),
                                   rtol=1e-6)


class Refusals(unittest.TestCase):
    def refused(self, kernel, shape, dtype=np.float32, **options):
        argument = jax.ShapeDtypeStruct(shape, dtype)
        call = pl.pallas_call(kernel, out_shape=argument, **options)
        with self.assertRaises(Exception) as caught:
            jax.jit(call).lower(argument).compile()
        return str(caught.exception)

    def test_an_operation_is_named_with_its_line(self):
        def kernel(x, o):
            pltpu.prng_seed(0)
            o[...] = x[...]
        message = self.refused(kernel, (8, 128))
        self.assertIn("unimplemented: tpu.prng_set_seed_32 in a Pallas kernel", message)
        self.assertRegex(message, rf"{os.path.basename(__file__)}:"
                                  rf"{kernel.__code__.co_firstlineno + 1}:")

    def test_an_element_type_is_named(self):
        def kernel(x, o):
            o[...] = x[...]
        self.assertIn("unimplemented: elements of type 'i4' in a Pallas kernel",
                      self.refused(kernel, (64, 128), jnp.int4))
        self.assertIn("unimplemented: elements of 8-bit floats",
                      self.refused(kernel, (32, 128), jnp.float8_e5m2))

    def test_a_damaged_kernel_is_refused_with_its_operation(self):
        def kernel(x, o):
            o[...] = x[...] + 1
        argument = jax.ShapeDtypeStruct((8, 128), np.float32)
        call = jax.jit(pl.pallas_call(kernel, out_shape=argument))
        lowered = call.trace(argument).lower(lowering_platforms=("tandem",))
        text = lowered.compiler_ir().operation.get_asm(print_generic_op_form=True)
        body = re.search(r"body\\22: \\22([A-Za-z0-9+/=]*)\\22", text).group(1)
        module = base64.b64decode(body)
        load = module.replace(b"vector.load", b"vector.st0r", 1)
        for damaged, message in ((module[:100], "cannot be read"), (load, "vector.st0r"),
                                 (module.replace(b"arith.addf", b"vector.tra", 1), "vector.tra"),
                                 (module.replace(b"arith.addf", b"scf.while.", 1), "scf.while."),
                                 (module.replace(b"arith.addf", b"tpu.matmul", 1),
                                  "a damaged Pallas kernel: tpu.matmul: its operands, results or "
                                  "regions are others than it has")):
            program = text.replace(body, base64.b64encode(damaged).decode())
            run = subprocess.run([tools.compiler_path(), "-", "-o", os.devnull], input=program,
                                 capture_output=True, text=True)
            self.assertIn(message, run.stderr)
            self.assertNotIn("internal", run.stderr)
            self.assertEqual(run.returncode, 2)

    def test_blocks_that_do_not_fit_are_told_with_their_size(self):
        def kernel(x, o):
            o[...] = x[...]
        rows = pl.BlockSpec((4096, 128), lambda i: (i, 0))
        with jax.default_device(jax.devices("tandem")[0]):
            message = self.refused(kernel, (65536, 128), grid=(16,), in_specs=[rows],
                                   out_specs=rows)
        self.assertRegex(message, "no room: the blocks and scratch of a Pallas kernel take "
                                  r"\d+ bytes of VMEM, there are \d+")


class Page(unittest.TestCase):
    def test_its_transcript_is_what_happens(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs/pallas.md"
        failed, tried = doctest.testfile(str(page), module_relative=False)
        self.assertGreater(tried, 10)
        self.assertEqual(failed, 0)


class Chip(unittest.TestCase):
    def test_kernels_may_ask_for_its_sizes(self):
        info = pltpu.get_tpu_info()
        self.assertEqual((info.num_lanes, info.num_sublanes), (128, 8))
        presets = {"nano": 1 << 16, "small": 1 << 20, "edge": 1 << 23, "full": 1 << 24}
        self.assertEqual(info.vmem_capacity_bytes, presets[jax.devices("tandem")[0].preset])


if __name__ == "__main__":
    unittest.main()
