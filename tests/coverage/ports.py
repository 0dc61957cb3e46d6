#!/usr/bin/env python3
"""Writes Verilator's configuration that leaves only ports to be counted.

  ports.py OUTPUT SOURCE... [--only MODULE]...

Verilator counts toggles of every declaration or of none. This switches packages and all that stands
behind the list of ports of a module off; with --only, every other module as well.
"""
import argparse
import pathlib


def last_port_line(lines):
    """The number, from 1, of the line that ends the list of ports; 0 if it is not a module."""
    begins = [i for i, line in enumerate(lines) if line.startswith("module ")]
    if not begins:
        return 0
    return next(i for i in range(begins[0], len(lines)) if lines[i].startswith(");")) + 1


def configuration(sources, only):
    """Of {name of the file: its text}."""
    out = ["`verilator_config"]
    for name, text in sorted(sources.items()):
        lines = text.splitlines()
        last = 0 if only and pathlib.Path(name).stem not in only else last_port_line(lines)
        if last < len(lines):
            out.append(f'coverage_off -file "*/{name}" -lines {last + 1}-{len(lines)}')
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path, nargs="+")
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    sources = {file.name: file.read_text() for file in options.sources if file.suffix == ".sv"}
    options.output.write_text(configuration(sources, options.only))


if __name__ == "__main__":
    main()
