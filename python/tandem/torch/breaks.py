"""Where Dynamo gives up, the rest runs on torch's CPU: there is one warning for each place, or an error on request.

Dynamo informs a backend of a break only with the graph before it. If there is no such graph, or a whole function is
skipped, only its own lists show it: they are checked when it has compiled something.
"""

from __future__ import annotations

import warnings
from typing import Any, Iterator

import torch
from torch._dynamo.callback import callback_handler
from torch._dynamo.utils import counters, graph_break_reasons

from tandem.torch.lines import TORCH
from tandem.torch.values import Refused

_said: set[str] = set()
_pending: list[str] = []  # since the last graph
_seen: dict[Any, int] = {}  # how often each reason has been counted


def check(module: torch.fx.GraphModule, strict: bool) -> None:
    """For a graph from Dynamo. Raises Refused if strict."""
    watch()
    _look()
    found = list(_pending)
    _pending.clear()
    if strict and found:
        raise Refused(found[0])


def watch() -> None:
    """For what Dynamo compiles from now on; torch._dynamo.reset() ends it, and the next graph begins it again."""
    if _look not in callback_handler.end_callbacks:
        callback_handler.register_end_callback(_look)


def _look(_arguments: Any = None) -> None:
    for text in _new():
        _pending.append(text)
        if text not in _said:
            _said.add(text)
            warnings.warn(f"PyTorch on Tandem: {text}", stacklevel=3)


def _new() -> Iterator[str]:
    """What has been left to torch's CPU since the last check."""
    for reason in graph_break_reasons:
        if reason.graph_break and not _is_torchs(reason) and not hasattr(reason, "said_by_tandem"):
            reason.said_by_tandem = True
            place = f"{reason.user_stack[-1].filename}:{reason.user_stack[-1].lineno}" if reason.user_stack else "somewhere"
            yield f"the graph ends at {place}, what follows there runs on torch's CPU: {_first(reason.reason)}"
    with_graphs = {_core(reason.reason) for reason in graph_break_reasons}
    left_out = {reason: count for kind in ("graph_break", "unimplemented") for reason, count in counters[kind].items()}
    fresh = [reason for reason, count in left_out.items() if _seen.get(reason, 0) < count]
    _seen.update(left_out)
    told = set(with_graphs)
    for reason in sorted(fresh, key=lambda reason: "frame skipped" not in reason):  # the whole function first
        if _core(reason) not in told:
            told.add(_core(reason))
            yield f"Dynamo leaves a part to torch's CPU: {_first(reason)} ({_place(reason)})"


def _is_torchs(reason: Any) -> bool:
    """Whether torch itself requests the break, as its optimizers do at the beginning of their step."""
    return (reason.reason.startswith("Call to `torch._dynamo.graph_break()`") and bool(reason.user_stack)
            and reason.user_stack[-1].filename.startswith(TORCH))


def _core(reason: str) -> str:
    """Without its consequences."""
    return reason.partition("*** While handling")[0].partition("For more details")[0].strip()


def _first(reason: str) -> str:
    return reason.strip().splitlines()[0]


def _place(reason: str) -> str:
    _, _, frame = reason.partition("frame skipped: ")
    _, _, context = reason.partition("Developer debug context: ")
    return (frame or context or reason).strip().splitlines()[0]
