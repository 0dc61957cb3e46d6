#!/usr/bin/env python3
"""The memory that compiled programs plan, as `tandem-compile --emit=memory` reports it: no two buffers at one place at
one time, nothing outside of what the binary reserves, and the drawing shows them all.

    tests/compiler/memory_map.py [--build FOLDER]
"""

import argparse
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEMORY = re.compile(r"^(\S.*): (\d+) words used(?: of (\d+))?, (\d+) buffers$")
BUFFER = re.compile(r"^ +(\d+) \.\. +(\d+)  steps +(\d+) to +(\d+)  (.*)$")
PRESETS = {"nano": 8, "small": 16, "full": 128}  # lanes


def emitted(build, artifact, preset, what):
    done = subprocess.run([build / "tandem-compile", artifact, "--preset", preset, f"--emit={what}", "-o", "-"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{artifact.name} on {preset}, --emit={what}: {done.stderr}")
    return done.stdout


def memories(text):
    found = []
    for line in text.splitlines():
        if match := MEMORY.match(line):
            found.append((match[1], int(match[2]), int(match[3] or 0), int(match[4]), []))
        elif match := BUFFER.match(line):
            found[-1][4].append(tuple(int(match[i]) for i in range(1, 5)))
        else:
            sys.exit(f"what is this line? {line}")
    return found


def complaints(name, text, assembly, drawing, lanes):
    reserved = {"VMEM": lanes * int(re.search(r"tiles:\n +\.space (\d+)", assembly)[1]),
                "HBM (temporaries)": int(re.search(r"temporaries:\n +\.space (\d+)", assembly)[1]) // 4}
    count = 0
    for memory, used, capacity, stated, buffers in memories(text):
        count += len(buffers)
        if len(buffers) != stated:
            yield f"{name}: {memory} says {stated} buffers and lists {len(buffers)}"
        if capacity and used > capacity:
            yield f"{name}: {memory} uses {used} of {capacity} words"
        if used != reserved[memory] and not (used == 0 and reserved[memory] <= 1):
            yield f"{name}: {memory} plans {used} words, the binary reserves {reserved[memory]}"
        for i, (first, last, begin, end) in enumerate(buffers):
            if last >= used or begin > end:
                yield f"{name}: {memory} has a buffer at {first} .. {last} of {used} words"
            for other_first, other_last, other_begin, other_end in buffers[i + 1:]:
                if other_first > last:
                    break
                if other_begin <= end and begin <= other_end and first <= other_last:
                    yield (f"{name}: {memory}: {first} .. {last} in steps {begin} to {end} meets "
                           f"{other_first} .. {other_last} in {other_begin} to {other_end}")
    shown = len(xml.etree.ElementTree.fromstring(drawing).findall("{http://www.w3.org/2000/svg}rect"))
    if shown != count:
        yield f"{name}: {count} buffers, the drawing has {shown}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    build = parser.parse_args().build.resolve()
    found = []
    for artifact in sorted((ROOT / "tests/compiler/cycles").glob("*.mlirbc")):
        for preset, lanes in PRESETS.items():
            if preset == "nano" and artifact.stem not in ("eight_lines", "softmax_64x256"):
                continue
            texts = [emitted(build, artifact, preset, what) for what in ("memory", "asm", "memory.svg")]
            found += complaints(f"{artifact.stem} on {preset}", *texts, lanes)
    print("\n".join(found) or "every plan holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
