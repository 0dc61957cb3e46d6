"""The sizes of a Llama."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """As a model's file states them; a head's size is not always dim / heads."""

    dim: int
    hidden: int
    layers: int
    heads: int
    key_heads: int
    head: int
    vocabulary: int
    positions: int
    theta: float = 10000.0
    epsilon: float = 1e-5

    def __post_init__(self) -> None:
        for name in ("dim", "hidden", "layers", "heads", "key_heads", "head", "vocabulary", "positions"):
            size = getattr(self, name)
            if not isinstance(size, int) or isinstance(size, bool) or not 0 < size < 1 << 31:
                raise ValueError(f"`{name}` is {str(size)[:100]}")
        for name in ("theta", "epsilon"):
            number = getattr(self, name)
            if not isinstance(number, (int, float)) or isinstance(number, bool) or not 0 < number < math.inf:
                raise ValueError(f"`{name}` is {str(number)[:100]}")
        if self.heads % self.key_heads or self.head % 2:
            raise ValueError(f"{self.heads} heads of {self.head} for {self.key_heads} heads of keys")

    @property
    def layer_sizes(self) -> dict[str, tuple[int, ...]]:
        """Of each layer's tensors, as in Model.layers."""
        queries = self.heads * self.head
        return {"attention_norm": (self.dim,), "query": (queries, self.dim), "key": (self.keys, self.dim), "value": (self.keys, self.dim),
                "output": (self.dim, queries), "hidden_norm": (self.dim,), "gate": (self.hidden, self.dim), "up": (self.hidden, self.dim),
                "down": (self.dim, self.hidden)}

    @property
    def keys(self) -> int:
        """Elements of a position's keys, and of its values, in one layer."""
        return self.key_heads * self.head
