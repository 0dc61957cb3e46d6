"""Generic gates, flip-flops, memory bits and logic depth of the RTL's modules, by Yosys, one module after the other.

The result for a module is kept in the work folder under its name, parameters and sources, so that a stopped run can
continue, and machines share equal modules.
"""
import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLIP_FLOP = re.compile(r"\$_(DFF|DFFE|SDFF|SDFFE|SDFFCE|ALDFF|DLATCH)_")
# Of a core, and of the matrix unit's array alone.
TOP = "tpu_core"
ARRAY = "tpu_mxu_array"
Machine = collections.namedtuple("Machine", "lanes rows words bundles")

# The EUP's coefficient tables are word selections out of long constants; mapped to multiplexers bit by bit they exhaust
# memory, so they become lookups that stay unmapped.
TABLE_LOOKUP = r"""
(* techmap_celltype = "$shiftx" *)
module table_lookup (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CONSTMSK_B_ = 0;
  parameter _TECHMAP_CONSTVAL_B_ = 0;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam S = A_WIDTH > 4096 ? 8 : 7;
  wire _TECHMAP_FAIL_ = A_WIDTH < 2048 || Y_WIDTH != 32 || B_WIDTH < S + 5 ||
      (_TECHMAP_CONSTMSK_B_ & 31) != 31 || (_TECHMAP_CONSTVAL_B_ & 31) != 0;
  \$bmux #(.WIDTH(32), .S_WIDTH(S)) select (
    .A({{((32 << S) - A_WIDTH){1'b0}}, A}), .S(B[S+4:5]), .Y(Y));
endmodule
"""


class SynthesisError(RuntimeError):
    """Yosys failed; the text says where."""


def qualified(package):
    """Debian's Yosys looks for names of an enumeration in the module that calls a function of the package: they get the
    package's name as a prefix."""
    text = package.read_text()
    names = set()
    for body in re.findall(r"enum[^{]*\{([^}]*)\}", text):
        names |= set(re.findall(r"\b([A-Z][A-Z0-9_]*)\b(?=\s*(?:=|,|$|\n))", body))
    if not names:
        return text
    found = re.compile(rf"(?<![:\w'])({'|'.join(sorted(names, key=len, reverse=True))})\b")
    return re.sub(r"function automatic.*?endfunction",
                  lambda function: found.sub(rf"{package.stem}::\1", function[0]), text, flags=re.S)


def ordered_packages():
    """Each after those it names."""
    waiting = sorted((ROOT / "rtl/packages").glob("*.sv"))
    ordered = []
    while waiting:
        for file in waiting:
            others = {other.stem for other in waiting} - {file.stem}
            if not any(f"{other}::" in file.read_text() for other in others):
                break
        waiting.remove(file)
        ordered.append(file)
    return ordered


def unit_of(module):
    """`tpu_valu` from the name that Yosys gives to one with its parameters."""
    return next((part for part in module.split("\\") if part.startswith("tpu_")), module)


