#!/usr/bin/env python3
"""Checks of the committed documents: links are valid, and README.md's figures are those of the pages that it names.

  tests/documents.py [FOLDER]

A link to a heading has the form that GitHub and the site (scripts/site) make of it.
"""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))

import git_documents

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else __file__).resolve()
ROOT = ROOT if ROOT.is_dir() else ROOT.parents[1]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def without_code(text):
    """The text without blocks and spans of code, in which brackets are not links."""
    lines, fence = [], None
    for line in text.splitlines():
        mark = re.match(r" *(```+)", line)
        if mark and (fence is None or line.strip() == fence):
            fence = mark[1] if fence is None else None
        elif fence is None and not line.startswith("    "):
            lines.append(re.sub(r"(`+).*?\1", "", line))
    return "\n".join(lines)


def headings(text):
    """The anchors of a document."""
    found, fence = {}, False
    for line in text.splitlines():
        fence ^= line.startswith("```")
        match = None if fence else re.match(r"#+ (.*)", line)
        if match:
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).replace("`", "")
            slug = re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")
            count = found.get(slug, 0)
            found[slug] = count + 1
            if count:
                found[f"{slug}-{count}"] = 1
    return set(found)


def broken_links(path):
    """(link, error) of a document."""
    for match in LINK.finditer(without_code(path.read_text(encoding="utf-8"))):
        link = match[1] or match[2]
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists():
            yield link, "there is no such file"
        elif anchor and target.suffix == ".md" and anchor not in headings(target.read_text(encoding="utf-8")):
            yield link, "there is no such heading"


class Documents(unittest.TestCase):
    def test_links_lead_somewhere(self):
        found = [f"{name}: {link}: {wrong}" for name in git_documents.documents(ROOT, untracked=True)
                 for link, wrong in broken_links(ROOT / name)]
        self.assertEqual(found, [])

    def test_every_page_of_docs_is_in_the_index(self):
        index = (ROOT / "docs/README.md").read_text(encoding="utf-8")
        for path in sorted((ROOT / "docs").glob("*.md")):
            self.assertTrue(path.name == "README.md" or f"]({path.name})" in index, path.name)

    def test_the_figures_of_the_readme_are_those_of_their_pages(self):
        rows = re.findall(r"^\| (\*\*.*?) \| (.*) \| `(.*)` \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
        self.assertEqual(len(rows), 5)
        for figure, text, command in rows:
            page = (ROOT / re.search(r"\]\(([^)#]*)", text)[1]).read_text(encoding="utf-8")
            numbers = re.findall(r"[\d,.]*\d", figure)
            self.assertTrue(numbers, figure)
            for number in numbers:
                self.assertRegex(page.replace(",", ""), rf"(?<![\d.]){re.escape(number.replace(',', ''))}(?![\d]|\.\d)", figure)
            files = [word for word in command.split() if "/" in word and not word.startswith("build/")]
            self.assertTrue(files, command)
            for file in files:
                self.assertTrue((ROOT / file).is_file(), file)


if __name__ == "__main__":
    unittest.main()
