#!/usr/bin/env python3
"""Processes and files of `tandem-compile` when it is killed, and with ignored children.

    tests/compiler/processes.py [--build FOLDER]
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAMS = pathlib.Path(__file__).resolve().parent / "cycles"
FEW = PROGRAMS / "eight_lines.mlirbc"
SLOW = PROGRAMS / "llama_two_layers.mlirbc"
BUILD = None


def until(true):
    """Whether it becomes so within ten seconds."""
    for _ in range(200):
        if true():
            return True
        time.sleep(0.05)
    return False


class Processes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, *arguments, **options):
        environment = dict(os.environ, TMPDIR=str(self.folder))
        return subprocess.Popen([BUILD / "tandem-compile", *map(str, arguments)], env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def processes(self):
        """Those that were started with this test's folder, and have not ended."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                environment = (process / "environ").read_bytes()
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if f"TMPDIR={self.folder}".encode() in environment.split(b"\0") and state != "Z":
                found.append(process.name)
        return found

    def end(self, process, number):
        process.send_signal(number)
        process.communicate(timeout=60)
        self.assertTrue(until(lambda: not self.processes()), "a process is left")
        return process.returncode

    def test_a_compilation_is_ended_with_its_process(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = self.start(SLOW, "-o", "/dev/null")
            self.assertTrue(until(lambda: len(self.processes()) == 2))
            status = self.end(process, number)
            self.assertEqual(status, -number if number == signal.SIGKILL else 128 + number)

    def test_runs_are_ended_and_their_folder_goes(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(SLOW, "--stats")
            self.assertTrue(until(lambda: list(self.folder.glob("tandem-compile-*"))))
            self.assertEqual(self.end(process, number), 128 + number)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_it_works_where_children_are_ignored(self):
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        for arguments in ([FEW, "-o", "-"], [FEW, "--stats", "--preset", "nano"]):
            process = self.start(*arguments, preexec_fn=ignore)
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
        broken = self.folder / "broken.mlir"
        broken.write_text("func.func")
        process = self.start(broken, "-o", "-", preexec_fn=ignore)
        self.assertIn(b"broken.mlir:1", process.communicate(timeout=60)[1])
        self.assertEqual(process.returncode, 2)


def main():
    global BUILD
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=PROGRAMS.parent.parent.parent / "build")
    arguments, rest = parser.parse_known_args()
    BUILD = arguments.build.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
