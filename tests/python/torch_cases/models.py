"""Networks in plain torch, small: each as (module, inputs, loss of its result)."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import nn
from torch.nn import functional as F

Made = tuple[nn.Module, tuple[torch.Tensor, ...], Callable[[Any], torch.Tensor]]


def _classes(count: int, classes: int = 5) -> Callable[[Any], torch.Tensor]:
    labels = torch.randint(0, classes, (count,))
    return lambda logits: F.cross_entropy(logits, labels)


def mlp() -> Made:
    return (nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.LayerNorm(32), nn.Linear(32, 5)), (torch.randn(16, 20),),
            _classes(16))


class _Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(50, 32)
        self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True), 2)
        self.out = nn.Linear(32, 5)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.out(self.layers(self.words(words)).mean(1))


def encoder() -> Made:
    return _Encoder(), (torch.randint(0, 50, (4, 8)),), _classes(4)


def cnn() -> Made:
    layers = (nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, stride=2),
              nn.GELU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5))
    return nn.Sequential(*layers), (torch.randn(8, 1, 12, 12),), _classes(8)


class _Recurrent(nn.Module):
    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.layers = kind(8, 16, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(32, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.layers(x)[0][:, -1])


def lstm() -> Made:
    return _Recurrent(nn.LSTM), (torch.randn(4, 6, 8),), _classes(4)


def gru() -> Made:
    return _Recurrent(nn.GRU), (torch.randn(4, 6, 8),), _classes(4)


class _Block(nn.Module):
    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(size), nn.LayerNorm(size)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.inner = nn.Sequential(nn.Linear(size, 4 * size), nn.GELU(approximate="tanh"), nn.Linear(4 * size, size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, size = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2)
                   for part in self.qkv(self.first(x)).split(size, dim=2))
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, size))
        return x + self.inner(self.second(x))


class _Gpt(nn.Module):
    """Like GPT-2: learnt positions, norms before the layers, the words' table used twice."""

    def __init__(self, words: int, length: int, size: int, heads: int, layers: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, size), nn.Embedding(length, size)
        self.layers = nn.ModuleList(_Block(size, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(size)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        x = self.words(words) + self.places(torch.arange(words.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.norm(x) @ self.words.weight.T


def gpt() -> Made:
    words = torch.randint(0, 64, (2, 17))
    return (_Gpt(64, 16, 32, 4, 2), (words[:, :-1],),
            lambda logits: F.cross_entropy(logits.flatten(0, 1), words[:, 1:].flatten()))


MODELS: dict[str, Callable[[], Made]] = {"mlp": mlp, "encoder": encoder, "cnn": cnn, "lstm": lstm, "gru": gru, "gpt": gpt}


def make(name: str) -> Made:
    """The same each time."""
    torch.manual_seed(0)
    return MODELS[name]()
