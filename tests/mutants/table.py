"""Results of campaigns of mutants as a page in Markdown: how many die, of what, after how long, and each
that lives with its reason. Unjudged ones are counted as such."""
import collections
import statistics

HEAD = """# Mutants

Written by `scripts/mutants --table benchmarks/mutants.md {sets}` from the results of campaigns (resumable,
`scripts/mutants --again {sets}`) that `tests/mutants/judged.tsv` keeps; what sets and killers are is told in [verification.md](../docs/verification.md). A fault that died once
stays dead as long as its text stands; how much each that lives has met is told there, too. Of
"an earlier campaign" only this page was left ([0099](../docs/decisions/0099-mutants-start-at-random.md)). Seconds are those of a machine that other work shared.
"""


def cell(text, width=90):
    """Of a table: no bar, no line's end, cut off."""
    return " ".join(str(text).replace("|", "\\|").split())[:width]


def share(part, whole):
    return f"{100 * part / whole:.1f}%" if whole else "-"


def counts_of(title, groups, is_killed):
    """A table of [(name, results, mutants in all)]."""
    lines = [f"| {title} | mutants | judged | killed | of those judged |", "|---|---:|---:|---:|---:|"]
    for name, results, whole in groups:
        killed = sum(1 for r in results if is_killed(r))
        lines.append(f"| {name} | {whole} | {len(results)} | {killed} | {share(killed, len(results))} |")
    return lines + [""]


def killers(results):
    """A table of what kills how many after how long, in seconds and bundles of random programs."""
    groups = collections.defaultdict(list)
    for r in results:
        groups[r["set"], r["killed"]["by"]].append(r)
    lines = ["| set | killed by | mutants | seconds, median | largest | bundles, median | largest |",
             "|---|---|---:|---:|---:|---:|---:|"]
    for (chosen, by), group in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]))):
        seconds = [r["seconds"] for r in group if r["seconds"] is not None]
        took = f"{statistics.median(seconds):.2f} | {max(seconds):.1f}" if seconds else " | "
        bundles = [r["killed"]["bundles"] for r in group if "bundles" in r["killed"]]
        told = f"{statistics.median(bundles):.0f} | {max(bundles)}" if bundles else " | "
        lines.append(f"| {chosen} | {by} | {len(group)} | {took} | {told} |")
    return lines + [""]


def row_of(result, width):
    """The beginning of a row that says which mutant it is; texts of the RTL are cut off at the width."""
    change = result["operator"] + (f": {result['what']}" if "what" in result else "")
    return (f"| {result['set']} | {result['number']} | `{result['unit']}:{result['line']}` | {cell(change)} | "
            f"`{cell(result['before'], width)}` | `{cell(result['after'], width)}` |")


def living(results, explain):
    """A table of those that live; `explain` gives (kind, reason) or None."""
    lines = ["| set | number | place | change | before | after | why |", "|---|---:|---|---|---|---|---|"]
    for r in sorted(results, key=lambda r: r["number"]):
        why = explain(r)
        lines.append(f"{row_of(r, 70)} {cell(': '.join(why), 200) if why else '**unexplained**'} |")
    return lines + [""]


def page(mutants, judged, options, is_killed, explain):
    """`mutants`: all of the sets; `judged`: results of those that were."""
    sets = " ".join(f"--set {name}" for name in options.sets)
    lines = [HEAD.format(sets=sets)]
    for title, key in (("set", "set"), ("unit", "unit")):
        whole = collections.Counter(m[key] for m in mutants)
        lines += counts_of(title, [(name, [r for r in judged if r[key] == name], count)
                                   for name, count in sorted(whole.items())], is_killed)
    lines += killers([r for r in judged if is_killed(r)])
    alive = [r for r in judged if not is_killed(r)]
    without = sum(1 for r in alive if not explain(r))
    lines += [f"## Those that live: {len(alive)}, {without} unexplained", ""]
    return "\n".join(lines + living(alive, explain))
