"""`tandem explore` of a Python file: the programs that JAX compiles, with the lines that they come from."""

import json
import pathlib
import tempfile
import unittest

from tandem import tools

SCRIPT = """import jax, jax.numpy as jnp

@jax.jit
def train_step(w, x):
    y = x @ w
    return jnp.tanh(y).sum() + (w * w).sum()

print(train_step(jnp.ones((64, 64)), jnp.ones((16, 64))))
"""


class Explorer(unittest.TestCase):
    def explore(self) -> tools.Ended:
        return tools.run([tools.command_line(), "explore", self.folder / "model.py", "-o", self.folder / "page.html"])

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_lines_of_a_script_lead_to_bundles(self) -> None:
        (self.folder / "model.py").write_text(SCRIPT)
        ended = self.explore()
        self.assertEqual(ended.status, 0, ended.errors)
        page = (self.folder / "page.html").read_text()
        data = json.loads(page.partition('id="run">')[2].partition("</script>")[0])
        program = data["programs"][0]
        self.assertEqual(program["name"], "jit(train_step)")
        self.assertEqual(program["files"][0]["lines"], SCRIPT.splitlines())
        in_matrix_unit = {line.rpartition(":")[2] for row in program["bundles"]["rows"] for slot in row["slots"]
                          if slot["slot"] == "mx" for line in slot["lines"][:1]}
        self.assertEqual(in_matrix_unit, {"5"})  # x @ w
        transcendental = {line.rpartition(":")[2] for row in program["linear"]["rows"] if "tanh" in row["text"]
                          for line in row["lines"][:1]}
        self.assertEqual(transcendental, {"6"})
        self.assertEqual(sum(row["cycles"] for row in program["bundles"]["rows"]), program["cycles"])

    def test_an_exception_of_a_script_is_shown(self) -> None:
        (self.folder / "model.py").write_text("raise ValueError('this one')\n")
        ended = self.explore()
        self.assertEqual(ended.status, 2)
        self.assertIn("ValueError: this one", ended.errors)


if __name__ == "__main__":
    unittest.main()
