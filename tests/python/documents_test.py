"""The Python of docs/jax.md, typed in from top to end. Skipped where the compiler is not built."""

import os
import pathlib
import re
import sys
import tempfile
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"

from tandem import jax_tools

try:
    jax_tools.compiler_path()
except FileNotFoundError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Document(unittest.TestCase):
    def test_its_programs_run_in_order(self):
        programs = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/jax.md").read_text(), re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(programs), 4)
        names = {}
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "benchmarks").symlink_to(ROOT / "benchmarks")
            os.chdir(folder)
            for number, program in enumerate(programs, 1):
                exec(compile(program, f"docs/jax.md, program {number}", "exec"), names)
            page = pathlib.Path("run.html").read_text()
            os.chdir(ROOT)
        self.assertIn("<html", page)
        self.assertEqual(names["run"].outputs["y"].shape, (100,))


if __name__ == "__main__":
    unittest.main()
