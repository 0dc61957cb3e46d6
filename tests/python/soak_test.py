"""A sample of tests/python/soak.py, whose 100,000 launches run nightly."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from by_night import by_night  # noqa: E402

import needs_compiler  # noqa: E402, F401, skips without a compiler

SCRIPT = pathlib.Path(__file__).with_name("soak.py")


class Soak(unittest.TestCase):
    def soak(self, launches, *options):
        ran = subprocess.run([sys.executable, SCRIPT, "--launches", str(launches), *options], capture_output=True, text=True,
                             env=dict(os.environ), check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout[-4000:] + ran.stderr[-2000:])
        return ran.stdout.splitlines()

    def test_some_launches(self):
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder, "store")
            # Of a soak that was ended in the middle of a line.
            store.write_text('{"seed": 1, "launches": 100, "seconds": 1, "growth": 0, "counts": {"run": 100}, "wrong": []}\n{"seed": 2, "lau')
            said = self.soak(300, "--store", str(store))
            self.assertRegex(said[0], "seed 2: 300 of 300 launches")
            self.assertEqual(self.soak(300, "--store", str(store)), said[-1:])  # nothing is left to be done

    @by_night
    def test_100_000_launches(self):
        self.soak(100_000)


if __name__ == "__main__":
    unittest.main()
