"""The user's lines: an operator is traced below a frame with the line of the user's program, so that the compiler's
messages, traces and profiles name it."""

from __future__ import annotations

import functools
import pathlib
import re
from typing import Any, Callable

import torch

TORCH = str(pathlib.Path(torch.__file__).parent)
_FRAME = re.compile(r'^\s*File "([^"]+)", line (\d+), in (\S+)', re.MULTILINE)


def user_line(stack: str | None) -> tuple[str, int, str] | None:
    """File, line and function of the innermost frame that is not torch's own."""
    frames = _FRAME.findall(stack or "")
    if not frames:
        return None
    users = [frame for frame in frames if not frame[0].startswith(TORCH)]
    file, line, function = (users or frames)[-1]
    return file, int(line), function


def where(stack: str | None) -> str:
    """For the end of a message; empty if unknown."""
    line = user_line(stack)
    return f" ({line[0]}:{line[1]})" if line else ""


@functools.lru_cache(maxsize=4096)
def _caller(file: str, line: int, function: str) -> Callable[[Callable[[], Any]], Any]:
    names: dict[str, Any] = {}
    exec(compile("\n" * (line - 1) + "at = lambda call: call()", file, "exec"), names)
    at = names["at"]
    at.__code__ = at.__code__.replace(co_name=function)
    return at


def at(stack: str | None, call: Callable[[], Any]) -> Any:
    """call(), as if that line did it."""
    line = user_line(stack)
    return _caller(*line)(call) if line else call()
