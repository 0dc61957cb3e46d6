"""JAX functions through the compiler, on every model; skipped where the compiler is not built."""

import linecache
import os
import subprocess
import sys
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"
os.environ["TANDEM_DEVICES"] = "2"

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

import tandem
from tandem import jax_tools

import needs_compiler  # noqa: F401, skips without a compiler


def on_cpu(function, *arguments):
    with jax.default_device(jax.devices("cpu")[0]):
        return np.asarray(jax.jit(function)(*arguments))


class Jit(unittest.TestCase):
    def test_the_first_program(self):
        result = jax.jit(lambda x: x + 1)(jnp.arange(10.0))
        np.testing.assert_array_equal(result, np.arange(1, 11, dtype=np.float32))

    def test_elementwise_programs_of_many_shapes(self):
        def function(x, y):
            return (x * 2 + y) - x * y

        for shape in [(), (1,), (3,), (16,), (128,), (129,), (3, 5), (8, 16), (2, 3, 7), (1000,)]:
            with self.subTest(shape=shape):
                x = np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)
                y = x + 3
                np.testing.assert_array_equal(jax.jit(function)(x, y), on_cpu(function, x, y))

    def test_several_results_and_repeated_arguments(self):
        a, b, c = jax.jit(lambda x, y: (x + y, x, x * y))(jnp.ones(5), jnp.arange(5.0))
        np.testing.assert_array_equal(a, [1, 2, 3, 4, 5])
        np.testing.assert_array_equal(b, np.ones(5))
        np.testing.assert_array_equal(c, np.arange(5.0))

    def test_computations_may_leave_out_what_they_are_given(self):
        """Gives one result for any order of elements: a constant, the first, the last, one from outside."""
        outside = np.float32(5)
        bodies = {"constant": lambda a, b: jnp.float32(7), "first": lambda a, b: a, "last": lambda a, b: b,
                  "outside": lambda a, b: jnp.float32(outside)}
        for name, body in bodies.items():
            for shape, axes in [((6,), (0,)), ((4, 6), (1,)), ((4, 6), (0,)), ((4, 6), (0, 1)), ((3, 300), (1,)), ((4096,), (0,))]:
                with self.subTest(body=name, shape=shape, axes=axes):
                    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
                    kept = tuple(size for axis, size in enumerate(shape) if axis not in axes)
                    last = x[tuple(-1 if axis in axes else slice(None) for axis in range(len(shape)))]
                    wanted = {"constant": np.full(kept, 7), "first": np.full(kept, -3), "last": last, "outside": np.full(kept, 5)}
                    result = jax.jit(lambda x: jax.lax.reduce(x, np.float32(-3), body, axes))(x)  # noqa: B023
                    np.testing.assert_array_equal(result, wanted[name])
            x = np.arange(24, dtype=np.float32).reshape(4, 6)
            wanted = {"constant": np.full((3, 4), 7), "first": np.full((3, 4), -3), "last": x[1:, 2:], "outside": np.full((3, 4), 5)}
            windows = jax.jit(lambda x: jax.lax.reduce_window(x, np.float32(-3), body, (2, 3), (1, 1), "valid"))(x)  # noqa: B023
            np.testing.assert_array_equal(windows, wanted[name])

    def test_one_of_several_results_may_be_of_one_element(self):
        for body in (lambda a, b: (jnp.maximum(a[0], b[0]), jnp.int32(7)), lambda a, b: (a[0] + b[0], b[1]),
                     lambda a, b: (jnp.float32(1), a[1] + b[1])):
            for axis in (0, 1):
                def largest(x, i, body=body, axis=axis):
                    return jax.lax.reduce((x, i), (np.float32(0), np.int32(0)), body, (axis,))

                x, i = np.arange(24, dtype=np.float32).reshape(4, 6) % 7, np.arange(24, dtype=np.int32).reshape(4, 6)
                with jax.default_device(jax.devices("cpu")[0]):
                    wanted = jax.jit(largest)(x, i)
                for result, other in zip(jax.jit(largest)(x, i), wanted, strict=True):
                    np.testing.assert_array_equal(result, other)

    def test_programs_run_where_their_arguments_are(self):
        x = jax.device_put(np.ones(4, np.float32), jax.devices()[1])
        y = jax.jit(lambda x: x + 1)(x)
        self.assertEqual(y.devices(), {jax.devices()[1]})
        np.testing.assert_array_equal(y, [2, 2, 2, 2])

    def test_donated_arrays_are_gone(self):
        x = jnp.ones(16)
        function = jax.jit(lambda x: x + 1, donate_argnums=0)
        if not any(tensor.shares for tensor in tandem.Device().load(
                tandem.compile(function, x)).tensors):
            self.skipTest("the compiler gives no result the memory of an argument yet")
        y = function(x)
        np.testing.assert_array_equal(y, np.full(16, 2))
        self.assertTrue(x.is_deleted())

    def test_donated_arrays_that_are_results_stay_as_they_are(self):
        old = np.arange(36).reshape(9, 4)
        rows = np.array([[7, 7, 7, 7]])
        for dtype in (np.float32, np.int32, jnp.bfloat16, np.int8):
            with self.subTest(dtype=dtype):
                updated = jax.jit(lambda x, y, rows: (y, x, x.at[2:3].set(rows) * 2, y.at[3:4].add(rows)), donate_argnums=(0, 1))
                kept = jax.jit(lambda x, rows: (x, x.at[2:3].set(rows) * 2), donate_argnums=0)
                x, y, r = old.astype(dtype), (old + 1).astype(dtype), rows.astype(dtype)
                changed, added = x.copy(), y.copy()
                changed[2:3] = r
                added[3:4] += r
                for got, want in zip((*updated(jnp.array(x), jnp.array(y), r), *kept(jnp.array(x), r)),
                                     (y, x, changed * 2, added, x, changed * 2), strict=True):
                    np.testing.assert_array_equal(got, want.astype(dtype))

    def test_what_cannot_be_compiled_is_refused_with_its_line(self):
        def wide(x):
            return x.astype(jnp.float64)

        with jax.enable_x64(True), self.assertRaisesRegex(Exception, "UNIMPLEMENTED.*jit_test.py.*type f64"):
            jax.jit(wide)(jnp.ones(8, jnp.float32)).block_until_ready()

    def test_callbacks_whose_result_is_needed_are_refused_by_name(self):
        x = jnp.ones(3)
        shape = jax.ShapeDtypeStruct((3,), np.float32)
        for name, function in (
                ("jax.pure_callback", lambda x: jax.pure_callback(np.sin, shape, x)),
                ("jax.experimental.io_callback",
                 lambda x: io_callback(np.sin, shape, x))):
            with self.assertRaisesRegex(jax.errors.JaxRuntimeError,
                                        f"jit_test.py:.* unimplemented: {name} on Tandem"):
                jax.jit(function)(x)

    def test_tools_run_where_children_are_ignored(self):
        """The exit status of a child cannot be read then (SIGCHLD)."""
        code = """if True:
            import signal, numpy as np, jax, tandem
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            f, x = jax.jit(lambda x: x + 1), np.ones(4, np.float32)
            print(tandem.compile(f, x)[:4], tandem.cycles(f, x) > 0)
            try:
                tandem.compile(jax.jit(lambda x: jax.numpy.zeros((1 << 20, 1 << 20)) + x[0]), x)
            except Exception as error:
                print(type(error).__name__)
        """
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout.splitlines()[0], "b'\\x7fELF' True", ran.stderr)
        self.assertEqual(ran.stdout.splitlines()[1:], ["CompileError"], ran.stderr)

    def test_cycles_are_exact(self):
        def function(x):
            return x * 2 + 1

        x = np.ones((8, 16), np.float32)
        cycles = tandem.cycles(function, x)
        self.assertGreater(cycles, 10)
        self.assertEqual(tandem.cycles(function, x), cycles)


    def test_a_profile_has_a_page_for_each_program(self):
        import pathlib
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            x = jax.device_put(np.ones((16, 16), np.float32))
            page = pathlib.Path(folder, "run.html")
            with tandem.profile(page) as profile:
                for _ in range(3):
                    y = jax.jit(lambda x: jnp.tanh(x @ x))(x)
                jax.jit(lambda x: x @ x)(y)
            self.assertEqual([program.runs for program in profile.programs], [3, 1])
            for program in profile.programs:
                self.assertGreater(program.cycles, 10)
                self.assertTrue(f'"cycles":{program.cycles}' in program.page.read_text())
            self.assertEqual(profile.programs[0].page, page)

    def test_one_profile_at_a_time(self):
        import pathlib
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            with tandem.profile(pathlib.Path(folder, "run.html")) as profile:
                with self.assertRaisesRegex(RuntimeError, "one profile at a time"):
                    with tandem.profile(pathlib.Path(folder, "inner.html")):
                        self.fail("the inner one began")
                jax.jit(lambda x: x + 7)(np.ones(5, np.float32))
            self.assertEqual([program.runs for program in profile.programs], [1])
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), ["run.html"])

    def test_an_explanation_has_every_level_and_all_cycles(self):
        def f(x):
            y = x @ x
            return jnp.tanh(y) + 1  # this line

        x = np.eye(32, dtype=np.float32)
        told = tandem.explain(f, x)
        self.assertEqual(told.cycles, tandem.cycles(f, x))
        self.assertEqual(sum(told.causes.values()), told.cycles)
        self.assertIn("linalg", told.levels["tensor"])
        self.assertIn("tpu.tanh", told.levels["tpu"])
        self.assertIn("mxmul", told.levels["bundles"])
        self.assertGreaterEqual(told.bytes_in, x.nbytes)
        self.assertTrue(any("# this line" in line.text for line in told.lines), told.lines)
        self.assertIn(f"{told.cycles} cycles", str(told))
        self.assertEqual(told.operations[0].name, "jit(f)/dot_general")
        # It shares its bundles with others, which have the cycles then.
        self.assertIn("operation \"jit(f)/tanh\"", told.levels["bundles"])
        self.assertNotIn("jax_tools.py", told.levels["bundles"])
        region = max(told.regions, key=lambda region: region.flops)
        self.assertEqual((region.operations, region.flops), (("jit(f)/dot_general",), 2 * 32 ** 3))
        self.assertGreaterEqual(region.measured, region.roof)
        self.assertLessEqual(sum(region.measured for region in told.regions), told.cycles)
        self.assertGreaterEqual(sum(region.bytes_in for region in told.regions), x.nbytes)
        self.assertIn("fused regions", str(told))
        self.assertLessEqual(region.share, 1)
        gains = [part.at_most for part in told.advice]
        self.assertEqual(gains, sorted(gains, reverse=True))
        for part in told.advice:
            lost = next(line for line in told.lines if line.source == part.source)
            self.assertLessEqual(part.at_most, lost.cycles - lost.bundles)
            self.assertIn(part.cause, told.causes)
        self.assertIn(told.advice[0].remedy, str(told))
        page = told._repr_html_()
        self.assertIn(f"{told.cycles:,} cycles", page)
        self.assertIn("jit(f)/dot_general", page)

    def test_lines_of_a_notebook_have_their_text(self):
        cell = "import jax.numpy as jnp\ndef f(x):\n    return jnp.tanh(x @ x)  # in a cell <1>\n"
        name = "/tmp/ipykernel_1/42.py"  # no file
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        scope = {}
        exec(compile(cell, name, "exec"), scope)
        told = tandem.explain(scope["f"], np.eye(16, dtype=np.float32))
        self.assertTrue(any("# in a cell" in line.text for line in told.lines), told.lines)
        self.assertIn("# in a cell &lt;1&gt;", told._repr_html_())

    def test_a_program_tells_what_it_costs(self):
        x, w = jnp.ones((16, 32)), jnp.ones((32, 8))
        compiled = jax.jit(lambda x, w: jnp.tanh(x @ w)).lower(x, w).compile()
        costs = compiled.cost_analysis()
        costs = costs[0] if isinstance(costs, list) else costs
        self.assertEqual(costs["flops"], 2 * 16 * 32 * 8)
        self.assertEqual(costs["transcendentals"], 16 * 8)
        self.assertEqual(costs["bytes accessed"], 4 * (16 * 32 + 32 * 8 + 16 * 8))
        loop = jax.jit(lambda x: jax.lax.fori_loop(0, 10, lambda i, x: x * 2, x))
        costs = loop.lower(x).compile().cost_analysis()
        costs = costs[0] if isinstance(costs, list) else costs
        self.assertGreaterEqual(costs["flops"], 16 * 32)

    def test_a_report_tells_the_cycles_of_one_run(self):
        import pathlib
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "run.html")
            x = np.ones((16, 16), np.float32)
            cycles = tandem.report(jnp.matmul, x, x, path=page)
            self.assertEqual(cycles, tandem.cycles(jnp.matmul, x, x))
            self.assertTrue(f'"cycles":{cycles}' in page.read_text())


