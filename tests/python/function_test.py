"""tandem.function: functions in assembly, Tandem's kernels and one's own, inside of jax.jit.

Every kernel of kernels/catalogue.py is called between operations of JAX and compared with its
reference there.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

os.environ["JAX_PLATFORMS"] = os.environ.get("JAX_PLATFORMS") or "tandem"

import jax
import jax.numpy as jnp
import numpy as np

import tandem

import needs_compiler  # noqa: F401, skips without a compiler

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "kernels"))
import catalogue  # noqa: E402

LIKE = jax.ShapeDtypeStruct
BF16 = jnp.bfloat16


def product(a, b, *_):
    return LIKE((*a.shape[:-1], b.shape[-1]), a.dtype)


# How each kernel of the catalogue is called: its inputs by name, the forms of the outputs. The names of the outputs are
# the catalogue's.
CALLS = {
    "gelu": (("x",), lambda x: x),
    "swiglu": (("x", "z"), lambda x, z: x),
    "bias_gelu_residual": (("x", "bias", "residual"), lambda x, b, r: x),
    "softmax": (("x",), lambda x: x),
    "rms_norm": (("x", "weight", 1e-6), lambda x, w, e: x),
    "layer_norm": (("x", "weight", "bias", 1e-6), lambda x, w, b, e: x),
    "matmul_bf16": (("a", "b"), product),
    "matmul_f32_3": (("a", "b"), product),
    "matmul_f32_6": (("a", "b"), product),
    "matmul_s8": (("a", "b", "scale"), product),
    "matmul_batched": (("a", "b"), product),
    "matmul_grouped": (("a", "b", "sizes"), product),
    "flash_attention": (("q", "k", "v"), lambda q, k, v: q),
    "rope": (("x", "cos", "sin"), lambda x, c, s: x),
    "gather": (("table", "ids"), lambda t, i: LIKE((i.shape[0], *t.shape[1:]), t.dtype)),
    "append": (("x", "cache", "position"), lambda x, c, p: c),
    "top_k": (("x",), None),
    "conv2d": (("x", "k", "window"), None),
}


def jax_array(array):
    """16-bit words of the catalogue are bf16."""
    return jnp.asarray(array.view(BF16) if array.dtype == np.uint16 else array)


def outputs_like(name, shape, outputs):
    if name == "top_k":
        rows, _, k = shape
        return lambda x: (LIKE((rows, k), x.dtype), LIKE((rows, k), np.int32))
    if name == "conv2d":
        sizes = catalogue.convolved_sizes(shape)
        return lambda x, k, *window: LIKE((x.shape[0], *sizes, k.shape[3]), x.dtype)
    return outputs


def operands(names, arrays):
    """The arguments of the function: arrays, and numbers one by one."""
    for name in names:
        if isinstance(name, float):
            yield name
        elif name in ("position", "window"):
            yield from (arrays[name][i] for i in range(arrays[name].shape[0]))
        else:
            yield arrays[name]


# One copy within HBM, and then everything that a function may overwrite is something else.
CLOBBERING = """
        .parameter clobbering, x, any, [...], in
        .parameter clobbering, y, any, [...], out
        .scratch clobbering, 64, 640
        .include "machine.inc"
clobbering:
        s6 = sub s2, 16
        s7 = sld [s4 + argument_bytes]
        s8 = sld [s4 + argument_address]
        s9 = sld [s4 + argument_address + 1]
        s10 = sld [s5 + argument_address]
        s11 = sld [s5 + argument_address + 1]
        s12 = mov 24 << copy_flag_bit
        s13 = mov 1
.rept 16, i
        sst [s6 + \\i], s0
.endr
        sst [s6], s12
        sst [s6 + copy_length], s7
        sst [s6 + copy_source], s8
        sst [s6 + copy_source_high], s9
        sst [s6 + copy_target], s10
        sst [s6 + copy_target_high], s11
        sst [s6 + copy_amount], s13
        sst [s6 + copy_inner], s13
        sst [s6 + copy_middle], s13
        sst [s6 + copy_outer], s13
        copy [s6], s0, s0
        wait f24, 1
        fset f24, 0
.rept 64, i
        v[\\i] = vmov NAN
.endr
.rept LANES / 8, i
        mxpush 8 * \\i, v1.f32
.endr
        mxmul.bf16 a0, v1.f32, swap
.rept LANES / 8, i
        mxpush 8 * \\i, v1.f32
.endr
.rept 64, i
        mxmul.bf16 a[\\i], v1.f32
.endr
.rept 8, i
        vst [s3 + 8 * \\i], v1
.endr
.rept 7, i
        p[1 + \\i] = eq s0, \\i % 2
        m[1 + \\i] = vne.f32 v1, v1
