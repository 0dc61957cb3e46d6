"""Which paths the compiler has taken at its decisions, over all programs of a run, and which none has.

tandem-compile --record-decisions says it of one program; the rows are those of
compiler/contract/thresholds.def. A way is a threshold's `low` or `high` side, or `near` it; of a choice among
candidates the least one (`low`) or the largest one (`high`).
"""

import collections
import json
import pathlib
import subprocess
import tempfile

WAYS = ("low", "high", "near")
OF_SEVERAL = ("parted_reduction",)  # decisions that only programs over several devices meet: tests/python/collectives_test.py


def ways_of(row):
    return WAYS if "unit" in row else WAYS[:2]  # values between candidates need not occur


# Any program: the table is the same.
SMALLEST = 'func.func public @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n'


def compiled(compiler, program, preset):
    """The ELF file of an artifact or text, and its decisions; or the compiler's error."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "decisions.json"
        ended = subprocess.run([compiler, "-", "-o", "-", "--preset", preset, "--record-decisions", record],
                               input=program, capture_output=True, check=False)
        if ended.returncode != 0:
            raise RuntimeError(ended.stderr.decode(errors="replace").strip())
        return ended.stdout, json.loads(record.read_text())


class Decisions:
    """The coverage of a run."""

    def __init__(self, compiler, preset):
        self.table = {row["name"]: row for row in compiled(compiler, SMALLEST.encode(), preset)[1] if row["name"] not in OF_SEVERAL}
        self.taken = collections.Counter()

    def add(self, rows):
        for row in rows:
            self.taken.update({(row["name"], way): row[way] for way in ways_of(row)})

    def never(self):
        """The ways that no program has gone, as (name, way)."""
        return [(name, way) for name, row in self.table.items() for way in ways_of(row) if not self.taken[name, way]]

    def text(self):
        never = self.never()
        every = sum(len(ways_of(row)) for row in self.table.values())
        lines = [f"decisions: {every - len(never)} of {every} ways taken"]
        if never:
            lines.append("  never: " + ", ".join(f"{name} {way}" for name, way in never))
        return "\n".join(lines)

    def sizes(self):
        """Elements around thresholds, by name: far on each side, and at the edge."""
        around = {}
        for name, row in self.table.items():
            if size := row.get("elements"):
                around[name] = tuple(n for n in (size // 2, size - 1, size, size + 1, size + 2, 2 * size) if n > 0)
        return around
