#!/usr/bin/env python3
"""The mutator itself: its changes, and that it changes one thing at a time.

  tests/mutants/mutate_test.py
"""
import pathlib
import re
import tempfile
import unittest

import mutate

MODULE = """module tpu_sample (input logic clk_i, output logic [3:0] q_o);
  localparam int unsigned N = 2 + 2;          // constants stay: a width
  logic [3:0] aa, bb;                           /* aa + bb in a comment */
  assign aa = bb + 4'd3;
  assign bb = {2'd1, aa[N-1:2]};
  always_comb begin
    for (int unsigned i = 0; i < 4; i = i + 1) if (i == 3) bb[i] = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) q_o <= '0;
    else if (aa < bb || en_i) q_o <= aa == bb ? aa : ~bb;
  end
`ifndef SYNTHESIS
  always_ff @(posedge clk_i) assert (aa + bb == 4'd5);
`endif
endmodule
"""


def mutated(text):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "tpu_sample.sv"
        file.write_text(text)
        mutator = mutate.Mutator(set())
        return mutator.file(file), mutator.mutants


class Mutations(unittest.TestCase):
    def setUp(self):
        self.text, self.mutants = mutated(MODULE)
        self.changes = {(m["operator"], m["before"], m["after"]) for m in self.mutants}

    def test_the_faults_of_the_sample(self):
        for change in (("- for +", "bb + 4'd3", "bb - 4'd3"),
                       ("constant + 1", "4'd3", "4'd4"), ("constant - 1", "4'd3", "4'd2"),
                       ("constant + 1", "2'd1", "2'd2"), ("reset dropped", "!rst_ni", "1'b0"),
                       ("<= for <", "aa < bb", "aa <= bb"), ("operands swapped", "aa < bb", "(bb) < (aa)"),
                       ("&& for ||", "aa < bb || en_i", "aa < bb && en_i"),
                       ("condition always", "aa < bb || en_i", "1'b1"),
                       ("negation dropped", "~bb", "bb"), ("!= for ==", "aa == bb", "aa != bb"),
                       ("choice inverted", "aa == bb ? aa : ~bb", "aa == bb ? (~bb) : (aa)"),
                       ("update dropped", "aa == bb ? aa : ~bb", "q_o")):
            self.assertIn(change, self.changes)

    def test_constants_loops_comments_and_assertions_stay(self):
        for before in ("2 + 2", "aa + bb", "i < 4", "i == 3", "N - 1"):
            self.assertNotIn(before, {m["before"] for m in self.mutants})
        self.assertIn("/* aa + bb in a comment */", self.text)
        self.assertIn("assert (aa + bb == 4'd5)", self.text)

    def test_each_number_stands_in_the_text_once(self):
        found = [int(number) for number in re.findall(r"selected == (\d+)", self.text)]
        self.assertEqual(sorted(found), [m["number"] for m in self.mutants])

    def test_with_none_switched_on_the_text_means_the_same(self):
        off = re.sub(r"tpu_mutant_pkg::selected == \d+ \? ", "0 ? ", self.text)
        while True:  # (0 ? (x) : (y)) is y; innermost first, and x holds no switch
            new = re.sub(r"\(0 \? \((?:[^()]|\([^()]*\))*\) : \(((?:[^()]|\([^()]*\))*)\)\)", r"\1", off)
            if new == off:
                break
            off = new
        squeezed = [re.sub(r"[\s()]|//.*", "", line) for line in (off, MODULE)]
        self.assertEqual(squeezed[0], squeezed[1])


if __name__ == "__main__":
    unittest.main()
