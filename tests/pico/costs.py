"""The cycles of instructions on pico, alone in their bundle: those of a program with one more bundle, less those without.
Prints the table of docs/pico.md; ends with status 1 if the page has another.

    python3 tests/pico/costs.py BUILD
"""

import pathlib
import subprocess
import sys

import bench

# What, and an instruction of it. 16 words at SMEM 16 describe a copy of 64 words within VMEM.
ROWS = [
    ("nothing: an empty bundle", "{ }"),
    ("scalar ALU, `csr`, `sld`", "s4 = add s5, s6"),
    ("a taken branch", "br next"),
    ("`sst`", "sst [100], s5"),
    ("vector ALU to a vector", "v1 = vmul.f32 v2, v3"),
    ("vector ALU to a mask", "m1 = vlt.f32 v2, v3"),
    ("load", "v1 = vld [0]"),
    ("store", "vst [0], v2"),
    ("`mxpush`", "mxpush 0, v2.lo"),
    ("`mxmul`", "mxmul.bf16 a0, v2.lo"),
    ("`mxmul` with `swap`", "mxmul.bf16 a0, v2.lo, swap"),
    ("`mxread`", "v1 = mxread a0"),
    ("`lrot`, `lperm`, `transpose`", "v1 = lrot v2, 1"),
    ("`lsum`, `lmax`, `smax` and so on", "v1 = lsum.f32 v2"),
    ("`ssum.f32`", "v1 = ssum.f32 v2"),
    ("`largmax`, `sargmax`", "v1 = largmax.f32 v2"),
    ("`exp2`, `rcp`, `rsqrt`", "v1 = exp2 v2"),
    ("`log2`, `tanh`", "v1 = tanh v2"),
    ("a copy of 64 words within VMEM", "copy [16], s0, s0"),
]
DESCRIPTOR = (0x500, 1, 0, 0, 4096, 0, 256, 1, 0, 0, 1, 0, 0, 1, 0, 0)


def cycles(tandem, executable, folder, bundle):
    """Of the program that prepares everything, and executes a bundle, if there is one."""
    source, elf = folder / "costs.s", folder / "costs.elf"
    words = "".join(f"ssti [{16 + number}], {word}\n" for number, word in enumerate(DESCRIPTOR))
    source.write_text(f"{words}v2 = vmov 0.5\nv3 = vmov 2.0\nvst [0], v2\nmxpush 0, v2.lo\nmxmul.bf16 a0, v2.lo, swap\n"
                      f"{bundle}\nnext: halt\n")
    subprocess.run([tandem, "asm", "-W", "none", "--schedule", "none", "--preset", "nano", source, "-o", elf], check=True)
    content, said, number = bench.run(executable, elf, "+uninitialised")
    if not content:
        sys.exit(said)
    return number


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    executable = bench.make(build)
    without = cycles(build / "tandem", executable, build / "pico_tests", "")
    page = (bench.ROOT / "docs/pico.md").read_text()
    wrong = 0
    for what, bundle in ROWS:
        row = f"| {what} | {cycles(build / 'tandem', executable, build / 'pico', bundle) - without:,} |"
        print(row)
        wrong += row not in page
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
