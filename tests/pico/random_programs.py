"""Random programs (`tandem random`) on pico behind the checker, from a random state before its reset and with memories
of different latencies; and whether the checker sees a fault that is planted in pico: each of FAULTS must be found by one
of the programs.

    python3 tests/pico/random_programs.py BUILD [--count N] [--first SEED] [--faults]
"""

import argparse
import pathlib
import subprocess
import sys

import bench

# A sed script and the file of pico/rtl/ that it changes.
FAULTS = [
    ("s/ || normal_q.magnitude\\[40\\]//", "pico_round.sv"),                       # ties to even
    ("s/sum == 28'd0 && differ6_q ? 1'b0 : sign6_q/sign6_q/", "pico_alu.sv"),      # the sign of x - x
    ("s/row_q <= bits_i\\[29:27\\] &&/row_q < bits_i[29:27] \\&\\&/", "pico_rows.sv"),  # a row of a load too few
    ("s/i <= 32'(level_q)/i < 32'(level_q)/", "pico_copy.sv"),                     # where a dimension of a copy is
    ("s/(pregs_i\\[bits_i\\[10:8\\]\\] ^ bits_i\\[11\\])/pregs_i[bits_i[10:8]]/", "pico_operands.sv"),  # @!p
]


def outcome(build, executable, seed):
    elf = build / "pico_tests/random.elf"
    subprocess.run([build / "tandem", "random", "--preset", "nano", "--seed", str(seed), "--knob", "start_copies=0", "-o",
                    elf], check=True)
    return bench.run(executable, elf, "+uninitialised", "+hbm=8192", f"+latency={1 + seed % 4}",
                     "+verilator+rand+reset+2", f"+verilator+seed+{seed}")


def look_for_faults(build, seeds):
    missed = []
    for fault in FAULTS:
        executable = bench.make(build, *fault)
        if all(outcome(build, executable, seed)[0] for seed in seeds):
            missed.append(fault)
    print(f"{len(FAULTS) - len(missed)} of {len(FAULTS)} faults are found", *missed, sep="\n")
    return 1 if missed else 0


def main():
    options = argparse.ArgumentParser()
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--count", type=int, default=20)
    options.add_argument("--first", type=int, default=1)
    options.add_argument("--faults", action="store_true")
    options = options.parse_args()
    build = options.build.resolve()
    seeds = range(options.first, options.first + options.count)
    if options.faults:
        return look_for_faults(build, seeds)
    executable = bench.make(build)
    wrong, cycles = [], 0
    for seed in seeds:
        content, said, some = outcome(build, executable, seed)
        cycles += some
        if not content:
            wrong.append((f"seed {seed}", said))
    bench.report(wrong, len(seeds), cycles)
    return 0


if __name__ == "__main__":
    sys.exit(main())
