"""tandem.tvm: networks of TVM's nn.Module as one launch each, operations left to the CPU, refusals, and the programs of
docs/tvm.md. Skipped where TVM is not installed, which scripts/python-environment --nightly does."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

os.environ["TANDEM_MATMUL_PRECISION"] = "highest"

import needs_compiler  # noqa: F401, skips without a compiler

try:
    import tandem.tvm
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import numpy as np
import tvm
import tvm.relax.op as op
from tvm import relax

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python/tvm_cases"))

from models import MODELS


def tensors(arrays):
    return [tvm.runtime.tensor(array) for array in arrays]


def on_the_cpu(module, arrays):
    return relax.VirtualMachine(tvm.compile(module, target="llvm"), tvm.cpu())["main"](*tensors(arrays)).numpy()


def module_of(call, *shapes, kind="float32"):
    parameters = [relax.Var(f"x{number}", relax.TensorType(shape, kind)) for number, shape in enumerate(shapes)]
    builder = relax.BlockBuilder()
    with builder.function("main", parameters):
        with builder.dataflow():
            result = builder.emit_output(builder.normalize(call(*parameters)))
        builder.emit_func_output(result)
    return builder.get()


class Networks(unittest.TestCase):
    def test_each_is_one_function_and_one_launch(self):
        for name, make in MODELS.items():
            with self.subTest(name):
                module, arrays = make()
                machine = tandem.tvm.compile(module, strict=True)
                launches = tandem.tvm.statistics.launches
                got = machine["main"](*tensors(arrays)).numpy()
                self.assertEqual(tandem.tvm.statistics.launches, launches + 1)
                np.testing.assert_allclose(got, on_the_cpu(module, arrays), rtol=1e-3, atol=1e-4)

    def test_two_machines_keep_their_programs_apart(self):
        x = np.ones((4, 4), np.float32)
        first = tandem.tvm.compile(module_of(lambda x: op.add(x, relax.const(1.0)), (4, 4)))
        second = tandem.tvm.compile(module_of(lambda x: op.add(x, relax.const(2.0)), (4, 4)))
        self.assertEqual(first["main"](*tensors([x])).numpy()[0, 0], 2)
        self.assertEqual(second["main"](*tensors([x])).numpy()[0, 0], 3)

    def test_a_model_with_time_counts_cycles(self):
        cycles = tandem.tvm.statistics.cycles
        tandem.tvm.compile(module_of(op.exp, (8, 16)), model="cycle")["main"](*tensors([np.ones((8, 16), np.float32)]))
        self.assertGreater(tandem.tvm.statistics.cycles, cycles)


class Rest(unittest.TestCase):
    def test_what_the_machine_cannot_compute_is_left_to_the_cpu(self):
        module = module_of(lambda x: op.exp(op.sort(op.multiply(x, relax.const(2.0)))), (4, 9))
        x = np.random.default_rng(0).normal(size=(4, 9)).astype(np.float32)
        got = tandem.tvm.compile(module)["main"](*tensors([x])).numpy()
        np.testing.assert_allclose(got, np.exp(np.sort(x * 2)), rtol=1e-5)

    def test_strict_names_it(self):
        module = module_of(lambda x: op.sort(op.exp(x)), (4, 9))
        with self.assertRaisesRegex(NotImplementedError, "left to llvm: relax.sort"):
            tandem.tvm.compile(module, strict=True)

    def test_types_that_the_machine_does_not_have_are_left(self):
        module = module_of(op.exp, (4, 9), kind="float64")
        with self.assertRaisesRegex(NotImplementedError, "left to llvm: relax.exp"):
            tandem.tvm.compile(module, strict=True)
        self.assertEqual(tandem.tvm.compile(module)["main"](*tensors([np.zeros((4, 9))])).numpy()[0, 0], 1)

    def test_partitioned_modules_show_what_the_machine_gets(self):
        module = tandem.tvm.partition(module_of(lambda x: op.exp(op.add(x, x)), (4, 9)))
        ours = [function for function in module.functions.values() if function.attrs and "Codegen" in function.attrs]
        self.assertEqual([str(function.attrs["Codegen"]) for function in ours], ["tandem"])


class Document(unittest.TestCase):
    def test_its_programs_give_what_it_says(self):
        text = (ROOT / "docs/tvm.md").read_text()
        pairs = re.findall(r"^```python\n(.*?)^```\n+```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(pairs), 2)
        for program, expected in pairs:
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout, expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
