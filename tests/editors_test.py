#!/usr/bin/env python3
"""What editors colour: the generated grammars on sample text, by TextMate's own rules and by Vim where there is one.

    tests/editors_test.py
"""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
EDITORS = ROOT / "editors"
# A line, and what its words are: the end of TextMate's scope and of Vim's group. "": nothing.
SAMPLES = [
    ("        .tensor x, s8, [n - 4], in", {".tensor": "directive Directive", "s8": "type Type", "x": "", "4": "numeric Number"}),
    ("        .parameter f, y, bf16, [rows], out", {".parameter": "directive Directive", "bf16": "type Type"}),
    ("next:   { ld: v1 = vld [s8 + LANES], rows=4, mask=!m2 }  # add s1", {
        "next": "label Label", "ld": "slot Slot", "v1": "register Register", "vld": "mnemonic Mnemonic",
        "s8": "register Register", "LANES": "language Constant", "rows": "attribute-name Attribute",
        "mask": "attribute-name Attribute", "m2": "register Register", "add": "line Comment"}),
    ("        @!p1 br next", {"@!p1": "predicate Predicate", "br": "mnemonic Mnemonic", "next": ""}),
    ("        %sum = vadd.f32 %sum, v63.lo", {"%sum": "virtual Virtual", "vadd.f32": "mnemonic Mnemonic",
                                              "v63.lo": "register Register"}),
    ("        vmull.f32 v64, s32, p8, f32", {"vmull.f32": "", "v64": "", "s32": "type Type", "p8": "", "f32": "type Type"}),
    ("        s1 = csr cycles_lo", {"csr": "mnemonic Mnemonic", "cycles_lo": "csr Csr"}),
    ("again_\\@: \\dst = mov lo(table)", {"\\dst": "macro Parameter", "mov": "mnemonic Mnemonic", "lo": "function Function",
                                          "table": ""}),
    ("        .ascii \"add # 1\", 'a'", {"add": "double String", "#": "double String", "'a'": "character Character"}),
    ("        s1 = mov 0x1f // sub", {"0x1f": "numeric Number", "sub": "line Comment"}),
    ("        .rept 4, i", {".rept": "directive Directive", "i": ""}),
]
MNEMONICS = re.findall(r'^INSTRUCTION\(\w+, 0x\w+, "([^"]+)"', (ROOT / "isa/instructions.def").read_text(), re.M)


def textmate_scopes(line):
    """The scope of each letter, as TextMate finds it: the earliest fit, of several the pattern that comes first."""
    scopes = [""] * len(line)
    at = 0
    while True:
        fits = [(fit.start(), number, fit, pattern) for number, pattern in enumerate(PATTERNS)
                if (fit := pattern["compiled"].search(line, at)) and fit.end() > fit.start()]
        if not fits:
            return scopes
        _, _, fit, pattern = min(fits, key=lambda found: found[:2])
        spans = [(fit.span(), pattern["name"])] if "name" in pattern else []
        spans += [(fit.span(int(part)), scope["name"]) for part, scope in pattern.get("captures", {}).items()]
        for (start, end), name in spans:
            scopes[start:end] = [name] * (end - start)
        at = fit.end()


GRAMMAR = json.loads((EDITORS / "vscode/syntaxes/tandem.tmLanguage.json").read_text())
PATTERNS = [{**pattern, "compiled": re.compile(pattern["match"])} for pattern in GRAMMAR["patterns"]]


def word_at(line, word):
    """Where a word is by itself."""
    return re.search(rf"(?<![\w.$]){re.escape(word)}(?![\w.$])", line).start()


