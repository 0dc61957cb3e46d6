#!/usr/bin/env python3
"""The RTL as C++ by Yosys' CXXRTL, elaborated by slang: nothing of it is Verilator's.

    VENV/bin/python generate.py --top tpu_core --parameter LANES=8 ... --out FOLDER SOURCE...

Writes into FOLDER design.hpp (the class), part_00.cpp ... (its evaluation, in pieces that a compiler can take; as many
as PARTS says), members.hpp (ports, registers and memories by their names), and yosys.log. FOLDER is reused.

One evaluation of all that follows from registers and inputs takes a cycle: what the clock moves is apart, and finds
the values of that evaluation. So wires are members of the class, and no function needs another's.
"""

import argparse
import hashlib
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import yosys  # noqa: E402

PARTS = 32
PIECE = 100  # statements of a function: a compiler's time grows faster than its length
LONG = 16  # operands of a concatenation, above which it is cut: clang needs minutes for a thousand

# What slang leaves that CXXRTL does not know ($buf, $bwmux); words that depend on themselves only bit by bit, which
# would take a second evaluation; names of registers alone are kept.
SPLIT = ("fire", "issue.fire_o", "vector.xlu.n_i")
COMMANDS = """read_slang -j 1 --top {top} {parameters} {sources}
chformal -remove
opt_expr -keepdc
opt_clean
bwmuxmap
opt_clean
splitnets {split}
opt_clean
rename -hide w:* w:*_q %d
write_cxxrtl -O2 -g0 -header core.cc
"""


def run_yosys(options, digest):
    """Minutes: what it wrote is kept."""
    commands = COMMANDS.format(top=options.top, sources=" ".join(options.sources),
                               parameters=" ".join(f"-G{one}" for one in options.parameter),
                               split=" ".join(f"w:{name}" for name in SPLIT))
    done = options.out / "yosys.done"
    key = f"{digest} {commands}"
    if done.exists() and done.read_text() == key:
        return
    done.unlink(missing_ok=True)
    text = yosys.run(options.out, commands, "generate")
    if "contains feedback arcs" in text:
        sys.exit("generate: one evaluation does not suffice: see 'feedback arcs' in yosys.log, and SPLIT")
    buffered = re.search(r"contains buffered combinatorial wires:\n((?:  .*\n)*)", text)
    if buffered and not all(name.endswith("_o") and "." not in name for name in buffered[1].split()):
        sys.exit("generate: more than outputs are a cycle late: see 'buffered' in yosys.log")
    if "End of script." not in text:
        sys.exit("generate: yosys.log is not complete")
    done.write_text(key)


def undecorated(name):
    """CXXRTL's name of a thing as it is in the source: p_a_2e_b__q is a.b_q."""
    return re.sub(r"_([0-9a-f]*)_", lambda m: chr(int(m[1], 16)) if m[1] else "_", name)


def balanced(items):
    """One concatenation of many operands as one of concatenations."""
    if len(items) == 1:
        return items[0]
    if len(items) <= LONG:
        return "(" + items[0] + "".join(f".concat({item})" for item in items[1:]) + ").val()"
    return balanced([balanced(items[i:i + LONG]) for i in range(0, len(items), LONG)])


OPERAND = r"\w+(?:\.curr)?(?:\.slice<[\d,]+>\(\))?"
CONCATENATION = re.compile(rf"({OPERAND})((?:\.concat\({OPERAND}\)){{{LONG},}})(?:\.val\(\))?")
ASSIGNED = re.compile(rf"^\t({OPERAND})((?:\.concat\({OPERAND}\)){{{LONG},}}) = (.*);$")
ITEM = re.compile(rf"\.concat\(({OPERAND})\)")


