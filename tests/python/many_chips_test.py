"""Programs over several devices against JAX on its CPU, which has as many virtual ones; skipped where the compiler is not
built.
"""

import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import unittest

import on_devices  # noqa: I001, sets the devices before jax looks
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import needs_compiler  # noqa: F401, skips without a compiler
import random_sharded
import tandem
import tandem.jax_tools
from on_devices import mesh_of, numbers


class ManyChips(on_devices.OnDevices):
    def test_arrays_lie_on_devices_and_move_between_them(self):
        def program(mesh):
            x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i")))
            columns = jax.device_put(x, NamedSharding(mesh, P(None, "i")))
            return x, columns, jax.device_put(columns, NamedSharding(mesh, P())), jax.device_put(x, mesh.devices[2])

        self.same(program)

    def test_arrays_move_to_the_same_devices_in_another_order(self):
        def program(mesh):
            other = Mesh(mesh.devices.flat[[2, 0, 3, 1]].reshape(2, 2), ("a", "b"))
            x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i")))
            return [jax.device_put(x, NamedSharding(other, spec)) for spec in (P(("a", "b")), P("b", "a"), P(None, "b"))]

        self.same(program)

    def test_a_manual_program(self):
        def program(mesh):
            x, y = (jax.device_put(numbers(8, 4) + k, NamedSharding(mesh, P("i"))) for k in range(2))
            return jax.jit(jax.shard_map(lambda a, b: (a * b, b - 1), mesh=mesh, in_specs=(P("i"), P("i")),
                                         out_specs=P("i")))(x, y)

        self.same(program)

    def test_devices_know_their_places(self):
        def body(a):
            return a + lax.axis_index("x") * 100 + jax.jit(lambda b: b * lax.axis_index("y"))(a)

        def program(mesh):
            x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("x", "y")))
            return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("x", "y"), out_specs=P("x", "y")))(x)

        self.same(program, (4, 2), ("x", "y"))
        self.same(program, (2, 4), ("x", "y"), order=[5, 1, 0, 7, 2, 3, 6, 4])

    def test_a_place_decides_in_loops_and_branches(self):
        def body(a):
            place = lax.axis_index("i")
            a = lax.fori_loop(0, place + 1, lambda k, b: b * 2 + k, a)
            return lax.cond(place % 2 == 0, lambda b: b + 1000, lambda b: -b, a)

        def program(mesh):
            x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i")))
            return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P("i")))(x)

        self.same(program)

    def test_pmap(self):
        def program(mesh):
            return jax.pmap(lambda a, b: a * b + lax.axis_index("k"), axis_name="k", in_axes=(0, None),
                            devices=list(mesh.devices.flat))(numbers(4, 8), 2.0)

        self.same(program)

    def test_a_program_that_is_partitioned(self):
        def program(mesh):
            x = jax.device_put(numbers(8, 16) / 100, NamedSharding(mesh, P("dp", None)))
            w = jax.device_put(numbers(16, 12) / 100, NamedSharding(mesh, P(None, "tp")))
            return jax.jit(lambda x, w: (jnp.tanh(x @ w), x.sum(1), w.max(0)))(x, w)

        with jax.default_matmul_precision("highest"):
            self.same(program, (2, 2), ("dp", "tp"), tolerance=1e-5)

    def test_results_lie_where_they_are_asked_for(self):
        def program(mesh):
            x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P()))
            specs = (P("a", "b"), P(("a", "b")), P(None, "a"), P(("b", "a")))
            return [jax.jit(lambda x: x + 1, out_shardings=NamedSharding(mesh, spec))(x) for spec in specs]

        self.same(program, (2, 2), ("a", "b"))

    def test_random_numbers_are_those_of_one_device(self):
        def program(mesh):
            return jax.jit(lambda k: jax.random.bits(k, (8, 5)), out_shardings=NamedSharding(mesh, P("i")))(jax.random.key(3))

        def same(platform):
            with jax.default_device(jax.devices(platform)[0]):
                return program(mesh_of(platform, (4,), ("i",)))

        np.testing.assert_array_equal(same("tandem"), same("cpu"))

    def test_sizes_that_do_not_divide_are_padded_inside(self):
        def program(mesh):
            x = jax.device_put(numbers(8, 6), NamedSharding(mesh, P("i")))
            return jax.jit(lambda x: lax.with_sharding_constraint(x[:, :5] * 2, NamedSharding(mesh, P("i"))) + 1)(x)

        self.same(program)

    def test_gradients_of_a_manual_program(self):
        def program(mesh):
            f = jax.shard_map(lambda a: jnp.sin(a) * a, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
            return jax.jit(jax.vjp(f, jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i"))))[1])(
                jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i"))))

        self.same(program, tolerance=2e-5)

    def test_donated_arrays_are_gone(self):
        mesh = mesh_of("tandem", (4,), ("i",))
        for function in (lambda a: a + 1, lambda a: a[:, :1]):
            x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i")))
            before = [shard.data.unsafe_buffer_pointer() for shard in x.addressable_shards]
            y = jax.jit(function, donate_argnums=0)(x)
            self.assertEqual(x.is_deleted(), y.shape == x.shape)
            np.testing.assert_array_equal(y, function(numbers(8, 4)))
            after = [shard.data.unsafe_buffer_pointer() for shard in y.addressable_shards]
            self.assertEqual(before == after, y.shape == x.shape)

    def test_collectives_of_one_give_back_what_they_get(self):
        def body(a):
            a = lax.psum(a, "y") + lax.pmax(a, "y") + lax.all_gather(a, "y", tiled=True) + lax.ppermute(a, "y", [(0, 0)])
            return lax.all_to_all(a, "y", 0, 1, tiled=True) + lax.psum_scatter(a, "y", tiled=True)

        def program(mesh):
            x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("x")))
            return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("x", "y"), out_specs=P("x", "y"), check_vma=False))(x)

        for sizes in ((4, 1), (1, 1)):
            self.same(program, sizes, ("x", "y"))

    def test_a_mesh_of_one_device(self):
        def program(mesh):
            x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i")))
            body = jax.shard_map(lambda a: lax.psum(a, "i") + lax.axis_index("i"), mesh=mesh, in_specs=P("i"), out_specs=P("i"))
            return jax.jit(body)(x), jax.jit(lambda x: x.sum())(x)

        self.same(program, (1,))

    def test_factorisations_on_each_device(self):
        def body(a):
            return jnp.linalg.solve(a, jnp.ones((a.shape[0], 3, 1))), jnp.linalg.cholesky(a)

        def program(mesh):
            a = np.arange(72, dtype=np.float32).reshape(8, 3, 3) % 5
            a = jax.device_put(a @ a.transpose(0, 2, 1) + 9 * np.eye(3, dtype=np.float32), NamedSharding(mesh, P("i")))
            return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P("i")))(a)

        with jax.default_matmul_precision("highest"):
            self.same(program, tolerance=1e-4)

    def refusal(self, function, *arguments):
        with self.assertRaises(jax.errors.JaxRuntimeError) as refused:
            jax.block_until_ready(function(*arguments))
        return str(refused.exception)

    def test_collectives_in_time(self):
        program = pathlib.Path(__file__).with_name("on_a_model.py")
        done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False,
                              env={**os.environ, "TANDEM_MODEL": "cycle", "JAX_PLATFORMS": "tandem"})
        names = ("all_reduce", "all_gather", "collective_permute", "reduce_scatter", "all_to_all", "sum", "replicated")
        self.assertEqual(done.stdout.splitlines(), [f"{name} right" for name in names], done.stderr)

    def test_strict_runs_know_that_others_write(self):
        code = """if True:
            import jax, numpy as np
            from jax.sharding import PartitionSpec as P
            mesh = jax.sharding.Mesh(np.array(jax.devices()), ("i",))
            x = np.arange(64, dtype=np.float32)
            for body in (lambda x: jax.lax.psum(x, "i"), lambda x: jax.lax.ppermute(x, "i", [(0, 1), (1, 2), (2, 3), (3, 0)]),
                         lambda x: jax.lax.all_to_all(x.reshape(4, 4), "i", 0, 0).reshape(-1)):
                jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False))(x).block_until_ready()
        """
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                              env={**os.environ, "JAX_PLATFORMS": "tandem", "TANDEM_DEVICES": "4", "TANDEM_CHECK_LIFETIMES": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_copies_between_devices_beside_runs_that_meet(self):
        """Threads: a copy waits for its source, a run for all of its devices, and neither for the other."""
        mesh, devices = mesh_of("tandem", (4,), ("i",)), jax.devices("tandem")[:4]
        function = jax.jit(jax.shard_map(lambda x: lax.psum(x, "i"), mesh=mesh, in_specs=P("i"), out_specs=P("i")))
        x = jax.device_put(numbers(8), NamedSharding(mesh, P("i")))
        parts = [jax.device_put(numbers(4) + place, device) for place, device in enumerate(devices)]
        jax.block_until_ready(function(x))
        end, wrong = time.monotonic() + 4, []

        def run():
            while time.monotonic() < end:
                if not np.array_equal(function(x), np.tile(numbers(8).reshape(4, 2).sum(0), 4)):
                    wrong.append("run")

        def copy(first):
            at = first
            while time.monotonic() < end:
                at += 1
                copied = jax.device_put(parts[at % 4], devices[(at + 1 + at // 4) % 4])
                if at % 50 == 0 and not np.array_equal(copied, numbers(4) + at % 4):
                    wrong.append("copy")

        threads = [threading.Thread(target=run, daemon=True), threading.Thread(target=run, daemon=True),
                   threading.Thread(target=copy, args=(0,), daemon=True), threading.Thread(target=copy, args=(1,), daemon=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertFalse(any(thread.is_alive() for thread in threads), "they wait for each other")
        self.assertEqual(wrong, [])

    def test_what_wants_a_function_while_it_is_partitioned_is_refused(self):
        x = jax.device_put(numbers(8, 4), NamedSharding(mesh_of("tandem", (4,), ("i",)), P("i")))
        said = self.refusal(jax.jit(lambda a: (jax.debug.inspect_array_sharding(a * 2, callback=print), a)[1]), x)
        self.assertRegex(said, r"many_chips_test.py:\d+: error: unimplemented: jax.debug.inspect_array_sharding")

    def test_what_is_asked_of_a_compiled_program(self):
        mesh = mesh_of("tandem", (4,), ("i",), order=[2, 0, 3, 1])
        x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i")))
        compiled = jax.jit(lambda a: a * 2).lower(x).compile()
        self.assertEqual(compiled.input_shardings[0][0].spec, P("i"))
        self.assertTrue(compiled.output_shardings.is_equivalent_to(x.sharding, 2))
        self.assertIn("2x4", compiled.as_text().replace("[2,4]", "2x4"))
        self.assertEqual([d.id for d in compiled.runtime_executable().local_devices()], [2, 0, 3, 1])
        np.testing.assert_array_equal(compiled(x), numbers(8, 4) * 2)

    def test_tools_look_at_the_first_device(self):
        mesh = mesh_of("cpu", (2, 2), ("a", "b"))  # wherever JAX itself is
        x = jax.device_put(numbers(8, 6), NamedSharding(mesh, P("b", "a")))

        def function(x, y):
            return jnp.sin(x) * y

        self.assertEqual(tandem.cycles(function, x, 2.0), tandem.cycles(function, numbers(4, 3), 2.0))
        body = jax.shard_map(lambda a: a * 2 + lax.axis_index("a"), mesh=mesh, in_specs=P("b", "a"), out_specs=P("b", "a"))
        np.testing.assert_array_equal(tandem.jax_tools.run(body, x).outputs["out0"], numbers(8, 6)[:4, :3] * 2)
        with self.assertRaisesRegex(tandem.jax_tools.CompileError, "many_chips_test.py.*no links between devices"):
            tandem.cycles(lambda x: x.sum(), x)

    def test_random_programs(self):
        ran, _, differing = random_sharded.run(range(8))
        self.assertEqual(differing, {})
        self.assertGreater(ran, 4)


class Document(unittest.TestCase):
    def test_its_programs_give_what_it_says(self):
        text = (pathlib.Path(__file__).resolve().parents[2] / "docs/many_chips.md").read_text()
        pairs = re.findall(r"^```python\n(.*?)^```\n+```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        self.assertEqual(len(pairs), 3)
        for program, expected in pairs:
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                                  env={**os.environ, "TANDEM_DEVICES": "4", "JAX_PLATFORMS": "tandem"})
            self.assertEqual(done.stdout, expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
