#!/usr/bin/env python3
"""Writes sources of the models and the checker once more with the faults of models/*.faults in them, of
which at most one is switched on when a process starts: the one in TANDEM_MUTANT.

  tests/mutants/models.py --root FOLDER --output FOLDER --first NUMBER --tables FILE...

Only files with a fault are written, at their paths below FOLDER, which is the first include folder of their
compilation. Exit status 2 and a line for each fault that is not at the place given in its table.
"""
import argparse
import json
import pathlib
import sys

from faults import Mistake, Source, read_table

# No fault is seen by the compiler itself, whose constants stay what they are.
HEADER = """// The number of the fault that is switched on; 0: none.
#pragma once

#include <cstdlib>
#include <type_traits>

namespace tandem::mutant {

inline const int selected = [] {
  const char* const chosen = std::getenv("TANDEM_MUTANT");
  return chosen == nullptr ? 0 : std::atoi(chosen);
}();

constexpr bool on(int number) { return !std::is_constant_evaluated() && selected == number; }

}  // namespace tandem::mutant
"""


def select(number, after, before, is_statement):
    switched = f"tandem::mutant::on({number})"
    if is_statement:
        return f"if ({switched}) {{ {after} }} else {{ {before} }}"
    return f"({switched} ? ({after}) : ({before}))"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--first", type=int, required=True)
    parser.add_argument("--tables", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--list", action="store_true", help="only name the files with a fault")
    options = parser.parse_args()
    faults, sources, told, complaints = [], {}, [], []
    try:
        for table in sorted(options.tables):
            faults += read_table(table, options.first + len(faults))
    except Mistake as mistake:
        complaints.append(str(mistake))
    if options.list:
        print(";".join(sorted({fault.unit for fault in faults})), end="")
        return 0
    for fault in faults:
        try:
            if fault.unit not in sources:
                sources[fault.unit] = Source((options.root / fault.unit).read_text(), select, cxx=True)
            line = sources[fault.unit].add(fault)
        except (Mistake, OSError) as mistake:
            complaints.append(str(mistake))
            continue
        told.append({"number": fault.number, "unit": fault.unit, "line": line,
                     "operator": fault.kind, "before": fault.before, "after": fault.after,
                     "what": fault.what, "table": fault.place})
    try:
        rendered = {unit: source.rendered() for unit, source in sources.items()}
    except Mistake as mistake:
        complaints.append(str(mistake))
    if complaints:
        print("\n".join(complaints), file=sys.stderr)
        return 2
    for unit, text in rendered.items():
        file = options.output / unit
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('#include "mutants/selected.hpp"\n' + text)
    (options.output / "mutants").mkdir(exist_ok=True)
    (options.output / "mutants/selected.hpp").write_text(HEADER)
    (options.output / "mutants.json").write_text(
        "[\n" + ",\n".join(json.dumps(mutant) for mutant in told) + "\n]\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
