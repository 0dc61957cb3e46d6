"""The parameters of a request in OpenAI's protocol. Unsupported ones that would change the answer are refused by
name."""

from __future__ import annotations

from typing import Any

from tandem.serve.model import Refused
from tandem.serve.requests import Wish

# Parameters that are accepted only with values that change nothing.
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "best_of": (None, 1), "echo": (None, False), "frequency_penalty": (None, 0.0), "function_call": (None, "none"), "functions": (None, []),
    "logit_bias": (None, {}), "logprobs": (None, False), "modalities": (None, ["text"]), "presence_penalty": (None, 0.0),
    "response_format": (None, {"type": "text"}), "suffix": (None, ""), "tool_choice": (None, "none"), "tools": (None, []),
    "top_logprobs": (None, 0)}
# Parameters without influence on the answer, and their types.
_IGNORED: dict[str, type] = {"metadata": dict, "parallel_tool_calls": bool, "prompt_cache_key": str, "safety_identifier": str,
                             "service_tier": str, "store": bool, "user": str}
_TAKEN = {"max_completion_tokens", "max_tokens", "model", "n", "seed", "stop", "stream", "stream_options", "temperature", "top_p"}
_OF_STREAMS = {"include_obfuscation", "include_usage"}
_TYPES = {bool: "neither true nor false", dict: "no JSON object", str: "no text"}
_STOPS, _STOP = 64, 1024  # most stops of a request, and letters of one: each token is checked for all


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 100 else text[:100] + "..."


def _number(body: dict[str, Any], name: str, default: Any, least: float, most: float, whole: bool = False) -> Any:
    value = body.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)) or not least <= value <= most:
        raise Refused(f"`{name}` is {_shown(value)}; {'a whole' if whole else 'a'} number from {least:g} to {most:g} is wanted")
    return value


def _stops(value: Any) -> tuple[str, ...]:
    stops = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(stops, list) or not all(isinstance(stop, str) and stop for stop in stops):
        raise Refused("`stop` is neither a text nor a list of texts")
    if len(stops) > _STOPS or any(len(stop) > _STOP for stop in stops):
        raise Refused(f"`stop` has more than {_STOPS} texts, or one of more than {_STOP} letters")
    return tuple(stops)


def _is_neutral(value: Any, neutral: tuple[Any, ...]) -> bool:
    """Of the same type, too: true is no 1, and 0 asks for the probability of each token where false does not. Where a real is
    wanted, a whole number is one."""
    return any(value == one and (type(value) is type(one) or (type(value), type(one)) == (int, float)) for one in neutral)


def _check_type(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind | None):
        raise Refused(f"`{name}` is {_TYPES[kind]}")


def check(body: Any, about: str) -> None:
    """`about`: what the call is about, "prompt" or "messages". Raises Refused."""
    if not isinstance(body, dict):
        raise Refused("the body is no JSON object")
    for name, value in body.items():
        if name in _NEUTRAL:
            if not _is_neutral(value, _NEUTRAL[name]):
                raise Refused(f"`{name}` is not there")
        elif name in _IGNORED:
            _check_type(name, value, _IGNORED[name])
        elif name not in _TAKEN and name != about:
            raise Refused(f"`{_shown(name)[1:-1]}` is not known")
    if not isinstance(body.get("model"), str):
        raise Refused("`model` is no text")
    _check_type("stream", body.get("stream"), bool)
    _check_type("stream_options", body.get("stream_options"), dict)
    for name, value in (body.get("stream_options") or {}).items():
        if name not in _OF_STREAMS:
            raise Refused(f"`{_shown(name)[1:-1]}` of `stream_options` is not known")
        _check_type(name, value, bool)


def wish_of(body: dict[str, Any], default_limit: int, room: int) -> Wish:
    """`room`: how many tokens fit after the prompt. Raises Refused."""
    if room < 1:
        raise Refused("the prompt is longer than a request may be (--context)")
    given = "max_completion_tokens" if body.get("max_completion_tokens") is not None else "max_tokens"
    limits = {name: _number(body, name, min(default_limit, room), 1, 1 << 30, whole=True) for name in ("max_tokens", "max_completion_tokens")}
    limit = limits[given]
    if limit > room:
        raise Refused(f"`{given}` is {limit}; {room} tokens fit after this prompt (--context)")
    temperature = _number(body, "temperature", 1.0, 0, 2)
    top_p = _number(body, "top_p", 1.0, 0, 1)
    return Wish(limit, float(temperature), float(top_p), _number(body, "seed", None, 0, (1 << 63) - 1, whole=True), _stops(body.get("stop")))


def choices_of(body: dict[str, Any]) -> int:
    return _number(body, "n", 1, 1, 64, whole=True)


def prompts_of(body: dict[str, Any]) -> list[str | list[int]]:
    """Texts, or tokens."""
    prompt = body.get("prompt")
    if isinstance(prompt, str):
        return [prompt]
    if isinstance(prompt, list) and prompt:
        if all(isinstance(part, int) and not isinstance(part, bool) for part in prompt):
            return [prompt]
        if all(isinstance(part, str) for part in prompt):
            return prompt
        if all(isinstance(part, list) and part and all(isinstance(token, int) and not isinstance(token, bool) for token in part) for part in prompt):
            return prompt
    raise Refused("`prompt` is neither a text, a list of texts, tokens nor a list of lists of tokens")


def messages_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    """With contents that are texts."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Refused("`messages` is no list of messages")
    found = []
    for message in messages:
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise Refused("a message has no `role`")
        content = message.get("content")
        if isinstance(content, list):
            if not all(isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str) for part in content):
                raise Refused("a message has contents other than text")
            content = "".join(part["text"] for part in content)
        if not isinstance(content, str):
            raise Refused("a message has no text as its `content`")
        found.append({**message, "content": content})
    return found
