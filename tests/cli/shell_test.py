#!/usr/bin/env python3
"""Completions and manual pages of `tandem`: shells that read them offer what --help lists.

  tests/cli/shell_test.py TANDEM

Each shell completes for itself; zsh and fish are left out, with a word, where they are not installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TANDEM = pathlib.Path(sys.argv.pop(1)).resolve()


def tandem(*arguments):
    return subprocess.run([TANDEM, *arguments], capture_output=True, text=True, check=True).stdout


def subcommands(*path):
    text = tandem(*path, "--help")
    return re.findall(r"^  ([a-z]+)  ", text[text.index("Subcommands:"):], re.M) if "Subcommands:" in text else []


def options(*path):
    """Every option of the help, --long or -s."""
    heads = re.findall(r"^  (-[^ ]*)", tandem(*path, "--help"), re.M)
    return [name for head in heads for name in head.split(",")]


# The options of `compile` are those of tandem-compile, which prints its help.
COMMANDS = [()] + [(name,) for name in subcommands() if name != "compile"] + [("npy", name) for name in subcommands("npy")]


class Bash(unittest.TestCase):
    def completed(self, *words):
        quoted = " ".join(f"'{word}'" for word in ("tandem", *words))
        script = (f"{tandem('completion', 'bash')}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words)}\n_tandem\n"
                  "printf '%s\\n' \"${COMPREPLY[@]}\"")
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()

    def test_it_offers_every_option_of_every_command(self):
        for path in COMMANDS:
            with self.subTest(path):
                self.assertEqual(sorted(self.completed(*path, "-")), sorted(options(*path)))

    def test_it_offers_commands_and_the_words_of_an_option(self):
        self.assertEqual(sorted(self.completed("")), sorted(subcommands()))
        self.assertEqual(self.completed("lock"), ["lockstep"])
        self.assertEqual(self.completed("npy", ""), ["make", "show", "diff"])
        self.assertEqual(sorted(self.completed("run", "--on", "")), ["cycle", "golden", "rtl"])
        self.assertEqual(self.completed("run", "--on", "=", "cy"), ["cycle"])
        self.assertEqual(self.completed("run", "x.s", "--schedule", "=", "no"), ["none"])
        self.assertEqual(self.completed("run", "--preset", ""), ["nano", "small", "edge", "full"])
        self.assertEqual(self.completed("completion", "f"), [])  # a file may be meant, too

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(self.completed("run", "--trace", "x"), [])
        self.assertIn("complete -o default", tandem("completion", "bash"))


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(unittest.TestCase):
    def completed(self, line):
        with tempfile.TemporaryDirectory() as folder:
            script = f"{tandem('completion', 'fish')}\ncomplete -C '{line}'"
            out = subprocess.run(["fish", "--no-config", "-c", script], cwd=folder, capture_output=True, text=True,
                                 check=True).stdout
        return [row.split("\t")[0] for row in out.splitlines()]

    def test_it_offers_every_option_of_every_command(self):
        for path in COMMANDS:
            with self.subTest(path):
                shown = self.completed(" ".join(["tandem", *path, "--"]))
                self.assertEqual(sorted(shown), sorted(name for name in options(*path) if name.startswith("--")))

    def test_it_offers_commands_and_the_words_of_an_option(self):
        self.assertEqual(self.completed("tandem lock"), ["lockstep"])
        self.assertEqual(sorted(self.completed("tandem npy ")), ["diff", "make", "show"])
        self.assertEqual(sorted(self.completed("tandem run --on ")), ["cycle", "golden", "rtl"])
        self.assertNotIn("lockstep", self.completed("tandem run "))


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(unittest.TestCase):
    def test_its_functions_are_read_and_name_every_option(self):
        text = tandem("completion", "zsh")
        done = subprocess.run(["zsh", "-f", "-c", f"autoload -Uz compinit; compinit -u -D\n{text}\n"
                                                  "print ${_comps[tandem]}; whence -w _tandem_npy_make"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "_tandem\n_tandem_npy_make: function\n")
        for path in COMMANDS:
            body = text[text.index("_".join(["_tandem", *path]) + "() {"):]
            body = body[:body.index("\n}\n")]
            for name in options(*path):
                self.assertRegex(body, rf"'\*{re.escape(name)}=?\[", path)


class Manual(unittest.TestCase):
    def test_every_command_has_a_page_with_its_options(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([TANDEM, "man", "--folder", folder], check=True)
            pages = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(set(pages), {"tandem.1", *(f"tandem-{name}.1" for name in subcommands())})
        for path in COMMANDS:
            page = pages["-".join(("tandem", *path[:1])) + ".1"].replace("\\-", "-")
            for name in options(*path):
                self.assertIn(f"\\fB{name}\\fR", page, path)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_pages_are_formatted_without_a_warning(self):
        for name in ["tandem", *subcommands()]:
            done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-c"], input=tandem("man", name), text=True,
                                  capture_output=True, check=True)
            self.assertEqual(done.stderr, "", name)
            self.assertIn("EXIT STATUS", re.sub(".\x08", "", done.stdout))

    def test_a_command_that_is_not_there_is_named(self):
        done = subprocess.run([TANDEM, "man", "nothing"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, "tandem: man: there is no command 'nothing'; tandem --help lists them\n"))


if __name__ == "__main__":
    unittest.main()
