"""The records of a run as a table.

reasons.tsv has a line for each known failure: part of a test's name (or all of it), a tab, a pattern that the message
fits ("" for any), a tab, the reason.
"""

import collections
import json
import pathlib
import re

HERE = pathlib.Path(__file__).parent
LOST = "it took longer than the limit, or its process ended"


def read(path):
    """The last that is known of each test; of a test with several reports a failure."""
    tests = {}
    path = pathlib.Path(path)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for entry in map(json.loads, lines):
        known = tests.get(entry["test"])
        if entry["what"] == "started":
            tests.setdefault(entry["test"], {"what": "failed", "message": LOST})
        elif known is None or known["what"] != "failed" or known["message"] == LOST:
            tests[entry["test"]] = entry
    return tests


def reasons():
    lines = (HERE / "reasons.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def reason_of(name, message, known):
    for part, pattern, reason in known:
        if part in name and re.search(pattern, message):
            return reason
    return None


def short(message):
    return " ".join(message.split())[:160]


def line(file, tests):
    count = collections.Counter(entry["what"] for entry in tests.values())
    return f"| {file} | {count['passed']} | {count['failed']} | {count['skipped']} |"


def table(by_file, whole):
    """The text, the share of passed tests among those that ran, and failures without a reason. `whole`: files of which
    every test has run."""
    known = reasons()
    lines = ["| file | passed | failed | skipped |", "|---|---|---|---|"]
    total = collections.Counter()
    failures, unexplained = [], []
    for file, tests in by_file.items():
        if file not in whole and tests and next(reversed(tests.values())) == {"what": "failed", "message": LOST}:
            tests.popitem()  # it runs still, or was stopped with all others
        lines.append(line(file, tests))
        total.update(entry["what"] for entry in tests.values())
        for name, entry in tests.items():
            if entry["what"] != "failed":
                continue
            reason = reason_of(name, entry["message"], known)
            failures.append((name.split("::", 1)[-1].replace("::", "."), file, reason or short(entry["message"])))
            if reason is None:
                unexplained.append((name, short(entry["message"])))
    ran = total["passed"] + total["failed"]
    share = total["passed"] / ran if ran else 0
    lines += [line("all", {str(i): {"what": what} for i, what in enumerate(total.elements())}), "",
              *(f"Of {file} these tests have run, not all." for file in by_file if file not in whole), "",
              f"{100 * share:.2f}% of the {ran} tests that ran passed.", "",
              "| failure | file | reason |", "|---|---|---|"]
    lines += [f"| {name} | {file} | {why.replace('|', '/')} |" for name, file, why in sorted(failures)]
    head = ("# JAX's own tests\n\nJAX 0.10.2, tests of tag jax-v0.10.2, golden model, preset small, one case a "
            "test:\n\n    tests/python/jax_suite/run.py CHECKOUT --write\n\n")
    return head + "\n".join(lines) + "\n", share, unexplained
