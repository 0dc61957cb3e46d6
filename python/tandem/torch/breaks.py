"""Where Dynamo gives up, the rest runs on torch's CPU: that is said once for each reason, and is an error where asked for.

Dynamo tells a backend of a break only with the graph before it. Where there is no such graph, and where a whole function is
left out, only its counters know: they are looked at when it has compiled something.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch._dynamo.callback import callback_handler
from torch._dynamo.utils import counters

from tandem.torch.values import Refused

_said: set[str] = set()
_pending: list[str] = []  # said without a graph; the next one asks whether that was an error


def check(module: torch.fx.GraphModule, strict: bool) -> None:
    """Of a graph that Dynamo hands over. Raises Refused where it is strict."""
    watch()
    found = list(_pending)
    _pending.clear()
    reason = getattr(module, "compile_subgraph_reason", None)
    if reason is not None and reason.graph_break:
        place = f"{reason.user_stack[-1].filename}:{reason.user_stack[-1].lineno}" if reason.user_stack else "somewhere"
        text = f"the graph ends at {place}, what follows there runs on torch's CPU: {_first(reason.reason)}"
        found.append(text)
        _say(text, _core(reason.reason))
    if strict and found:
        raise Refused(found[0])


def _core(reason: str) -> str:
    """Without what came of it."""
    return reason.partition("*** While handling")[0].partition("For more details")[0].strip()


def _first(reason: str) -> str:
    return reason.strip().splitlines()[0]


def _say(text: str, key: str) -> None:
    if key not in _said:
        _said.add(key)
        warnings.warn(f"PyTorch on Tandem: {text}", stacklevel=3)


def _skipped(reason: str) -> str:
    _, _, frame = reason.partition("frame skipped: ")
    _, _, context = reason.partition("Developer debug context: ")
    return (frame or context or reason).strip().splitlines()[0]


def watch() -> None:
    """For what Dynamo compiles from now on; torch._dynamo.reset() ends it, and the next graph begins it again."""
    if _look_at_counters not in callback_handler.end_callbacks:
        callback_handler.register_end_callback(_look_at_counters)


def _look_at_counters(_arguments: Any) -> None:
    reasons = [*counters["graph_break"], *counters["unimplemented"]]
    for reason in sorted(reasons, key=lambda reason: "frame skipped" not in reason):  # the whole function first
        if _core(reason) not in _said:
            text = f"Dynamo leaves a part to torch's CPU: {_first(reason)} ({_skipped(reason)})"
            _pending.append(text)
            _say(text, _core(reason))
