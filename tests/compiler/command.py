#!/usr/bin/env python3
"""`tandem compile` from outside: levels, forms of input, outputs, limits, and the producer named in files.

    tests/compiler/command.py [--build FOLDER]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(__file__).resolve().parent / "cycles"
FEW = PROGRAMS / "eight_lines.mlirbc"
LARGE = PROGRAMS / "llama_two_layers.mlirbc"
BUILD = None
PRETTY = """module @jit_f {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %sum = stablehlo.add %x, %ones : tensor<4xf32>
    return %sum : tensor<4xf32>
  }
}
"""
REFUSED = """module @jit_f {
  func.func public @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %sum = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
    return %sum : tensor<4x4xf32>
  }
}
"""


def has_jax():
    python = BUILD / "venv/bin/python"
    return python.exists() and subprocess.run([python, "-c", "import jax"], capture_output=True,
                                              check=False).returncode == 0


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_tandem(self, *arguments, **environment):
        return subprocess.run([BUILD / "tandem", *map(str, arguments)], capture_output=True, check=False,
                              cwd=self.folder, env=os.environ | environment)

    def compile(self, *arguments, **environment):
        done = self.run_tandem("compile", *arguments, **environment)
        done.stderr = done.stderr.decode()
        return done

    def assert_refused(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_options_and_version_are_those_of_the_compiler(self):
        self.assertIn(b"--emit", self.compile("--help").stdout)
        self.assertRegex(self.compile("--version").stdout.decode(),
                         r"^tandem-compile \S+, MLIR 22\.\d+\.\d+, isa [0-9a-f]{8}\n$")

    def test_a_compiler_that_is_not_there_is_named_with_what_brings_it(self):
        done = self.compile(FEW, TANDEM_COMPILER="/nonexistent/tandem-compile")
        self.assert_refused(done, "/nonexistent/tandem-compile", "scripts/setup --group compiler")

    def test_asm_and_vliw_lead_to_the_same_file(self):
        self.assertEqual(self.compile(FEW, "-o", "whole.elf").returncode, 0)
        whole = (self.folder / "whole.elf").read_bytes()
        for level in ("asm", "vliw"):
            self.assertEqual(self.compile(FEW, f"--emit={level}", "-o", f"{level}.s").returncode, 0)
            done = self.compile(f"{level}.s", f"--from={level}", "-o", "again.elf")
            self.assertEqual(done.returncode, 0, done.stderr)
            again = (self.folder / "again.elf").read_bytes()
            if level == "vliw":
                self.assertEqual(again, whole)
            text = [self.run_tandem("dis", name).stdout for name in ("whole.elf", "again.elf")]
            bundles = [re.findall(rb"^ +\{.*", listing, re.M) for listing in text]
            self.assertEqual(bundles[0], bundles[1], level)
            self.assertGreater(len(bundles[0]), 100)

    def test_text_does_not_go_under_the_name_of_a_program(self):
        for options in (["--stats"], ["--stats", "--json"], ["--emit=tiled"], ["--emit=memory"], ["--emit=vliw"]):
            done = self.compile(FEW, *options, "-o", "x.elf")
            self.assert_refused(done, "x.elf: .elf is the ending of programs")
            self.assertFalse((self.folder / "x.elf").exists())

    def test_no_way_leads_back_up(self):
        self.assertEqual(self.compile(FEW, "--emit=vliw", "-o", "v.s").returncode, 0)
        self.assert_refused(self.compile("v.s", "--from=vliw", "--emit=asm"), "from the level vliw to asm")
        self.assert_refused(self.compile("v.s", "--from=vliw", "--emit=tensor"), "from the level vliw to tensor")

    def test_files_say_who_made_them(self):
        self.assertEqual(self.compile(FEW, "-o", "f.elf").returncode, 0)
        target = subprocess.run(["readelf", "-p", ".tandem.target", self.folder / "f.elf"], capture_output=True,
                                text=True, check=True).stdout
        self.assertRegex(target, r"producer=tandem-compile \S+, MLIR 22\.")
        self.assertRegex(target, r"isa=[0-9a-f]{8}")

    def test_the_pretty_form_is_converted_where_python_has_jax(self):
        if not has_jax():
            self.skipTest("build/venv has no jax")
        done = self.compile(self.file("f.mlir", PRETTY), "-o", "f.elf", JAX_PLATFORMS="tandem")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_tandem("npy", "make", "x.npy", "--shape", "4", "--values", "1,2,3,4")
        ran = self.run_tandem("run", "f.elf", "--in", "arg0=x.npy", "--out", "out0=y.npy")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(self.run_tandem("npy", "show", "y.npy").stdout, rb"\n2 3 4 5")
        # Locations are those of the text, in errors of the parser and of the compiler.
        typo = self.compile(self.file("typo.mlir", PRETTY.replace("stablehlo.add", "stablehlo.ad")))
        self.assert_refused(typo, "typo.mlir:5:12: error: custom op 'stablehlo.ad' is unknown")
        refused = self.compile(self.file("refused.mlir", REFUSED))
        self.assert_refused(refused, "refused.mlir:3:12: error: unimplemented: stablehlo.cholesky")

    def test_chlo_is_converted_where_python_has_jax(self):
        if not has_jax():
            self.skipTest("build/venv has no jax")
        for text in (PRETTY.replace("stablehlo.add %x, %ones", "chlo.erf_inv %x").replace(
                         ": tensor<4xf32>\n    return", ": tensor<4xf32> -> tensor<4xf32>\n    return"),
                     'func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n'
                     '  %y = "chlo.erf_inv"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n'):
            done = self.compile(self.file("f.mlir", text), "-o", "f.elf")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_levels_with_bytes_lead_on(self):
        text = ('func.func public @main(%x: tensor<8x16xi8>) -> tensor<8x16xi8> {\n  %y = "stablehlo.add"(%x, %x) : '
                '(tensor<8x16xi8>, tensor<8x16xi8>) -> tensor<8x16xi8>\n  return %y : tensor<8x16xi8>\n}\n')
        self.file("f.mlir", text)
        for level in ("stablehlo", "tensor", "tiled", "buffers", "tpu"):
            self.assertEqual(self.compile("f.mlir", f"--emit={level}", "-o", "level.mlir").returncode, 0)
            done = self.compile("level.mlir", "-o", f"{level}.elf")
            self.assertEqual(done.returncode, 0, f"{level}: {done.stderr}")

    def test_assembly_is_for_the_machine_that_it_names(self):
        self.assertEqual(self.compile(FEW, "--preset=nano", "--emit=vliw", "-o", "v.s").returncode, 0)
        self.assertEqual(self.compile("v.s", "--from=vliw", "-o", "v.elf").returncode, 0)
        self.assertIn(b".target nano", self.run_tandem("dis", "v.elf").stdout)
        self.assert_refused(self.compile("v.s", "--from=vliw", "--preset=full"), "built for preset `nano`")
        self.assert_refused(self.compile("v.s"), "--from=asm")

    def test_bad_usage_has_status_2(self):
        for arguments in ([], [FEW, "more"], [FEW, "--emit="], [FEW, "--time-limit", "abc"], [FEW, "--memory-limit", -5],
                          [FEW, "--memory-limit", 1 << 44], [FEW, "--time-limit", 0], [FEW, "--stats", "--turns", -3],
                          [FEW, "--stats", "--turns", "nan"], [FEW, "--nope"]):
            self.assertEqual(self.compile(*arguments).returncode, 2, arguments)

    def test_without_jax_the_pretty_form_is_refused_with_the_line_that_converts_it(self):
        compiler = self.folder / "tandem-compile"  # no venv beside it
        compiler.write_bytes((BUILD / "tandem-compile").read_bytes())
        compiler.chmod(0o755)
        (self.folder / "python3").write_text("#!/bin/sh\nexit 3\n")
        (self.folder / "python3").chmod(0o755)
        done = subprocess.run([compiler, self.file("f.mlir", PRETTY)], capture_output=True, text=True, check=False,
                              cwd=self.folder, env={"PATH": str(self.folder)})
        self.assert_refused(done, "f.mlir:1:1: remark", "get_asm(print_generic_op_form=True)")

    def test_an_output_is_no_input(self):
        self.file("f.mlir", PRETTY)
        self.assert_refused(self.compile("f.mlir", "-o", "f.mlir"), "f.mlir: is an input of this command")
        self.assertEqual((self.folder / "f.mlir").read_text(), PRETTY)
        (self.folder / "link.mlir").symlink_to("f.mlir")
        self.assert_refused(self.compile("f.mlir", "-o", "link.mlir"), "is an input of this command (f.mlir)")

    def test_an_output_is_neither_the_machine_nor_the_tuning_cache(self):
        self.file("f.mlir", PRETTY)
        machine = self.file("mine.toml", 'preset = "small"\nvmem = "512KiB"\n')
        self.file("t.txt", "")
        for arguments in (["--preset", machine, "-o", "mine.toml"], ["--preset", machine, "--record-decisions", "mine.toml"],
                          ["--tuning-cache", "t.txt", "-o", "t.txt"],
                          ["--tune", "--tuning-cache", "new.txt", "-o", "new.txt"]):
            self.assert_refused(self.compile("f.mlir", *arguments), "is an input of this command")
        self.assertIn("512KiB", (self.folder / "mine.toml").read_text())
        self.assertEqual((self.folder / "t.txt").read_text(), "")

    def test_inputs_that_are_none_are_refused_unread(self):
        self.assert_refused(self.compile("/dev/zero"), "/dev/zero: is a device")
        with open(self.folder / "sparse", "wb") as sparse:
            sparse.truncate(1 << 40)
        self.assert_refused(self.compile("sparse"), "sparse: ")
        self.assert_refused(self.compile("none.mlir"), "none.mlir: cannot open")

    def test_an_old_file_stays_where_compiling_fails(self):
        self.file("old.elf", "old")
        self.assert_refused(self.compile(self.file("bad.mlir", "nonsense"), "-o", "old.elf"))
        self.assertEqual((self.folder / "old.elf").read_text(), "old")

    def test_what_takes_too_much_memory_or_time_is_an_error_that_says_so(self):
        memory = self.compile(LARGE, "--memory-limit", 300, "-o", "x.elf")
        self.assert_refused(memory, "takes more than 300 MiB of memory")
        endless = "\n".join(f'%{i + 1} = "stablehlo.sine"(%{i}) : (tensor<64xf32>) -> tensor<64xf32>'
                            for i in range(20000))
        text = f"func.func public @main(%0: tensor<64xf32>) -> tensor<64xf32> {{\n{endless}\nreturn %20000 : tensor<64xf32>\n}}"
        time = self.compile(self.file("endless.mlir", text), "--time-limit", 1)
        self.assert_refused(time, "takes more than 1 seconds of processor time")


def main():
    global BUILD
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=PROGRAMS.parent.parent.parent / "build")
    arguments, rest = parser.parse_known_args()
    BUILD = arguments.build.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
