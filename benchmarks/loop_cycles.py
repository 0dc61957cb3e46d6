"""How much of the cycles spent in innermost loops their least intervals account for, of a run's data
as `tandem report --data` writes it."""

import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTSIDE = ("sync_wait", "copy_queue", "fetch")  # causes that no schedule of a loop can help
WIDTH = {"sa": ("scalar", 2), "sb": ("scalar", 2), "va": ("vector", 2), "vb": ("vector", 2)}


class LoopCycles:
    """Cycles in innermost loops, and those of them that least intervals account for."""

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
    """What one operation keeps busy, by the tables in isa/."""

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
    """Loops that hold no other, as (their bundles, loop)."""
    found = []
    for block in blocks:
        for loop in block["loops"]:
            first = block["first_bundle"] + loop["first_bundle"]
            found.append((range(first, first + loop["bundles"]), loop))

    def holds(one, other):
        return one != other and one.start <= other.start and other.stop <= one.stop

    return [(bundles, loop) for bundles, loop in found
            if not any(holds(bundles, other) for other, _ in found)]


def loop_cycles(data, units=None):
    units = units or Units()
    rows = {row["pc"]: row for row in data["bundles"]["rows"]}
    total = LoopCycles()
    for bundles, loop in loops_of(data["schedule"]):
        inside = [rows[pc] for pc in bundles if pc in rows]
        spent = sum(row["cycles"] - sum(row["lost"].get(cause, 0) for cause in OUTSIDE)
                    for row in inside)
        if loop["pipelined"]:
            least = spent * loop["minimum"] / loop["interval"]
        else:
            needs = collections.Counter()
            for row in inside:
                for name, cycles in units.shares(row["text"]):
                    needs[name] += cycles * row["issues"]
            least = min(spent, max(needs.values(), default=0))
        total += LoopCycles(spent, least)
    return total
