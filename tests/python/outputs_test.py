"""Callers of the plugin need not clear outputs: every output that the interface's headers name is written by its
handler.
"""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADERS = pathlib.Path(os.environ["TANDEM_EXECUTABLE"]).parent / "pjrt/include/xla/pjrt/c"
WRITERS = ("give_attributes(args", "clear_behind(args")  # of several outputs together


def outputs():
    """Structure -> names of the members that the headers mark as outputs."""
    text = "".join(header.read_text() for header in sorted(HEADERS.glob("*.h")))
    structures = re.finditer(r"struct (PJRT_\w+_Args) \{(.*?)\n\};", text, re.S)
    return {name: re.findall(r"(\w+);\s*//\s*out\b", body) for name, body in
            (match.groups() for match in structures)}


def handlers():
    """Structure -> body of its handler: one line, or up to the first line that is a brace."""
    bodies = {}
    for path in sorted((ROOT / "python/pjrt/api").glob("*_handlers.cpp")):
        for line in re.finditer(r"^void handle\((PJRT_\w+_Args)& args\) \{([^\n]*\}$|.*?^\}$)", path.read_text(),
                                re.S | re.M):
            bodies[line[1]] = line[2]
    return bodies


class Outputs(unittest.TestCase):
    def test_every_output_is_written(self):
        named = outputs()
        missing = [f"{name}.{output}" for name, body in handlers().items() for output in named[name]
                   if f"args.{output}" not in body and not any(writer in body for writer in WRITERS)]
        self.assertEqual(missing, [])
        self.assertGreater(sum(map(len, named.values())), 100)


if __name__ == "__main__":
    unittest.main()
