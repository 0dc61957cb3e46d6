"""A chat template's text of messages: a program of its own (chat.py), as a template may loop for ever or fill the memory.

Reads JSON (template, messages, begin, end) and writes JSON: a text, or the reason why there is none.
"""

from __future__ import annotations

import json
import resource
import sys
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

_SECONDS = 5  # of processor time; a long chat takes milliseconds
_BYTES = 1 << 30
_LETTERS = 16 << 20  # of a text: a call's body has no more


def _raise(message: str) -> None:
    raise jinja2.TemplateError(message)


def rendered(template: str, messages: list[dict[str, Any]] | None, begin: str, end: str) -> dict[str, str]:
    """Without messages the template is only read."""
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
    environment.globals["raise_exception"] = _raise
    try:
        found = environment.from_string(template)
        text = "" if messages is None else found.render(messages=messages, add_generation_prompt=True, bos_token=begin, eos_token=end)
    except (jinja2.TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError, MemoryError) as error:
        return {"error": str(error)[:1000] or type(error).__name__}
    return {"text": text} if len(text) <= _LETTERS else {"error": f"its text has {len(text)} letters"}


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    json.dump(rendered(**json.load(sys.stdin)), sys.stdout)
