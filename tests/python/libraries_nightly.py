"""Libraries that know nothing of Tandem (library_cases/), each in a process of its own on JAX's CPU and on the machine.

    tests/python/in_environment BUILD tests/python/libraries_nightly.py [CASE]...

They have an environment of their own, build/venv-libraries, with what python/requirements-libraries.txt pins; skipped where
that is not there. Each line shows the difference of each result from the CPU's, and the allowed one.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import needs_compiler  # noqa: F401, skips without a compiler
import numpy as np

HERE = pathlib.Path(__file__).parent
CASES = HERE / "library_cases"
PYTHON = pathlib.Path(sys.prefix).parent / "venv-libraries/bin/python"
# Independent of the default: chains and solvers are compared with float32's products.
PRECISE = {"numpyro_schools", "blackjax_samplers", "diffrax_equations", "optimistix_solvers", "mjx_bodies", "jax_md_particles"}

if not PYTHON.exists():
    print(f"skipped: no {PYTHON.parent.parent} (scripts/python-environment --libraries)")
    sys.exit(77)


def ran(case, platform, folder):
    """The results of the case there, with its time."""
    file, begin = pathlib.Path(folder, f"{platform}.npz"), time.monotonic()
    environment = dict(os.environ, JAX_PLATFORMS=platform)
    if case in PRECISE:
        environment["JAX_DEFAULT_MATMUL_PRECISION"] = "highest"
    ended = subprocess.run([PYTHON, CASES / "run_case.py", case, file], env=environment, capture_output=True, text=True)
    if ended.returncode != 0:
        raise AssertionError(f"{case} on {platform}:\n{ended.stderr[-4000:]}")
    return dict(np.load(file)), time.monotonic() - begin


class Libraries(unittest.TestCase):
    def test_what_they_give_is_what_they_give_on_the_cpu(self):
        names = sorted(path.stem for path in CASES.glob("*_*.py") if path.stem != "run_case")
        self.assertGreater(len(names), 8)
        for name in sys.argv[1:] or names:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                wanted, _ = ran(name, "cpu", folder)
                got, seconds = ran(name, "tandem", folder)
                self.agree(name, got, wanted, seconds)

    def agree(self, name, got, wanted, seconds):
        said, wrong = [], []
        for key in (key for key in wanted if not key.startswith("tolerance ")):
            self.assertTrue(np.isfinite(wanted[key]).all(), key)
            np.testing.assert_array_equal(got[key].shape, wanted[key].shape)
            difference, tolerance = np.abs(got[key] - wanted[key]).max(), wanted[f"tolerance {key}"]
            said.append(f"{key} {difference:.1e} of {np.abs(wanted[key]).max():.3g} ({tolerance:.0e})")
            if not difference <= tolerance:
                wrong.append(f"{key}: {got[key].ravel()[:8]}, on the CPU {wanted[key].ravel()[:8]}")
        print(f"{name}, {seconds:.0f} s: {', '.join(said)}", flush=True)
        self.assertFalse(wrong, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
