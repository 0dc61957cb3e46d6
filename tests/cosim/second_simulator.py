"""The RTL of nano as another library than Verilator's simulates it, beside golden and the cycle-exact model: directed
programs end as they end by Verilator, random ones without a difference, and faults are found.

    python3 tests/cosim/second_simulator.py BUILD [--netlist] [--nightly]

The library is that of CXXRTL, which shares no code with Verilator (cmake/TandemCxxrtl.cmake), or with --netlist the one
in which Yosys' gates take the place of units (cmake/TandemNetlist.cmake); where it is not built, the test is skipped. A
few programs at each commit; nightly all directed ones and random machines, 40, or 400 of gates, which are faster.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1]).resolve()
NIGHTLY = "--nightly" in sys.argv
NETLIST = "--netlist" in sys.argv
TARGET = "tandem_netlist" if NETLIST else "tandem_second_simulator"
LIBRARIES = BUILD / ("netlist/lib" if NETLIST else "second_simulator")
LIMIT = 20_000  # cycles: no directed program but the endless one is longer at nano
RANDOM = ["--knob", "bundles=100", "--preset", "nano"]
PROGRAM = ["tests/programs/scalar/add.s", "--preset", "nano", "--threads", "1"]
# Registers of each unit, which CXXRTL's machine is made to forget: a fault of the simulator, not of the RTL.
HELD = ("issue.seq_q", "scalar.sregs_q", "vector.mregs.mregs_q", "vector.mxu.array.p_q", "vector.eup.x_q",
        "vector.xlu.x_q", "vector.store.todo_q", "flags.flags_q", "dma.in_mover.put_q", "fetch.pc_q",
        "counters.cycles_q", "issue.scoreboard.v_vector_q")


def lockstep(*words, ours=True, **more):
    """Exit status, standard output, standard error; of our library, or of Verilator's."""
    environment = dict(os.environ, **more)
    if ours:
        environment["TANDEM_RTL_PATH"] = str(LIBRARIES)
    done = subprocess.run([BUILD / "tandem", "lockstep", *words], cwd=ROOT, env=environment,
                          capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def ending(program, ours):
    """How a run ended, without the host's time; and its cycles."""
    status, out, err = lockstep(str(program), "--preset", "nano", "--threads", "1", "--limit", str(LIMIT), "--json",
                                ours=ours)
    if not out.startswith("{"):
        return {"status": status, "error": err}, 0
    result = json.loads(out)
    kept = {name: result.get(name) for name in ("outcome", "bundles", "cycles", "trap", "finding", "counters")}
    return kept, result.get("cycles", 0)


def check_directed():
    programs = sorted((ROOT / "tests/programs").rglob("*.s"))
    if not NIGHTLY:
        programs = programs[::len(programs) // 5]
    cycles = 0
    for program in programs:
        wanted, _ = ending(program, ours=False)
        got, count = ending(program, ours=True)
        cycles += count
        if wanted != got:
            print(f"{program.relative_to(ROOT)}: {got}\nby Verilator: {wanted}")
            return None
    print(f"{len(programs)} directed programs, {cycles} cycles")
    return cycles


def check_random():
    machines = ("400" if NETLIST else "40") if NIGHTLY else "1"
    status, out, err = lockstep("--random", machines, "--seed", "53", *RANDOM, "--json")
    if status != 0:
        print(f"random programs: {err}")
        return None
    result = json.loads(out)
    print(f"random programs: {result}")
    return result.get("cycles", 0)


def check_plant():
    """A change behind the machine's back is found, too."""
    status, _, err = lockstep(*PROGRAM, "--plant", "write.data@4")
    if status != 1 or "MISMATCH in write.data" not in err:
        print(f"a planted fault is not found: {err}")
        return None
    return 0


def check_held():
    """A machine that forgets a register differs."""
    if NETLIST:
        return 0
    words = ("--random", "1", "--seed", "53", *RANDOM) if NIGHTLY else PROGRAM
    for name in HELD if NIGHTLY else ("scalar.sregs_q",):
        status, _, err = lockstep(*words, TANDEM_CXXRTL_HOLDS=name)
        if status != 1:
            print(f"{name} does not change, and nothing is found: {status} {err}")
            return None
    return 0


def check_library():
    """That it is not Verilator's library of the sources: that one refuses a snapshot of this one."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(pathlib.Path(folder) / "snapshot")
        lockstep(*PROGRAM, "--snapshot", file, "--snapshot-at", "20")
        if lockstep(*PROGRAM, "--restore", file)[0] != 0:
            print("a snapshot is not taken back")
            return None
        status, _, err = lockstep(*PROGRAM, "--restore", file, ours=False)
        if status != 2 or "RTL" not in err:
            print(f"this is no other library: {err}")
            return None
    return 0


def main():
    if not (LIBRARIES / "libtandem_rtl_nano.so").exists():
        print(f"skipped: not built: scripts/setup --group simulator --target {TARGET}")
        return 77
    begin = time.monotonic()
    counts = [check() for check in (check_library, check_plant, check_held, check_directed, check_random)]
    if None in counts:
        return 1
    print(f"{sum(counts) / (time.monotonic() - begin):.0f} cycles/s, with Verilator's runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
