#!/usr/bin/env python3
"""Sweeps: every point against `tandem run`, killed and resumed, refusals.

  TANDEM_EXECUTABLE=build/tandem tests/campaign/sweep_test.py
"""
import csv
import json
import math
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import support

SCALE = pathlib.Path(__file__).resolve().parents[2] / "benchmarks/tutorial/scale.s"
SPIN = """        .text
start:  s1 = mov N
loop:   s1 = sub s1, 1
        p1 = ne s1, 0
        @p1 br loop
        halt
"""


def tandem(*arguments):
    return subprocess.run([support.TANDEM, *map(str, arguments)], capture_output=True, text=True, check=False)


def rows(file):
    with file.open() as lines:
        return list(csv.DictReader(lines))


class Sweep(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def write(self, text, name="s.toml"):
        file = self.folder / name
        file.write_text(text)
        return file

    def spin(self, turns, machines=40):
        """So many points, each of which takes a while."""
        (self.folder / "spin.s").write_text(SPIN)
        latencies = ", ".join(str(20 + i) for i in range(machines))
        return self.write(f'[vary]\nhbm_latency = [{latencies}]\n[[programs]]\nfile = "spin.s"\n'
                          f'define = ["N={turns}"]\n')

    def test_a_point_has_the_cycles_of_a_run(self):
        self.assertEqual(tandem("npy", "make", self.folder / "x.npy", "--shape", "300").returncode, 0)
        study = self.write(f"""machines = ["nano", "lanes=32,vmem=2MiB"]
timings = ["", "hbm_latency=100,hbm_jitter=20"]
[vary]
hbm_beat = [1, 3]
[[programs]]
file = "{SCALE}"
in = ["x=x.npy"]
""")
        table, again = self.folder / "t.csv", self.folder / "again.csv"
        done = tandem("sweep", study, "--csv", table, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        points = json.loads(done.stdout)["points"]
        self.assertEqual(len(points), 8)
        for row, point in zip(rows(table), points, strict=True):
            run = json.loads(tandem("run", "--on", "cycle", "--json", SCALE, "--in", f"x={self.folder}/x.npy",
                                    "--machine", row["machine"]).stdout)
            self.assertEqual(int(row["cycles"]), run["cycles"], row["machine"])
            self.assertEqual(point["counters"], run["counters"])
            causes = sum(int(row[name]) for name in point["counters"]["causes"])
            self.assertEqual(causes, run["cycles"])
        self.assertEqual({row["hbm_beat"] for row in rows(table)}, {"1", "3"})
        self.assertEqual(tandem("sweep", study, "--summary", "--csv", again).returncode, 0)
        self.assertEqual(again.read_text(), table.read_text())

    def test_front_and_sensitivity_follow_from_the_points(self):
        study = self.write(f"""[vary]
lanes = [8, 16, 32]
vmem = ["128KiB", "1MiB"]
hbm_beat = [1, 2]
[[programs]]
file = "{SCALE}"
size = ["x=2000"]
""")
        page = self.folder / "page.html"
        done = tandem("sweep", study, "--json", "--html", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        sweep = json.loads(done.stdout)
        points = sweep["points"]
        self.assertEqual(len(points), 12)
        cost = lambda point: (point["cycles"], point["area"]["gates"], point["area"]["memory_bits"])
        for point in points:
            rivals = [cost(other) for other in points
                      if other["parameters"]["hbm_beat"] == point["parameters"]["hbm_beat"] and other is not point]
            mine = cost(point)
            beaten = any(other[0] <= mine[0] and other[1] <= mine[1] and other < mine for other in rivals)
            self.assertEqual(point["pareto"], not beaten, point["machine"])
        self.assertIn(True, [point["pareto"] for point in points])
        self.assertIn(False, [point["pareto"] for point in points])
        steps = {(step["parameter"], step["from"], step["to"]): step for step in sweep["sensitivity"]}
        self.assertEqual(set(steps), {("lanes", 8, 16), ("lanes", 16, 32), ("vmem", 1 << 17, 1 << 20), ("hbm_beat", 1, 2)})
        cycles = {(p["parameters"]["lanes"], p["parameters"]["vmem"], p["parameters"]["hbm_beat"]): p["cycles"] for p in points}
        ratios = [cycles[lanes, vmem, 2] / cycles[lanes, vmem, 1] for lanes in (8, 16, 32) for vmem in (1 << 17, 1 << 20)]
        step = steps["hbm_beat", 1, 2]
        self.assertEqual(step["pairs"], 6)
        self.assertAlmostEqual(step["ratio"], math.prod(ratios) ** (1 / 6))
        self.assertAlmostEqual(step["least"], min(ratios))
        self.assertAlmostEqual(step["most"], max(ratios))
        # The page holds the same data.
        block = page.read_text().partition('id="run">')[2].partition("</script>")[0]
        self.assertEqual(json.loads(block), sweep)

    def test_inputs_that_no_file_brings_are_drawn(self):
        study = self.write(f'[[programs]]\nfile = "{SCALE}"\nsize = ["x=300"]\n')
        given = tandem("sweep", study, "--json")
        self.assertEqual(given.returncode, 0, given.stderr)
        self.assertGreater(json.loads(given.stdout)["points"][0]["cycles"], 100)

    def test_an_interrupted_sweep_goes_on_where_it_was(self):
        study = self.spin(turns=1_500_000)
        store = self.folder / "s.results"
        for number, status in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
            before = len(support.records(store))
            process = subprocess.Popen([support.TANDEM, "sweep", study, "--jobs", "2"], stderr=subprocess.DEVNULL)
            support.wait_for(lambda: len(support.records(store)) >= before + 5, 60, "results")
            process.send_signal(number)
            self.assertEqual(process.wait(30), status)
            self.assertLess(len(support.records(store)), 40)
        self.assertEqual(tandem("sweep", study, "--summary").returncode, 1)
        table = self.folder / "t.csv"
        self.assertEqual(tandem("sweep", study, "--csv", table).returncode, 0)
        self.assertEqual(len(rows(table)), 40)
        # Only a point that was under way when the process was killed may have been run twice.
        self.assertLessEqual(len(support.records(store)), 42)
        whole = self.folder / "whole.csv"
        self.assertEqual(tandem("sweep", study, "--store", self.folder / "other", "--csv", whole).returncode, 0)
        self.assertEqual(whole.read_text(), table.read_text())

    def test_shards_and_a_merge_are_the_whole(self):
        study = self.spin(turns=1000, machines=7)
        for shard in range(3):
            done = tandem("sweep", study, "--store", self.folder / f"part{shard}", "--shard", f"{shard}/3", "--no-summary")
            self.assertEqual(done.returncode, 0, done.stderr)
        merged = tandem("sweep", study, *(f"--merge={self.folder}/part{shard}" for shard in range(3)))
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assertIn("7 results merged", merged.stderr)

    def test_another_program_begins_anew(self):
        study = self.spin(turns=1000, machines=2)
        first = json.loads(tandem("sweep", study, "--json").stdout)
        study = self.spin(turns=2000, machines=2)
        second = json.loads(tandem("sweep", study, "--json").stdout)
        self.assertGreater(second["points"][0]["cycles"], first["points"][0]["cycles"] + 1000)

    def test_a_point_that_is_refused_says_why(self):
        (self.folder / "wide.s").write_text('        .target small\n        .text\n        .if LANES > 16\n'
                                            '        .error "too wide"\n        .endif\n        halt\n')
        study = self.write('[vary]\nlanes = [16, 32]\n[[programs]]\nfile = "wide.s"\n')
        done = tandem("sweep", study, "--json")
        self.assertEqual(done.returncode, 1)
        outcomes = [point["outcome"] for point in json.loads(done.stdout)["points"]]
        self.assertEqual(outcomes, ["halted", "refused"])
        self.assertIn("wide.s:4", tandem("sweep", study).stderr)

    def test_what_makes_no_sense_is_refused_with_its_line(self):
        for text, words in (
                ("", "s.toml: has no [[programs]]"),
                ('nane = "x"\n', "s.toml:1: there is no 'nane' here"),
                ('machines = ["lanes=12"]\n[[programs]]\nfile = "x.s"\n', "s.toml:1: lanes is a power of two"),
                ('[vary]\nlanes = [8, 9]\n[[programs]]\nfile = "x.s"\n', "s.toml:1: small,lanes=9: lanes is a power of two"),
                ('[vary]\nlanes = 8\n[[programs]]\nfile = "x.s"\n', "s.toml:2: lanes varies over a list"),
                ('machines = ["lanes=8"]\n[vary]\nlanes = [8]\n[[programs]]\nfile = "x.s"\n', "lanes is given twice"),
                ('[[programs]]\nfile = "x.s"\nin = ["x"]\n', "s.toml:3: an input is written NAME=FILE.npy"),
                ('[[programs]]\nfile = "x.s"\n[[programs]]\nfile = "x.s"\n', "s.toml:3: a second program called x"),
                ('[[programs]]\nname = "y"\n', "s.toml:1: a program has a file"),
        ):
            done = tandem("sweep", self.write(text))
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
