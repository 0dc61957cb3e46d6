#!/usr/bin/env python3
"""No input of a megabyte takes more than five seconds of processor time or a gigabyte of memory.

usage: tests/cli/large_inputs.py --tandem build/tandem [-k NAME] [--keep FOLDER]

Writes inputs of a megabyte each that repeat expensive constructs: nesting, names, blocks, loops, values that live at
once, headers that promise much. Each must end by itself with exit status 0 to 2; its output is not checked.
"""
import argparse
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile

SIZE = 1_000_000  # bytes
SECONDS = 5.0  # of processor time
MEMORY = 1 << 30  # bytes
HEAD = b"        .target nano\n        .text\n        .global start\n        .entry start\n"
LINEAR = HEAD + b"        .linear start\n"


def filled(line, head=b"", tail=b""):
    """The line, in which # is its number, as often as a megabyte holds it."""
    out = bytearray(head)
    number = 0
    while len(out) + len(tail) < SIZE:
        out += line.replace(b"#", b"%d" % number)
        number += 1
    return bytes(out) + tail


def loops():
    body = (b"        %i# = mov 0\nagain#:  %x# = vld [%i# + 8]\n        %y# = vmul.f32 %x#, %x#\n        vst [%i# + 64], %y#\n"
            b"        %i# = add %i#, 8\n        %p# = lt.s32 %i#, 64\n        @%p# br again#\n")
    return filled(body, LINEAR, b"        halt\n        .endlinear\n")


def pressure():
    """More values than a file holds, and no frame."""
    return filled(b"        %v# = vlane\n", LINEAR, b"        vst [0], %v0\n        halt\n        .endlinear\n")


def chain():
    return filled(b"        %x = vadd.f32 %x, %x\n        vst [8], %x\n", LINEAR + b"        %x = vlane\n",
                  b"        halt\n        .endlinear\n")


def elf(sections, size):
    """A header that promises so many sections of that size."""
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 0xf7a0, 1, 0, 64, 64, 0, 64, 56, 1, 64,
                                                             sections, 1)
    body = struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, 64, size, 0, 0, 1, 0)
    return (header + body * (SIZE // len(body)))[:SIZE]


def npy(shape):
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x02\x00" + struct.pack("<I", len(text) + 1) + text + b"\n"


NOISE = random.Random(1)
TEXTS = {
    "noise.s": NOISE.randbytes(SIZE),
    "braces.s": HEAD + b"{" * SIZE,
    "question.s": HEAD + b" s1 = mov " + b"1 ? 2 : " * (SIZE // 8) + b"3\n",
    "parentheses.s": HEAD + b" s1 = mov " + b"(" * SIZE,
    "sum.s": HEAD + b" s1 = mov 1" + b"+1" * (SIZE // 2) + b"\n",
    "comment.s": HEAD + b" s1 = # " + b"0" * SIZE + b"\n",
    "labels.s": filled(b"l#:\n", HEAD),
    "undefined.s": filled(b" .global u#\n", HEAD),
    "names.s": filled(b" .equ n#, n# + 1\n", HEAD),
    "equ_chain.s": filled(b" .equ n#, n1# + 1\n", HEAD),
    "macros.s": filled(b".macro m#\n.endm\n m#\n", HEAD),
    "macro_open.s": filled(b".macro m#\n", HEAD),
    "rept_nested.s": filled(b".rept 9\n", HEAD),
    "rept.s": HEAD + b".rept 1000000000\n s1 = mov 1\n.endr\n",
    "if_nested.s": filled(b".if 1\n", HEAD),
    "space.s": HEAD + b" .data\n .space 1 << 60\n",
    "word.s": filled(b" .u32 0\n", HEAD + b" .data\n"),
    "strings.s": filled(b' .ascii "\\n"\n', HEAD + b" .data\n"),
    "bundles.s": filled(b" { sa: s4 = add s4, 1 ; sb: s5 = add s5, 1 }\n", HEAD + b"start:\n"),
    "branches.s": filled(b" @p1 br start\n", HEAD + b"start:\n"),
    "self_include.s": filled(b' .include "self_include.s"\n'),
    "linear_blocks.s": filled(b" .linear b#\n s4 = mov 1\n ret s1\n .endlinear\n", HEAD),
    "linear_open.s": filled(b" .linear b#\n", HEAD),
    "linear_loops.s": loops(),
    "linear_pressure.s": pressure(),
    "linear_chain.s": chain(),
    "linear_branches.s": filled(b" @%p br out\n %p = lt.s32 s4, #\n", LINEAR + b" %p = lt.s32 s4, 3\n",
                                b"out:    halt\n .endlinear\n"),
}
OTHERS = {
    "noise.elf": (["dis"], b"\x7fELF" + NOISE.randbytes(SIZE)),
    "sections.elf": (["dis"], elf(0xfff0, 1 << 60)),
    "long_section.elf": (["run", "--on", "golden"], elf(4, SIZE)),
    "noise.npy": (["npy", "show"], NOISE.randbytes(SIZE)),
    "shape.npy": (["npy", "show"], npy("(1099511627776, 1099511627776,)")),
    "many.npy": (["npy", "show"], npy("(" + "1, " * (SIZE // 3) + ")")),
    "noise.toml": (["regress"], NOISE.randbytes(SIZE)),
    "nested.toml": (["regress"], b"a = " + b"[" * SIZE),
    "noise.trace": (["diff"], NOISE.randbytes(SIZE)),
    "noise.mlirbc": (["compile"], b"ML\xefR" + NOISE.randbytes(SIZE)),
    "nested.mlir": (["compile"], b"module " + b"{" * SIZE),
}


def cases():
    for name, text in TEXTS.items():
        yield name, ["asm"], text
    for name, (command, data) in OTHERS.items():
        yield name, command, data


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def measured(command, folder):
    """Exit status, seconds of processor time, bytes of memory at most."""
    with open(os.devnull, "wb") as nowhere:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=nowhere, stderr=nowhere,
                                 preexec_fn=limits)
        _, status, usage = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tandem", type=pathlib.Path, default=pathlib.Path("build/tandem"))
    parser.add_argument("-k", default="", help="only inputs with this in their name")
    options = parser.parse_args()
    tandem = options.tandem.resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, command, data in cases():
            if options.k not in name:
                continue
            if command == ["compile"] and not (tandem.parent / "tandem-compile").exists():
                continue
            (pathlib.Path(folder) / name).write_bytes(data)
            inputs = [name, name] if command == ["diff"] else [name]
            output = ["-o", "out"] if command[0] in ("asm", "compile") else []
            status, seconds, memory = measured([tandem, *command, *inputs, *output], folder)
            good = status in (0, 1, 2) and seconds <= SECONDS and memory <= MEMORY
            failed += not good
            print(f"{'ok    ' if good else 'FAILED'} {name:20} status {status:3} {seconds:6.2f} s {memory >> 20:5} MB",
                  flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
