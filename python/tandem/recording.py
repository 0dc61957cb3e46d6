"""What a Python program starts on Tandem through JAX, as files for other tools.

    python -m tandem.recording FOLDER FILE.py [ARGUMENT]...

runs FILE.py as `python FILE.py ARGUMENT...` does. FOLDER then holds counts.txt, a line `NAME RUNS` for each
program, and NAME/program.elf with the inputs of its first run, NAME/<tensor>.npy.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import runpy
import sys
from typing import Iterator

import numpy as np

from tandem.jax_plugin import plugin_path


def _record(folder: str) -> None:
    library = ctypes.CDLL(str(plugin_path()))  # the one that JAX has loaded
    if library.tandem_record_runs(folder.encode()) != 0:
        raise OSError(f"cannot write the recorded runs into {folder}")


def _wait_for_devices() -> None:
    """Every run that has been asked for is over: a device does one thing after the other."""
    import jax

    for device in jax.devices("tandem"):
        jax.device_put(np.zeros(1, np.float32), device).block_until_ready()


@contextlib.contextmanager
def recorded(folder: str | os.PathLike[str]) -> Iterator[None]:
    """What JAX runs on Tandem in the block is written into the folder."""
    _wait_for_devices()
    _record(os.fspath(folder))
    try:
        yield
    finally:
        _wait_for_devices()
        _record("")


def main(arguments: list[str]) -> None:
    """Of the command above."""
    folder, file, *rest = arguments
    sys.argv = [file, *rest]
    sys.path[0] = str(pathlib.Path(file).resolve().parent)
    with recorded(folder):
        runpy.run_path(file, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