class Synthesis:
    def __init__(self, folder, memory_mib):
        self.folder = folder
        self.memory_kib = memory_mib * 1024
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table_lookup.v").write_text(TABLE_LOOKUP)
        self.sources = []
        for package in ordered_packages():
            copy = folder / package.name
            copy.write_text(qualified(package))
            self.sources.append(copy)
        self.sources += [file for file in sorted((ROOT / "rtl").rglob("*.sv")) if file.parent.name != "packages"]
        digest = hashlib.sha256(b"".join(file.read_bytes() for file in self.sources))
        self.version = digest.hexdigest()[:12]

    def yosys(self, script, name):
        file = self.folder / f"{name}-{os.getpid()}.ys"
        file.write_text(script)
        run = subprocess.run(["sh", "-c", 'ulimit -v "$1"; exec yosys -q -s "$2"', "sh", str(self.memory_kib), str(file)],
                             capture_output=True, text=True, check=False)
        file.unlink()
        if run.returncode != 0:
            raise SynthesisError(f"{run.stderr[-1000:].strip()}\nYosys failed on {name} ({run.returncode})")

    def stub(self, file):
        """The module's ports alone: Yosys does not elaborate what is left out."""
        head = file.read_text().split("\n);", 1)[0]
        stub = self.folder / f"{file.stem}-ports.sv"
        stub.write_text(f"{head.replace('module tpu_', '(* blackbox *) module tpu_', 1)}\n);\nendmodule\n")
        return stub

    def shape(self, top, parameters, without=()):
        """The design below a top module, not synthesised yet: a file, and {module: {module inside: instances}}."""
        chosen = "-".join([str(value) for value in parameters.values()] + [f"no-{unit}" for unit in without])
        file = self.folder / f"shape-{self.version}-{top}-{chosen}.il"
        if not file.exists():
            sources = [self.stub(source) if source.stem in without else source for source in self.sources]
            setting = " ".join(f"-set {name} {value}" for name, value in parameters.items())
            # Vector ALU slices of one element: Yosys needs time quadratic in the size of one block.
            self.yosys(f"""
                read_verilog -sv -defer {" ".join(str(source) for source in sources)}
                chparam -set SLICE 1 tpu_valu
                chparam {setting} {top}
                hierarchy -check -top {top}
                write_rtlil {file}
            """, file.stem)
        inside = {}
        for line in file.open():
            words = line.split()
            if line.startswith("module "):
                cells = inside.setdefault(words[1], collections.Counter())
            elif line.startswith("  cell "):
                cells[words[1]] += 1
        return file, {module: {cell: count for cell, count in cells.items() if cell in inside}
                      for module, cells in inside.items()}

    def module(self, shape, module):
        """{"gates", "flip_flops", "memory_bits", "depth"} of a module without those inside."""
        unit = unit_of(module)
        of_top = shape.stem if not module.startswith("$paramod") and unit in (TOP, ARRAY) else ""
        key = hashlib.sha256(f"{self.version} {module} {of_top}".encode()).hexdigest()[:12]
        kept = self.folder / f"{unit}-{key}.json"
        if kept.exists():
            return json.loads(kept.read_text())
        work = self.folder / f"{unit}-{key}-{os.getpid()}"  # two runs may share a folder
        lookups = f"techmap -map {self.folder}/table_lookup.v\nmemory_bmux2rom\nmemory_collect" if unit == "tpu_eup" else ""
        self.yosys(f"""
            read_rtlil {shape}
            setattr -mod -set blackbox 1 *
            setattr -mod -unset blackbox ={module}
            select {module}
            proc
            opt -fast
            memory -nomap
            opt -fast
            write_rtlil -selected {work}.il
            {lookups}
            wreduce
            opt_clean
            techmap
            opt_expr
            opt_clean
            tee -q -o {work}.stat stat
            delete t:tpu_* t:$paramod*
            tee -q -o {work}.ltp ltp -noff
        """, work.name)
        result = self.read(work)
        kept.write_text(json.dumps(result))
        return result

    @staticmethod
    def read(work):
        """The output of Yosys; its files are removed."""
        files = {ending: work.with_name(f"{work.name}.{ending}") for ending in ("il", "stat", "ltp")}
        flops = gates = bits = size = 0
        for line in files["stat"].read_text().splitlines():
            if match := re.match(r" {5}(\S+) +(\d+)$", line):
                if FLIP_FLOP.match(match[1]):
                    flops += int(match[2])
                elif match[1].startswith("$_"):
                    gates += int(match[2])
        for line in files["il"].open():
            words = line.split()
            if len(words) == 3 and words[:2] == ["parameter", "\\SIZE"]:
                size = int(words[2])
            elif len(words) == 3 and words[:2] == ["parameter", "\\WIDTH"] and size:
                bits += size * int(words[2])
                size = 0
        depth = re.search(r"length=(\d+)", files["ltp"].read_text())
        for file in files.values():
            file.unlink()
        return {"gates": gates, "flip_flops": flops, "memory_bits": bits, "depth": int(depth[1]) if depth else 0}

    def machine(self, machine, without=(), progress=lambda _: None):
        """{module: {"instances", "gates", "flip_flops", "memory_bits", "depth"}}, instances together."""
        shape, inside = self.shape(TOP, {"LANES": machine.lanes, "VMEM_ROWS": machine.rows,
                                         "SMEM_WORDS": machine.words, "ICACHE_BUNDLES": machine.bundles}, without)
        instances = collections.Counter()

        def count(module, times):
            instances[module] += times
            for cell, number in inside[module].items():
                count(cell, times * number)

        count(f"\\{TOP}", 1)
        return self.sums(shape, {module: times for module, times in instances.items() if unit_of(module) not in without},
                         progress)

    def sums(self, shape, instances, progress):
        units = {}
        for module, times in instances.items():
            progress(unit_of(module))
            one = self.module(shape, module)
            row = units.setdefault(unit_of(module), {"instances": 0, "gates": 0, "flip_flops": 0, "memory_bits": 0, "depth": 0})
            row["instances"] += times
            row["depth"] = max(row["depth"], one["depth"])
            for quantity in ("gates", "flip_flops", "memory_bits"):
                row[quantity] += times * one[quantity]
        return units

    def array(self, lanes):
        """The matrix unit's array alone, which may have lanes that no machine has."""
        shape, inside = self.shape(ARRAY, {"LANES": lanes})
        return self.sums(shape, {module: 1 for module in inside}, lambda _: None)
