"""The collectives of kernels/collectives on groups of chips, against NumPy.

  collectives_test.py TANDEM
"""

import functools
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no NumPy in this Python")
    sys.exit(77)

LANES = {"nano": 8, "small": 16}


def all_reduce(x):
    """Each chip adds in the order of chips."""
    total = functools.reduce(np.add, x)
    return np.stack([total] * len(x))


def reduce_scatter(x):
    """Part c begins at chip c + 1 and goes around."""
    chips = len(x)
    parts = []
    for part in range(chips):
        order = [(part + 1 + step) % chips for step in range(chips)]
        parts.append(functools.reduce(np.add, (x[chip][part] for chip in order)))
    return np.stack(parts)


# Name: shape of x on a chip by chips and lanes, y of all chips from x of all chips.
COLLECTIVES = {
    "broadcast": (lambda chips, lanes: (5 * lanes + 3,), lambda x: np.stack([x[0]] * len(x))),
    "all_gather": (lambda chips, lanes: (37,), lambda x: np.stack([x] * len(x))),
    "all_to_all": (lambda chips, lanes: (chips, 21), lambda x: x.swapaxes(0, 1)),
    "collective_permute": (lambda chips, lanes: (19,),
                           lambda x: np.concatenate([np.zeros_like(x[:1]), x[:-1]])),
    "reduce_scatter": (lambda chips, lanes: (chips, 16 * lanes), reduce_scatter),
    "all_reduce": (lambda chips, lanes: (8 * lanes,), all_reduce),
}


GROUPS = (
    (1, "nano", "golden"), (2, "nano", "golden"), (5, "nano", "golden"), (4, "small", "golden"),
    (1, "nano", "cycle"), (2, "nano", "cycle"), (5, "nano,link_latency=3,link_rate=1", "cycle"),
    (4, "small,link_latency=200", "cycle"), (2, "nano", "rtl"), (4, "nano,link_latency=7,link_rate=3", "rtl"),
    (5, "nano,link_latency=3,link_rate=1", "rtl"),
)


class Failure(Exception):
    """The failures, as text."""


def run(tandem, *words, command="run"):
    done = subprocess.run([tandem, command, *map(str, words)], capture_output=True, text=True,
                          cwd=ROOT, check=False)
    if done.returncode != 0:
        raise Failure(f"tandem {command} {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def same_cycles(tandem, folder, name, chips, machine):
    """Each chip takes the cycles on the RTL that it takes on the cycle-exact model, and nothing differs in lockstep."""
    sizes = ["--size", f"chips={chips}"] if name == "all_gather" else []
    cycles = {}
    program = [f"kernels/collectives/{name}.s", "--machine", machine, "--chips", chips, *sizes,
               "--in", f"x={folder}/x{{chip}}.npy", "--json"]
    for on in ("cycle", "rtl", "lockstep"):
        told = run(tandem, *program, command=on) if on == "lockstep" else run(tandem, *program, "--on", on)
        cycles[on] = [chip["cycles"] for chip in json.loads(told)["chips"]]
    if not cycles["cycle"] == cycles["rtl"] == cycles["lockstep"]:
        raise Failure(f"{name} on {chips} chips of {machine} takes {cycles}")


def check(tandem, folder, name, chips, machine, on, random):
    preset = machine.partition(",")[0]
    shape, reference = COLLECTIVES[name]
    x = random.normal(size=(chips, *shape(chips, LANES[preset]))).astype(np.float32)
    for chip in range(chips):
        np.save(folder / f"x{chip}.npy", x[chip])
    sizes = ["--size", f"chips={chips}"] if name == "all_gather" else []
    group = ["--chips", chips] if chips > 1 else []
    file = "{chip}" if chips > 1 else "0"
    run(tandem, f"kernels/collectives/{name}.s", "--machine", machine, "--on", on, *group, *sizes,
        "--in", f"x={folder}/x{file}.npy", "--out", f"y={folder}/y{file}.npy")
    if on == "rtl":
        same_cycles(tandem, folder, name, chips, machine)
    wanted = reference(x)
    for chip in range(chips):
        got = np.load(folder / f"y{chip}.npy")
        if not np.array_equal(got, wanted[chip]):
            raise Failure(f"{name} on {chips} chips of {machine}, {on}: chip {chip} has\n{got}\n"
                          f"and not\n{wanted[chip]}")


def main():
    tandem = str(pathlib.Path(sys.argv[1]).resolve())
    random = np.random.default_rng(1)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in COLLECTIVES:
            for chips, machine, on in GROUPS:
                try:
                    check(tandem, pathlib.Path(folder), name, chips, machine, on, random)
                except Failure as failure:
                    failures += 1
                    print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
