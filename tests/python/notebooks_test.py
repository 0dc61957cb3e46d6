"""Whole notebooks (cells of the percent form) as JAX users have them for a CPU: run there, and then
unchanged on the machine; every number that they print is compared. Skipped where the compiler is not
built."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import needs_compiler  # noqa: F401, skips without a compiler

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from by_night import by_night  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "notebooks"
NUMBER = re.compile(r"[-+]?\b\d+\.?\d*(?:e[-+]?\d+)?|\bnan\b|\binf\b", re.IGNORECASE)


def start(notebook, platform, precision="highest"):
    environment = dict(os.environ, JAX_PLATFORMS=platform, JAX_DEFAULT_MATMUL_PRECISION=precision)
    return subprocess.Popen([sys.executable, FOLDER / f"{notebook}.py"], env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def numbers(text):
    return [float(word) for word in NUMBER.findall(text)]


def finished(case, process, seconds=280):
    said, error = process.communicate(timeout=seconds)
    case.assertEqual(process.returncode, 0, error)
    return numbers(said)


def compare(case, notebook):
    processes = [start(notebook, platform) for platform in ("cpu", "tandem")]
    wanted, got = (finished(case, process) for process in processes)
    case.assertGreater(len(wanted), 30)
    case.assertEqual(len(got), len(wanted))
    for number, (want, have) in enumerate(zip(wanted, got)):
        case.assertLessEqual(abs(have - want), 2e-3 + 1e-3 * abs(want), f"number {number}")


class Notebooks(unittest.TestCase):
    def test_a_regression_with_optax(self):
        compare(self, "regression")

    @by_night
    def test_numerics(self):
        compare(self, "numerics")


if __name__ == "__main__":
    unittest.main()
