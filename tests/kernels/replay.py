"""Runs the console transcripts of a page and compares what is printed.

  replay.py TANDEM PAGE

Commands stand behind `$ ` in ```console blocks, what they print (standard output, then standard
error) in the lines behind; `...` in such a line stands for anything, a line `...` for any lines.
They run one after the other in one empty folder that sees the repository's `kernels`, `benchmarks` and `examples`.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def transcripts(page):
    """(command, expected lines) in order."""
    for block in re.findall(r"^```console\n(.*?)^```", page, re.S | re.M):
        command, expected = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, expected
                command, expected = line[2:], []
            else:
                expected.append(line)
        if command:
            yield command, expected


def pattern(lines):
    text = ""
    for line in lines:
        if line.strip() == "...":
            text += r"(?:.*\n)*?"
        else:
            text += ".*".join(re.escape(part.rstrip()) for part in line.split("...")) + r" *\n"
    return re.compile(text + r"\Z")


def main():
    tandem, page = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    environment = dict(os.environ, PATH=f"{tandem.parent}:{os.environ['PATH']}")
    count = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for room in ("kernels", "benchmarks", "examples"):
            (pathlib.Path(folder) / room).symlink_to(ROOT / room)
        for command, expected in transcripts(page.read_text()):
            count += 1
            done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                                  capture_output=True, check=False)
            printed = done.stdout + done.stderr
            if printed and not printed.endswith("\n"):
                printed += "\n"
            if not pattern(expected).match(printed):
                failures += 1
                print(f"$ {command}\nprinted\n{printed}\nwhere {page} has\n" + "\n".join(expected))
    print(f"{count - failures} of {count} commands print what {page} says")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
