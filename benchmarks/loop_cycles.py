"""The share of the cycles spent in loops that their least intervals account for, from a run's data as written by
`tandem report --data`."""

import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTSIDE = ("sync_wait", "copy_queue", "fetch")  # causes that no schedule of a loop can avoid
WIDTH = {"sa": ("scalar", 2), "sb": ("scalar", 2), "va": ("vector", 2), "vb": ("vector", 2)}


class LoopCycles:
    """Cycles in loops, and those of them that least intervals account for."""

    def __init__(self, spent=0.0, least=0.0):
        self.spent = spent
        self.least = least

    def __add__(self, other):
        return LoopCycles(self.spent + other.spent, self.least + other.least)

    def __str__(self):
        return f"{100 * self.least / self.spent:.1f}%" if self.spent else "none"


def table(path, pattern):
    return re.findall(pattern, (ROOT / path).read_text(), re.MULTILINE)


class Units:
    """The busy cycles of one operation, by the tables in isa/."""

    def __init__(self):
        self.timing = {name: int(value) for name, value in
                       table("isa/timing.def", r"^TIMING\((\w+), (\d+),")}
        self.latency = dict(table("isa/instructions.def",
                                  r'^INSTRUCTION\(\w+, 0x\w+, "([^"]+)", \w+, (\w+),'))

    def shares(self, bundle):
        """(name, cycles) of each slot and unit that a bundle's text takes."""
        for slot, operation in re.findall(r"(\w+): ([^;}]+)", bundle):
            name, width = WIDTH.get(slot, (slot, 1))
            yield name, 1 / width
            words = re.sub(r"^@\S+ ", "", operation).split("= ")[-1].split()
            latency = self.latency.get(words[0])
            if latency in ("eup", "xlu"):
                yield latency, self.timing["row_unit"]
            elif latency == "push":
                yield latency, self.timing["push"]
            elif latency == "multiply":
                rows = re.search(r"rows=(\d+)", operation)
                yield latency, int(rows[1]) if rows else 8


def loops_of(blocks):
    """Loops as (their own bundles, loop, whether it is innermost): bundles of an inner loop belong to the inner
    loop."""
    found = []
    for block in blocks:
        for loop in block["loops"]:
            first = block["first_bundle"] + loop["first_bundle"]
            found.append((range(first, first + loop["bundles"]), loop))
    owner = {}
    for i, (bundles, _) in sorted(enumerate(found), key=lambda entry: -len(entry[1][0])):
        owner.update(dict.fromkeys(bundles, i))
    own = [[pc for pc in bundles if owner[pc] == i] for i, (bundles, _) in enumerate(found)]
    return [(pcs, loop, len(pcs) == len(bundles)) for pcs, (bundles, loop) in zip(own, found)]


def least_of(loop, rows, spent, units):
    if loop["pipelined"]:
        return spent * loop["minimum"] / loop["interval"]
    needs = collections.Counter()
    for row in rows:
        for name, cycles in units.shares(row["text"]):
            needs[name] += cycles * row["issues"]
    return min(spent, max(needs.values(), default=0))


def loop_cycles(data, units=None):
    """Of innermost loops, and of all."""
    units = units or Units()
    rows = {row["pc"]: row for row in data["bundles"]["rows"]}
    innermost, everywhere = LoopCycles(), LoopCycles()
    for bundles, loop, is_innermost in loops_of(data["schedule"]):
        inside = [rows[pc] for pc in bundles if pc in rows]
        spent = sum(row["cycles"] - sum(row["lost"].get(cause, 0) for cause in OUTSIDE)
                    for row in inside)
        cycles = LoopCycles(spent, least_of(loop, inside, spent, units))
        everywhere += cycles
        if is_innermost:
            innermost += cycles
    return innermost, everywhere
