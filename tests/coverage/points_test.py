"""Records of Verilator's coverage become points."""
import pathlib
import tempfile
import unittest

import page
import points
import ports


def record(file, line, page_name, comment, hierarchy, count):
    fields = {"f": file, "l": line, "n": "3", "t": page_name, "page": page_name + "/m", "o": comment,
              "h": hierarchy}
    return "C '" + "".join(f"\1{key}\2{value}" for key, value in fields.items()) + f"' {count}\n"


class PointsTest(unittest.TestCase):
    def read(self, *files):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, text in enumerate(files):
                paths.append(pathlib.Path(folder) / str(number))
                paths[-1].write_text("# SystemC::Coverage-3\n" + text)
            return points.read_points(paths)

    def test_a_point_counts_once_over_instances_and_files(self):
        one = record("rtl/a/tpu_fifo.sv", 7, "v_line", "block", "TOP.x", 0)
        two = record("rtl/a/tpu_fifo.sv", 7, "v_line", "block", "TOP.y", 5)
        found = self.read(one + two, one)
        self.assertEqual([point.count for point in found.values()], [5])

    def test_arms_are_branches(self):
        found = self.read(record("m.sv", 1, "v_branch", "if", "T", 1)
                          + record("m.sv", 1, "v_branch", "else", "T", 0)
                          + record("m.sv", 2, "v_line", "block", "T", 1)
                          + record("m.sv", 3, "v_user", "cover", "T", 0))
        self.assertEqual(points.percentages(found)["m"], {"branches": (1, 2), "lines": (1, 1)})

    def test_bits_of_ports_are_toggles(self):
        found = self.read(record("m.sv", 3, "v_toggle", "d_i[0]", "T", 2)
                          + record("m.sv", 3, "v_toggle", "d_i[1]", "T", 0))
        self.assertEqual(points.percentages(found)["m"], {"toggles": (1, 2)})

    def test_only_lists_of_ports_are_counted(self):
        sources = {"m.sv": "module m (\n  input logic a_i\n);\n  logic b;\nendmodule\n",
                   "p_pkg.sv": "package p;\nendpackage\n"}
        off = ['`verilator_config', 'coverage_off -file "*/m.sv" -lines 4-5',
               'coverage_off -file "*/p_pkg.sv" -lines 1-2']
        self.assertEqual(ports.configuration(sources, None).splitlines(), off)
        off[1] = 'coverage_off -file "*/m.sv" -lines 1-5'
        self.assertEqual(ports.configuration(sources, ["other"]).splitlines(), off)

    def left_out(self, rules):
        """For a module with a line that ran and two that did not: the counted points, and the unused rules."""
        found = self.read(record("m.sv", 1, "v_line", "block", "T", 1)
                          + record("m.sv", 2, "v_line", "block", "T", 0)
                          + record("m.sv", 3, "v_line", "case", "T", 0))
        with tempfile.TemporaryDirectory() as rtl:
            (pathlib.Path(rtl) / "m.sv").write_text("  ran\n  never\n  default:\n")
            points.read_texts(found, rtl)
        idle = points.leave_out(found, points.read_rules(rules))
        return points.percentages(found)["m"], [rule.line for rule in idle]

    def test_what_is_left_out_with_a_reason_does_not_count(self):
        self.assertEqual(self.left_out("@ cannot be\nm ;; lines ;; never ;; block\n"),
                         ({"lines": (1, 1), "branches": (0, 1)}, []))

    def test_a_rule_that_leaves_nothing_out_is_told(self):
        rule = "m ;; lines ;; ran ;; block"
        self.assertEqual(self.left_out(f"@ cannot be\n{rule}\n"),
                         ({"lines": (1, 2), "branches": (0, 1)}, [rule]))

    def test_a_rule_without_a_reason_is_refused(self):
        with self.assertRaises(ValueError):
            points.read_rules("m ;; lines ;; ran ;; block\n")

    def test_pages_show_what_did_not_run(self):
        found = self.read(record("tpu_m.sv", 2, "v_line", "block", "T", 0)
                          + record("tpu_m.sv", 1, "v_line", "block", "T", 3))
        with tempfile.TemporaryDirectory() as folder:
            rtl = pathlib.Path(folder) / "rtl"
            rtl.mkdir()
            (rtl / "tpu_m.sv").write_text("a < b\nnever\n")
            page.write_pages(pathlib.Path(folder) / "page", found, points.percentages(found), rtl)
            text = (pathlib.Path(folder) / "page/tpu_m.html").read_text()
        self.assertIn("a &lt; b", text)
        self.assertIn('class="missed"', text.splitlines()[-2])


if __name__ == "__main__":
    unittest.main()
