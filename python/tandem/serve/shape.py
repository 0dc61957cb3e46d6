"""The sizes of a Llama."""

from __future__ import annotations

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

    @property
    def keys(self) -> int:
        """Elements of a position's keys, and of its values, in one layer."""
        return self.key_heads * self.head
