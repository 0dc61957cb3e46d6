"""A Llama in NumPy, as its papers describe it: no pages, no batches, no rounding but float32's. It reads files of
llama2.c itself."""

import pathlib
import struct

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
STORIES = ROOT / "llama/model/stories.bin"
STORIES_WORDS = ROOT / "llama/model/stories_tokenizer.bin"
SHARED = ROOT.parent / "shared/data/llama"


class Reference:
    """weights: embedding, norm, classifier and lists attention_norm, query, key, ... of matrices [outputs, inputs]."""

    def __init__(self, weights, heads, key_heads, theta=10000.0, epsilon=1e-5, halves=False):
        self.weights, self.heads, self.key_heads, self.theta, self.epsilon = weights, heads, key_heads, theta, epsilon
        self.halves = halves

    def norm(self, x, weight):
        return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + self.epsilon) * weight

    def rotated(self, x):
        """[positions, heads, head]; pairs are neighbours, or half a head apart."""
        head = x.shape[-1]
        angle = np.arange(len(x))[:, None, None] * self.theta ** (-np.arange(0, head, 2) / head)
        turn = np.exp(1j * angle)
        if self.halves:
            turned = (x[..., :head // 2] + 1j * x[..., head // 2:]) * turn
            return np.concatenate([turned.real, turned.imag], axis=-1)
        turned = (x[..., 0::2] + 1j * x[..., 1::2]) * turn
        return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape)

    def attention(self, x, layer):
        count = len(x)
        query, key, value = (x @ self.weights[name][layer].T for name in ("query", "key", "value"))
        query = self.rotated(query.reshape(count, self.heads, -1))
        key, value = self.rotated(key.reshape(count, self.key_heads, -1)), value.reshape(count, self.key_heads, -1)
        key, value = (np.repeat(part, self.heads // self.key_heads, axis=1) for part in (key, value))
        scores = np.einsum("qhd,khd->hqk", query, key) / np.sqrt(query.shape[-1])
        scores = np.where(np.tri(count, dtype=bool), scores, -np.inf)
        grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = np.einsum("hqk,khd->qhd", grown / grown.sum(axis=-1, keepdims=True), value)
        return mixed.reshape(count, -1) @ self.weights["output"][layer].T

    def scores(self, tokens):
        """Scores of the token after each one, [tokens, vocabulary]."""
        w = self.weights
        x = w["embedding"][tokens].astype(np.float64)
        for layer in range(len(w["query"])):
            x = x + self.attention(self.norm(x, w["attention_norm"][layer]), layer)
            h = self.norm(x, w["hidden_norm"][layer])
            gate = h @ w["gate"][layer].T
            x = x + (gate / (1 + np.exp(-gate)) * (h @ w["up"][layer].T)) @ w["down"][layer].T
        return self.norm(x, w["norm"]) @ w["classifier"].T

    def greedy(self, prompt, limit, end):
        """The likeliest tokens after a prompt, including `end` if it occurs."""
        tokens = list(prompt)
        while len(tokens) < len(prompt) + limit and (len(tokens) == len(prompt) or tokens[-1] != end):
            tokens.append(int(self.scores(tokens)[-1].argmax()))
        return tokens[len(prompt):]

    def worst_choice(self, prompt, made):
        """How far the score of a token of `made` is below the best one, each time after the tokens before it: 0 if all
        are the likeliest."""
        scores = self.scores(list(prompt) + list(made))[len(prompt) - 1:-1]
        return float((scores.max(axis=-1) - scores[np.arange(len(made)), made]).max())


def checkpoint(path):
    data = path.read_bytes()
    dim, hidden, layers, heads, key_heads, vocabulary, _ = struct.unpack_from("<7i", data)
    keys, numbers = dim // heads * key_heads, np.frombuffer(data, "<f4", offset=28)
    sizes = [("embedding", (vocabulary, dim)), ("attention_norm", (layers, dim)), ("query", (layers, dim, dim)), ("key", (layers, keys, dim)),
             ("value", (layers, keys, dim)), ("output", (layers, dim, dim)), ("hidden_norm", (layers, dim)), ("gate", (layers, hidden, dim)),
             ("down", (layers, dim, hidden)), ("up", (layers, hidden, dim)), ("norm", (dim,))]
    weights, at = {}, 0
    for name, size in sizes:
        weights[name] = numbers[at:at + int(np.prod(size))].reshape(size)
        at += int(np.prod(size))
    weights["classifier"] = weights["embedding"]
    return Reference(weights, heads, key_heads)


def words(path):
    """The vocabulary as bytes."""
    data, at, found = path.read_bytes(), 4, []
    while at < len(data):
        length = struct.unpack_from("<i", data, at + 4)[0]
        found.append(data[at + 8:at + 8 + length])
        at += 8 + length
    return found


def text(tokens, vocabulary, end=1):
    return b"".join(vocabulary[token] for token in tokens if token != end).decode()


PROJECTIONS = ("query", "key", "value", "output", "gate", "up", "down")


def of_int4(weight):
    """The matrix [inputs, outputs] that words of int4 and their levels represent, padded to a multiple of eight
    inputs."""
    words, distance, least = (np.asarray(weight[name]) for name in ("int4", "distance", "least"))
    group = words.shape[0] // least.shape[1]
    parts = [(words.view(np.uint32) >> np.uint32(4 * place) & np.uint32(15)).astype(np.float64) *
             distance[place].repeat(group, axis=0) + least[place].repeat(group, axis=0) for place in range(8)]
    return np.concatenate(parts)


def as_int4(weights, packed):
    """The weights of a Reference with each matrix as `packed` rounds it."""
    def rounded(matrix):
        return of_int4(packed(matrix.T, "int4"))[:matrix.shape[1]].T

    return {name: [rounded(matrix) for matrix in found] if name in PROJECTIONS else found for name, found in weights.items()}
