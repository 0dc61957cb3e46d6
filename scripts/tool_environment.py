"""Environments with Python's own tools, for the programs that need some: a folder of BUILD each."""

import subprocess
import sys


def programs(build, name, requirements, python=sys.executable):
    """The folder of programs of BUILD/`name`, a virtual environment of `python` with what the file `requirements` lists;
    installs it where it is not there in these versions."""
    folder = build / name
    stamp = folder / "requirements.txt"
    if not stamp.is_file() or stamp.read_text() != requirements.read_text():
        print(f"installing {requirements.name} into {folder}", file=sys.stderr)
        subprocess.run([python, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "--quiet", "--requirement", requirements], check=True)
        stamp.write_text(requirements.read_text())
    return folder / "bin"
