#!/usr/bin/env python3
"""Compiled programs on RTL, golden and cycle-exact model together, on every preset whose RTL is built.

  tests/compiler/lockstep.py [--build FOLDER] [--presets NAME...] [PROGRAM...]

The programs are those of tests/compiler/artifacts and some of tests/compiler/cycles, compiled for each
preset. Values, times, races and never-written data are all checked, as `tandem lockstep` does unless it is
told otherwise. nano and small must be there; a preset whose RTL library is not built is SKIPPED and says so.
Without any RTL the exit status is 77, which ctest takes for "skipped".
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import cycles

HERE = pathlib.Path(__file__).parent
PRESETS = {"nano": True, "small": True, "edge": False, "full": False}  # whether it must be there
LARGER = {"nano": ("softmax_256x128",), "small": ("softmax_64x256", "attention_2x128x64", "two_chains"), "edge": ("softmax_64x256", "eight_lines"),
          "full": ("softmax_64x256", "eight_lines")}
SHOWN = 3000  # characters of a complaint
COMPARED = re.compile(r"no difference in (\d+) events")


def programs(preset):
    """Names with their artifacts; inputs are beside the artifact or are generated."""
    for folder in sorted((HERE / "artifacts").iterdir()):
        yield folder.name, folder / "artifact.mlirbc", folder
    for name in LARGER.get(preset, ()):
        yield f"cycles/{name}", HERE / "cycles" / f"{name}.mlirbc", None


def given_inputs(text, folder, scratch):
    options = []
    for name, element, sizes, way in re.findall(r"\.tensor (\w+), (\w+), \[(.*)\], (\w+)", text):
        if way == "out":
            continue
        path = scratch / f"{name}.npy" if folder is None else folder / f"{name}.npy"
        if folder is None:
            cycles.write_npy(path, element, [int(size) for size in sizes.split(",") if size.strip()])
        options += ["--in", f"{name}={path}"]
    return options


def check(build, preset, artifact, folder, *more):
    """None, or all errors; and how many events were compared."""
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        program = scratch / "program.elf"
        cycles.output([build / "tandem-compile", artifact, "-o", program, "--preset", preset])
        text = cycles.output([build / "tandem", "dis", program])
        ran = subprocess.run([str(part) for part in (build / "tandem", "lockstep", program,
                                                     *given_inputs(text, folder, scratch), *more)],
                             capture_output=True, text=True, check=False)
    told = ran.stdout + ran.stderr
    compared = COMPARED.search(told)
    if ran.returncode != 0 or compared is None or int(compared[1]) == 0:
        return told.strip() or f"exit status {ran.returncode}", 0
    return None, int(compared[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build")
    parser.add_argument("--presets", nargs="*", default=list(PRESETS))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    built = {preset for preset in PRESETS
             if (options.build / "lib" / f"libtandem_rtl_{preset}.so").is_file()}
    if not built:
        print("SKIPPED: no RTL is built (it needs Verilator)")
        return 77
    failed = 0
    for preset in options.presets:
        if preset not in built:
            wrong = PRESETS[preset]
            print(f"{'FAIL' if wrong else 'SKIPPED'} {preset}: lib/libtandem_rtl_{preset}.so is not built "
                  f"(cmake -DTANDEM_PRESETS=\"nano;small;{preset}\")")
            failed += wrong
            continue
        # A fault in the RTL's results must be seen, or "ok" means nothing.
        name, artifact, folder = next(programs(preset))
        complaint, _ = check(options.build, preset, artifact, folder, "--plant", "write.data@20")
        if complaint is None or "MISMATCH" not in complaint:
            failed += 1
            print(f"FAIL  {preset} {name}: a planted fault went unseen: {(complaint or '')[-SHOWN:]}")
        for name, artifact, folder in programs(preset):
            if options.names and name not in options.names:
                continue
            complaint, events = check(options.build, preset, artifact, folder)
            failed += complaint is not None
            print(f"{'ok   ' if complaint is None else 'FAIL '} {preset:<6} {name:<28} "
                  f"{complaint[-SHOWN:] if complaint else f'{events} events'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
