#!/usr/bin/env python3
"""No command waits for a named pipe without a writer, in the place of any input.

    tests/cli/pipes.py BUILD

Every command of `tandem`, `tandem-compile` and `tandem-opt`, as --help lists them, is given such a pipe for each of its
files: as the first word, for each option that takes a text (also as NAME=FILE and as FILE.toml), and in plans that name
files. Each must end by itself. The shell's pipes for `<(...)` and `|` are read.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
TANDEM = str(BUILD / "tandem")
SECONDS = 20
KERNEL = "        halt\n"
# Options for outputs are not inputs; a compiler, a queue and a terminal are not files.
OUTPUTS = {"-o", "--out", "--csv", "--html", "--trace", "--pipeline", "--wave", "--snapshot", "--record-events", "--report",
           "--record-decisions", "--save", "--coverage", "--output", "--page", "--data", "--json", "--repeat", "--into"}
REFUSED = "is a named pipe, which may never end"


def options_of(*command):
    """The options with a text value, of a command and of its subcommands: (command, option, other required
    arguments)."""
    said = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    found = [(command, option.split(",")[-1], needs) for option, needs in
             re.findall(r"^  (-[\w,-]+) +TEXT(?:.* Needs: (\S+))?", said, re.M)]
    below = said.partition("Subcommands:\n")[2].partition("\n\n")[0]
    for name in re.findall(r"^  (\w+)", below, re.M):
        found += options_of(*command, name) + [((*command, name), None, "")]
    return found


class Pipes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("fifo", "fifo.toml", "fifo.s", "fifo.npy"):
            subprocess.run(["mkfifo", str(self.folder / name)], check=True)
        (self.folder / "k.s").write_text(KERNEL)

    def run_in(self, *command, **how):
        try:
            return subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=self.folder,
                                  timeout=SECONDS, check=False, stdin=how.pop("stdin", subprocess.DEVNULL), **how)
        except subprocess.TimeoutExpired:
            self.fail(f"{' '.join(map(str, command[1:]))} waits")

    def test_no_command_waits_for_the_writer_of_any_input(self):
        refused = set()
        every = options_of(TANDEM) + [((str(BUILD / "tandem-opt"),), None, "")]
        if (BUILD / "tandem-compile").exists():
            every += options_of(str(BUILD / "tandem-compile")) + [((str(BUILD / "tandem-compile"),), None, "")]
        for command, option, needs in every:
            if option in OUTPUTS:
                continue
            name = command[-1]
            given = [["fifo"], ["fifo", "fifo"]] if option is None else [
                [*first, option, value] for first in ([], ["k.s"]) for value in ("fifo", "x=fifo", "fifo.toml")]
            given = [[*words, needs, "fifo"] if needs else words for words in given]
            for words in given:
                if name == "report":  # which writes a page
                    words = [*words, "-o", "page.html"]
                ran = self.run_in(*command, *words)
                self.assertNotIn(ran.returncode, (-6, -11), ran.stderr)
                if REFUSED in ran.stderr:
                    refused.add(pathlib.Path(name).name)
        for name in ("asm", "dis", "run", "lockstep", "check", "shrink", "regress", "sweep", "diff", "report", "show", "llama"):
            self.assertIn(name, refused)

    def test_plans_that_name_pipes_are_refused(self):
        for plan in ('[[program]]\nname = "a"\nfile = "fifo.s"\n[[machine]]\npreset = "nano"\n',
                     '[[program]]\nname = "a"\nfile = "k.s"\nin = ["x=fifo.npy"]\n[[machine]]\npreset = "nano"\n'):
            (self.folder / "plan.toml").write_text(plan)
            for command in ("sweep", "regress"):
                self.assertNotEqual(self.run_in(TANDEM, command, "plan.toml", "--jobs", "1").returncode, 0)

    def test_pipes_of_a_shell_are_read(self):
        script = f"{TANDEM} asm <(cat k.s) -o a.elf && {TANDEM} run <(cat k.s) && cat k.s | {TANDEM} asm - -o b.elf"
        ran = self.run_in("bash", "-c", script)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        with subprocess.Popen(["bash", "-c", "sleep 1; cat k.s"], cwd=self.folder, stdout=subprocess.PIPE) as slow:
            ran = self.run_in(TANDEM, "asm", "-", "-o", "c.elf", stdin=slow.stdout)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual((self.folder / "c.elf").read_bytes(), (self.folder / "b.elf").read_bytes())


if __name__ == "__main__":
    unittest.main()
