"""Whether the RTL is legal SystemVerilog: slang, which shares nothing with Verilator, reads both tops at every
preset, the benches of the tests, the checker bound to the core of the example, and pico with its bench, by the letter
of IEEE 1800-2017.

    tests/python/in_environment BUILD tests/rtl/legal.py
"""

import os
import pathlib
import re
import sys

try:
    import pyslang
except ImportError:
    print("skipped: the environment has no pyslang; run scripts/python-environment")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOPS = ("tpu_core", "tpu_axi_top")


def presets():
    text = (ROOT / "rtl/presets.cmake").read_text()
    return {name: values.split() for name, values in re.findall(r"set\(TANDEM_PRESET_(\w+) (.*)\)", text)}


def files():
    """Packages first, each after those it names."""
    packages = {path.stem: path for path in (ROOT / "rtl/packages").glob("*.sv")}
    ordered = []

    def take(name):
        path = packages.pop(name)
        for other in re.findall(r"\b(\w+_pkg)::", path.read_text()):
            if other in packages:
                take(other)
        ordered.append(path)

    while packages:
        take(next(iter(packages)))
    modules = [path for path in sorted((ROOT / "rtl").rglob("*.sv")) if path not in ordered]
    return ordered + modules


def pico_files():
    """A core by itself: of the RTL, it uses the generated packages of the instruction set."""
    packages = [ROOT / f"rtl/packages/{name}.sv" for name in ("tpu_pkg", "tpu_eup_tables_pkg")]
    packages.append(ROOT / "pico/rtl/pico_pkg.sv")
    return packages + [path for path in sorted((ROOT / "pico/rtl").glob("*.sv")) if path not in packages]


def is_legal(sources, top, parameters):
    """Reports violations, as compilers do. Unconnected outputs are the only remaining warnings."""
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    words = ["slang", "--std", "1800-2017", "-Werror", "-Wno-unconnected-port", "--error-limit=0", "-j1", "--top", top]
    words += [f"-G{parameter}" for parameter in parameters] + [str(path.relative_to(ROOT)) for path in sources]
    return (driver.parseCommandLine(" ".join(words)) and driver.processOptions() and driver.parseAllSources()
            and driver.runFullCompilation(True))


def main():
    os.chdir(ROOT)
    tops = [(top, parameters, []) for top in TOPS for parameters in presets().values()]
    tops += [(bench.stem, [], [bench]) for bench in sorted((ROOT / "tests/rtl").glob("*_bench.sv"))]
    interface = [ROOT / f"cosim/c_interface/tandem_checker{name}.sv" for name in ("_pkg", "")]
    checked = interface + [ROOT / f"examples/foreign_core/systemverilog/tpu_core_{name}.sv" for name in ("checked", "bench")]
    tops += [("tpu_core_bench", [], checked)]
    tops = [(top, parameters, files() + more) for top, parameters, more in tops]
    bench = [ROOT / f"pico/bench/pico_{name}.sv" for name in ("checked", "bench")]
    tops += [("pico_core", [], pico_files()), ("pico_bench", [], pico_files() + interface + bench)]
    wrong = [" ".join([top, *parameters]) for top, parameters, sources in tops
             if not is_legal(sources, top, parameters)]
    print(f"{len(tops) - len(wrong)} of {len(tops)} are legal" + "".join(f"\nnot legal: {name}" for name in wrong))
    return 1 if wrong or len(tops) < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
