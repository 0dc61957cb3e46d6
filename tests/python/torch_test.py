"""tandem.torch: the placement of operators, values kept in the machine's memory, refusals, files, kernels, and the
programs of docs/pytorch.md. Skipped where torch is not installed, which scripts/python-environment --nightly does."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import needs_compiler  # noqa: F401, skips without a compiler
from by_night import by_night  # import by_night

try:
    import torch
    import tandem.torch.backend
except ImportError as error:
    print(f"skipped: {error} (scripts/python-environment --nightly)")
    sys.exit(77)

import numpy as np
from torch import nn

import tandem
from tandem.assembly import Place, add, copy, descriptor, f, fset, loop, mul, rcp, s, vadd_f32, vand, vld, vmul_f32, vst, wait
from tandem.kernels import lanes, scratch_smem, scratch_vmem
from tandem.torch import Refused, statistics

ROOT = pathlib.Path(__file__).resolve().parents[2]


def on_tandem(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, backend="tandem", **options)


class Running(unittest.TestCase):
    def test_the_backend_is_found_without_an_import(self):
        program = ("import torch, sys; assert not any(name.startswith('tandem') for name in sys.modules);"
                   "print(torch.compile(lambda x: x @ x + 1, backend='tandem')(torch.ones(2, 2)).tolist())")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "[[3.0, 3.0], [3.0, 3.0]]\n", done.stderr)

    def test_options_choose_machine_and_model(self):
        cycles = statistics.cycles
        on_tandem(torch.exp, options={"preset": "nano", "model": "cycle"})(torch.ones(8))
        self.assertGreater(statistics.cycles, cycles)
        with self.assertRaisesRegex(Exception, "no option `presets`"):
            on_tandem(torch.exp, options={"presets": "nano"})(torch.ones(8))

    def test_precision_of_products_is_torchs_switch(self):
        torch.manual_seed(0)
        x, y = torch.randn(32, 64), torch.randn(64, 32)
        want = x @ y

        def error():
            return (on_tandem(torch.matmul)(x, y) - want).abs().max().item()

        self.assertLess(error(), 1e-4)
        torch.set_float32_matmul_precision("medium")
        try:
            self.assertGreater(error(), 1e-3)
        finally:
            torch.set_float32_matmul_precision("highest")

    def test_each_size_is_a_program(self):
        double = on_tandem(lambda x: (2 * x).sum(0) + x.shape[0])
        for count in (3, 4, 5, 4):
            self.assertEqual(double(torch.ones(count, 2)).tolist(), [3.0 * count] * 2)

    def test_results_have_torchs_types_and_strides(self):
        for value in (torch.arange(6), torch.arange(6.0).double(), torch.arange(6).half(), torch.arange(6).bfloat16(),
                      torch.arange(6).to(torch.uint8), torch.arange(6) > 2, torch.arange(6).to(torch.complex64)):
            got, want = (call(value.reshape(2, 3)) for call in (on_tandem(lambda x: x.t() * x.t()), lambda x: x.t() * x.t()))
            self.assertEqual((got.dtype, got.stride(), got.tolist()), (want.dtype, want.stride(), want.tolist()))

    def test_arguments_are_changed_in_place(self):
        x = torch.zeros(3)
        on_tandem(lambda x: x.add_(2).mul_(3))(x)
        self.assertEqual(x.tolist(), [6, 6, 6])

    def test_dropout_draws_by_torchs_seed_and_its_gradient_has_the_same_mask(self):
        drop = on_tandem(lambda x: nn.functional.dropout(x, 0.25))
        x = torch.ones(1000, requires_grad=True)
        torch.manual_seed(1)
        first = drop(x)
        second = drop(x)
        torch.manual_seed(1)
        self.assertTrue(torch.equal(drop(x), first))
        self.assertFalse(torch.equal(first, second))
        self.assertAlmostEqual((first == 0).float().mean().item(), 0.25, delta=0.05)
        first.sum().backward()
        self.assertTrue(torch.equal(x.grad, first.detach()))

    def test_dimensions_are_counted_from_the_end_too(self):
        x, part = torch.zeros(2, 5), torch.ones(2, 1)
        for call in (lambda x: torch.slice_scatter(x, part, -1, 4, 5), lambda x: torch.select_scatter(x, part[:, 0], -1, 1),
                     lambda x: torch.diagonal_scatter(x, part[:, 0], 0, -2, -1)):
            self.assertEqual(on_tandem(call)(x).tolist(), call(x).tolist())

    def test_branches_and_loops_run_on_the_machine(self):
        def branch(x):
            return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: 2 * x, (x,))

        def loop(x):
            return torch._higher_order_ops.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x * 2), (torch.tensor(0), x))[1]

        for call, value in ((branch, 1.0), (branch, -1.0), (loop, 3.0)):
            x = torch.full((3,), value)
            launches = statistics.launches
            got = on_tandem(call, fullgraph=True)(x)
            self.assertEqual((statistics.launches - launches, got.tolist()), (1, call(x).tolist()))

    def test_recurrent_layers_run_on_the_machine(self):
        layer, x = nn.LSTM(4, 8), torch.randn(5, 2, 4)
        launches = statistics.launches
        got = on_tandem(layer)(x)[0]
        self.assertEqual(statistics.launches, launches + 1)
        torch.testing.assert_close(got, layer(x)[0], rtol=1e-4, atol=1e-5)


class Memory(unittest.TestCase):
    def test_parameters_are_sent_once(self):
        model = nn.Linear(64, 64)
        compiled = on_tandem(model)
        with torch.no_grad():
            compiled(torch.ones(1, 64))
            sent = statistics.bytes_sent
            compiled(torch.zeros(1, 64))
        self.assertEqual(statistics.bytes_sent - sent, 256)

    def test_a_change_that_torch_does_not_see_is_seen(self):
        weight = torch.ones(4)
        compiled = on_tandem(lambda x: x * weight)
        self.assertEqual(compiled(torch.ones(4)).tolist(), [1] * 4)
        weight.numpy()[:] = 2
        self.assertEqual(compiled(torch.ones(4)).tolist(), [2] * 4)

    def test_a_compiled_optimizer_keeps_its_state_in_the_machine(self):
        model = nn.Linear(64, 64)
        compiled, optimizer = on_tandem(model), torch.optim.Adam(model.parameters())
        step, x, sent = torch.compile(optimizer.step, backend="tandem"), torch.ones(2, 64), []
        for _ in range(3):
            before = statistics.bytes_sent
            optimizer.zero_grad()
            compiled(x).square().sum().backward()
            step()
            sent.append(statistics.bytes_sent - before)
        self.assertGreater(sent[0], 2 * 64 * 64 * 4)
        self.assertLess(sent[2], 64 * 64 * 4)

    def test_what_hooks_want_to_see_is_there(self):
        seen = []
        x = torch.ones(4, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda value: seen.append(value) or value, lambda value: value):
            on_tandem(lambda x: x.exp())(x).sum().backward()
        torch.testing.assert_close(x.grad, torch.ones(4).exp())
        self.assertTrue(any(torch.allclose(value, torch.ones(4).exp()) for value in seen))


class Refusals(unittest.TestCase):
    def test_numbers_that_32_bits_do_not_hold(self):
        with self.assertRaisesRegex(Refused, "`x` holds 1099511627776, which int32 cannot"):
            on_tandem(lambda x: x + 1)(torch.tensor([1, 1 << 40]))
        with self.assertRaisesRegex(Refused, "torch_test.py:[0-9]+"):
            on_tandem(lambda x: x + (1 << 40))(torch.tensor([1]))
        with self.assertRaisesRegex(Refused, "`x` holds 1e\\+300"):
            on_tandem(lambda x: x + 1)(torch.tensor([1e300], dtype=torch.float64))

    def test_operators_with_the_users_line(self):
        with self.assertRaisesRegex(Refused, "aten.unique_consecutive.default: .*torch_test.py:[0-9]+"):
            on_tandem(lambda x: torch.unique_consecutive(x + 1), fullgraph=True)(torch.ones(4))

    def test_a_break_is_said_once_and_is_an_error_where_that_is_asked(self):
        def broken(x):
            y = x + 1
            torch._dynamo.graph_break()
            return 2 * y

        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            self.assertEqual(on_tandem(broken)(torch.ones(2)).tolist(), [4, 4])
            on_tandem(broken)(torch.ones(2))
        self.assertEqual(len([one for one in said if "PyTorch on Tandem" in str(one.message)]), 1)
        with self.assertRaisesRegex(Exception, "the graph ends at .*torch_test.py:[0-9]+"):
            on_tandem(broken, options={"strict": True})(torch.ones(2))

    def test_a_function_that_is_left_out_is_said(self):
        def skipped(x):
            for _ in range(2):
                with open("/dev/null"):
                    x = 2 * x
            return x

        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            on_tandem(torch.exp)(torch.ones(2))
            torch.compile(skipped, backend="tandem")(torch.ones(2))
        self.assertTrue(any("leaves a part to torch's CPU" in str(one.message) for one in said))


class Files(unittest.TestCase):
    def test_a_model_becomes_a_program_without_python(self):
        torch.manual_seed(0)
        model, x = nn.Sequential(nn.Linear(16, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3)).eval(), torch.randn(4, 16)
        exported = tandem.torch.export(model, (x,), preset="nano")
        self.assertEqual(exported.inputs, {"arg0": "input"})
        with tempfile.TemporaryDirectory() as folder:
            exported.write(pathlib.Path(folder, "model.elf"))
            np.save(pathlib.Path(folder, "x.npy"), x.numpy())
            command = [tandem.tools.command_line(), "run", "model.elf", "--in", "arg0=x.npy", "--out", "out0=y.npy"]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
            got = np.load(pathlib.Path(folder, "y.npy"))
        np.testing.assert_allclose(got, model(x).detach().numpy(), rtol=1e-4, atol=1e-5)

    def test_what_a_file_cannot_be_is_refused(self):
        for layer in (nn.Dropout(), nn.BatchNorm1d(4)):
            with self.assertRaisesRegex(Refused, "model.eval"):
                tandem.torch.export(layer.train(), (torch.ones(4, 4),))


@tandem.kernel(outputs=lambda x: x)
def softsign(x, y):
    rows = x.size // lanes()
    tile, descriptors = scratch_vmem(rows), scratch_smem(32)
    here = Place("vmem", mul(tile, 4 * lanes()))
    descriptor(descriptors, x.place(), here, 4 * x.size, flag=24)
    descriptor(add(descriptors, 16), here, y.place(), 4 * x.size, flag=24)
    copy(descriptors + 0, s[0], s[0])
    wait(f[24], 1)
    with loop(tile, add(tile, rows), 8) as row:
        value = vld(row + 0)
        vst(row + 0, vmul_f32(value, rcp(vadd_f32(vand(value, 0x7FFFFFFF), 1.0))))
    copy(descriptors + 16, s[0], s[0])
    wait(f[24], 2)
    fset(f[24], 0)


class Kernels(unittest.TestCase):
    def test_a_kernel_is_an_operator_of_torch(self):
        mine = tandem.torch.operator("torch_test::softsign", softsign)
        mine.register_autograd(lambda ctx, gradient: gradient / (1 + ctx.saved_tensors[0].abs()) ** 2,
                               setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]))
        x = torch.randn(16, 16, requires_grad=True)
        want = nn.functional.softsign(2 * x)
        launches = statistics.launches
        got = on_tandem(lambda x: mine(2 * x), fullgraph=True)(x)
        self.assertEqual(statistics.launches, launches + 1)
        for result in (mine(2 * x), got):
            torch.testing.assert_close(result, want, rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(torch.autograd.grad(got.sum(), x), torch.autograd.grad(want.sum(), x), rtol=1e-5, atol=1e-6)
        torch.library.opcheck(mine, (x.detach(),), test_utils=("test_schema", "test_faketensor"))


class Document(unittest.TestCase):
    @by_night
    def test_its_programs_give_what_it_says(self):
        text = (ROOT / "docs/pytorch.md").read_text()
        pairs = re.findall(r"^```python\n(.*?)^```\n+```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(pairs), 4)
        for program, expected in pairs:
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=folder)
            self.assertEqual(done.stdout, expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
