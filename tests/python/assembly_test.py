"""Programs from Python: tandem.assembly, and the disassembler's Python."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import tandem
from tandem import assembly
from tandem.assembly import *  # noqa: F403

sys.path.insert(0, "examples")
from kernels.grouped_matmul import grouped_matmul  # noqa: E402
from kernels.rms_norm import rms_norm  # noqa: E402
from kernels.swiglu import swiglu  # noqa: E402

TANDEM = os.environ.get("TANDEM_EXECUTABLE", "build/tandem")
# Not meant to assemble by themselves.
NOT_WHOLE = {"fuzz_seed.s"}


def line_of(text):
    """Number of the first line of this file that holds the text."""
    return 1 + next(i for i, line in enumerate(pathlib.Path(__file__).read_text().splitlines())
                    if text in line)


def program_of(python):
    """Runs a module and returns its `program`."""
    names = {}
    exec(compile(python, "<dis>", "exec"), names)
    return names["program"]


class RoundTrip(unittest.TestCase):
    """Binary to Python to the same binary, for every program of the repository."""

    def programs(self):
        texts = [path for folder in ("tests/programs", "benchmarks")
                 for path in sorted(pathlib.Path(folder).rglob("*.s")) if path.name not in NOT_WHOLE]
        self.assertGreater(len(texts), 300)
        return texts

    def assemble(self, path, output, *options):
        return subprocess.run([TANDEM, "asm", path, "-o", output, *options], capture_output=True,
                              check=False).returncode == 0

    def check(self, elf, **options):
        python = subprocess.run([TANDEM, "dis", "--as=python", elf], capture_output=True, text=True,
                                check=True).stdout
        self.assertEqual(program_of(python).assemble(**options), pathlib.Path(elf).read_bytes(), elf)

    def test_every_program(self):
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            for path in self.programs():
                with self.subTest(str(path)):
                    elf = f"{folder}/x.elf"
                    if self.assemble(path, elf):  # parts of programs are looked at below
                        self.check(elf)
                        count += 1
        self.assertGreater(count, 300)

    def test_every_object(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in self.programs():
                with self.subTest(str(path)):
                    self.assertTrue(self.assemble(path, f"{folder}/x.o", "-c"))
                    self.check(f"{folder}/x.o", link=False)

    def test_bundles_that_do_not_decode_stay_words(self):
        text = "        .bundle 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n        halt\n"
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "x.elf").write_bytes(tandem.assemble(text))
            self.check(f"{folder}/x.elf")


class Building(unittest.TestCase):
    def test_every_instruction_is_a_function(self):
        for name in assembly.instructions.__all__:
            self.assertTrue(getattr(assembly, name).__doc__, name)
        self.assertGreater(len(assembly.instructions.__all__), 130)

    def test_explicit_bundles_and_linear_blocks_mix(self):
        with Program("small") as program:
            tensor("y", "s32", [1], "out")
            arguments()
            smem()
            align(16)
            at = label()
            space(16)
            result = label()
            space(1)
            text()
            with bundle():
                mov(5, to=s[20], slot="sb")
                vlane(to=v[1])
            with linear():
                total = mov(0)
                with loop(0, 10) as i:
                    with when(ge_s32(i, 5)):
                        add(total, i, to=total)
                add(total, s[20], to=total)
                sst(mov(result) + 0, total)
                descriptor(at, Place("smem", result * 4), argument_address(0), 4)
                copy(mov(at) + 0, s[0], s[0])
                wait(f[1], 1)
                halt()
        for schedule in ("none", "list", "full"):
            run = tandem.Device().load(program.assemble(schedule=schedule))()
            self.assertEqual(run.outputs["y"][0], 5 + 6 + 7 + 8 + 9 + 5)

    def test_wrong_operands_are_refused_by_name(self):
        with Program(), linear():
            x = vlane()
            with self.assertRaisesRegex(TypeError, "`b` takes a scalar register or a number.*vector"):
                add(s[1], x)
            with self.assertRaisesRegex(TypeError, "`x` takes a vector register.*scalar s4"):
                exp2(s[4])
            with self.assertRaisesRegex(TypeError, r"one of .b0, .b1, .b2, .b3, this is `v3.lo`"):
                mxmul_s8(a[0], v[3].lo)
            with self.assertRaisesRegex(TypeError, "`address` takes an address"):
                vld(x)
            with self.assertRaisesRegex(TypeError, "`on` takes a predicate"):
                br(0, on=m[1])
            with self.assertRaisesRegex(TypeError, "writes a vector, `to` is s3"):
                vlane(to=s[3])
            with self.assertRaisesRegex(TypeError, "needs `to`: predicated"):
                vlane(on=p[1])
            with self.assertRaisesRegex(IndexError, "no v64: vectors go up to 63"):
                v[64]
            with self.assertRaisesRegex(AttributeError, "parts lo, hi"):
                x.b7
            halt()

    def test_what_stands_in_no_program_or_block_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "inside of `with Program"):
            halt()
        with Program():
            with self.assertRaisesRegex(TypeError, "`mov` needs `to`"):
                mov(1)
            with self.assertRaisesRegex(RuntimeError, "virtual registers exist in linear blocks"):
                scalar()
            with linear(), self.assertRaisesRegex(RuntimeError, "bundle inside of a linear block"):
                with bundle():
                    pass
            with self.assertRaisesRegex(ValueError, "range from 3 to 3 is empty"):
                with linear(), loop(3, 3):
                    pass

    def test_the_assemblers_complaints_name_the_python_line(self):
        with Program() as program:
            with bundle():  # too far away
                vld(100000, to=v[1])
        with self.assertRaisesRegex(ValueError,
                                    rf"assembly_test.py:{line_of('# too far away')}: error.E012"):
            program.assemble()

    def test_lines_of_long_code_are_named(self):
        lines = ["mov(1, to=s[4])"] * 2999 + ["vld(100000, to=v[1])"] + ["mov(1, to=s[4])"] * 1000
        with Program() as program:
            exec(compile("\n".join(lines), "long.py", "exec"))
        with self.assertRaisesRegex(ValueError, "long.py:3000: error.E012"):
            program.assemble()

    def test_a_trap_names_the_python_line(self):
        with Program() as program:
            mov(1, to=s[4])
            trap(7)  # here it ends
        with self.assertRaisesRegex(tandem.RunError,
                                    rf"assembly_test.py:{line_of('# here it ends')}"):
            tandem.Device().load(program.assemble())()


class Kernels(unittest.TestCase):
    MODELS = ("golden", "lockstep")

    def results(self, program, **inputs):
        elf = program.assemble()
        return [tandem.Device(model=model).load(elf)(**inputs).outputs["y"] for model in self.MODELS]

    def test_rms_norm(self):
        random = np.random.default_rng(2)
        x = random.standard_normal((24, 48)).astype(np.float32)
        weight = random.standard_normal(48).astype(np.float32)
        exact = x / np.sqrt(np.mean(x.astype(np.float64)**2, -1, keepdims=True) + 1e-6) * weight
        for y in self.results(rms_norm(24, 48), x=x, weight=weight):
            np.testing.assert_allclose(y, exact, rtol=1e-6)

    def test_swiglu(self):
        random = np.random.default_rng(3)
        gate, up = (5 * random.standard_normal((2, 128 * 6))).astype(np.float32)
        exact = gate / (1 + np.exp(-gate.astype(np.float64))) * up
        for y in self.results(swiglu(128 * 6, vectors_a_tile=4), gate=gate, up=up):
            np.testing.assert_allclose(y, exact, rtol=4e-6, atol=1e-30)

    def test_grouped_matmul(self):
        random = np.random.default_rng(4)
        x = random.integers(-8, 9, (48, 32)).astype(np.float32)
        w = random.integers(-8, 9, (5, 32, 16)).astype(np.float32)
        sizes = np.array([0, 24, 8, 0, 16], np.int32)
        parts = np.split(x, np.cumsum(sizes)[:-1])
        exact = np.concatenate([part @ matrix for part, matrix in zip(parts, w)])
        for y in self.results(grouped_matmul(48, 32, 16, 5), x=x, w=w, sizes=sizes):
            np.testing.assert_array_equal(y, exact)

    def test_shapes_that_do_not_fit_are_refused(self):
        with self.assertRaisesRegex(ValueError, "rows come in eights"):
            rms_norm(12, 64)


if __name__ == "__main__":
    unittest.main()