.endr
.rept 28, i
        s[4 + \\i] = mov 0x7fc01234 + \\i
.endr
.rept 640, i
        sst [s2 - 1 - \\i], s5
.endr
        ret s1
"""


def clobbering(folder):
    path = pathlib.Path(folder) / "clobbering.s"
    path.write_text(CLOBBERING)
    return tandem.function("clobbering", file=str(path), outputs=lambda x: x)


def between_operations(name, shape, folder):
    """The kernel after and before operations of the compiler, which are exact, and after a function that leaves nothing
    as it was."""
    same_but = clobbering(folder)
    names, outputs = CALLS[name]
    function = tandem.function(name, outputs=outputs_like(name, shape, outputs))

    def program(arrays):
        same = {key: x * 0.5 * 2 if x.dtype in (np.float32, BF16) else x
                for key, x in arrays.items()}
        first = next(iter(same))
        results = function(*operands(names, same | {first: same_but(same[first])}))
        results = results if isinstance(results, tuple) else (results,)
        return [(x, x + x) for x in results]

    return program


def check(test, kernel, shape):
    arrays = kernel.inputs(np.random.default_rng(1), shape)
    given = {key: jax_array(x) for key, x in arrays.items() if not key.startswith("_")}
    with tempfile.TemporaryDirectory() as folder:
        results = jax.jit(between_operations(kernel.name, shape, folder))(given)
    wide = {key: catalogue.as_double(x) for key, x in arrays.items()}
    wanted = kernel.reference(wide)
    tolerance = kernel.tolerance(wide, wanted)
    for name, (once, twice) in zip(kernel.outputs, results, strict=True):
        got = np.asarray(once).astype(np.float64)
        with test.subTest(kernel=kernel.name, shape=shape, output=name):
            with np.errstate(invalid="ignore"):
                near = (np.abs(got - wanted[name]) <= tolerance[name]) | (got == wanted[name])
            test.assertTrue(near.all(), np.argwhere(~near)[:5])
            np.testing.assert_array_equal(np.asarray(twice), np.asarray(once + once))


SCALED = """
# scaled: y = factor x, whole vectors, by one copy in and one out.
        .parameter scaled, x, f32, [rows, 16], in
        .parameter scaled, y, f32, [rows, 16], out
        .parameter scaled, factor, f32
        .scratch scaled, 128, 32
        .include "machine.inc"
        .linear scaled
        %frame = sub s2, 32
        %bytes = sld [s4 + argument_bytes]
.rept 32, word
        ssti [%frame + \\word], 0
.endr
.rept 2, i
        ssti [%frame + 16 * i + copy_amount], 1
        sst [%frame + 16 * i + copy_length], %bytes
        ssti [%frame + 16 * i + copy_inner], 1
        ssti [%frame + 16 * i + copy_middle], 1
        ssti [%frame + 16 * i + copy_outer], 1
.endr
        ssti [%frame], in_vmem << copy_destination_space_bit | 24 << copy_flag_bit
        ssti [%frame + 16], in_vmem << copy_source_space_bit | 24 << copy_flag_bit
        %low = sld [s4 + argument_address]
        %high = sld [s4 + argument_address + 1]
        sst [%frame + copy_source], %low
        sst [%frame + copy_source_high], %high
        %to = sld [s5 + argument_address]
        %to_high = sld [s5 + argument_address + 1]
        sst [%frame + 16 + copy_target], %to
        sst [%frame + 16 + copy_target_high], %to_high
        %row = shl s3, log2(ROW_BYTES)
        sst [%frame + copy_target], %row
        sst [%frame + 16 + copy_source], %row
        copy [%frame], s0, s0
        wait f24, 1
        %at = mov s3
        %end = shr %bytes, log2(ROW_BYTES)
        %end = add %end, s3
again:
        %x = vld [%at]
        %y = vmul.f32 %x, s6
        vst [%at], %y
        %at = add %at, 8
        %more = lt.s32 %at, %end
        @%more br again
        copy [%frame + 16], s0, s0
        wait f24, 2
        fset f24, 0
        ret s1
        .endlinear
