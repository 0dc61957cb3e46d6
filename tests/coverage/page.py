"""Coverage of the RTL as pages: an overview, and each source with its counts."""
import collections
import html
import pathlib

from points import KINDS

STYLE = """<style>
body { font: 15px sans-serif; margin: 2em; } pre { font-size: 13px; line-height: 1.35; }
table { border-collapse: collapse; } td, th { padding: 2px 12px; text-align: right; }
td:first-child, th:first-child { text-align: left; } .missed { background: #ffd9d9; }
.partly { background: #fff3c4; } .run { background: #e4f7e4; } .left { background: #e8e8e8; } .note { color: #a00; }
</style>"""


def cell(counts):
    return f"<td>{100 * counts[0] / counts[1]:.1f}%</td><td>{counts[0]} of {counts[1]}</td>"


def overview(found):
    rows = []
    seen = [kind for kind in KINDS if kind in found["all"]]
    for module, kinds in sorted(found.items(), key=lambda item: (item[0] != "all", item[0])):
        name = module if module == "all" else f'<a href="{module}.html">{module}</a>'
        cells = "".join(cell(kinds[kind]) if kind in kinds else "<td></td><td></td>" for kind in seen)
        rows.append(f"<tr><td>{name}</td>{cells}</tr>")
    head = "".join(f'<th colspan="2">{kind}</th>' for kind in seen)
    return (f"<!DOCTYPE html><meta charset='utf-8'><title>Coverage of the RTL</title>{STYLE}"
            f"<h1>Coverage of the RTL</h1><table><tr><th>module</th>{head}</tr>"
            + "\n".join(rows) + "</table>\n")


def source_page(module, text, points):
    """Lines with their source: coloured by whether all, some or none of it ran."""
    lines = collections.defaultdict(list)
    for point in points:
        lines[point.line].append(point)
    out = [f"<!DOCTYPE html><meta charset='utf-8'><title>{module}</title>{STYLE}"
           f"<h1>{module}</h1><p><a href='index.html'>all modules</a></p><pre>"]
    for number, line in enumerate(text.splitlines(), 1):
        here = lines[number]
        missed = [point for point in here if point.count == 0 and not point.reason]
        reasons = sorted({point.reason for point in here if point.reason})
        ran = [point for point in here if point.count != 0]
        state = (("partly" if ran else "missed") if missed else "run" if ran else
                 "left" if reasons else "")
        note = "".join(f"  left out: {reason}" for reason in reasons)
        if missed:
            note += "  never: " + ", ".join(point.name or point.kind for point in missed[:8])
            note += f" and {len(missed) - 8} more" if len(missed) > 8 else ""
        most = max((point.count for point in here), default="")
        out.append(f'<span class="{state}">{number:4} {most!s:>10}  {html.escape(line)}</span>'
                   + (f'<span class="note">{html.escape(note)}</span>' if note else ""))
    return "\n".join(out) + "\n</pre>\n"


def write_pages(folder, points, found, rtl):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(overview(found))
    of_module = collections.defaultdict(list)
    for point in points.values():
        of_module[point.module].append(point)
    for source in rtl.rglob("*.sv"):
        if source.stem in of_module:
            (folder / f"{source.stem}.html").write_text(
                source_page(source.stem, source.read_text(), of_module[source.stem]))
