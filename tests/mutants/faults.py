"""Faults that people thought of: tables of them, and sources written again with all of them in place.

A table (hand/*.faults) is text; `#` begins a comment:

  @ UNIT KIND: what is wrong
  - the text as it stands in UNIT, once
  + the text as the fault has it

White space counts as one blank. The part that differs is found by leaving out what both have: a
label, the head of an `if` or of an assignment, whole statements. It must be an expression or whole
statements; faults may lie inside of each other, but not across.
"""
import bisect
import re

ASSIGNMENT = re.compile(r"((?:assign )?[A-Za-z_][\w.]*(?:\[[^;=]*?\])* (?:<=|=) )[^;]*;$")
CXX_ASSIGNMENT = re.compile(
    r"((?:return|(?:(?:static |constexpr |const )*[A-Za-z_][\w:<>,]*[&*]? )?[A-Za-z_][\w.\[\]>*()-]*"
    r" (?:=|\+=|-=|\|=|&=|\^=)) )[^;]*;$")
LABEL = re.compile(r"(?:case )?[A-Za-z_]\w*(?:::\w+)*(?:, [A-Za-z_]\w*(?:::\w+)*)*: ")
PORT = re.compile(r"\.\w+\(")
OPERATOR = re.compile(r"(?:&&|\|\||[|&^+]) ")
CONDITION = re.compile(r"(?:else )?if \(|while \(")


class Fault:
    def __init__(self, number, unit, kind, what, before, after, place):
        self.number, self.unit, self.kind, self.what = number, unit, kind, what
        self.before, self.after, self.place = before, after, place


class Mistake(Exception):
    """In a table: a fault that cannot be put into its source."""


def squeezed(lines):
    return " ".join(" ".join(lines).split())


def read_table(path, first):
    """The faults of a table, numbered from `first` on."""
    faults, begun = [], None
    for number, line in enumerate(path.read_text().splitlines() + ["@"], 1):
        place = f"{path.name}:{number}"
        mark, rest = line[:1], line[1:].strip()
        if mark in ("#", ""):
            continue
        if mark not in "@-+":
            raise Mistake(f"{place}: a line begins with @, -, + or #")
        if mark != "@":
            if begun is None:
                raise Mistake(f"{place}: there is no @ line above")
            begun[mark].append(rest)
            continue
        if begun is not None:
            before, after = squeezed(begun["-"]), squeezed(begun["+"])
            if not before or not after or before == after:
                raise Mistake(f"{begun['place']}: needs a - and a + text that differ")
            match = re.match(r"(\S+) ([^:]+): (.+)$", begun["head"])
            if not match:
                raise Mistake(f"{begun['place']}: should be @ UNIT KIND: what is wrong")
            faults.append(Fault(first + len(faults), *match.groups(), before, after, begun["place"]))
        begun = {"head": rest, "place": place, "-": [], "+": []}
    return faults


def closing(text, at):
    """Of the parenthesis at `at`, the place of the one that closes it, or -1."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return -1


def is_open(text):
    """Whether a block ends that does not begin here."""
    words = re.findall(r"\b(?:begin|end)\b|[{}]", text)
    return sum((word in ("begin", "{")) - (word in ("end", "}")) for word in words) < 0


def statements(text):
    """End (after its semicolon and blank) of the first of several statements, or 0."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ";" and depth == 0 and i + 2 < len(text):
            return i + 2
    return 0


def common_head(before, after, cxx):
    """The number of letters that both have outside of the difference."""
    for pattern in (LABEL, OPERATOR):
        match = pattern.match(before)
        if match and after.startswith(match.group()):
            return match.end()
    for word in ("begin ", "{ "):
        if before.startswith(word) and after.startswith(word):
            return len(word)
    match = CONDITION.match(before)
    if match:
        end = closing(before, match.end() - 1) + 2
        return end if before[:end - 1] == after[:end - 1] and end < len(before) else 0
    end = statements(before)
    if end and after.startswith(before[:end]):
        return end
    return 0


def core(before, after, cxx=False):
    """(begin, end) of the difference in `before`, and its replacement."""
    begin, end = 0, len(before)
    while head := common_head(before, after, cxx):
        before, after, begin = before[head:], after[head:], begin + head
    for word in (" end", " }"):  # of a block whose beginning was left out
        if before.endswith(word) and f" {after}".endswith(word) and is_open(before):
            before, after, end = before[:-len(word)], f" {after}"[:-len(word)], end - len(word)
    match = CONDITION.match(before)
    if match and after.startswith(match.group()):
        close, other = closing(before, match.end() - 1), closing(after, match.end() - 1)
        if before[close:] == after[other:]:
            return begin + match.end(), begin + close, after[match.end():other]
    assignment = CXX_ASSIGNMENT if cxx else ASSIGNMENT
    one, two = assignment.match(before), assignment.match(after)
    if one and two and one.group(1) == two.group(1):
        return begin + one.end(1), end - 1, after[two.end(1):-1]
    one = PORT.match(before)
    if one and after.startswith(one.group()) and closing(before, one.end() - 1) == len(before) - 1:
        return begin + one.end(), end - 1, after[one.end():-1]
    return begin, end, after


def pattern_of(text):
    return r"\s*".join(re.escape(word) for word in re.split(r"\s+", text)) if text else ""


class Region:
    """Of a source: text[begin:end] and the faults that replace it."""

    def __init__(self, begin, end):
        self.begin, self.end, self.faults, self.inside = begin, end, [], []


class Source:
    """A file in which faults are put. `select` renders (number, after, before, is_statement)."""

    def __init__(self, text, select, cxx=False):
        self.text, self.select, self.cxx = text, select, cxx
        self.regions, self.lines = {}, [m.start() for m in re.finditer("\n", text)]

    def add(self, fault):
        begin, end, after = core(fault.before, fault.after, self.cxx)
        parts = fault.before[:begin], fault.before[begin:end], fault.before[end:]
        found = list(re.finditer(r"\s*".join(
            (pattern_of(parts[0].strip()), f"({pattern_of(parts[1].strip())})",
             pattern_of(parts[2].strip()))), self.text))
        if len(found) != 1:
            raise Mistake(f"{fault.place}: {len(found)} times in {fault.unit}: {fault.before}")
        span = found[0].span(1)
        self.regions.setdefault(span, Region(*span)).faults.append((fault, after))
        return bisect.bisect_left(self.lines, span[0]) + 1

    def nested(self):
        """The outermost regions, each with those inside of it."""
        outer, open_regions = [], []
        for region in sorted(self.regions.values(), key=lambda r: (r.begin, -r.end)):
            while open_regions and open_regions[-1].end <= region.begin:
                open_regions.pop()
            if open_regions and open_regions[-1].end < region.end:
                raise Mistake(f"{region.faults[0][0].place}: lies across another fault, "
                              f"{open_regions[-1].faults[0][0].place}")
            (open_regions[-1].inside if open_regions else outer).append(region)
            open_regions.append(region)
        return outer

    def rendered(self):
        return self.between(0, len(self.text), self.nested())

    def between(self, begin, end, regions):
        pieces = []
        for region in regions:
            pieces += [self.text[begin:region.begin], self.chosen(region)]
            begin = region.end
        return "".join(pieces) + self.text[begin:end]

    def chosen(self, region):
        text = self.between(region.begin, region.end, region.inside)
        plain = self.text[region.begin:region.end].strip()
        is_statement = plain.endswith(";") or (
            ";" in plain and plain.endswith("}" if self.cxx else "end"))
        for fault, after in region.faults:
            text = self.select(fault.number, after, text, is_statement)
        return text