class Models(unittest.TestCase):
    def test_a_fault_of_the_rtl_becomes_an_exception_that_can_be_repeated(self):
        import json
        import shlex
        import subprocess
        import tempfile

        code = ("import jax, jax.numpy as jnp\n"
                "def f(x):\n"
                "    return jnp.exp(x) * 3\n"
                "jax.jit(f)(jnp.arange(100.0)).block_until_ready()\n")
        with tempfile.TemporaryDirectory() as folder:
            script = f"{folder}/program.py"
            with open(script, "w", encoding="utf-8") as file:
                file.write(code)
            environment = dict(os.environ, JAX_PLATFORMS="tandem", TANDEM_MODEL="lockstep",
                               TANDEM_PLANT="write.data@10", TANDEM_SAVE=folder)
            failed = subprocess.run([sys.executable, script], env=environment, check=False,
                                    capture_output=True, text=True)
            self.assertNotEqual(failed.returncode, 0)
            self.assertIn("JaxRuntimeError: INTERNAL", failed.stderr)
            self.assertIn("write.data", failed.stderr)
            self.assertRegex(failed.stderr, r"program\.py:\d")
            command = next(line.strip() for line in failed.stderr.splitlines()
                           if line.strip().startswith("tandem lockstep"))
            self.assertIn("--plant write.data@10", command)
            again = subprocess.run([os.environ["TANDEM_EXECUTABLE"],
                                    *shlex.split(command)[1:], "--json"],
                                   check=False, capture_output=True, text=True)
            self.assertEqual(json.loads(again.stdout)["outcome"], "mismatch", again.stderr)

    def test_every_model_gives_the_same(self):
        import subprocess

        code = "import jax; print(jax.jit(lambda x: x * 3 + 1)(jax.numpy.arange(10.0)).tolist())"
        for model in ("golden", "cycle", "lockstep"):
            with self.subTest(model=model):
                environment = dict(os.environ, JAX_PLATFORMS="tandem", TANDEM_MODEL=model)
                out = subprocess.run([sys.executable, "-c", code], env=environment, check=False,
                                     capture_output=True, text=True)
                self.assertEqual(out.stdout.strip(), str([x * 3.0 + 1 for x in range(10)]), out.stderr)


if __name__ == "__main__":
    unittest.main()
