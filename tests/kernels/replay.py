"""Runs the console transcripts of a page and compares the output.

  replay.py TANDEM PAGE

Commands follow `$ ` in ```console blocks (and a backslash at the end of a line), their output (standard output, then
standard error) is in the lines after; `...` in such a line is anything, a line `...` any lines. Lines that begin with
`(tandem) ` are what is typed into the command before, also in later blocks. They run one after the other in one empty folder
that sees the repository's `kernels`, `benchmarks`, `examples` and `pico`. A block of code that begins with `# name.s` is that file.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


PROMPT = "(tandem) "


def transcripts(page):
    """(command, its input, expected lines) in order."""
    command, typed, expected = None, [], []
    for block in re.findall(r"^```console\n(.*?)^```", page, re.S | re.M):
        for line in block.replace("\\\n", "").splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, typed, expected
                command, typed, expected = line[2:], [], []
            else:
                if line.startswith(PROMPT):
                    typed.append(line.removeprefix(PROMPT))
                expected.append(line)
    if command:
        yield command, typed, expected


def write_files(page, folder):
    for text, name in re.findall(r"^```\n(# (\w+\.s)\n.*?)^```", page, re.S | re.M):
        (folder / name).write_text(text)


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
        for room in ("kernels", "benchmarks", "examples", "pico"):
            (pathlib.Path(folder) / room).symlink_to(ROOT / room)
        write_files(page.read_text(), pathlib.Path(folder))
        for command, typed, expected in transcripts(page.read_text()):
            count += 1
            done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                                  input="".join(f"{line}\n" for line in typed), capture_output=True, check=False)
            printed = done.stdout + done.stderr
            if typed:  # the end of the input ends a line, too
                printed = printed.rstrip("\n")
            if printed and not printed.endswith("\n"):
                printed += "\n"
            if not pattern(expected).match(printed):
                failures += 1
                print(f"$ {command}\nprinted\n{printed}\nwhere {page} has\n" + "\n".join(expected))
    print(f"{count - failures} of {count} commands print what {page} says")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
