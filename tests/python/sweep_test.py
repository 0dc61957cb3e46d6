"""`tandem sweep` of a Python file and of StableHLO: the cycles that the profile and the compiler report."""

import json
import os
import pathlib
import tempfile
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"

import jax
import jax.numpy as jnp
import numpy as np
import tandem
from tandem import tools

PROGRAM = """import jax, jax.numpy as jnp, sys
f = jax.jit(lambda x, w: jax.nn.relu(x @ w))
x = jnp.ones((16, 32))
for _ in range(int(sys.argv[1])):
    x = f(x, jnp.eye(32))
assert x.shape == (16, 32)
"""
MLIR = """func.func @main(%a: tensor<24x40xf32>, %b: tensor<40x24xf32>) -> tensor<24x24xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<24x40xf32>, tensor<40x24xf32>) -> tensor<24x24xf32>
  return %0 : tensor<24x24xf32>
}
"""
MACHINE = "lanes=32,vmem=256KiB"


class Sweep(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def sweep(self, programs):
        study = self.folder / "study.toml"
        study.write_text(f'machines = ["small", "{MACHINE}"]\ntimings = ["", "hbm_beat=2"]\n{programs}')
        ended = tools.run([tools.command_line(), "sweep", study, "--json"])
        self.assertEqual(ended.status, 0, ended.errors)
        return [point["cycles"] for point in json.loads(ended.output)["points"]]

    def test_all_runs_of_a_python_file_count(self):
        (self.folder / "p.py").write_text(PROGRAM)
        cycles = self.sweep('[[programs]]\nfile = "p.py"\noptions = ["3"]\n')
        f = jax.jit(lambda x, w: jax.nn.relu(x @ w))
        with tandem.profile(self.folder / "page.html") as profile:
            x = jnp.ones((16, 32))
            for _ in range(3):
                x = f(x, jnp.eye(32))
        self.assertEqual(cycles[0], profile.cycles)
        self.assertEqual(len(set(cycles)), 4, cycles)

    def test_launches_without_jax_count(self):
        scale = pathlib.Path("benchmarks/tutorial/scale.s").resolve()
        (self.folder / "p.py").write_text(
            "import numpy as np, tandem\n"
            f"program = tandem.Device().load({str(scale)!r})\n"
            "for count in (100, 100, 300): program(x=np.ones(count, np.float32))\n")
        cycles = self.sweep('[[programs]]\nfile = "p.py"\n')
        for machine, found in zip(("small", MACHINE), cycles):
            # Each on a machine just powered up.
            runs = [tandem.Device(machine, model="cycle").load(scale)(x=np.ones(count, np.float32)).cycles
                    for count in (100, 100, 300)]
            self.assertEqual(found, sum(runs), machine)

    def test_the_current_folder_is_not_looked_at(self):
        hostile = self.folder / "hostile"
        hostile.mkdir()
        for name in ("tandem", "numpy", "helper"):
            (hostile / f"{name}.py").write_text("raise SystemExit('hostile')\n")
        (self.folder / "helper.py").write_text("value = 1\n")
        (self.folder / "p.py").write_text("import helper, jax.numpy as jnp\njnp.ones(8 * helper.value)\n")
        (self.folder / "s.toml").write_text('[[programs]]\nfile = "p.py"\n')
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(hostile)
        ended = tools.run([tools.command_line(), "sweep", "../s.toml"])
        self.assertEqual(ended.status, 0, ended.errors)

    def test_a_python_file_that_fails_says_so(self):
        (self.folder / "p.py").write_text("raise ValueError('not today')\n")
        study = self.folder / "s.toml"
        study.write_text('[[programs]]\nfile = "p.py"\n')
        ended = tools.run([tools.command_line(), "sweep", study])
        self.assertEqual(ended.status, 1)
        self.assertIn("not today", ended.errors)

    def test_stablehlo_is_compiled_for_each_machine(self):
        file = self.folder / "p.mlir"
        file.write_text(MLIR)
        cycles = self.sweep('[[programs]]\nfile = "p.mlir"\n')
        for machine, found in zip(("small", MACHINE, "small,hbm_beat=2", f"{MACHINE},hbm_beat=2"), cycles, strict=True):
            ended = tools.run([tools.compiler_path(), file, "--stats", "--json", "--machine", machine])
            self.assertEqual(found, json.loads(ended.output)["cycles"]["measured"], machine)

    def test_damaged_programs_in_the_store_are_made_again(self):
        (self.folder / "p.mlir").write_text(MLIR)
        programs = '[[programs]]\nfile = "p.mlir"\n'
        cycles = self.sweep(programs)
        store = self.folder / "study.results"
        made = sorted(file for file in (store / "programs").rglob("*") if file.is_file())

        def empty(file):
            file.write_bytes(b"")

        def flip(file):
            data = bytearray(file.read_bytes())
            data[len(data) // 2] ^= 4
            file.write_bytes(data)

        def become_a_pipe(file):
            file.unlink()
            os.mkfifo(file)

        for damage in (empty, flip, pathlib.Path.unlink, become_a_pipe):
            for results in store.glob("*.results"):
                results.unlink()
            for file in made:
                damage(file)
            self.assertEqual(self.sweep(programs), cycles, damage)
            self.assertEqual(sorted(file for file in (store / "programs").rglob("*") if file.is_file()), made)


if __name__ == "__main__":
    unittest.main()
