#!/usr/bin/env python3
"""The exact cycles of compiled programs, against the table tests/compiler/cycles/table.txt.

  tests/compiler/cycles.py [--build FOLDER] [--update] [NAME...]

Compiles each artifact in tests/compiler/cycles and runs it on the cycle-exact model. Any
difference from the table fails; --update rewrites the table, for an intended change. The numbers: cycles from start to
halt, bundles of text, bytes of beats that copies read from HBM and write to it. Needs no JAX: inputs are made here.
"""

import argparse
import array
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent / "cycles"
TABLE = FOLDER / "table.txt"
COLUMNS = ("cycles", "bundles", "bytes_in", "bytes_out")
TYPES = {"f32": ("f", "<f4"), "bf16": ("f", "<f4"), "s32": ("i", "<i4")}


def write_npy(path, element, shape):
    """A file of random numbers; integers are small, so that they serve as indices."""
    code, described = TYPES[element]
    count = 1
    for size in shape:
        count *= size
    numbers = random.Random(1)
    draw = (lambda: numbers.uniform(-1, 1)) if code == "f" else (lambda: numbers.randrange(8))
    few = [draw() for _ in range(min(count, 4093))]
    values = array.array(code, (few * (count // len(few) + 1))[:count])
    sizes = "".join(f"{size}," for size in shape)
    header = f"{{'descr': '{described}', 'fortran_order': False, 'shape': ({sizes})}}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
                     + values.tobytes())


def output(command):
    ran = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                         check=False)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{ran.stderr}")
    return ran.stdout


def measure(build, name, preset, folder, artifact=None, fill=write_npy):
    """Cycles, bundles, bytes read and written; `fill` writes an input's file (path, element, shape)."""
    program = folder / "program.elf"
    output([build / "tandem-compile", artifact or FOLDER / f"{name}.mlirbc", "-o", program, "--preset",
            preset])
    text = output([build / "tandem", "dis", program])
    inputs = []
    for tensor, element, sizes, way in re.findall(r"\.tensor (\w+), (\w+), \[(.*)\], (\w+)", text):
        if way == "out":
            continue
        fill(folder / f"{tensor}.npy", element,
             [int(size) for size in sizes.split(",") if size.strip()])
        inputs += ["--in", f"{tensor}={folder / tensor}.npy"]
    run = json.loads(output([build / "tandem", "run", "--on", "cycle", "--json", program, *inputs]))
    events = run["counters"]["events"]
    bundles = len(re.findall(r"^ *\{", text, re.MULTILINE))
    return (run["counters"]["cycles"], bundles, events["hbm_read_bytes"],
            events["hbm_write_bytes"])


def read_table():
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            name, preset, *numbers = line.split()
            rows[name, preset] = tuple(int(number) for number in numbers)
    return rows


def write_table(rows):
    lines = ["# Cycles of compiled programs on the cycle-exact model; made by tests/compiler/cycles.py"
             " --update.",
             f"# {'program':<22} {'preset':<7}" + "".join(f"{c:>11}" for c in COLUMNS)]
    for (name, preset), numbers in rows.items():
        lines.append(f"{name:<24} {preset:<7}" + "".join(f"{number:>11}" for number in numbers))
    TABLE.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--build", type=pathlib.Path, default=root / "build")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    rows = read_table()
    different = 0
    for (name, preset), wanted in rows.items():
        if options.names and name not in options.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            got = measure(options.build, name, preset, pathlib.Path(folder))
        rows[name, preset] = got
        different += got != wanted
        state = "same" if got == wanted else f"table: {wanted}"
        print(f"{name:<24} {preset:<7}" + "".join(f"{number:>11}" for number in got)
              + f"  {state}", flush=True)
    if options.update:
        write_table(rows)
        return 0
    if different:
        print(f"{different} rows differ; if that is meant: tests/compiler/cycles.py --update")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
