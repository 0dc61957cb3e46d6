"""A request in progress: its parameters, its state, and its messages to the waiting caller."""

from __future__ import annotations

import codecs
import dataclasses
import itertools
from dataclasses import dataclass, field
from typing import Any, Callable, Sequence

import numpy as np

from tandem.serve.tokens import Tokens

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Wish:
    """How a text is to be continued. Temperature 0 takes the likeliest token."""

    limit: int
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = None
    stops: tuple[str, ...] = ()

    def choice(self, number: int) -> "Wish":
        """As one of several for the same prompt, with different random choices."""
        return self if self.seed is None else dataclasses.replace(self, seed=self.seed + number)


@dataclass
class Event:
    """More of the text; the last one has a reason ("stop", "length", "error") and, but for errors, the usage."""

    text: str
    reason: str | None = None
    usage: dict[str, Any] | None = None
    error: str | None = None


@dataclass
class Request:
    prompt: list[int]
    wish: Wish
    deliver: Callable[[Event], None]
    cancelled: bool = False
    pages: list[int] = field(default_factory=list)
    shared: int = 0  # tokens of the prompt whose keys and values were cached
    computed: int = 0  # tokens whose keys and values are there
    made: list[int] = field(default_factory=list)
    name: bytes = b""  # of the last full page
    named: int = 0  # full pages
    cycles: float = 0.0  # its share of each step, by rows
    steps: int = 0
    number: int = field(default_factory=lambda: next(_numbers))

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.wish.seed)

    @property
    def tokens(self) -> list[int]:
        return self.prompt + self.made

    @property
    def due(self) -> int:
        """Tokens whose keys and values are to be computed before the next token is known."""
        return len(self.prompt) + len(self.made) - self.computed

    def usage(self) -> dict[str, Any]:
        return {"prompt_tokens": len(self.prompt), "completion_tokens": len(self.made), "total_tokens": len(self.prompt) + len(self.made),
                "prompt_tokens_details": {"cached_tokens": self.shared}}


def drawn(scores: np.ndarray, wish: Wish, random: np.random.Generator) -> int:
    """Draws a token by the scores: from the smallest set of likeliest ones with probability top_p, at that
    temperature."""
    scores = scores.astype(np.float64)
    with np.errstate(over="ignore"):  # the smallest temperatures leave only the likeliest token
        chances = np.exp((scores - scores.max()) / wish.temperature)
    order = np.argsort(-chances, kind="stable")
    sums = np.cumsum(chances[order] / chances.sum())
    kept = order[:int(np.searchsorted(sums, wish.top_p)) + 1]
    return int(random.choice(kept, p=chances[kept] / chances[kept].sum()))


class Text:
    """Tokens as text, whole letters at a time; a possible beginning of a stop is held back until it is decided."""

    def __init__(self, tokens: Tokens, stops: Sequence[str], first: bool):
        self._tokens, self._stops, self._first = tokens, stops, first
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self.stopped = False

    def add(self, token: int) -> str:
        piece = self._tokens.piece(token, self._first)
        self._first = self._first and not piece
        self._held += self._decoder.decode(piece)
        return self._released()

    def end(self) -> str:
        """The rest of the text when no token follows."""
        if self.stopped:
            return ""
        self._held += self._decoder.decode(b"", True)
        text = self._released()
        if self.stopped:
            return text
        text, self._held = text + self._held, ""
        return text

    def _released(self) -> str:
        places = [place for place in (self._held.find(stop) for stop in self._stops) if place >= 0]
        if places:
            text, self._held, self.stopped = self._held[:min(places)], "", True
            return text
        held = max((size for stop in self._stops for size in range(1, min(len(stop), len(self._held) + 1)) if self._held.endswith(stop[:size])),
                   default=0)
        text, self._held = self._held[:len(self._held) - held], self._held[len(self._held) - held:]
        return text
