"""The project's executables: where they are, and how they are run.

A child belongs to this process: it ends with it and with Ctrl-C, and nothing is looked for in the current folder.
"""

from __future__ import annotations

import errno
import os
import pathlib
from dataclasses import dataclass
from typing import Iterable, Sequence

from tandem import _core

_HERE = pathlib.Path(__file__).absolute().parent  # a program may change its folder later


@dataclass(frozen=True)
class Ended:
    """How a program ended: `status` is minus the number of a signal that ended it."""

    status: int
    output: bytes
    errors: str


def _installed(name: str, how: str) -> pathlib.Path:
    """In this package, or in the build folder around it."""
    for folder in (_HERE, *_HERE.parents[:2]):
        for candidate in (folder / "bin" / name, folder / name):
            if candidate.is_file():
                return candidate
    raise FileNotFoundError(f"{name} is not built: {how}")


def _asked(variable: str) -> pathlib.Path | None:
    """The value of an environment variable: a path, or a program in PATH."""
    name = os.environ.get(variable)
    if not name:
        return None
    if found := _core.find_program(name):
        return pathlib.Path(found)
    raise FileNotFoundError(f"{variable} is {name}, which is not in PATH")


def compiler_path() -> pathlib.Path:
    """tandem-compile; TANDEM_COMPILER names another one."""
    return _asked("TANDEM_COMPILER") or _installed(
        "tandem-compile", "scripts/setup --group compiler")


def command_line() -> pathlib.Path:
    """tandem; TANDEM_EXECUTABLE names another one."""
    return _asked("TANDEM_EXECUTABLE") or _installed("tandem", "scripts/setup")


def run(command: Sequence[str | os.PathLike[str]], input: bytes = b"",  # noqa: A002
        **variables: str) -> Ended:
    """Runs a program to its end. `variables`: of its environment, in addition to this process's.

    Raises OSError when there is no such program.
    """
    status, output, errors = _core.run_program(
        [os.fspath(word) for word in command], input, [f"{name}={value}" for name, value in variables.items()])
    return Ended(status, output, errors.decode(errors="replace"))


def input_file(path: str | os.PathLike[str]) -> pathlib.Path:
    """The path of an input file. Raises OSError if it does not exist, or if reading it might never end."""
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    _core.check_input(os.fsdecode(os.path.abspath(path)))  # "-" is a name, too
    return pathlib.Path(path)


def check_output(path: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Before a long run: raises OSError if the output at its end would replace an input."""
    _core.check_output(os.fspath(path), [os.fspath(name) for name in inputs])


def write_output(path: str | os.PathLike[str], data: bytes) -> None:
    """Written beside the old file, which it replaces when it is whole. Raises OSError."""
    _core.write_output(os.fspath(path), data)


__all__ = ["Ended", "check_output", "command_line", "compiler_path", "input_file", "run", "write_output"]
