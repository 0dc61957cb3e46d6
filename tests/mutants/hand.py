#!/usr/bin/env python3
"""Writes the RTL once more with the faults of hand/*.faults in it, of which at most one is switched
on when a simulation starts, as in mutate.py.

  tests/mutants/hand.py --output FOLDER --first NUMBER --tables FILE... -- FILE...

Exit status 2 and a line for each fault whose text is not at the place given in its table.
"""
import argparse
import json
import pathlib
import sys

from faults import Mistake, Source, read_table
from mutate import PACKAGE, START


def select(number, after, before, is_statement):
    switched = f"tpu_mutant_pkg::selected == {number}"
    if is_statement:
        return f"if ({switched}) begin {after} end else begin {before} end"
    return f"({switched} ? ({after}) : ({before}))"


def put_in(faults, files):
    """(sources by unit, what mutants.json says, complaints)."""
    sources = {file.stem: Source(file.read_text(), select) for file in files}
    told, complaints = [], []
    for fault in faults:
        try:
            if fault.unit not in sources:
                raise Mistake(f"{fault.place}: there is no {fault.unit}")
            line = sources[fault.unit].add(fault)
        except Mistake as mistake:
            complaints.append(str(mistake))
            continue
        told.append({"number": fault.number, "unit": fault.unit, "line": line,
                     "operator": fault.kind, "before": fault.before, "after": fault.after,
                     "what": fault.what, "table": fault.place})
    return sources, told, complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--first", type=int, required=True)
    parser.add_argument("--tables", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    faults, complaints = [], []
    try:
        for table in sorted(options.tables):
            faults += read_table(table, options.first + len(faults))
        sources, told, complaints = put_in(faults, sorted(options.files))
        rendered = {unit: source.rendered() for unit, source in sources.items()}
    except Mistake as mistake:
        complaints += [str(mistake)]
    if complaints:
        print("\n".join(complaints), file=sys.stderr)
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "tpu_mutant_pkg.sv").write_text(PACKAGE)
    for file in options.files:
        text = rendered[file.stem]
        if file.stem == "tpu_core":
            text = START.join(text.rsplit("endmodule\n", 1))
        (options.output / file.name).write_text(text)
    (options.output / "mutants.json").write_text(
        "[\n" + ",\n".join(json.dumps(mutant) for mutant in told) + "\n]\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
