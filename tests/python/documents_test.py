"""The Python of README.md, docs/jax.md and docs/jax_reference.md, typed in from top to end. Skipped where the
compiler is not built."""

import contextlib
import io
import os
import pathlib
import re
import sys
import tempfile
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"

import needs_compiler  # noqa: F401, skips without a compiler

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python/conformance"))

import skipped

import tandem


LISTED = ("several devices", "products with scales of blocks")


def text_of(name):
    return (ROOT / "docs" / name).read_text()


def programs_of(name):
    return re.findall(r"^```python\n(.*?)^```", text_of(name), re.DOTALL | re.MULTILINE)


class Documents(unittest.TestCase):
    def typed_in(self, name, least):
        """The definitions after all programs of a document have run in order, and the page that they wrote."""
        programs = programs_of(name)
        self.assertGreaterEqual(len(programs), least)
        names = {}
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "benchmarks").symlink_to(ROOT / "benchmarks")
            os.chdir(folder)
            for number, program in enumerate(programs, 1):
                exec(compile(program, f"docs/{name}, program {number}", "exec"), names)
            page = pathlib.Path("run.html").read_text()
            os.chdir(ROOT)
        self.assertIn("<html", page)
        return names

    def test_the_tutorial_runs_in_order(self):
        names = self.typed_in("jax.md", 9)
        self.assertEqual([program.runs for program in names["profile"].programs], [1])
        self.assertLess(float(names["value"]), 0.4)  # it has learnt something

    def test_the_tutorial_ends_with_a_profile(self):
        self.assertIn('tandem.profile("run.html")', programs_of("jax.md")[-1])

    def test_the_reference_runs_in_order(self):
        names = self.typed_in("jax_reference.md", 4)
        self.assertEqual(names["run"].outputs["y"].shape, (100,))

    def test_calls_that_are_not_there_are_listed(self):
        slots = pathlib.Path(tandem.__file__).parents[2] / "pjrt/slots/pjrt_slots.def"
        if not slots.is_file():
            self.skipTest("a build without the headers of PJRT")
        code = "".join(path.read_text() for path in (ROOT / "python/pjrt/api").glob("*_handlers.cpp"))
        names = re.findall(r"PJRT_SLOT\((\w+)\)", slots.read_text())
        missing = {name for name in names if f"{name}_Args" not in code}
        section = text_of("jax_reference.md").split("### PJRT calls that are not there")[1].split("\n#")[0]
        self.assertEqual({f"PJRT_{name}" for name in re.findall(r"`(\w+_?\w*)`", section.split("|---|---|")[1])}, missing)
        self.assertIn(f"Of the {len(names)} functions", section)
        self.assertIn(f"these {len(missing)} end", section)

    def test_what_is_not_there_is_listed(self):
        listed = text_of("jax_reference.md")
        for reason in LISTED:
            for name in skipped.REASONS[reason].split():
                self.assertIn(f"`{name}`", listed)

    def test_the_readme_prints_what_it_says(self):
        text = (ROOT / "README.md").read_text()
        program, printed = re.search(r"^```python\n(.*?)^```\n```\n(.*?)^```", text, re.DOTALL | re.MULTILINE).groups()
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(program, "README.md", "exec"), {})
        number = re.compile(r"\d+(?= cycles)")
        self.assertEqual(number.sub("N", out.getvalue()), number.sub("N", printed))
        for now, said in zip(number.findall(out.getvalue()), number.findall(printed), strict=True):
            self.assertLess(abs(int(now) - int(said)), 0.1 * int(said))  # a better compiler need not edit it each time


if __name__ == "__main__":
    unittest.main()
