"""ONNX's own node cases through tandem.onnx.backend: passed, refused with the reason, wrong.

    tests/python/in_environment BUILD tests/python/onnx_cases/compare.py [--slice N] [--results FILE] [--on cpu] [NAME]...

NAME: a part of a case's name. --on cpu takes JAX's CPU in place of the machine, to see whether an operator is at fault.
--results writes the counts as a page. The status is 1 where a case is wrong, or fewer than --at-least pass.
"""

import argparse
import collections
import datetime
import os
import pathlib
import re
import sys
import time
import traceback
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # programs go to the machine without JAX's help

try:
    import tandem.onnx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import jax
import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.runner import Runner, _normalize_tensor
from tandem.device import Device
from tandem.onnx.backend import Representation, on_device

warnings.filterwarnings("ignore")


def on_cpu(function, arrays):
    """As on_device, on JAX's CPU."""
    program = jax.jit(function).lower(*arrays).compile()
    return lambda values: [np.asarray(value) for value in jax.tree.leaves(program(*values))]


def result_of(case, make):
    """passed, refused or wrong; the reason, and the text to print."""
    try:
        machine = Representation(case.model, make, "highest")
        for inputs, expected in case.data_sets:
            outputs = machine.run([_normalize_tensor(item) for item in inputs])
            Runner.assert_similar_outputs([_normalize_tensor(item) for item in expected], outputs, case.rtol, case.atol)
    except tandem.onnx.Refused as refused:
        return "refused", refused.kind, str(refused)
    except AssertionError as error:
        return "wrong", "", " ".join(str(error).split())[:300]
    except Exception as error:  # every case is tried
        return "wrong", "", f"{type(error).__name__}: {error} " + traceback.format_exc(limit=-3)
    return "passed", "", ""


def reason(kind):
    """Without details of one case: names and places."""
    return re.sub(r"loc\(.*?\)|<.*?>|'[^']*'|`[^`]*`", "...", kind)[:110]


def page(counts, refused, wrong, options):
    operators, reasons = collections.Counter(kind.split(":")[0] for kind in refused), collections.Counter(refused)
    lines = ["# Node cases of ONNX on Tandem", "",
             f"onnx {onnx.__version__}, preset {options.preset}, golden model, {datetime.date.today()}. Written by", "",
             "    tests/python/in_environment build tests/python/onnx_cases/compare.py --results tests/python/onnx_cases/results.md",
             "", "| cases | passed | refused | wrong |", "|---|---|---|---|",
             f"| {sum(counts.values())} | {counts['passed']} | {counts['refused']} | {counts['wrong']} |", "",
             f"Refused by {len(operators)} operators or parts:", "", "| cases | reason |", "|---|---|"]
    lines += [f"| {count} | {name.replace('|', '/')} |" for name, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))]
    lines += ["", *(f"Wrong: {name}" for name in wrong)] if wrong else []
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--slice", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--on", choices=["tandem", "cpu"], default="tandem")
    parser.add_argument("--preset", default="small")
    parser.add_argument("--at-least", type=int, default=0)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    cases = [case for case in sorted(collect_testcases(None), key=lambda case: case.name)
             if not options.names or any(name in case.name for name in options.names)][options.first::options.slice]
    counts, refused, wrong, begin = collections.Counter(), [], [], time.monotonic()
    for case in cases:
        make = on_cpu if options.on == "cpu" else on_device(Device(options.preset, "golden"))
        outcome, kind, text = result_of(case, make)
        counts[outcome] += 1
        if outcome == "refused":
            refused.append(reason(kind))
        if outcome == "wrong":
            wrong.append(case.name)
        if outcome == "wrong" or outcome == "refused" and options.verbose:
            print(f"{outcome} {case.name}: {text}", flush=True)
    print(f"{len(cases)} cases: {counts['passed']} passed, {counts['refused']} refused, {counts['wrong']} wrong, "
          f"{time.monotonic() - begin:.0f} s")
    if options.results:
        options.results.write_text(page(counts, refused, wrong, options))
    return 1 if wrong or counts["passed"] < max(1, options.at_least) else 0


if __name__ == "__main__":
    sys.exit(main())
