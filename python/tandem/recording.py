"""What a Python program starts on Tandem, through JAX or on a `tandem.Device`, as files for other tools.

    python -P -m tandem.recording FOLDER FILE.py [ARGUMENT]...

runs FILE.py as `python FILE.py ARGUMENT...` does. FOLDER then holds counts.txt, a line `NAME RUNS` for each
program, and NAME/program.elf with the inputs of its first run, NAME/<tensor>.npy.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import os
import pathlib
import runpy
import sys
import threading
from typing import Iterator, Mapping

import numpy as np

from tandem import device
from tandem.jax_plugin import plugin_path


def saved_inputs(inputs: Mapping[str, np.ndarray], folder: str | os.PathLike[str]) -> list[pathlib.Path]:
    """The arrays as files NAME.npy, as launches take them."""
    files = []
    for name, value in inputs.items():
        files.append(pathlib.Path(folder, f"{name}.npy"))
        bits = value.view(np.uint16) if value.dtype.name == "bfloat16" else value
        np.save(files[-1], bits)
    return files


def _record(folder: str) -> None:
    library = ctypes.CDLL(str(plugin_path()))  # the one that JAX has loaded
    if library.tandem_record_runs(folder.encode()) != 0:
        raise OSError(f"cannot write the recorded runs into {folder}")


def _wait_for_devices() -> None:
    """Waits until every requested run has finished: a device executes one thing after the other."""
    import jax

    for device in jax.devices("tandem"):
        jax.device_put(np.zeros(1, np.float32), device).block_until_ready()


_recording = threading.Lock()


@contextlib.contextmanager
def recorded(folder: str | os.PathLike[str]) -> Iterator[None]:
    """What JAX runs on Tandem in the block is written into the folder. One at a time: raises RuntimeError."""
    if not _recording.acquire(blocking=False):
        raise RuntimeError("what runs on Tandem is being profiled already, in this process: one profile at a time")
    try:
        _wait_for_devices()
        _record(os.fspath(folder))
        try:
            yield
        finally:
            _wait_for_devices()
            _record("")
    finally:
        _recording.release()


@contextlib.contextmanager
def _devices_recorded(folder: pathlib.Path) -> Iterator[None]:
    """The same of devices that are used without JAX; their counts are added to counts.txt at the end."""
    runs: dict[str, int] = {}

    def note(elf: bytes, inputs: Mapping[str, np.ndarray]) -> None:
        # The arguments of a program depend on the sizes of its inputs.
        sizes = repr([(name, value.shape) for name, value in inputs.items()])
        name = f"device-{hashlib.sha256(elf + sizes.encode()).hexdigest()[:32]}"
        runs[name] = runs.get(name, 0) + 1
        if runs[name] == 1:
            (folder / name).mkdir()
            (folder / name / "program.elf").write_bytes(elf)
            saved_inputs(inputs, folder / name)

    device.on_launch = note
    try:
        yield
    finally:
        device.on_launch = None
        with (folder / "counts.txt").open("a") as counts:
            counts.writelines(f"{name} {count}\n" for name, count in runs.items())


def main(arguments: list[str]) -> None:
    """Of the command above."""
    folder, file, *rest = arguments
    sys.argv = [file, *rest]
    sys.path.insert(0, str(pathlib.Path(file).resolve().parent))
    has_jax = importlib.util.find_spec("jax") is not None
    with _devices_recorded(pathlib.Path(folder)), recorded(folder) if has_jax else contextlib.nullcontext():
        runpy.run_path(file, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
