"""Messages as one text, by the model's template: Jinja, in a sandbox, in a process with limits."""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

from tandem import tools
from tandem.serve.model import Refused

_RENDERING = pathlib.Path(__file__).absolute().with_name("rendering.py")


class Template:
    def __init__(self, text: str):
        self._template = text
        self._rendered("the model's chat template", None, "", "")

    def text(self, messages: list[dict[str, Any]], begin: str, end: str) -> str:
        """With the prompt for an answer at the end. Raises Refused."""
        return self._rendered("the chat template refuses the messages", messages, begin, end)

    def _rendered(self, what: str, messages: list[dict[str, Any]] | None, begin: str, end: str) -> str:
        asked = json.dumps({"template": self._template, "messages": messages, "begin": begin, "end": end})
        ended = tools.run([sys.executable, "-I", _RENDERING], asked.encode())
        if ended.status != 0:
            raise Refused(f"{what}: it takes too much time or memory")
        answer = json.loads(ended.output)
        if "error" in answer:
            raise Refused(f"{what}: {answer['error']}")
        return answer["text"]
