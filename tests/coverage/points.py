"""What Verilator counted (coverage.dat): points, added up over files, instances and top modules; and which
of them left_out.txt leaves out."""
import collections
import pathlib
import re

KINDS = ("lines", "branches", "toggles")


class Point:
    """A place of a source that may run: a block ("lines") an arm of an if or case ("branches"), or a bit of
    a port that may change ("toggles")."""

    def __init__(self, module, line, column, kind, name):
        self.module, self.line, self.column, self.kind, self.name = module, line, column, kind, name
        self.count = 0
        self.text = ""    # of its line in the source
        self.reason = ""  # why it is left out


def fields_of(text):
    """The keys and values of a record: encoded as \\1 key \\2 value, one after the other."""
    return dict(part.split("\2", 1) for part in text.split("\1") if part)


def kind_of(page, comment):
    """The kind of point, or None for one that is not counted: conditions that sources name (cover)."""
    if page.startswith(("v_line", "v_branch")):
        return "branches" if comment.startswith(("if", "else", "elsif", "case")) else "lines"
    return "toggles" if page.startswith("v_toggle") else None


def read_points(files):
    """{key: Point} of all files; a file that is not there is an error."""
    points = {}
    for file in files:
        for line in pathlib.Path(file).read_text(errors="replace").splitlines():
            if not line.startswith("C '"):
                continue
            record, _, count = line[3:].rpartition("' ")
            fields = fields_of(record)
            comment = fields.get("o", "")
            kind = kind_of(fields.get("page", ""), comment)
            module = pathlib.Path(fields["f"]).stem
            if kind is None:
                continue
            key = (module, int(fields["l"]), int(fields.get("n", 0)), kind, comment)
            point = points.setdefault(key, Point(*key))
            point.count += int(count)
    return points


def read_texts(points, rtl):
    """Gives each point the text of its line."""
    lines = {source.stem: source.read_text().splitlines() for source in pathlib.Path(rtl).rglob("*.sv")}
    for point in points.values():
        if point.line <= len(lines.get(point.module, [])):
            point.text = lines[point.module][point.line - 1].strip()


class Rule:
    """A line of left_out.txt: module ;; kind ;; text of the source line ;; name of the point, each a
    regular expression for the whole; `reason` is above it."""

    def __init__(self, line, reason):
        self.line, self.reason = line, reason
        self.patterns = [re.compile(part.strip()) for part in line.split(" ;; ")]
        if len(self.patterns) != 4 or not reason:
            raise ValueError(f"left_out.txt: '{line}' needs four parts and a reason above it")

    def matches(self, point):
        words = (point.module, point.kind, point.text, point.name)
        return all(pattern.fullmatch(word) for pattern, word in zip(self.patterns, words))


def read_rules(text):
    rules, reason = [], ""
    for line in text.splitlines():
        if line.startswith("@"):
            reason = line[1:].strip()
        elif line.strip() and not line.startswith("#"):
            rules.append(Rule(line, reason))
    return rules


def leave_out(points, rules):
    """Marks points that never ran and have a reason; returns rules that leave nothing out: they must be removed."""
    idle = []
    for rule in rules:
        found = [point for point in points.values() if point.count == 0 and rule.matches(point)]
        for point in found:
            point.reason = rule.reason
        if not found:
            idle.append(rule)
    return idle


def percentages(points):
    """{module: {kind: (covered, all)}}, with the module "all", without the points left out."""
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for point in points.values():
        if point.reason:
            continue
        for module in (point.module, "all"):
            counts = found[module][point.kind]
            counts[0] += point.count != 0
            counts[1] += 1
    return {module: {kind: tuple(counts) for kind, counts in kinds.items()}
            for module, kinds in found.items()}


def left_out_counts(points):
    """{kind: how many points are left out}."""
    return collections.Counter(point.kind for point in points.values() if point.reason)
