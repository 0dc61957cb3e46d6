"""Answers in OpenAI's protocol, whole or streamed."""

from __future__ import annotations

import time
import uuid
from typing import Any

_DETAILS = "prompt_tokens_details"


class Answer:
    """The answer to one call, with any number of choices."""

    def __init__(self, model: str, chat: bool):
        self._chat, self._model, self._created = chat, model, int(time.time())
        self._id = f"{'chatcmpl' if chat else 'cmpl'}-{uuid.uuid4().hex}"

    def _frame(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {"id": self._id, "object": kind, "created": self._created, "model": self._model, "choices": choices}

    def whole(self, texts: list[str], reasons: list[str], usage: dict[str, Any]) -> dict[str, Any]:
        choices = []
        for number, (text, reason) in enumerate(zip(texts, reasons, strict=True)):
            said = {"message": {"role": "assistant", "content": text}} if self._chat else {"text": text}
            choices.append({"index": number, **said, "logprobs": None, "finish_reason": reason})
        return {**self._frame("chat.completion" if self._chat else "text_completion", choices), "usage": usage}

    def part(self, number: int, text: str, reason: str | None, first: bool = False) -> dict[str, Any]:
        if self._chat:
            delta = {"role": "assistant", "content": text} if first else {"content": text} if text else {}
            said: dict[str, Any] = {"delta": delta}
        else:
            said = {"text": text}
        kind = "chat.completion.chunk" if self._chat else "text_completion"
        return self._frame(kind, [{"index": number, **said, "logprobs": None, "finish_reason": reason}])

    def last(self, usage: dict[str, Any]) -> dict[str, Any]:
        return {**self._frame("chat.completion.chunk" if self._chat else "text_completion", []), "usage": usage}


def error(message: str, kind: str = "invalid_request_error", code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def summed(usages: list[dict[str, Any]]) -> dict[str, Any]:
    """Of all choices of a call."""
    total = {name: sum(usage[name] for usage in usages) for name in ("prompt_tokens", "completion_tokens", "total_tokens")}
    machine = dict(usages[0]["tandem"])
    machine["cycles"] = sum(usage["tandem"]["cycles"] for usage in usages)
    machine["steps"] = max(usage["tandem"]["steps"] for usage in usages)
    machine["cycles_per_token"] = round(machine["cycles"] / max(1, total["completion_tokens"]))
    cached = sum(usage[_DETAILS]["cached_tokens"] for usage in usages)
    return {**total, _DETAILS: {"cached_tokens": cached}, "tandem": machine}
