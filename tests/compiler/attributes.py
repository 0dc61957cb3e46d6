#!/usr/bin/env python3
"""Checks that compiler/contract/attributes.def correctly lists what sets and what reads each attribute.

  tests/compiler/attributes.py [--update]

A row names the files with `attribute::NAME.set(`, `.named(` or `.copy(`, and those with any other use. An attribute
that is never set or never read, and one that is named by its text, is an error. --update writes the columns anew.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2] / "compiler"
TABLE = ROOT / "contract" / "attributes.def"
ROW = re.compile(r'ATTRIBUTE\((\w+), (\w+), (\w+), (\w+), (\w+),\s*((?:"[^"]*"\s*)+),\s*((?:"[^"]*"\s*)+),'
                 r'\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')
USE = re.compile(r"attribute::(\w+)(\.(set|set_result|copy|named)\()?")
TEXT = re.compile(r'"tandem\.(\w+)"')
# Texts that begin like an attribute but are targets of custom_calls.
OTHERS = {"kernel", "log", "debug"}
WIDTH = 100


def uses():
    """The files that set each attribute, and those that read it."""
    setters, readers, wrong = {}, {}, []
    for path in sorted(ROOT.rglob("*.?pp")):
        if path.parent == TABLE.parent and path.stem in ("attributes", "verify_level"):
            continue
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        text = path.read_text(encoding="utf-8")
        for used, changes, how in USE.findall(text):
            if changes:
                setters.setdefault(used, set()).add(name)
            if how not in ("set", "set_result", "named"):
                readers.setdefault(used, set()).add(name)
        wrong += [f"{name}: \"tandem.{found}\" is named by its text" for found in TEXT.findall(text)
                  if found not in OTHERS]
    return setters, readers, wrong


def words(text):
    return " ".join(re.findall(r'"([^"]*)"', text)).split()


def quoted(text):
    """A string literal in as many lines as the width asks for."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) + 16 > WIDTH:
            lines.append(line + " ")
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n          ".join(f'"{part}"' for part in [*lines, line])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the columns anew")
    options = parser.parse_args()
    setters, readers, wrong = uses()
    text = TABLE.read_text(encoding="utf-8")
    rows = list(ROW.finditer(text))
    names = {row[1] for row in rows}
    if not rows or text.count("\nATTRIBUTE(") != len(rows):
        wrong.append("attributes.def: a row that this test does not understand")
    for row in rows:
        for what, found, said in (("set", setters, row[6]), ("read", readers, row[7])):
            true = sorted(found.get(row[1], ()))
            if not true:
                wrong.append(f"{row[1]}: nobody has it {what}")
            elif words(said) != true and not options.update:
                wrong.append(f"{row[1]} is {what} by {' '.join(true)}, the table says {' '.join(words(said))}")
    wrong += [f"{name}: no row in the table" for name in sorted((setters.keys() | readers.keys()) - names)]
    if options.update:
        def renewed(row):
            both = [quoted(" ".join(sorted(found.get(row[1], ())))) for found in (setters, readers)]
            return (f"ATTRIBUTE({row[1]}, {row[2]}, {row[3]}, {row[4]}, {row[5]},\n          {both[0]},\n"
                    f"          {both[1]},\n          {row[8].rstrip()})")
        TABLE.write_text(ROW.sub(renewed, text), encoding="utf-8")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
