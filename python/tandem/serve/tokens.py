"""Texts as tokens: byte pairs by Hugging Face's package, and pieces with scores as in SentencePiece."""

from __future__ import annotations

import heapq
from typing import Any, Protocol, Sequence


class Tokens(Protocol):
    """The interface of a vocabulary that the server needs."""

    begin: int | None  # what begins a text
    ends: set[int]
    longest: int  # bytes of text that one token can represent

    def encode(self, text: str, begin: bool = True) -> list[int]:
        """With the token that begins a text, if wanted and there is one."""

    def piece(self, token: int, first: bool = False) -> bytes:
        """The text of a token; control tokens have none. `first`: only control tokens come before it."""

    def name(self, token: int) -> str:
        """As templates write it, including control tokens."""


class Pieces:
    """Of the neighbouring pairs that form a piece, the one with the best score is joined, until none is left. A text
    begins with a blank."""

    def __init__(self, texts: Sequence[bytes], scores: Sequence[float], *, begin: int | None, ends: set[int], controls: set[int]):
        self.texts, self.scores, self.begin, self.ends, self.controls = texts, scores, begin, ends, controls
        self._numbers: dict[bytes, int] = {}
        for number, text in enumerate(texts):  # the byte of a letter does not hide the letter
            if number not in controls and (text not in self._numbers or scores[number] > scores[self._numbers[text]]):
                self._numbers[text] = number
        self.longest = max(map(len, texts), default=1)
        self._bytes = {text[0]: number for number, text in enumerate(texts) if len(text) == 1 and number not in controls}

    def _letters(self, text: str) -> list[int]:
        found = []
        for letter in text:
            coded = letter.encode()
            if coded in self._numbers:
                found.append(self._numbers[coded])
            elif all(byte in self._bytes for byte in coded):
                found += [self._bytes[byte] for byte in coded]
            else:
                raise ValueError(f"the vocabulary has no {letter!r}")
        return found

    def _joined(self, tokens: list[int]) -> list[int]:
        """The best pair first; of equal ones the leftmost."""
        after, before = [*range(1, len(tokens) + 1)], [*range(-1, len(tokens) - 1)]
        gone = -1
        pairs: list[tuple[float, int, int, int, int]] = []

        def see(place: int) -> None:
            other = after[place]
            joined = self._numbers.get(self.texts[tokens[place]] + self.texts[tokens[other]]) if other < len(tokens) else None
            if joined is not None:
                heapq.heappush(pairs, (-self.scores[joined], place, joined, tokens[place], tokens[other]))

        for place in range(len(tokens)):
            see(place)
        while pairs:
            _, place, joined, left, right = heapq.heappop(pairs)
            other = after[place]
            if other == len(tokens) or (tokens[place], tokens[other]) != (left, right):
                continue  # one of them is part of another pair by now
            tokens[place], tokens[other], after[place] = joined, gone, after[other]
            if after[other] < len(tokens):
                before[after[other]] = place
            see(place)
            if before[place] >= 0:
                see(before[place])
        return [token for token in tokens if token != gone]

    def encode(self, text: str, begin: bool = True) -> list[int]:
        tokens = self._joined(self._letters(" " + text)) if text else []
        return ([self.begin] if begin and self.begin is not None else []) + tokens

    def piece(self, token: int, first: bool = False) -> bytes:
        if token in self.controls:
            return b""
        text = self.texts[token]
        return text[1:] if first and text.startswith(b" ") else text

    def name(self, token: int) -> str:
        return self.texts[token].decode(errors="replace").strip("\n")


class BytePairs:
    """A tokenizer of Hugging Face's package `tokenizers` over bytes."""

    def __init__(self, tokenizer: Any, *, begin: int | None, ends: set[int], adds_begin: bool):
        self._tokenizer, self.begin, self.ends, self._adds_begin = tokenizer, begin, ends, adds_begin
        self._controls = {number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special}
        self._added = {number: token.content for number, token in tokenizer.get_added_tokens_decoder().items()}
        self._bytes = byte_letters()
        self.longest = max(map(len, (name.encode() for name in [*tokenizer.get_vocab(), *self._added.values()])), default=1)

    def encode(self, text: str, begin: bool = True) -> list[int]:
        found = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ([self.begin] if begin and self._adds_begin and self.begin is not None else []) + found

    def piece(self, token: int, first: bool = False) -> bytes:
        if token in self._controls:
            return b""
        if token in self._added:
            return self._added[token].encode()
        text = self._tokenizer.id_to_token(token)
        return b"" if text is None else bytes(self._bytes[letter] for letter in text)

    def name(self, token: int) -> str:
        return self._tokenizer.id_to_token(token) or ""


def byte_letters() -> dict[str, int]:
    """The byte that each letter represents in vocabularies over bytes: printable ones represent themselves, others are
    from U+0100 on."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (byte for byte in range(256) if byte not in printable)
    return {chr(byte): byte for byte in printable} | {chr(0x100 + place): byte for place, byte in enumerate(others)}
