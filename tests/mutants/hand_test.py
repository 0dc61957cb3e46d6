#!/usr/bin/env python3
"""The tables of faults: how they are read, the effect of a fault, refusals.

  tests/mutants/hand_test.py
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import faults
import hand
from faults import Mistake, Source, core, read_table

MODULE = """module tpu_sample;
  assign aa = bb
      + cc;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      q_q <= '0;
      r_q <= 1'b0;
    end else if (go_i && !stop_i) q_q <= q_q + 4'd1;
  end
  tpu_other other (.x_i(aa & bb), .y_o(dd));
endmodule
"""


def table(text):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "sample.faults"
        file.write_text(text)
        return read_table(file, 7)


def written(text):
    source = Source(MODULE, hand.select)
    lines = [source.add(fault) for fault in table(text)]
    return source.rendered(), lines


def changed(before, after, cxx=False):
    begin, end, new = core(before, after, cxx)
    return before[begin:end], new


class Tables(unittest.TestCase):
    def test_a_table_is_read(self):
        found = table("# words\n@ tpu_sample off by one: too far\n- a\n-   b\n+ c\n"
                      "@ tpu_other lost update: gone\n- d\n+ e\n")
        self.assertEqual([(f.number, f.unit, f.kind, f.what, f.before, f.after) for f in found],
                         [(7, "tpu_sample", "off by one", "too far", "a b", "c"),
                          (8, "tpu_other", "lost update", "gone", "d", "e")])

    def test_what_is_no_table_is_refused(self):
        for text in ("- a\n", "@ unit kind: what\n- a\n", "@ unit kind: what\n- a\n+ a\n",
                     "@ unit and nothing else\n- a\n+ b\n", "! a\n"):
            with self.assertRaises(Mistake, msg=text):
                table(text)


class Differences(unittest.TestCase):
    def test_the_part_that_differs(self):
        for before, after, what in (
                ("assign aa = bb + cc;", "assign aa = bb;", ("bb + cc", "bb")),
                ("q <= a;", "q <= b;", ("a", "b")), ("q <= a;", "r <= a;", ("q <= a;", "r <= a;")),
                ("if (a && b) x = y;", "if (a) x = y;", ("a && b", "a")),
                ("else if (a) x = y;", "else if (a) x = z;", ("y", "z")),
                (".x_i(a)", ".x_i(b)", ("a", "b")), ("&& a && b", "&& a", ("a && b", "a")),
                ("tpu_pkg::OP_A: r = a;", "tpu_pkg::OP_A: r = b;", ("a", "b")),
                ("a <= b; c <= d;", "a <= b; c <= e;", ("d", "e")),
                ("OP_A: begin x = y; z = w; end", "OP_A: begin x = y; end", ("z = w;", ""))):
            self.assertEqual(changed(before, after), what)

    def test_of_cxx(self):
        for before, after, what in (("return a + b;", "return a;", ("a + b", "a")),
                                    ("const auto x = a;", "const auto x = b;", ("a", "b")),
                                    ("std::uint32_t x = a;", "std::uint32_t x = b;", ("a", "b")),
                                    ("core.x[i] += a;", "core.x[i] += b;", ("a", "b"))):
            self.assertEqual(changed(before, after, True), what)


class Sources(unittest.TestCase):
    def test_expressions_and_statements_are_switched(self):
        text, lines = written("@ tpu_sample a: x\n- assign aa = bb + cc;\n+ assign aa = bb - cc;\n"
                              "@ tpu_sample a: x\n- q_q <= '0; r_q <= 1'b0;\n+ q_q <= '0;\n")
        self.assertIn("assign aa = (tpu_mutant_pkg::selected == 7 ? (bb - cc) : (bb\n      + cc));", text)
        self.assertEqual(lines, [2, 6])

    def test_faults_in_one_place_and_inside_of_each_other(self):
        text, _ = written("@ tpu_sample a: x\n- go_i && !stop_i\n+ go_i\n@ tpu_sample a: x\n- !stop_i\n"
                          "+ stop_i\n@ tpu_sample a: x\n- go_i && !stop_i\n+ 1'b1\n")
        for number in (7, 8, 9):
            self.assertEqual(text.count(f"selected == {number} "), 1)
        self.assertLess(text.index("selected == 7 "), text.index("selected == 8 "))

    def test_faults_across_each_other_are_refused(self):
        with self.assertRaises(Mistake):
            written("@ tpu_sample a: x\n- aa & bb\n+ aa\n@ tpu_sample a: x\n- bb), .y_o(dd\n+ cc\n")

    def test_a_text_that_moved_or_stands_twice_is_refused(self):
        for text in ("nowhere", "q_q"):
            with self.assertRaises(Mistake):
                written(f"@ tpu_sample a: x\n- {text}\n+ 1\n")


class RealTables(unittest.TestCase):
    def test_every_fault_of_the_rtl_is_in_its_place(self):
        root = pathlib.Path(__file__).resolve().parent
        found = []
        for file in sorted((root / "hand").glob("*.faults")):
            found += read_table(file, 1 + len(found))
        sources, told, complaints = hand.put_in(found, sorted(root.glob("../../rtl/**/*.sv")))
        self.assertEqual(complaints, [])
        self.assertEqual(len(told), len(found))
        self.assertGreater(len(found), 200)
        self.assertEqual({unit for unit in sources if unit not in
                          {mutant["unit"] for mutant in told}}, {"tpu_core", "tpu_eup_tables_pkg"})
        for source in sources.values():
            source.rendered()

    def test_every_fault_of_the_models_is_in_its_place(self):
        root = pathlib.Path(__file__).resolve().parent
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, root / "models.py", "--root", root.parent.parent, "--output", folder, "--first", "1",
                 "--tables", *root.glob("models/*.faults")], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertGreater(len(json.loads((pathlib.Path(folder) / "mutants.json").read_text())), 100)


if __name__ == "__main__":
    unittest.main()
