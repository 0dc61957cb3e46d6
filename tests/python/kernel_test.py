"""tandem.kernel: instructions of one's own inside of jax.jit."""

import dataclasses
import os
import subprocess
import sys
import tempfile
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
    """y = x / (1 + |x|), all of it in VMEM at the same time."""
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


def foreign(away):
    """softsign, which first stores `away` rows after its scratch."""
    def body(x, y):
        tile = scratch_vmem(8)
        vst(add(tile, away) + 0, vlane())
        softsign_body(x, y)

    return tandem.kernel(outputs=lambda x: x)(body)


def foreign_word(away):
    """softsign, which first stores a word `away` words after its scratch in SMEM."""
    def body(x, y):
        words = scratch_smem(32)
        sst(add(words, away) + 0, mov(7))
        softsign_body(x, y)

    return tandem.kernel(outputs=lambda x: x)(body)


def foreign_input(away):
    """softsign of the words that begin `away` words after its input."""
    def body(x, y):
        softsign_body(dataclasses.replace(x, words=add(x.words, away)), y)

    return tandem.kernel(outputs=lambda x: x)(body)


def foreign_result(away):
    """softsign, whose result begins `away` words after what it has been given."""
    def body(x, y):
        softsign_body(x, dataclasses.replace(y, words=add(y.words, away)))

    return tandem.kernel(outputs=lambda x: x)(body)


