"""The share of loop cycles that benchmarks/kernels reports, on runs written by hand.

  loop_cycles_test.py
"""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from loop_cycles import Units, loop_cycles, loops_of  # noqa: E402


def loop(first, bundles, interval=None, minimum=None):
    return {"first_bundle": first, "bundles": bundles, "pipelined": interval is not None,
            "interval": interval, "minimum": minimum}


def row(pc, text, cycles, issues, lost=None):
    return {"pc": pc, "text": text, "cycles": cycles, "issues": issues, "lost": lost or {}}


def run(rows, loops):
    return {"bundles": {"rows": rows}, "schedule": [{"first_bundle": 10, "loops": loops}]}


class LoopCyclesTest(unittest.TestCase):
    def share(self, rows, loops):
        return str(loop_cycles(run(rows, loops))[0])

    def test_pipelines_count_by_their_intervals(self):
        rows = [row(12, "{ sa: s1 = add s1, 1 }", 80, 80)]
        self.assertEqual(self.share(rows, [loop(2, 1, 8, 8)]), "100.0%")
        self.assertEqual(self.share(rows, [loop(2, 1, 8, 6)]), "75.0%")

    def test_others_count_by_what_was_issued(self):
        rows = [row(12, "{ sa: s1 = add s1, 1 ; sb: s2 = sub s2, 1 }", 20, 10),
                row(13, "{ xu: @p1 v2 = exp2 v1 }", 100, 10)]
        self.assertEqual(self.share(rows, [loop(2, 2)]), "33.3%")

    def test_multiplies_count_their_rows(self):
        latency = dict(Units().shares("{ mx: mxmul.bf16 a2, v1.lo, rows=3 ; va: v3 = vmov v4 }"))
        self.assertEqual(latency["multiply"], 3)
        self.assertEqual(latency["vector"], 0.5)

    def test_waits_for_copies_and_code_are_left_out(self):
        rows = [row(12, "{ sa: s1 = add s1, 1 }", 100, 80, {"fetch": 15, "sync_wait": 5})]
        self.assertEqual(loop_cycles(run(rows, [loop(2, 1, 1, 1)]))[0].spent, 80)

    def test_bundles_are_of_the_innermost_loop_around_them(self):
        found = loops_of([{"first_bundle": 10, "loops": [loop(2, 3, 1, 1), loop(0, 9)]}])
        self.assertEqual([(bundles, innermost) for bundles, _, innermost in found],
                         [([12, 13, 14], True), ([10, 11, 15, 16, 17, 18], False)])

    def test_outer_loops_count_among_all(self):
        rows = [row(10, "{ sa: s1 = add s1, 1 }", 20, 10), row(12, "{ ld: v1 = vld [0] }", 80, 80)]
        innermost, everywhere = loop_cycles(run(rows, [loop(2, 1, 1, 1), loop(0, 3)]))
        self.assertEqual((innermost.spent, innermost.least), (80, 80))
        self.assertEqual((everywhere.spent, everywhere.least), (100, 85))

    def test_without_loops_there_is_no_share(self):
        self.assertEqual(self.share([row(12, "{ sa: s1 = mov 1 }", 3, 3)], []), "none")


if __name__ == "__main__":
    unittest.main()
