#!/usr/bin/env python3
"""Statistics and tuning of compiled programs, from outside.

    tests/compiler/tuning.py [--build FOLDER]
"""

import argparse
import fcntl
import array
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from by_night import by_night  # noqa: E402

PROGRAMS = pathlib.Path(__file__).resolve().parent / "cycles"
FEW = PROGRAMS / "eight_lines.mlirbc"
MANY = PROGRAMS / "attention_2x128x64.mlirbc"  # where tuning finds something
BUILD = None
PRODUCT = """
func.func public @main(%a: tensor<ROWSx64xf32>, %b: tensor<64x48xf32>) -> tensor<ROWSx48xf32> {
  %0 = "stablehlo.dot_general"(%a, %b) {lhs_batching_dimensions = array<i64>,
    rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>,
    rhs_contracting_dimensions = array<i64: 0>, precision_config = ["DEFAULT", "DEFAULT"]}
    : (tensor<ROWSx64xf32>, tensor<64x48xf32>) -> tensor<ROWSx48xf32>
  return %0 : tensor<ROWSx48xf32>
}
"""


def run(*arguments, **options):
    return subprocess.run([BUILD / "tandem-compile", *map(str, arguments)], capture_output=True, text=True,
                          check=False, **options)


class Statistics(unittest.TestCase):
    def test_regions_and_the_rest_are_all_cycles(self):
        told = json.loads(run(MANY, "--stats", "--json").stdout)
        regions = sum(region["measured"] for region in told["regions"])
        self.assertEqual(regions + told["rest"]["measured"], told["cycles"]["measured"])
        predicted = sum(region["predicted"] for region in told["regions"])
        self.assertEqual(predicted + told["rest"]["predicted"], told["cycles"]["predicted"])
        self.assertLess(told["rest"]["measured"], told["cycles"]["measured"] // 5)

    def test_measured_cycles_are_those_of_the_program_without_statistics(self):
        table = [line.split() for line in (PROGRAMS / "table.txt").read_text().splitlines()]
        for name, preset, cycles in [row[:3] for row in table if row[0] == "eight_lines"]:
            told = json.loads(run(FEW, "--stats", "--json", "--preset", preset).stdout)
            self.assertEqual(told["cycles"]["measured"], int(cycles), (name, preset))

    def test_the_timing_of_a_machine_is_that_of_the_run(self):
        beats = (16 * 64 + 64 * 64 + 64 * 32) // 16  # of small, to be read
        told = [json.loads(run(FEW, "--stats", "--json", "--preset", preset).stdout) for preset in ("small", "hbm_beat=8")]
        self.assertLess(told[0]["cycles"]["measured"], 8 * beats)
        self.assertGreater(told[1]["cycles"]["measured"], 8 * beats)
        self.assertEqual([each["preset"] for each in told], ["small", "small,hbm_beat=8"])

    def test_no_region_is_faster_than_its_roof(self):
        for program in (FEW, MANY):
            for region in json.loads(run(program, "--stats", "--json").stdout)["regions"]:
                if region["bound"] != "memory" and region["measured"] > 100:
                    self.assertLessEqual(region["roof"], region["measured"] * 1.02, region)

    def test_bytes_are_those_of_the_tensors(self):
        told = json.loads(run(FEW, "--stats", "--json").stdout)
        self.assertEqual(sum(region["hbm_in"] for region in told["regions"]), 4 * (16 * 64 + 64 * 64 + 64 * 32))
        self.assertEqual(sum(region["hbm_out"] for region in told["regions"]), 4 * 16 * 32)


def outputs(program, name, inputs, folder):
    """The program's results on the golden model, as numbers."""
    out = pathlib.Path(folder, "out.npy")
    given = [word for tensor, path in inputs for word in ("--in", f"{tensor}={path}")]
    ran = subprocess.run([BUILD / "tandem", "run", program, *given, "--out", f"out0={out}"], capture_output=True,
                         text=True, check=False)
    if ran.returncode != 0:
        raise AssertionError(f"{name}: {ran.stderr}")
    data = out.read_bytes()
    return array.array("f", data[10 + int.from_bytes(data[8:10], "little"):])


class Candidates(unittest.TestCase):
    """Every candidate of every decision, one at a time, computes the same as the default."""

    def check(self, name, shapes, preset="small", text=None):
        with tempfile.TemporaryDirectory() as folder:
            inputs = []
            for i, shape in enumerate(shapes):
                inputs.append((f"arg{i}", pathlib.Path(folder, f"arg{i}.npy")))
                subprocess.run([BUILD / "tandem", "npy", "make", inputs[-1][1], "--shape", shape, "--random",
                                str(i + 1)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            artifact = pathlib.Path(folder, "program.mlir")
            artifact.write_bytes(text or (PROGRAMS / f"{name}.mlirbc").read_bytes())
            program, cache = pathlib.Path(folder, "program.elf"), pathlib.Path(folder, "cache")
            run(artifact, "--tune", "--tune-runs", 0, "--tuning-cache", cache, "--preset", preset, "-o", program)
            entry = cache.read_text().split("choice")[0].removesuffix("end\n")
            wanted = outputs(program, name, inputs, folder)
            largest = max(map(abs, wanted))
            decisions = json.loads(run(artifact, "--emit=decisions", "--preset", preset).stdout)
            for decision in decisions:
                for candidate in decision["candidates"]:
                    choice = f"{decision['name']} {candidate}"
                    cache.write_text(f"{entry}choice {choice}\nend\n")
                    ran = run(artifact, "--tuning-cache", cache, "--preset", preset, "-o", program)
                    self.assertEqual(ran.returncode, 0, f"{name}: {choice}: {ran.stderr}")
                    for a, b in zip(wanted, outputs(program, f"{name}: {choice}", inputs, folder)):
                        self.assertLessEqual(abs(a - b), 4e-3 * largest, f"{name}: {choice}")
            return {decision["name"].split("#")[0] for decision in decisions}

    def test_of_attention(self):
        found = self.check("attention_2x128x64", ["2,128,64"] * 3)
        self.assertLessEqual({"contraction.rows", "contraction.columns"}, found)

    def test_of_few_rows_on_both_units(self):
        for rows in (2, 3, 4):
            found = self.check("product", [f"{rows},64", "64,48"], text=PRODUCT.replace("ROWS", str(rows)).encode())
            self.assertIn("contraction.vectors", found)

    @by_night
    def test_of_softmax(self):
        self.assertLessEqual({"blocks.pieces", "rows.turn"}, self.check("softmax_64x256", ["64,256"]))

    @by_night
    def test_of_rows(self):
        found = self.check("rms_norm_1024", ["1024,1024", "1024"])
        self.assertLessEqual({"rows.groups", "rows.turn"}, found)

    @by_night
    def test_of_what_does_not_fit_vmem(self):
        found = self.check("gelu_1024", ["1024,1024"])
        self.assertTrue({"blocks.step", "blocks.stages"} & found, found)

    @by_night
    def test_of_a_network(self):
        found = self.check("gelu_mlp_256", ["256,256", "256,512", "512,256"])
        self.assertLessEqual({"online", "blocks.step", "contraction.rows"}, found)

    @by_night
    def test_of_attention_by_tiles(self):
        found = self.check("attention_grouped", ["2,300,4,16", "2,300,2,16", "2,300,2,16"])
        self.assertLessEqual({"online", "online.keys"}, found)

    def test_of_a_product_that_does_not_fit_vmem(self):
        found = self.check("matmul_f32_256", ["256,256"] * 2, preset="nano")
        self.assertLessEqual({"stage.operand", "blocks.step"}, found)


class Tuning(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.cache = pathlib.Path(self.folder.name, "cache")

    def tune(self, program, name, *more):
        out = pathlib.Path(self.folder.name, name)
        ran = run(program, "--tuning-cache", self.cache, "-o", out, *more)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return out.read_bytes(), ran.stderr

    def test_a_search_finds_something_and_the_cache_gives_the_same_binary(self):
        plain, _ = self.tune(MANY, "plain")
        searched, said = self.tune(MANY, "searched", "--tune", "--tune-runs", 16)
        self.assertIn("cycles by default", said)
        self.assertTrue(plain != searched)
        kept = self.cache.read_text()
        again, said = self.tune(MANY, "again", "--tune")
        self.assertTrue(again == searched)
        self.assertEqual(said, "")
        used, _ = self.tune(MANY, "used")
        self.assertTrue(used == searched)
        self.assertEqual(self.cache.read_text(), kept)
        by_default, tuned = map(int, kept.split("cycles ")[1].split("\n")[0].split())
        self.assertLess(tuned, by_default)
        told = json.loads(run(MANY, "--stats", "--json", "--tuning-cache", self.cache).stdout)
        self.assertEqual(told["cycles"]["measured"], tuned)

    def test_other_programs_and_machines_are_not_touched(self):
        self.tune(MANY, "searched", "--tune", "--tune-runs", 8)
        for preset in ("small", "full"):
            with_cache, _ = self.tune(FEW, "few", "--preset", preset)
            out = pathlib.Path(self.folder.name, "without")
            run(FEW, "-o", out, "--preset", preset)
            self.assertEqual(with_cache, out.read_bytes())

    def test_searches_at_once_lose_nothing(self):
        processes = [subprocess.Popen([BUILD / "tandem-compile", FEW, "--tune", "--tuning-cache", self.cache,
                                       "--preset", preset, "-o", pathlib.Path(self.folder.name, preset)],
                                      stderr=subprocess.DEVNULL)
                     for preset in ("nano", "small", "edge", "full")]
        self.assertEqual([process.wait() for process in processes], [0] * 4)
        text = self.cache.read_text()
        self.assertEqual(sum(line.startswith("program ") for line in text.splitlines()), 4)
        self.assertEqual([path.name for path in self.cache.parent.glob("cache.*")], ["cache.lock"])

    def test_a_lock_that_somebody_keeps_is_not_waited_for(self):
        with open(f"{self.cache}.lock", "w", encoding="utf-8") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            ran = subprocess.run([BUILD / "tandem-compile", FEW, "--tune", "--tune-runs", "1", "--tuning-cache", self.cache, "-o",
                                  "/dev/null", "--preset", "nano"], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("the tuning cache cannot be locked", ran.stderr)

    def test_a_link_in_place_of_the_lock_is_not_followed(self):
        elsewhere = pathlib.Path(self.folder.name, "elsewhere")
        pathlib.Path(f"{self.cache}.lock").symlink_to(elsewhere)
        ran = run(FEW, "--tune", "--tuning-cache", self.cache, "-o", "/dev/null", "--preset", "nano")
        self.assertEqual(ran.returncode, 2, ran.stderr)
        self.assertIn("cannot be locked", ran.stderr)
        self.assertFalse(elsewhere.exists())

    def refused(self, text):
        self.cache.write_text(text)
        ran = run(FEW, "--tuning-cache", self.cache, "-o", "/dev/null")
        self.assertEqual(ran.returncode, 2, ran.stderr)
        self.assertIn(f"{self.cache}: error: damaged tuning cache: line ", ran.stderr)
        return ran.stderr

    def test_damaged_caches_are_refused_by_line(self):
        head, digest = "tandem tuning cache 1\n", "0" * 64
        entry = f"program {digest} small {digest}\n"
        self.assertIn("line 1: this is no tuning cache", self.refused(""))
        self.assertIn("another version", self.refused("tandem tuning cache 2\n"))
        self.assertIn("line 2: 'end' outside", self.refused(head + "end\n"))
        self.assertIn("line 2: wants 'program", self.refused(head + "program 12 small 34\n"))
        self.assertIn("no machine 'huge'", self.refused(head + entry.replace("small", "huge")))
        self.assertIn("line 3: the file ends within", self.refused(head + entry))
        self.assertIn("line 3: wants 'cycles", self.refused(head + entry + "cycles many 3\n"))
        self.assertIn("line 3: wants 'choice", self.refused(head + entry + "choice a#0\n"))
        self.assertIn("line 4: a#0 is chosen twice", self.refused(head + entry + "choice a#0 1\nchoice a#0 2\n"))
        self.assertIn("line 3: an entry begins within", self.refused(head + entry + entry))
        self.assertIn("slower than the default", self.refused(head + entry + "cycles 5 6\nend\n"))
        whole = entry + "cycles 6 5\nend\n"
        self.assertIn("line 7: a second entry", self.refused(head + whole + whole))
        self.assertIn("line 2: an empty line", self.refused(head + "\n"))
        self.assertIn("line 3: 'x' is nothing", self.refused(head + entry + "x\n"))

    def test_choices_that_do_not_fit_are_refused(self):
        self.tune(MANY, "searched", "--tune", "--tune-runs", 16)
        kept = self.cache.read_text()
        self.cache.write_text(kept.replace("end\n", "choice nowhere#3 1\nend\n"))
        ran = run(MANY, "--tuning-cache", self.cache, "-o", "/dev/null")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("the choices do not fit this program: the program has no decision nowhere#3", ran.stderr)
        name = kept.split("choice ")[1].split()[0]
        lines = [f"choice {name} 12345" if line.startswith(f"choice {name} ") else line for line in kept.splitlines()]
        self.cache.write_text("\n".join(lines) + "\n")
        ran = run(MANY, "--tuning-cache", self.cache, "-o", "/dev/null")
        self.assertEqual(ran.returncode, 2)
        self.assertIn(f"12345 is no candidate of {name}", ran.stderr)

    def test_what_is_missing_is_said(self):
        self.assertIn("--tune wants --tuning-cache", run(FEW, "--tune").stderr)
        self.assertIn("cannot be read", run(FEW, "--tuning-cache", self.folder.name).stderr)
        ran = run(FEW, "--tune", "--tuning-cache", "/nowhere/at/all")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("cannot be locked", ran.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2] / "build")
    options, rest = parser.parse_known_args()
    BUILD = options.build
    unittest.main(argv=[sys.argv[0], *rest])
