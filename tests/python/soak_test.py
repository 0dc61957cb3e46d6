"""A sample of tests/python/soak.py, whose 100,000 launches are for the night."""

import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from by_night import by_night  # noqa: E402

import needs_compiler  # noqa: E402, F401, skips without a compiler

SCRIPT = pathlib.Path(__file__).with_name("soak.py")


class Soak(unittest.TestCase):
    def soak(self, launches):
        ran = subprocess.run([sys.executable, SCRIPT, "--launches", str(launches)], capture_output=True, text=True,
                             env=dict(os.environ), check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout[-4000:] + ran.stderr[-2000:])

    def test_some_launches(self):
        self.soak(200)

    @by_night
    def test_100_000_launches(self):
        self.soak(100_000)


if __name__ == "__main__":
    unittest.main()