""".replace("16 * i", "16 * \\i")


class OwnFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "scaled.s"
        self.path.write_text(SCALED)
        self.scaled = tandem.function("scaled", file=str(self.path), outputs=lambda x, factor: x)
        self.x = np.arange(64 * 16, dtype=np.float32).reshape(64, 16)

    def refused(self, words, *arguments, function=None):
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, words) as caught:
            jax.block_until_ready((function or self.scaled)(*arguments))
        self.assertRegex(str(caught.exception), "^(INVALID_ARGUMENT|UNIMPLEMENTED)")
        return str(caught.exception)

    def test_between_operations(self):
        result = jax.jit(lambda x: self.scaled(x + 1, 3.0) - 1)(self.x)
        np.testing.assert_array_equal(np.asarray(result), (self.x + 1) * 3 - 1)

    def test_the_number_may_be_computed(self):
        result = jax.jit(lambda x: self.scaled(x, x[0, 1] + x.sum()))(self.x)
        np.testing.assert_array_equal(np.asarray(result), self.x * (1 + self.x.sum()))

    def test_in_a_loop_with_what_lives_across_it(self):
        def program(x):
            return jax.lax.fori_loop(0, 4, lambda i, a: self.scaled(a, 2.0) + i + x[i, 0], x)

        wanted = self.x
        for i in range(4):
            wanted = wanted * 2 + i + self.x[i, 0]
        np.testing.assert_array_equal(np.asarray(jax.jit(program)(self.x)), wanted)

    def test_in_a_while_loop_and_in_a_branch(self):
        def program(x):
            def turn(state):
                n, a = state
                return n + 1, jax.lax.cond(n % 2 == 0, lambda b: self.scaled(b, 2.0),
                                           lambda b: b + 1, a)

            return jax.lax.while_loop(lambda state: state[0] < 5, turn, (0, x))[1]

        wanted = self.x
        for n in range(5):
            wanted = wanted * 2 if n % 2 == 0 else wanted + 1
        np.testing.assert_array_equal(np.asarray(jax.jit(program)(self.x)), wanted)

    def test_a_function_may_overwrite_everything(self):
        same = clobbering(self.path.parent)
        weights = np.random.default_rng(1).integers(-4, 5, (16, 13)).astype(np.float32)
        bits = self.x.astype(np.int8)

        def program(of):
            def turn(i, state):
                a, sums = state
                a = of(jnp.where(a > i, a - x_first, a)) + i
                return of(a), sums + of(a @ weights).max(axis=1) * (a.sum() > 3)

            def run(x, bits):
                nonlocal x_first
                x_first = of(x)[0, 5]
                a, sums = jax.lax.fori_loop(0, 3, turn, (of(x + 1), jnp.zeros(64)))
                mixed = jax.vmap(lambda row, n: of(row) * n + row[0])(a, jnp.arange(64.0))
                return a, sums, mixed, of(bits) + bits, of(a > 7), of(a.astype(BF16)[:, :7]) * 2

            x_first = None
            return run

        wanted = jax.jit(program(lambda x: x))(self.x, bits)
        got = jax.jit(program(same))(self.x, bits)
        for one, other in zip(got, wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other))

    def test_vmap_goes_through_the_batch(self):
        batch = np.stack([self.x, self.x + 1, -self.x])
        result = jax.jit(jax.vmap(self.scaled, (0, None)))(batch, 2.0)
        np.testing.assert_array_equal(np.asarray(result), 2 * batch)

    def test_with_a_kernel_of_tandem(self):
        softmax = tandem.function("softmax", outputs=lambda x: x)
        result = jax.jit(lambda x: softmax(self.scaled(x, 0.01)))(self.x)
        np.testing.assert_allclose(np.asarray(result), jax.nn.softmax(self.x * np.float32(0.01)),
                                   rtol=2e-5)

    def test_on_all_models_at_once(self):
        code = ("import sys; sys.path.insert(0, 'tests/python'); import jax, function_test as t\n"
                "own = t.OwnFile('test_between_operations'); own.setUp()\n"
                "own.test_between_operations(); own.test_in_a_loop_with_what_lives_across_it()\n"
                "own.doCleanups()\n"
                "for kernel in t.catalogue.KERNELS:\n"
                "    if kernel.name in ('softmax', 'matmul_bf16', 'top_k', 'append'):\n"
                "        t.check(own, kernel, kernel.shapes[2])\n")
        environment = dict(os.environ, JAX_PLATFORMS="tandem", TANDEM_MODEL="lockstep")
        subprocess.run([sys.executable, "-c", code], env=environment, check=True, cwd=ROOT)

    def test_reports_have_the_lines_of_both(self):
        page = self.path.parent / "report.html"
        tandem.report(jax.jit(lambda x: self.scaled(x + 1, 3.0) - 1), self.x, path=page)
        self.assertIn("scaled.s", page.read_text())
        self.assertIn("%y = vmul.f32 %x, s6", page.read_text())
        self.assertIn("function_test.py", page.read_text())

    def test_tensors_that_do_not_fit(self):
        self.refused(r"kernel scaled: `x f32 \[rows, 16\]` is asked for, operand 0 is f32 \[64, 8\]",
                     self.x[:, :8], 2.0)
        self.refused(r"operand 0 is s32 \[64, 16\], of another type", self.x.astype(np.int32), 2.0)
        self.refused(r"operand 0 is f32 \[1024\], of another rank", self.x.ravel(), 2.0)
        self.refused(r"`factor f32` is asked for, operand 1 is f32 \[1\]", self.x, self.x[0, :1])
        self.refused(r"result 0 is f32 \[8, 16\], and rows is 64 in x", self.x, 2.0,
                     function=tandem.function("scaled", file=str(self.path),
                                              outputs=lambda x, f: LIKE((8, 16), x.dtype)))
        one = tandem.function("scaled", file=str(self.path), outputs=lambda x: x)
        self.refused("kernel scaled has 2 operands and 1 results, this call 1 and 1", self.x,
                     function=one)

    def test_the_python_line_is_named(self):
        said = self.refused("kernel scaled", self.x[:, :8], 2.0)
        self.assertIn("function_test.py", said)

    def test_functions_that_are_not_there(self):
        nobody = tandem.function("nobody", outputs=lambda x: x)
        self.refused("there is no kernel nobody in .*; there are append, .*softmax", self.x,
                     function=nobody)
        other = tandem.function("other", file=str(self.path), outputs=lambda x: x)
        self.refused("declares no function of this name.*it has scaled", self.x, function=other)
        with self.assertRaises(FileNotFoundError):
            tandem.function("scaled", file="nowhere.s", outputs=lambda x: x)(self.x)
        with self.assertRaisesRegex(TypeError, "does not take 1 inputs"):
            self.scaled(self.x)

    def test_texts_that_are_no_functions(self):
        def of(text):
            self.path.write_text(text)
            return tandem.function("scaled", file=str(self.path), outputs=lambda x, f: x)

        said = self.refused("does not assemble", self.x, 2.0,
                            function=of(SCALED.replace("vmul.f32", "vmull.f32")))
        self.assertIn("unknown mnemonic `vmull.f32`", said)
        self.assertRegex(said, r"scaled\.s:\d+:\d+")
        self.refused("it reserves memory of its own", self.x, 2.0,
                     function=of(SCALED + "        .vmem\n        .space 8\n"))
        self.refused("it declares tensors", self.x, 2.0,
                     function=of(SCALED + "        .tensor t, f32, [4], in\n"))
        self.refused("it ends the program", self.x, 2.0, function=of(SCALED.replace("ret s1", "halt")))
        self.refused("`rows of VMEM` of", self.x, 2.0, function=of(SCALED.replace(
            ".scratch scaled, 128, 32", ".scratch scaled, VMEM_ROWS + 8, 32")))
        self.refused("words of SMEM", self.x, 2.0, function=of(SCALED.replace(
            ".scratch scaled, 128, 32", ".scratch scaled, 128, SMEM_WORDS")))

    def test_an_edit_of_what_is_included_is_another_program(self):
        part = self.path.parent / "part.inc"
        bring = '.macro bring name\n        .include "\\name"\n        .endm\n        bring part.inc'
        for way in ('.include "part.inc"', 'here:   .include "part.inc"', '.include"part.inc"', bring):
            with self.subTest(way):
                part.write_text("        .equ factor_of_part, 2.0\n")
                self.path.write_text(SCALED.replace('.include "machine.inc"',
                                                    f'.include "machine.inc"\n        {way}')
                                     .replace("%x, s6", "%x, factor_of_part"))
                first = jax.jit(lambda x: self.scaled(x, 0.0))(self.x)
                part.write_text("        .equ factor_of_part, 3.0\n")
                second = jax.jit(lambda x: self.scaled(x, 0.0))(self.x)
                np.testing.assert_array_equal(np.asarray(first), 2 * self.x)
                np.testing.assert_array_equal(np.asarray(second), 3 * self.x)

    def test_a_file_that_is_no_text(self):
        self.path.write_bytes(b"# caf\xe9\n" + SCALED.encode())
        with self.assertRaisesRegex(ValueError, "scaled.s is no text in UTF-8"):
            self.scaled(self.x, 2.0)


class Catalogue(unittest.TestCase):
    def test_every_kernel_between_operations_of_jax(self):
        self.assertEqual(set(CALLS), {kernel.name for kernel in catalogue.KERNELS})
        for kernel in catalogue.KERNELS:
            for shape in kernel.shapes[1:3]:
                check(self, kernel, shape)

    def test_kernels_that_include_each_other(self):
        of = {name: tandem.function(name, outputs=product)
              for name in ("matmul_bf16", "matmul_batched")}
        a = np.ones((2, 8, 8), BF16)
        result = jax.jit(lambda a: of["matmul_bf16"](of["matmul_batched"](a, a)[0], a[1]))(a)
        np.testing.assert_array_equal(np.asarray(result, np.float32), np.full((8, 8), 64))


if __name__ == "__main__":
    unittest.main()
