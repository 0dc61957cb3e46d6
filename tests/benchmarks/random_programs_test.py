"""benchmarks/random_programs.py on a few programs: a row for each preset and length, and none for a difference.

  random_programs_test.py BUILD
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from random_programs import LENGTHS, PRESETS, Difference, busy_row, measured, row  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop()).resolve()


class RandomProgramsTest(unittest.TestCase):
    def test_an_hour_has_so_many_programs(self):
        told = {"machines": 2, "programs": 3, "bundles": 4000, "cycles": 5000}
        self.assertEqual(row("nano", "long", (told, 0.5)),
                         "| nano | long | 2 | 3 | 4,000 | 5,000 | 0.50 | 21,600 | 8,000 |")

    def test_a_preset_that_is_not_built_has_a_row_that_says_so(self):
        self.assertIn("not in this build", row("full", "long", None))

    def test_every_preset_and_length_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            subprocess.run([ROOT / "benchmarks/random_programs.py", "--build", BUILD, "--programs", "1",
                            "--output", page], check=True, stderr=subprocess.DEVNULL)
            page_text = page.read_text()
        rows = re.findall(r"^\| (\w+) \| (as drawn|long) \| (\S+)", page_text, re.MULTILINE)
        self.assertEqual([found[:2] for found in rows], [(p, length) for p in PRESETS for length in LENGTHS])
        self.assertEqual([found[2] for found in rows[:2]], ["1", "1"])

        self.assertRegex(page_text, r"\| [\d.]+ \| [\d.]+ \| \**\d+%\** \|")

    def test_a_campaign_that_leaves_cores_idle_is_marked(self):
        self.assertEqual(busy_row(10, 19, 2), "| 10.0 | 19.0 | 95% |")
        self.assertEqual(busy_row(10, 16, 2), "| 10.0 | 16.0 | **80%** |")

    def test_a_difference_is_no_figure(self):
        with self.assertRaises(Difference):
            measured([BUILD / "tandem", "lockstep", "--random", "3", "--seed", "1", "--preset", "nano", "--json",
                      "--plant", "write.data@5"])


if __name__ == "__main__":
    unittest.main()
