#!/usr/bin/env python3
"""The requests of scripts/rtl to CMake and ninja, which are replaced here.

    tests/machines/rtl_script.py [--build FOLDER]
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
TOOL = '#!/bin/sh\necho "$(basename "$0") $*" >>"$TANDEM_BUILD/asked"\n'
SMALL_VMEM = "lanes=16,vmem=64KiB,smem=64KiB,icache=1024"


class RtlScript(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        (self.folder / "lib").mkdir()
        (self.folder / "tandem").symlink_to(BUILD / "tandem")
        for tool in ("cmake", "ninja"):
            (self.folder / tool).write_text(TOOL)
            (self.folder / tool).chmod(0o755)
        self.keeps("")

    def keeps(self, machines):
        (self.folder / "CMakeCache.txt").write_text(f"TANDEM_PRESETS:STRING=nano;small\nTANDEM_MACHINES:STRING={machines}\n")

    def run_it(self, *arguments):
        environment = {**os.environ, "TANDEM_BUILD": str(self.folder), "PATH": f"{self.folder}:{os.environ['PATH']}"}
        (self.folder / "asked").write_text("")
        done = subprocess.run([ROOT / "scripts/rtl", *arguments], env=environment, capture_output=True, text=True, check=False)
        return done, (self.folder / "asked").read_text()

    def test_a_machine_is_added_once_and_its_timing_left_out(self):
        for kept in ("", SMALL_VMEM):
            self.keeps(kept)
            done, asked = self.run_it("--machine", "vmem=64KiB,hbm_beat=2")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"-DTANDEM_MACHINES={SMALL_VMEM}\n", asked)
            self.assertIn("tandem_plugin_rtl_lanes_16_vmem_64KiB_smem_64KiB_icache_1024\n", asked)
        done, asked = self.run_it("--machine", "edge,hbm_beat=2")
        self.assertIn("-DTANDEM_PRESETS=nano;small;edge\n", asked)

    def test_what_is_no_machine_changes_nothing(self):
        for arguments in (["--machine", "lanes=12"], ["--forget", ""], ["--machine"], ["--list"], []):
            self.assertNotIn("cmake", self.run_it(*arguments)[1], arguments)

    def test_only_what_is_built_is_listed(self):
        self.keeps(SMALL_VMEM)
        (self.folder / "lib/libtandem_rtl_small.so").touch()
        self.assertEqual(self.run_it("--list")[0].stdout, "small\n")
        (self.folder / "lib/libtandem_rtl_lanes_16_vmem_64KiB_smem_64KiB_icache_1024.so").touch()
        self.assertEqual(self.run_it("--list")[0].stdout, f"small\n{SMALL_VMEM}\n")
        _, asked = self.run_it("--forget", f"{SMALL_VMEM},hbm_jitter=3")
        self.assertIn("-DTANDEM_MACHINES=\n", asked)
        self.assertEqual(self.run_it("--list")[0].stdout, "small\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=BUILD)
    known, rest = parser.parse_known_args()
    BUILD = known.build.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
