#!/usr/bin/env python3
"""Folders that include each other in a circle: within a room, and between rooms.

  tests/circles.py [FOLDER]

A folder is its own files, without those of the folders in it: `compiler/` and `compiler/tensor/` are
two. Where includes lead from a folder back to itself, nothing in the circle can be read, tested or
moved without all of it. KNOWN lists the remaining circles; one that is fixed must leave the list.
"""

import pathlib
import re
import sys

ROOMS = ("assembler", "cli", "compiler", "cosim", "host", "isa", "llama", "python", "report", "runtime",
         "schedule", "sim")
KNOWN = {frozenset(circle.split()) for circle in (
    # Statements, blocks and directives read each other's text.
    "assembler assembler/directives assembler/disassembler assembler/elf assembler/expressions assembler/linear",
)}
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)


def includes(root):
    """The folders that each folder includes from, with an example each."""
    graph = {}
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in (".cpp", ".hpp", ".def"):
                continue
            here = path.parent.relative_to(root).as_posix()
            for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                there = pathlib.PurePosixPath(name).parent.as_posix()
                if there != here and (root / name).is_file():
                    graph.setdefault(here, {}).setdefault(there, f"{path.relative_to(root)} -> {name}")
    return graph


def reached(graph, start):
    """Every folder that includes lead to."""
    found, waiting = set(), [start]
    while waiting:
        for there in graph.get(waiting.pop(), {}):
            if there not in found:
                found.add(there)
                waiting.append(there)
    return found


def circles(graph):
    """Sets of folders, each of which leads to all of the others."""
    reach = {folder: reached(graph, folder) for folder in graph}
    return {frozenset([folder, *(other for other in reach[folder] if folder in reach.get(other, ()))])
            for folder in graph if folder in reach[folder]}


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    graph = includes(root)
    if not graph:
        sys.exit("circles: found no includes")
    found = circles(graph)
    for circle in sorted(found - KNOWN, key=sorted):
        print("circle:", ", ".join(sorted(circle)))
        for here in sorted(circle):
            for there in sorted(circle & graph[here].keys()):
                print(f"  {graph[here][there]}")
    for circle in sorted(KNOWN - found, key=sorted):
        print("no circle any more, so strike it off KNOWN:", ", ".join(sorted(circle)))
    return 1 if found != KNOWN else 0


if __name__ == "__main__":
    sys.exit(main())