def written_input(again):
    """softsign, which before writes `again` times over its input."""
    def body(x, y):
        for _ in range(again):
            softsign_body(x, x)
        softsign_body(x, y)

    return tandem.kernel(outputs=lambda x: x)(body)


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
            vld(scratch_vmem(8) + 100000)  # out of reach

        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "100000"):
            jax.block_until_ready(far(X))

    def test_what_runs_later_has_written_nothing(self):
        def generator(x, y):
            yield softsign_body(x, y)

        async def coroutine(x, y):
            softsign_body(x, y)

        async def both(x, y):
            yield softsign_body(x, y)

        for function in (generator, coroutine, both):
            with self.assertRaisesRegex(TypeError, f"{function.__name__} is .*(generator|coroutine)"):
                tandem.kernel(outputs=lambda x: x)(function)
            hidden = tandem.kernel(outputs=lambda x: x)(lambda x, y: function(x, y))
            with self.assertRaisesRegex(TypeError, "<lambda> is "):
                hidden(X)

    def test_it_goes_on_behind_its_last_line(self):
        for leaves in (halt, lambda: ret(s[1]), lambda: jump(s[1])):
            kernel = tandem.kernel(outputs=lambda x: x)(lambda x, y: leaves())
            with self.assertRaisesRegex(RuntimeError, "in a kernel: it is part of a program"):
                kernel(X)

    def test_scratch_is_a_number_of_rows(self):
        for rows, error in ((-8, ValueError), (2**40, ValueError), (1.5, TypeError), ("8", TypeError)):
            kernel = tandem.kernel(outputs=lambda x: x)(lambda x, y: scratch_vmem(rows))
            with self.assertRaisesRegex(error, "number of rows of scratch_vmem is"):
                kernel(X)

    def refused_text(self, text):
        """The compiler's message about a kernel from another front end."""
        call = jax.ffi.ffi_call("tandem.kernel", jax.ShapeDtypeStruct((4,), np.float32))
        with self.assertRaises(jax.errors.JaxRuntimeError) as refused:
            call(X[:4], text=text, preset="small", vmem_words=np.int64(128), smem_words=np.int64(16))
        return str(refused.exception)

    def test_texts_that_break_the_contract_are_refused_with_their_line(self):
        for text, why in (("halt", "ends the program"), ("ret s1", "goes elsewhere"),
                          ("vst [0], v0", "writes VMEM at a fixed address"),
                          ("br 9", "goes elsewhere"), ("%x = sld [3]", "reads SMEM at a fixed address"),
                          ("fset f5, 1", "of f5: its own flags are f24 to f30")):
            self.assertRegex(self.refused_text(f'.loc 7, "mine.py"\n{text}\n'),
                             "breaks its contract: mine.py:7: .*" + why)
            # Without the end of its line, and with a false location.
            for other in (text, f'.loc 1, "<given>"\n{text}', f'.lines off\n{text}\n'):
                self.assertRegex(self.refused_text(other), "breaks its contract: .*" + why)

    def test_texts_stay_in_their_block_and_name_no_files(self):
        for text in (".endlinear\nhalt\n.linear\n", ".endlinear\ns5 = mov 1\n.linear\n", ".endlinear\n.tensor t, f32, [4], in\n.linear\n",
                     "no such thing", "nop /*"):
            self.assertRegex(self.refused_text(text), "breaks its contract: by itself, in a block, it does not assemble")
        with tempfile.NamedTemporaryFile("w", suffix=".inc") as file:
            file.write("secret of another\n")
            file.flush()
            for text in (f'.include "{file.name}"', f'.endlinear\n.data\n.incbin "{file.name}"\n.text\n.linear\n'):
                said = self.refused_text(text)
                self.assertIn("it names files", said)
                self.assertNotIn("secret", said)

    def test_texts_are_the_same_by_themselves_and_in_their_program(self):
        for text in (".ifdef descriptors\nhalt\n.endif\n", "a: .ifndef tiles\n.else\nhalt\n.endif\n",
                     ".if defined(arg0)\nhalt\n.endif\n", ".set rows, 4\n", ".equ rows, 4\n",
                     ".macro store op\n\\op [%vmem + 0], %x\n.endm\n%x = vlane\nstore vst\n",
                     ".rept 1\n%x = mov 1\n.endr\n", '.buffer vmem, 0, 8, "x"\n', ".copies_apart 9\n"):
            name = next(word for word in text.split() if word.startswith("."))
            self.assertIn(f"breaks its contract: `{name}`: a kernel has operations", self.refused_text(text))

    def test_all_labels_of_a_line_are_its_own(self):
        """A second call of the kernel has labels with other names; the code after them is checked against its
        scratch."""
        shape = jax.ShapeDtypeStruct(X.shape, np.float32)
        text = softsign.text([shape], [shape], "small").text
        call = jax.ffi.ffi_call("tandem.kernel", shape)
        labels = "first: second :\tthird: %n = mov 2\nfourth: fifth: %n = sub %n, 1\n%p = gt.s32 %n, 0\n@%p br fifth\n"
        run = jax.jit(lambda x: call(call(x, text=labels + text, preset="small", vmem_words=np.int64(512), smem_words=np.int64(32)),
                                     text=labels + text, preset="small", vmem_words=np.int64(512), smem_words=np.int64(32)))
        self.near(run(X), exact(exact(X)))
        for end in (text.rstrip("\n"), text + "# that is all", text + "last:"):
            run = jax.jit(lambda x: 2 * call(x, text=end, preset="small", vmem_words=np.int64(512),  # noqa: B023
                                             smem_words=np.int64(32)))
            self.near(run(X), 2 * exact(X))

    def test_quotes_hide_no_names(self):
        """Its registers and labels are its own, for any contents of comments, characters and names of files."""
        shape = jax.ShapeDtypeStruct(X.shape, np.float32)
        text = softsign.text([shape], [shape], "small").text
        call = jax.ffi.ffi_call("tandem.kernel", shape)
        vectors = "".join(f"%v{number} = vlane\n" for number in range(400))
        for before, after in (('# 3" of rain\n', ""), ('// "\n', ""), ("%quote = mov '\"'\n", ""), ('.loc 1, "a\\"b.py"\n', ""),
                              ("", f'# "\n{vectors}# "\n')):
            run = jax.jit(lambda x: jnp.sin(x) + call(2 * x, text=before + text + after, preset="small",  # noqa: B023
                                                      vmem_words=np.int64(512), smem_words=np.int64(32)))
            self.near(run(X), np.sin(X) + exact(2 * X))

    def test_strict_runs_trap_what_is_written_elsewhere(self):
        code = ("import sys; sys.path.insert(0, 'tests/python'); import jax, kernel_test as t\n"
                "print(jax.jit(lambda x: getattr(t, sys.argv[1])(int(sys.argv[2]))(2 * x) + 1)(t.X).sum())")
        environment = dict(os.environ, JAX_PLATFORMS="tandem", TANDEM_CHECK_LIFETIMES="1")
        beyond = "is written by a kernel that has been given buffer"
        for kernel, away, why in (("foreign", 0, None), ("foreign", 48, "VMEM row .* " + beyond), ("foreign_word", 31, None),
                                  ("foreign_word", 1000, "SMEM word .* " + beyond), ("foreign_word", -60, "SMEM word .* " + beyond),
                                  ("foreign_input", 0, None), ("foreign_input", 600, "byte .* of HBM is read by a kernel that has been given"),
                                  ("foreign_input", -8, "byte .* of HBM is read"), ("foreign_result", 0, None),
                                  ("foreign_result", 1, "byte .* of HBM " + beyond), ("foreign_result", -512, "byte .* of HBM " + beyond),
                                  ("written_input", 0, None), ("written_input", 1, "byte .* of HBM " + beyond)):
            ran = subprocess.run([sys.executable, "-c", code, kernel, str(away)], env=environment,
                                 capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode == 0, why is None, ran.stderr)
            if why is not None:
                self.assertRegex(ran.stderr, why)

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
