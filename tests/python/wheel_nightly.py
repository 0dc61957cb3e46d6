"""The wheel of scripts/wheel: installed by pip into an environment of its own, and used from elsewhere, on this
processor and, by the dynamic loader's leave, on lesser ones.

  build/venv/bin/python tests/python/wheel_nightly.py

TANDEM_EXECUTABLE names the executable of another build folder.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TANDEM_EXECUTABLE", ROOT / "build/tandem")).resolve().parent
LOADER = "/lib64/ld-linux-x86-64.so.2"

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

# Prints where the models come from, and a digest of results that hang on each rounding.
DIGEST = """
import hashlib, jax, numpy as np, tandem
import jax.numpy as jnp
numbers = np.random.default_rng(1).normal(size=(96, 96)).astype(np.float32)
made = jax.jit(lambda x: (jnp.exp(x @ x / 9), jax.nn.softmax(x), jnp.sin(x) / x, jax.lax.rsqrt(jnp.abs(x))))(numbers)
print(hashlib.sha256(b"".join(np.asarray(each).tobytes() for each in made)).hexdigest())
print(next(line.split()[-1] for line in open("/proc/self/maps") if "libtandem_runtime" in line))
"""


def has(flag):
    return flag in pathlib.Path("/proc/cpuinfo").read_text().split()


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([ROOT / "scripts/wheel"], check=True, env={**os.environ, "TANDEM_BUILD": str(BUILD)})
        wheel, = (BUILD / "wheels").glob("*.whl")
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        subprocess.run(["/usr/bin/python3", "-m", "venv", cls.folder / "venv"], check=True)
        cls.python = cls.folder / "venv/bin/python"
        subprocess.run([cls.python, "-m", "pip", "install", "--quiet", wheel], check=True)
        cls.environment = {"JAX_PLATFORMS": "tandem", "TANDEM_CACHE": f"{cls.folder}/cache", "PATH": "/usr/bin:/bin",
                           "HOME": str(cls.folder)}

    def run_python(self, *arguments, before=()):
        done = subprocess.run([*before, self.python, *arguments], cwd=self.folder, env=self.environment, check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_what_it_installs_runs(self):
        self.assertEqual(self.run_python("-c", USE), ["[2. 1. 1.]", "True", "True", "True"])

    def test_tests_pass(self):
        # what notebooks bring themselves
        subprocess.run([self.python, "-m", "pip", "install", "--quiet", "--constraint",
                        ROOT / "python/requirements.txt", "optax"], check=True)
        for test in ("arrays_test", "notebook_test"):
            self.run_python(ROOT / f"tests/python/{test}.py")

    def test_debian_gives_nothing_but_the_system(self):
        package, = self.folder.glob("venv/lib/python*/site-packages/tandem")
        for file in [*package.rglob("*.so"), package / "bin/tandem", package / "bin/tandem-compile"]:
            needs = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout
            self.assertNotIn("not found", needs, file)
            foreign = [line for line in needs.splitlines() if "=> /" in line and str(self.folder) not in line]
            names = {line.split()[0].split(".")[0] for line in foreign}
            self.assertLessEqual(names, {"libc", "libm", "libstdc++", "libgcc_s", "libz", "libpthread", "libdl"}, file)

    def test_every_processor_has_the_same_results(self):
        seen = {}
        for level, flag in (("x86-64-v2", "ssse3"), ("x86-64-v3", "avx2"), ("x86-64-v4", "avx512f")):
            if has(flag):
                digest, library = self.run_python("-c", DIGEST, before=[LOADER, "--glibc-hwcaps-mask", level])
                seen[level] = digest
                self.assertEqual(level in library, level != "x86-64-v2", library)
        self.assertEqual(len(set(seen.values())), 1, seen)


if __name__ == "__main__":
    sys.exit(unittest.main())