class TextMate(unittest.TestCase):
    def test_words_have_their_scopes(self):
        for line, words in SAMPLES:
            scopes = textmate_scopes(line)
            for word, kinds in words.items():
                at, wanted = word_at(line, word), kinds.split(" ")[0]
                for scope in scopes[at:at + len(word)]:
                    found = scope.removesuffix(".tandem").rpartition(".")[2]
                    self.assertEqual(found, wanted, f"{word} in {line}")

    def test_every_instruction_is_a_mnemonic_and_every_directive_of_the_manual_is_one(self):
        for mnemonic in MNEMONICS:
            self.assertEqual(set(textmate_scopes("  " + mnemonic)[2:]), {"keyword.mnemonic.tandem"}, mnemonic)
        manual = (ROOT / "docs/assembly.md").read_text().partition("## 12.")[0]  # then sections of files
        directives = set(re.findall(r"^\| `(\.[a-z_]+)", manual, re.M))
        self.assertGreater(len(directives), 15)
        for directive in directives:
            self.assertEqual(set(textmate_scopes(directive)), {"keyword.control.directive.tandem"}, directive)

    def test_operations_of_real_programs_are_known(self):
        """In explicit bundles and assignments, what is where a mnemonic is, is one."""
        count = 0
        for path in sorted((ROOT / "tests/programs").glob("*/*.s"))[:60]:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                for fit in re.finditer(r"[ {;]\w+: +(?:[spvm]\d+ = )([a-z][\w.]+)", line.partition("#")[0]):
                    count += 1
                    self.assertEqual(textmate_scopes(line)[fit.start(1)], "keyword.mnemonic.tandem", f"{path}:{number}: {fit[1]}")
        self.assertGreater(count, 100)

    def test_the_extension_is_of_this_version_and_names_files_that_are_there(self):
        package = json.loads((EDITORS / "vscode/package.json").read_text())
        version = re.search(r'version = "([\d.]+)', (ROOT / "isa/version.hpp").read_text())[1]
        self.assertEqual(package["version"], version)
        contributes = package["contributes"]
        self.assertEqual(contributes["grammars"][0]["scopeName"], GRAMMAR["scopeName"])
        for file in (contributes["grammars"][0]["path"], contributes["languages"][0]["configuration"]):
            json.loads((EDITORS / "vscode" / file).read_text())
        debugger = contributes["debuggers"][0]
        self.assertEqual([debugger["runtime"], *debugger["args"]], ["tandem", "debug", "--dap"])
        keys = set(debugger["configurationAttributes"]["launch"]["properties"])
        documented = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/debugger.md").read_text().partition("## In an editor")[2], re.M))
        self.assertEqual(keys, documented)

    def test_the_problem_matcher_reads_diagnostics(self):
        package = json.loads((EDITORS / "vscode/package.json").read_text())
        pattern = package["contributes"]["problemMatchers"][0]["pattern"]
        said = sorted((ROOT / "tests/assembler/diagnostics").glob("*.txt"))[0].read_text().splitlines()[0]
        self.assertEqual(len(re.fullmatch(pattern["regexp"], said).groups()), 6)


VIM = shutil.which("vim")
HAS_SYNTAX = VIM is not None and "+syntax" in subprocess.run([VIM, "--version"], capture_output=True, text=True).stdout


@unittest.skipUnless(HAS_SYNTAX, "no Vim with syntax files here")
class Vim(unittest.TestCase):
    def run_vim(self, path, commands):
        """What the commands leave in `g:out`, in a Vim that has our files alone."""
        with tempfile.TemporaryDirectory() as folder:
            out, script = pathlib.Path(folder, "out"), pathlib.Path(folder, "script.vim")
            script.write_text("\n".join(["let g:out = []", *commands, f"call writefile(g:out, '{out}')", "qall!"]))
            subprocess.run([VIM, "-N", "-u", "NONE", "-i", "NONE", "-e", "-s", "--cmd", f"set rtp^={EDITORS}/vim",
                            "-c", "filetype plugin on", "-c", "syntax on", "-c", f"edit {path}", "-S", script],
                           timeout=60, stdin=subprocess.DEVNULL, capture_output=True)
            return out.read_text().splitlines()

    def groups(self, lines):
        """The group of each letter of each line."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.s")
            path.write_text("\n".join([".target small", *lines]) + "\n")
            out = self.run_vim(path, [
                "for l in range(2, line('$'))",
                "  call add(g:out, join(map(range(1, strlen(getline(l))), 'synIDattr(synID(l, v:val, 1), \"name\")'), ','))",
                "endfor", "call add(g:out, &filetype)"])
        self.assertEqual(out.pop(), "tandem")
        return [line.split(",") for line in out]

    def test_words_have_their_groups(self):
        for (line, words), groups in zip(SAMPLES, self.groups([line for line, _ in SAMPLES]), strict=True):
            for word, kinds in words.items():
                at, wanted = word_at(line, word), kinds.split(" ")[-1]
                for group in groups[at:at + len(word)]:
                    self.assertEqual(group.removeprefix("tandem"), wanted, f"{word} in {line}")

    def test_every_instruction_is_a_mnemonic(self):
        for mnemonic, groups in zip(MNEMONICS, self.groups(MNEMONICS), strict=True):
            self.assertEqual(set(groups), {"tandemMnemonic"}, mnemonic)

    def test_make_assembles_and_lists_what_is_wrong(self):
        said = sorted((ROOT / "tests/assembler/diagnostics").glob("*.txt"))[0]
        _, line, column, message = said.read_text().splitlines()[0].split(":", 3)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.s")
            path.write_text(".target small\n")
            makeprg, listed = self.run_vim(path, [
                "call add(g:out, &makeprg)", "let &g:errorformat = &l:errorformat", f"cgetexpr readfile('{said}')",
                "for e in filter(getqflist(), 'v:val.valid')[:0]",
                "  call add(g:out, join([e.lnum, e.col, e.type, e.text], '|'))", "endfor"])
        self.assertEqual(makeprg.split()[:2], ["tandem", "asm"])
        self.assertEqual(listed, f"{line}|{column}|e|{message.strip().removeprefix('error')}")

    def test_other_assembly_keeps_its_type(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "other.s")
            path.write_text("\tmovq %rax, %rbx\n")
            self.assertNotEqual(self.run_vim(path, ["call add(g:out, &filetype)"]), ["tandem"])


if __name__ == "__main__":
    unittest.main()
