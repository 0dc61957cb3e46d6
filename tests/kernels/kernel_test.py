"""Every kernel of kernels/catalogue.py against double precision.

  kernel_test.py TANDEM [--lockstep nano,small] [--larger] [NAME]...

Without --larger the refused inputs, and the small shapes: on the golden model for every preset, with linear blocks as
written (`--schedule=none`) once, and in lockstep where the build has the RTL. With it the larger ones, on the golden
and the cycle-exact model.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "kernels"))

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no NumPy in this Python")
    sys.exit(77)

import catalogue

LIMIT = "500000000"


class Failure(Exception):
    """The failures, as text for the test's output."""


class Runner:
    def __init__(self, tandem, folder):
        self.tandem = tandem
        self.folder = pathlib.Path(folder)
        self.programs = {}

    def command(self, *words):
        done = subprocess.run([self.tandem, *map(str, words)], capture_output=True, text=True,
                              cwd=ROOT, check=False)
        if done.returncode != 0:
            raise Failure(f"tandem {' '.join(map(str, words))}\n{done.stdout[-2000:]}{done.stderr}")

    def program(self, kernel, preset, schedule):
        """The assembled program; every block is proved against its operations on the way."""
        key = (kernel.name, preset, schedule)
        if key not in self.programs:
            path = self.folder / f"{'_'.join(key)}.elf"
            self.command("asm", f"kernels/run/{kernel.name}.s", "--preset", preset, "--prove",
                         f"--schedule={schedule}", "-o", path)
            self.programs[key] = path
        return self.programs[key]

    def outputs(self, kernel, preset, arrays, model, schedule="full", sizes=()):
        how = ("lockstep",) if model == "lockstep" else ("run", "--on", model)
        words = []
        for name, array in arrays.items():
            if name.startswith("_"):
                continue
            np.save(self.folder / f"{name}.npy", array)
            words += ["--in", f"{name}={self.folder / f'{name}.npy'}"]
        for name in kernel.outputs:
            words += ["--out", f"{name}={self.folder / f'out_{name}.npy'}"]
        for size in sizes:
            words += ["--size", size]
        self.command(*how, self.program(kernel, preset, schedule), "--limit", LIMIT, *words)
        return {name: np.load(self.folder / f"out_{name}.npy") for name in kernel.outputs}


def check_refusal(runner, name, preset, arrays, sizes, code):
    """The program must end in the explicit trap of this code, by the JSON output."""
    words = []
    for tensor, array in arrays.items():
        np.save(runner.folder / f"{tensor}.npy", array)
        words += ["--in", f"{tensor}={runner.folder / f'{tensor}.npy'}"]
    for size in sizes:
        words += ["--size", size]
    done = subprocess.run([runner.tandem, "run", f"kernels/run/{name}.s", "--preset", preset, *words],
                          capture_output=True, text=True, cwd=ROOT, check=False)
    said = done.stdout + done.stderr
    if done.returncode != 1 or f"explicit_trap in slot sa, detail {code:#x}" not in said:
        raise Failure(f"is not refused by code {code}: exit status {done.returncode}, {said}")


def check(runner, kernel, preset, shape, model, schedule="full"):
    random = np.random.default_rng(hash_of(kernel.name, shape))
    arrays = kernel.inputs(random, shape)
    exact = {name: catalogue.as_double(value) for name, value in arrays.items()}
    expected = kernel.reference(exact)
    tolerance = kernel.tolerance(exact, expected)
    got = runner.outputs(kernel, preset, arrays, model, schedule, kernel.sizes(shape))
    for name in kernel.outputs:
        result = catalogue.as_double(got[name])
        if result.shape != expected[name].shape:
            raise Failure(f"{name} has shape {result.shape}, expected {expected[name].shape}")
        wrong = ~(np.abs(result - expected[name]) <= tolerance[name])
        if wrong.any():
            where = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise Failure(f"{name}{list(where)} is {result[where]}, expected "
                          f"{expected[name][where]} (tolerance {tolerance[name][where]}); "
                          f"{wrong.sum()} of {wrong.size} are wrong")


def hash_of(name, shape):
    return [sum(name.encode()), *shape]


def cases(kernel, lockstep, larger):
    """(preset, shape, model, schedule)"""
    for preset in catalogue.LANES:
        for shape in kernel.larger if larger else kernel.shapes:
            if not kernel.presets(preset, shape):
                continue
            if larger:
                yield preset, shape, "golden", "full"
                yield preset, shape, "cycle", "full"
            elif preset in lockstep:
                yield preset, shape, "lockstep", "full"
            else:
                yield preset, shape, "golden", "full"
        if not larger and kernel.presets(preset, kernel.shapes[-1]):
            yield preset, kernel.shapes[-1], "golden", "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tandem")
    parser.add_argument("--lockstep", default="")
    parser.add_argument("--larger", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_intermixed_args()
    lockstep = [name for name in arguments.lockstep.split(",") if name]
    known = {kernel.name for kernel in catalogue.KERNELS}
    unknown = set(arguments.names) - known
    if unknown:
        parser.error(f"no such kernel: {', '.join(sorted(unknown))}")
    failures = count = 0
    for kernel in catalogue.KERNELS:
        if arguments.names and kernel.name not in arguments.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(arguments.tandem, folder)
            for case in cases(kernel, lockstep, arguments.larger):
                count += 1
                try:
                    check(runner, kernel, *case)
                except Failure as failure:
                    failures += 1
                    print(f"{kernel.name} {case}: {failure}")
    if not arguments.larger:
        for refused in catalogue.REFUSED:
            if arguments.names and refused[0] not in arguments.names:
                continue
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                try:
                    check_refusal(Runner(arguments.tandem, folder), *refused)
                except Failure as failure:
                    failures += 1
                    print(f"{refused[0]}: {failure}")
    print(f"{count - failures} of {count} cases passed")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