class Design:
    def __init__(self, header, source):
        self.header = header
        begin = source.index("::eval(performer *performer) {")
        self.name = re.search(r"bool (\w+)::eval\(performer", source)[1]
        body_begin = source.index("\n", begin) + 1
        body_end = source.index("\n}\n", body_begin)
        before = source[source.index("namespace cxxrtl_design"):source.rindex("\n", 0, begin) + 1]
        self.before = re.sub(r"\n\t*//[^\n]*", "", before)  # paths of this folder
        self.wires, self.widths, statements = {}, {}, []
        for match in re.finditer(r"\b(?:value|wire)<(\d+)> (\w+)", header):
            self.widths[match[2]] = int(match[1])
        for line in source[body_begin:body_end].split("\n"):
            match = re.match(r"\tvalue<(\d+)> (\w+);$", line)
            if match:
                self.wires[match[2]] = self.widths[match[2]] = int(match[1])
            elif not line.lstrip().startswith("//"):
                statements.append(line)
        self.settled, self.clocked = self.sort(statements)
        self.settle_outputs()

    @staticmethod
    def sort(lines):
        """Statements that follow from registers and inputs, in their order, and those of the edge."""
        settled, clocked, block = [], [], []
        depth = 0
        for line in lines:
            if re.match(r"\t(bool (converged|posedge_\w+) =|return converged;)", line):
                continue
            block.append(line)
            depth += line.count("{") - line.count("}")
            more = line.startswith(("\tauto tmp_", "\tCXXRTL_ASSERT("))  # the next statement uses it
            if depth == 0 and not more:
                at_edge = block[0].startswith("\tif (posedge_p_clk__i) {")
                (clocked if at_edge else settled).append(block)
                block = []
        if block or any("posedge" in line for block in settled for line in block):
            sys.exit("generate: a statement that is no whole one")
        return settled, clocked

    def settle_outputs(self):
        """An output that the core reads too has its value at once, not at the next edge: CXXRTL would evaluate again."""
        made = {}
        for number, block in enumerate(self.settled):
            for line in block:
                match = re.match(r"\t(\w+)\.next = ", line)
                if match:
                    made[match[1]] = number
        for number, block in enumerate(self.settled):
            for name in set(re.findall(r"\b(\w+)\.curr\b", " ".join(block))) & made.keys():
                if number <= made[name]:
                    sys.exit(f"generate: {name} is read before it is known")
        for name in {name for block in self.settled + self.clocked
                     for name in re.findall(r"\b(\w+)\.curr\b", " ".join(block))} & made.keys():
            self.settled[made[name]].append(f"\t{name}.curr = {name}.next;")

    # ---- long concatenations

    def width(self, operand):
        match = re.match(r"(\w+)(?:\.curr)?(?:\.slice<(\d+)(?:,(\d+))?>\(\))?$", operand)
        if match[2] is None:
            return self.widths[match[1]]
        return int(match[2]) - int(match[3]) + 1 if match[3] else 1

    def shorter(self, line):
        match = ASSIGNED.match(line)
        if match:
            items = [match[1]] + ITEM.findall(match[2])
            left = sum(map(self.width, items))
            lines = [f"\t{{ value<{left}> all = {self.shorter_value(match[3])};"]
            for item in items:
                high, left = left - 1, left - self.width(item)
                lines.append(f"\t{item} = all.slice<{high},{left}>().val();")
            return "\n".join(lines + ["\t}"])
        return self.shorter_value(line)

    @staticmethod
    def shorter_value(text):
        def cut(match):
            items = [match[1]] + ITEM.findall(match[2])
            return balanced([item + ".val()" if ".slice" in item else item for item in items])
        return CONCATENATION.sub(cut, text)

    # ---- what is written

    def parts(self):
        """(name of a function, its statements): the settled ones in their order, then those of the edge."""
        functions = []
        for kind, blocks, count in (("settle", self.settled, PARTS - 2), ("clock", self.clocked, 2)):
            sizes = [sum(map(len, block)) for block in blocks]
            limit, done = sum(sizes) / count, 0
            chosen = [[] for _ in range(count)]
            for block, size in zip(blocks, sizes):
                chosen[min(int(done / limit), count - 1)].append(block)
                done += size
            for number, part in enumerate(chosen):
                functions.append((f"{kind}_{number}", part))
        return functions

    def write(self, out):
        names = []
        for number, (name, blocks) in enumerate(self.parts()):
            texts = []
            for first in range(0, len(blocks), PIECE):
                lines = [self.shorter(line) for block in blocks[first:first + PIECE] for line in block]
                text = "\n".join(lines).replace("if (posedge_p_clk__i) {", "{")
                if "performer" in text or "posedge" in text:
                    sys.exit("generate: a statement that is not known")
                names.append(f"{name}_{first // PIECE}")
                texts.append(f"void {self.name}::{names[-1]}() {{\n{text}\n}}\n")
            head = self.before if number == 0 else "namespace cxxrtl_design {\n"
            write_if_new(out / f"part_{number:02}.cpp", '#include "design.hpp"\n\nusing namespace cxxrtl_yosys;\n\n' +
                         "\n".join([head] + texts) + "\n}  // namespace cxxrtl_design\n")
        self.write_header(out, names)

    def write_header(self, out, names):
        at = self.header.rindex("\n", 0, self.header.index("bool eval(performer *performer")) + 1
        wires = "".join(f"\tvalue<{width}> {name};\n" for name, width in self.wires.items())
        calls = {kind: " ".join(f"{name}();" for name in names if name.startswith(kind)) for kind in ("settle", "clock")}
        text = (self.header[:at] + wires + "".join(f"\t__attribute__((noinline)) void {name}();\n" for name in names) +
                f"\tvoid settle() {{ {calls['settle']} }}\n\tvoid clock() {{ {calls['clock']} }}\n" + self.header[at:])
        text = re.sub(r"\n\t*//[^\n]*", "", text)
        text = text.replace("bool eval(performer *performer = nullptr) override;",
                            "bool eval(performer*) override { settle(); return true; }")
        write_if_new(out / "design.hpp", "#pragma once\n#define CXXRTL_NDEBUG\n" + text)

    def members(self, digest):
        """X-macros: what an object of the class has, by its name in the source."""
        registers = [name for name in re.findall(r"\n\t(?:/\*output\*/ )?wire<\d+> (\w+);", self.header)]
        memories = {name: int(depth) for name, depth in re.findall(r"\n\tmemory<\d+> memory_(\w+) \{ (\d+)u \}", self.header)}
        tables = set(re.findall(r"&memory_(\w+)\.data\[0\]\)", self.before))
        ports = re.findall(r"/\*(input|output)\*/ (?:wire|value)<(\d+)> p_(\w+);", self.header)
        lines = ["// Generated by cosim/cxxrtl/generate.py.", "#pragma once", "", f'#define CXXRTL_DIGEST "{digest}"', ""]

        def table(name, rows):
            lines.extend([f"#define {name} \\"] + [f"  {row} \\" for row in rows] + [""])
        # width: 1 to 64 a number, above words
        table("CXXRTL_INPUTS", [f"X({undecorated(name)}, p_{name}, {width})" for way, width, name in ports if way == "input"])
        table("CXXRTL_OUTPUTS", [f"X({undecorated(name)}, p_{name}, {width})" for way, width, name in ports if way == "output"])
        table("CXXRTL_REGISTERS", [f'X("{undecorated(name[2:])}", {name})' for name in registers])
        table("CXXRTL_MEMORIES", [f'X("{undecorated(name[2:])}", memory_{name}, {depth})'
                                  for name, depth in memories.items() if name not in tables])
        return "\n".join(lines)


def write_if_new(path, text):
    """So that nothing is compiled again that is as it was."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--top", required=True)
    parser.add_argument("--parameter", action="append", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(" ".join(options.parameter).encode())
    for source in options.sources:
        digest.update(pathlib.Path(source).read_bytes())
    run_yosys(options, digest.hexdigest())
    design = Design((options.out / "core.h").read_text(), (options.out / "core.cc").read_text())
    design.write(options.out)
    write_if_new(options.out / "members.hpp", design.members("cxxrtl " + digest.hexdigest()[:32]))


if __name__ == "__main__":
    main()
