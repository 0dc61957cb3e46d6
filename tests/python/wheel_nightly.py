"""The wheel: built by pip, installed into an environment of its own, and used from elsewhere."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

USE = """
import jax, numpy as np, tandem
from tandem.assembly import *
print(jax.jit(lambda x: x @ x + 1)(np.eye(8, dtype=np.float32))[0, :3])
print(tandem.cycles(lambda x: x + 1, np.ones(64, np.float32)) > 0)
print(tandem.explain(lambda x: x * 2, np.ones(64, np.float32)).cycles > 0)
with Program() as program:
    with linear():
        halt()
print(tandem.Device(model="lockstep").load(program.assemble())().bundles > 0)
"""


class Wheel(unittest.TestCase):
    def test_pip_installs_what_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["/usr/bin/python3", "-m", "venv", f"{folder}/venv"], check=True)
            python = f"{folder}/venv/bin/python"
            subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT)], check=True)
            environment = {"JAX_PLATFORMS": "tandem", "TANDEM_CACHE": f"{folder}/cache",
                           "PATH": "/usr/bin:/bin", "HOME": folder}
            out = subprocess.run([python, "-c", USE], cwd=folder, env=environment, check=False,
                                 capture_output=True, text=True)
            self.assertEqual(out.stdout.splitlines(), ["[2. 1. 1.]", "True", "True", "True"],
                             out.stderr)
            # what notebooks bring themselves
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--constraint",
                            str(ROOT / "python/requirements.txt"), "optax"], check=True)
            for test in ("arrays_test", "notebook_test"):
                done = subprocess.run([python, f"{ROOT}/tests/python/{test}.py"], cwd=folder,
                                      env=environment, check=False, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
