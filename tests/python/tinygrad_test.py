"""tinygrad's device TANDEM: programs, assignments, TinyJit, training, copies, and what is refused; and the transcript
of docs/tinygrad.md."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

os.environ["DEV"] = "TANDEM"
os.environ.setdefault("CACHELEVEL", "0")  # nothing of an older compiler

import needs_compiler  # noqa: F401, skips without a compiler

try:
    import tandem.tinygrad
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import numpy as np
from tandem.tinygrad.device import TandemDevice
from tinygrad import Context, Tensor, TinyJit, Variable, dtypes, nn
from tinygrad.helpers import GlobalCounters

ROOT = pathlib.Path(__file__).resolve().parents[2]


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


class Programs(unittest.TestCase):
    def launches(self, function):
        before = TandemDevice.launches
        value = function()
        return value, TandemDevice.launches - before

    def test_a_realize_is_one_launch(self):
        x, w, b = (Tensor(numbers(*shape)).realize() for shape in ((8, 16), (16, 5), (5,)))
        value, launches = self.launches(lambda: (x @ w + b).relu().softmax().numpy())
        self.assertEqual(launches, 1)
        product = np.maximum(x.numpy() @ w.numpy() + b.numpy(), 0)
        expected = np.exp(product) / np.exp(product).sum(axis=1, keepdims=True)
        np.testing.assert_allclose(value, expected, rtol=0.05, atol=0.01)  # products of bf16

    def test_operations_and_bytes_are_counted(self):
        x, w = Tensor(numbers(8, 16)).realize(), Tensor(numbers(16, 5)).realize()
        GlobalCounters.reset()
        (x @ w + 1).realize()
        self.assertEqual(GlobalCounters.global_ops, 8 * 5 * (2 * 16 + 1))
        self.assertEqual(GlobalCounters.global_mem, 4 * (8 * 16 + 16 * 5 + 8 * 5))

    def test_arrays_come_in_and_go_out_without_a_program(self):
        array = numbers(3, 5)
        value, launches = self.launches(lambda: Tensor(array).realize().numpy())
        self.assertEqual(launches, 0)
        np.testing.assert_array_equal(value, array)

    def test_programs_without_inputs(self):
        np.testing.assert_array_equal(Tensor.arange(7).numpy(), np.arange(7))
        np.testing.assert_array_equal(Tensor.eye(3).numpy(), np.eye(3))

    def test_counting_does_not_take_the_square_of_operations(self):
        GlobalCounters.reset()
        np.testing.assert_array_equal(Tensor.arange(5, 200000, 7).numpy(), np.arange(5, 200000, 7))
        np.testing.assert_array_equal((Tensor.arange(3000) * 0.5).numpy(), np.arange(3000) * np.float32(0.5))
        np.testing.assert_array_equal(Tensor.linspace(0, 10, 11).numpy(), np.arange(11))
        self.assertLess(GlobalCounters.global_ops, 10 * 200000)
        self.assertEqual(Tensor.randn(100, 100).numpy().shape, (100, 100))
        self.assertLess(GlobalCounters.global_ops, 100 * 200000)

    def test_random_numbers_are_those_of_other_devices(self):
        Tensor.manual_seed(5)
        ours = Tensor.rand(100).numpy()
        Tensor.manual_seed(5)
        np.testing.assert_array_equal(ours, Tensor.rand(100, device="CPU").numpy())

    def test_devices_work_together(self):
        x = Tensor(numbers(4, 4), device="CPU")
        y = ((x + 1).to("TANDEM") * 2).to("CPU") - x
        np.testing.assert_allclose(y.numpy(), (x.numpy() + 1) * 2 - x.numpy(), rtol=1e-6)

    def test_nothing_to_compute(self):
        self.assertEqual((Tensor.zeros(0, 4) + 1).numpy().shape, (0, 4))
        self.assertEqual(Tensor.zeros(0, 4).sum().item(), 0)


class Assignments(unittest.TestCase):
    def test_parts_of_a_tensor(self):
        expected = numbers(5, 6)
        t = Tensor(expected.copy()).realize()
        t[1:3, 2] = 5
        expected[1:3, 2] = 5
        t[4] = t[0] * 2
        expected[4] = expected[0] * 2
        np.testing.assert_array_equal(t.numpy(), expected)

    def test_a_tensor_and_a_view_of_it(self):
        t = Tensor.zeros(4, 4).contiguous().realize()
        t.assign(t + 1).realize()
        t.assign(t.permute(1, 0) + Tensor.arange(4)).realize()
        np.testing.assert_array_equal(t.numpy(), np.ones((4, 4)) + np.arange(4))

    def test_a_tensor_that_comes_in_with_its_change(self):
        t = Tensor(np.arange(3, dtype=np.float32))
        t.assign(t + 1)
        u = t * 2
        Tensor.realize(u, t)
        np.testing.assert_array_equal(t.numpy(), [1, 2, 3])
        np.testing.assert_array_equal(u.numpy(), [2, 4, 6])

    def test_two_buffers_in_one_realize(self):
        a, b = (Tensor(numbers(6, seed=seed)).realize() for seed in (1, 2))
        x, y = a.numpy(), b.numpy()
        a.assign(a + b)
        b.assign(b * 2)
        Tensor.realize(a, b)
        np.testing.assert_allclose(a.numpy(), x + y)
        np.testing.assert_allclose(b.numpy(), y * 2)


class Jit(unittest.TestCase):
    def test_a_captured_function_takes_new_inputs(self):
        w = Tensor(numbers(5, 3)).realize()

        @TinyJit
        def step(x):
            return (x * w).sum(0).realize()

        for seed in range(5):
            x = numbers(5, 3, seed=seed)
            np.testing.assert_allclose(step(Tensor(x).realize()).numpy(), (x * w.numpy()).sum(0), rtol=1e-5, atol=1e-6)

    def test_a_captured_function_keeps_state(self):
        total = Tensor.zeros(3).contiguous().realize()

        @TinyJit
        def add(x):
            return total.assign(total + x).realize()

        for _ in range(5):
            add(Tensor.ones(3).contiguous().realize())
        np.testing.assert_array_equal(total.numpy(), [5, 5, 5])


class Training(unittest.TestCase):
    def losses(self, device):
        layers = [nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm(4), nn.Linear(64, 10)]
        weights = [p for p in nn.state.get_parameters(layers) if p.shape and p.dtype == dtypes.float32]
        for number, parameter in enumerate(weights):
            parameter.replace(Tensor(numbers(*parameter.shape, seed=number) * np.float32(0.3), device=device)).realize()
        for parameter in nn.state.get_parameters(layers):
            parameter.replace(parameter.to(device))
        optimizer = nn.optim.AdamW([layers[0].weight, layers[0].bias, layers[2].weight, layers[2].bias], lr=1e-2)
        x = Tensor(numbers(8, 1, 8, 8), device=device).realize()
        y = Tensor(np.arange(8, dtype=np.int32), device=device).realize()

        @TinyJit
        def step():
            optimizer.zero_grad()
            features = layers[1](layers[0](x)).relu().max_pool2d(2).flatten(1)
            loss = layers[2](features).sparse_categorical_crossentropy(y).backward()
            optimizer.step()
            return loss.realize()

        with Context(TRAINING=1):
            return [step().item() for _ in range(4)]

    def test_a_network_with_convolution_learns_as_on_the_cpu(self):
        ours = self.losses("TANDEM")
        self.assertLess(ours[-1], ours[0] - 0.2)
        np.testing.assert_allclose(ours, self.losses("CPU"), rtol=0.02)


    def test_steps_without_jit_on_parameters_that_were_not_realized(self):
        def trained(device):
            x, w = Tensor(numbers(1, 4), device=device), Tensor(numbers(4, 4, seed=1), device=device)
            optimizer = nn.optim.Adam([x, w], lr=0.01)
            with Context(TRAINING=1):
                for _ in range(3):
                    loss = (x @ w).relu().log_softmax().sum()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            return x.numpy(), w.numpy()

        for ours, expected in zip(trained("TANDEM"), trained("CPU"), strict=True):
            np.testing.assert_allclose(ours, expected, atol=2e-3)
        self.assertGreater(np.abs(ours - numbers(4, 4, seed=1)).max(), 0.02)


class Refusals(unittest.TestCase):
    def test_sizes_that_are_variables(self):
        size = Variable("n", 1, 8).bind(4)
        with self.assertRaisesRegex(NotImplementedError, "tinygrad on TANDEM: .*variable"):
            Tensor.ones(8).contiguous().realize()[:size].sum().realize()

    def test_types_that_the_machine_does_not_have(self):
        with self.assertRaisesRegex(NotImplementedError, "tinygrad on TANDEM: elements of dtypes.double"):
            (Tensor([1.0], dtype=dtypes.float64) + 1).realize()

    def test_a_precision_that_is_none(self):
        program = "import tandem.tinygrad; from tinygrad import Tensor; (Tensor.ones(4, 4) @ Tensor.ones(4, 4).contiguous()).realize()"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                              env={**os.environ, "TANDEM_MATMUL_PRECISION": "hihg"})
        self.assertIn("TANDEM_MATMUL_PRECISION is 'hihg': there are default, high and highest", done.stderr)

    def test_another_version_of_tinygrad(self):
        program = ("import importlib.metadata as m; m.version = lambda name: '0.15.1'; import tandem.tinygrad")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        self.assertIn("tandem.tinygrad works with tinygrad 0.14.*, here is 0.15.1", done.stderr)


class Document(unittest.TestCase):
    def test_its_programs_give_what_it_says(self):
        text = (ROOT / "docs/tinygrad.md").read_text()
        pairs = re.findall(r"^```python\n(.*?)^```\n+```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(pairs), 3)
        for program, expected in pairs:
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                                  env={**os.environ, "DEV": "TANDEM"})
            self.assertEqual(done.stdout, expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
