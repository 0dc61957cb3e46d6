"""Tokenizers over bytes from a list of tokens and merges, as in GGUF."""

from __future__ import annotations

from typing import Any, Sequence

from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers

from tandem.serve.model import Refused

_LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
_QWEN2 = _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")


def _words() -> Any:
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)


def _digits() -> Any:
    return pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), _words()])


def _by(pattern: str) -> Any:
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"),
                                    pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


# How a text is split into words, by GGUF's name.
_CUTS = {"gpt-2": _words, "smollm": _digits, "starcoder": _digits, "refact": _digits, "command-r": _digits,
         "llama-bpe": lambda: _by(_LLAMA3), "llama3": lambda: _by(_LLAMA3), "qwen2": lambda: _by(_QWEN2)}


def made(texts: Sequence[str], merges: Sequence[str], added: dict[str, bool], cut: str, where: str) -> Tokenizer:
    """`added`: tokens that are matched verbatim in a text, and whether they are control tokens."""
    if cut not in _CUTS:
        raise Refused(f"{where}: words are cut in the manner `{cut}`; known are {', '.join(_CUTS)}")
    pairs = [tuple(merge.split(" ")) for merge in merges]
    tokenizer = Tokenizer(models.BPE(vocab={text: number for number, text in enumerate(texts)}, merges=pairs))
    tokenizer.pre_tokenizer = _CUTS[cut]()
    tokenizer.add_tokens([AddedToken(text, special=special, normalized=False) for text, special in added.items()])
    return tokenizer
