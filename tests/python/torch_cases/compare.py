"""Compares torch's operators on Tandem with eager torch, by torch's own samples (operators.py).

    compare.py [--type float32]... [--samples 3] [--only NAME] [--gradients] [--at-least 350] [--results FILE]

Prints what differs or is refused, and the counts. Fails if anything differs, or if fewer operators are right. Status
77, for ctest "skipped", where torch is not installed.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import signal
import sys
import time
import traceback
import warnings
from typing import Any

try:
    import torch
    import tandem.torch.backend  # noqa: F401
except ImportError as error:
    print(f"skipped: {error} (scripts/python-environment --nightly)")
    sys.exit(77)

from operators import TOLERANCES, TYPES, Case, cases
from torch.utils import _pytree

_SECONDS = 60


class TooLong(Exception):
    pass


def _alarm(*_arguments: Any) -> None:
    raise TooLong(f"more than {_SECONDS} s")


def gradients_of(function: Any, tensors: list[torch.Tensor]) -> Any:
    wanted = [tensor for tensor in tensors if tensor.requires_grad]
    results = [leaf for leaf in _pytree.tree_leaves(function(*tensors))
               if isinstance(leaf, torch.Tensor) and leaf.requires_grad and leaf.dtype.is_floating_point]
    if not results or not wanted:
        return [leaf.detach() for leaf in results]
    torch.manual_seed(1)
    given = torch.autograd.grad(results, wanted, [torch.randn_like(result) for result in results], allow_unused=True)
    return [result.detach() for result in results], given


def unlike(got: torch.Tensor, want: torch.Tensor, looser: float) -> str:
    """How two tensors of a shape and type differ, where they do."""
    relative, of_largest = TOLERANCES.get(want.dtype, (0, 0))
    if relative:
        relative, of_largest = max(relative, looser), max(of_largest, looser)
    finite = want[want.isfinite()]
    absolute = of_largest * max(finite.abs().max().item(), 1) if of_largest and finite.numel() else 0
    try:
        torch.testing.assert_close(got, want, rtol=relative, atol=absolute, equal_nan=True)
    except AssertionError as error:
        return " ".join(str(error).split())[:200]
    return ""


def difference(got: Any, want: Any, case: Case) -> str:
    """The difference of two trees of results; empty if there is none."""
    left, right = _pytree.tree_leaves(got), _pytree.tree_leaves(want)
    if len(left) != len(right):
        return f"{len(left)} results for {len(right)}"
    for a, b in zip(left, right, strict=True):
        if not isinstance(b, torch.Tensor):
            if a != b and not case.is_random and not (a != a and b != b):
                return f"{a} for {b}"
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{a.dtype} {tuple(a.shape)} for {b.dtype} {tuple(b.shape)}"
        if case.is_random:
            continue
        if text := unlike(a, b, case.looser):
            return text
    return ""


def judged(function: Any, tensors: list[torch.Tensor], case: Case, gradients: bool) -> tuple[str, str]:
    """"right", "wrong" or "refused", and why."""
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="tandem", fullgraph=True, dynamic=False)
    signal.alarm(_SECONDS)
    try:
        want = gradients_of(function, tensors) if gradients else function(*tensors)
        got = gradients_of(compiled, tensors) if gradients else compiled(*tensors)
    except Exception as error:  # noqa: BLE001, any exception is counted
        text = next((line for line in str(error).splitlines() if "on Tandem" in line), f"{type(error).__name__}: {error}")
        return "refused", " ".join(text.split())[:300]
    finally:
        signal.alarm(0)
    text = difference(got, want, case)
    return ("wrong", text) if text else ("right", "")


def judge(case: Case, gradients: bool) -> tuple[str, str]:
    """All samples as one program, and each alone where that one fails."""
    function, tensors = case.together()
    verdict, why = judged(function, tensors, case, gradients)
    if verdict == "right" or len(case.samples) < 2:
        return verdict, why
    each = [judged(call, given, case, gradients) for call, given in case.samples]
    for kind in ("wrong", "refused"):
        for found in each:
            if found[0] == kind:
                return kind, found[1]
    return verdict, f"together only: {why}"


def page_of(found: dict[str, dict[str, list[str]]], heading: str) -> str:
    """Refusals, by reason and without places."""
    reasons = collections.defaultdict(set)
    for name, kinds in found.items():
        for verdict, why in kinds.values():
            if verdict != "right":
                reason = re.sub(r"PyTorch on Tandem: | \(/[^)]*\)", "", why)
                missing = re.match(r"(\S+): no such operator here", reason)
                reasons["no such operator here" if missing else f"{verdict}: {reason}"[:110]].add(name)
    lines = [f"# torch's own samples\n\n{heading}\n", "| what is refused | operators |", "|---|---|"]
    rows = sorted(reasons.items(), key=lambda item: -len(item[1]))
    return "\n".join(lines + [f"| {reason.replace('|', '/')} | {', '.join(sorted(names))} |" for reason, names in rows]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--type", choices=list(TYPES), action="append")
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--gradients", action="store_true")
    parser.add_argument("--at-least", type=int, default=0)
    parser.add_argument("--results", type=pathlib.Path, help="verdicts as JSON, or as a page where the name ends in .md")
    parser.add_argument("--part", default="1/1", help="the k-th of n parts")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _alarm)
    part, parts = (int(word) for word in options.part.split("/"))
    found: dict[str, dict[str, list[str]]] = collections.defaultdict(dict)
    began = time.time()
    for kind in options.type or list(TYPES):
        for number, case in enumerate(cases(kind, options.samples, options.gradients, options.only)):
            if number % parts != part - 1 or not case.samples:
                continue
            verdict, why = judge(case, options.gradients)
            found[case.name][kind] = [verdict, why]
            if verdict != "right":
                print(f"{verdict}: {case.name} {kind}: {why}", flush=True)
    verdicts = {name: {verdict for verdict, _ in kinds.values()} for name, kinds in found.items()}
    right = sum(its == {"right"} for its in verdicts.values())
    wrong = sum("wrong" in its for its in verdicts.values())
    heading = (f"{len(found)} operators: {right} right in every type, {wrong} wrong, {len(found) - right - wrong} refused in "
               f"some.")
    if options.results:
        is_page = options.results.suffix == ".md"
        options.results.write_text(page_of(found, heading) if is_page else json.dumps(found, indent=1))
    print(f"{heading} {time.time() - began:.0f} s")
    return 1 if wrong or right < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
