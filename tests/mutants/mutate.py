#!/usr/bin/env python3
"""Writes the RTL once more with thousands of small faults in it, of which at most one is switched on
when a simulation starts: the one whose number is in the environment variable TANDEM_MUTANT.

  tests/mutants/mutate.py --output FOLDER [--without FILE] FILE...

FOLDER gets the sources, tpu_mutant_pkg.sv with the switch, and mutants.json with a line for each
mutant: number, unit, line, operator, before, after. Numbers in the file of --without are left out.
"""
import argparse
import json
import pathlib
import re

from verilog import Node, places_of, tokens_of

# Tables and names, not behaviour; the AXI side is no part of tpu_core.
UNTOUCHED = ("tpu_pkg", "tpu_eup_tables_pkg", "tpu_axi_master", "tpu_axi_top", "tpu_axil_slave")
SWAPPED = {"+": "-", "-": "+", "&": "|", "|": "&", "^": "|", "&&": "||", "||": "&&", "==": "!=",
           "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "<<": ">>", ">>": "<<",
           ">>>": ">>"}
ORDERED = ("-", "<", "<=", ">", ">=")
# Of one constant ±1: those of at most this many bits, and not all zeros or ones.
SIZED = re.compile(r"(\d+)'([dhb])([0-9a-fA-F_]+)$")
RADIX = {"d": 10, "h": 16, "b": 2}


def plain(node):
    """The expression as it was."""
    if node.kind == "atom":
        return node.text
    parts = [plain(child) for child in node.children]
    return combined(node, parts)


def combined(node, parts):
    match node.kind:
        case "atom": return node.text
        case "paren": return f"({parts[0]})"
        case "unary": return f"{node.text}{parts[0]}"
        case "binary": return f"{parts[0]} {node.text} {parts[1]}"
        case "choice": return f"{parts[0]} ? {parts[1]} : {parts[2]}"
        case "list": return f"{node.text}{', '.join(parts)}{node.close}"
    raise AssertionError(node.kind)


def neighbours(text):
    """A sized constant, one up and one down."""
    match = SIZED.match(text)
    if not match:
        return
    width, radix, digits = int(match[1]), match[2], match[3].replace("_", "")
    value = int(digits, RADIX[radix])
    for name, other in (("constant + 1", value + 1), ("constant - 1", value - 1)):
        if width > 1 and other >> width == 0 and other >= 0:
            yield name, f"{width}'d{other}"
    if width == 1:
        yield "constant inverted", f"1'd{1 - value}"


def changes(node):
    """(operator, text) of every fault at this node alone."""
    parts = [plain(child) for child in node.children]
    if node.kind == "atom":
        yield from neighbours(node.text)
    elif node.kind == "unary" and node.text in ("~", "!"):
        yield "negation dropped", parts[0]
    elif node.kind == "binary" and node.text in SWAPPED:
        swapped = Node("binary", node.children, SWAPPED[node.text])
        yield f"{SWAPPED[node.text]} for {node.text}", plain(swapped)
        if node.text in ORDERED:
            yield "operands swapped", f"({parts[1]}) {node.text} ({parts[0]})"
    elif node.kind == "choice":
        yield "choice inverted", f"{parts[0]} ? ({parts[2]}) : ({parts[1]})"


def place_changes(place):
    """Faults of a whole condition or assignment."""
    text = plain(place.node)
    if place.condition:
        reset = "rst_ni" in text
        yield "condition negated", f"!({text})"
        yield ("reset dropped" if reset else "condition never"), "1'b0"
        yield "condition always", "1'b1"
    elif place.register:
        yield "update dropped", place.register


def is_constant(node):
    """Names of parameters and loop variables only: a width or a generate, which must stay."""
    names = re.findall(r"[A-Za-z_]\w*(?:::\w+)?", re.sub(r"\d*'[dhbDHB][0-9a-fA-F_]+", "", plain(node)))
    return all(len(name) == 1 or name.split("::")[-1].isupper() for name in names)


class Mutator:
    def __init__(self, without):
        self.without, self.mutants, self.number = without, [], 0

    def select(self, text, alternatives, unit, line):
        """`text`, or one of the alternatives when it is switched on."""
        for operator, after in alternatives:
            self.number += 1
            if self.number in self.without:
                continue
            self.mutants.append({"number": self.number, "unit": unit, "line": line,
                                 "operator": operator, "before": text, "after": after})
            yield self.number, after

    def chosen(self, rendered, text, alternatives, unit, line):
        for number, after in self.select(text, alternatives, unit, line):
            rendered = f"(tpu_mutant_pkg::selected == {number} ? ({after}) : ({rendered}))"
        return rendered

    def rendered(self, node, unit, line):
        parts = [self.rendered(child, unit, line) for child in node.children]
        return self.chosen(combined(node, parts), plain(node), changes(node), unit, line)

    def file(self, path):
        text, unit = path.read_text(), path.stem
        tokens = tokens_of(text)
        pieces, end = [], 0
        for place in places_of(tokens):
            if is_constant(place.node) and not place.register:
                continue
            begin = tokens[place.begin].begin
            line = text.count("\n", 0, begin) + 1
            new = self.rendered(place.node, unit, line)
            new = self.chosen(new, plain(place.node), place_changes(place), unit, line)
            pieces += [text[end:begin], new]
            end = tokens[place.end - 1].end
        return "".join(pieces) + text[end:]


PACKAGE = """// The number of the fault that is switched on; 0: none. Set when the simulation starts.
package tpu_mutant_pkg;
  int selected;
endpackage
"""
# Read from the environment, which every process of a campaign can set for itself.
START = """
  initial tpu_mutant_pkg::selected = $c32("(getenv(\\"TANDEM_MUTANT\\") ? atoi(getenv(\\"TANDEM_MUTANT\\")) : 0)");
endmodule
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--without", type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    without = set(json.loads(options.without.read_text())) if options.without else set()
    mutator = Mutator(without)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "tpu_mutant_pkg.sv").write_text(PACKAGE)
    for file in sorted(options.files, key=lambda file: file.name):
        text = file.read_text() if file.stem in UNTOUCHED else mutator.file(file)
        if file.stem == "tpu_core":
            text = START.join(text.rsplit("endmodule\n", 1))
        (options.output / file.name).write_text(text)
    (options.output / "mutants.json").write_text(
        "[\n" + ",\n".join(json.dumps(mutant) for mutant in mutator.mutants) + "\n]\n")


if __name__ == "__main__":
    main()
