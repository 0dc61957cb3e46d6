#!/usr/bin/env python3
"""Trains the story model: stories from the grammar, a byte-pair vocabulary, a Llama.

    build/llama_stories must be built; then, from the repository's root:
    python3 -m venv ../venv && ../venv/bin/pip install -r llama/model/requirements.txt
    ../venv/bin/python llama/model/train.py

Writes stories.bin (llama2.c checkpoint, version 0) and stories_tokenizer.bin, and prints the figures
of the model card. Seeded: the same machine and thread count give the same files.
"""
import argparse
import collections
import math
import pathlib
import re
import string
import struct
import subprocess
import time

import torch
import torch.nn.functional as F

BEGIN = 1  # token that begins a text and ends it
FIRST_PIECE = 3  # after <unk>, <s> and </s>
PIECE = re.compile(r" ?[A-Za-z]+| ?[^A-Za-z ]+| ")  # merges stay within these
VALIDATION_SEED = 1_000_000_000


class Sizes:
    dim, hidden, layers, heads, kv_heads, vocabulary, sequence = 64, 160, 4, 4, 2, 512, 256
    head = dim // heads


# --- vocabulary ---------------------------------------------------------------------------------


def learn_pieces(stories, size):
    """Pieces of a byte-pair vocabulary in the order of their tokens: merged ones, then characters.

    There are no pieces for single bytes: they would take half of it.
    """
    counts = collections.Counter(p for s in stories for p in PIECE.findall(" " + s))
    words = [(list(word), count) for word, count in sorted(counts.items())]
    characters = sorted({c for word, _ in words for c in word} | set(string.ascii_letters))
    merged = []
    while FIRST_PIECE + len(merged) + len(characters) < size:
        pairs = collections.Counter()
        for word, count in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merged.append(best[0] + best[1])
        for word, _ in words:
            merge_all(word, lambda a, b: a + b == merged[-1])
    return merged + characters


def merge_all(word, wanted):
    i = 0
    while i + 1 < len(word):
        if wanted(word[i], word[i + 1]):
            word[i : i + 2] = [word[i] + word[i + 1]]
        else:
            i += 1


class Tokenizer:
    """Encodes as llama2.c does: the neighbours whose piece comes first in the list are merged first."""

    def __init__(self, pieces):
        self.pieces = pieces
        self.tokens = {piece: FIRST_PIECE + i for i, piece in enumerate(pieces)}
        self.known = {}

    def encode(self, text):
        return [t for piece in PIECE.findall(" " + text) for t in self.encode_piece(piece)]

    def encode_piece(self, text):
        if text not in self.known:
            word = list(text)
            while True:
                ranks = [self.tokens.get(a + b, math.inf) for a, b in zip(word, word[1:])]
                if not ranks or min(ranks) == math.inf:
                    break
                i = ranks.index(min(ranks))
                word[i : i + 2] = [word[i] + word[i + 1]]
            self.known[text] = [self.tokens[piece] for piece in word]
        return self.known[text]

    def write(self, path):
        pieces = [b"<unk>", b"\n<s>\n", b"\n</s>\n"]
        scores = [0.0] * len(pieces) + [-float(i) for i in range(len(self.pieces))]
        pieces += [piece.encode() for piece in self.pieces]
        with open(path, "wb") as file:
            file.write(struct.pack("<i", max(map(len, pieces))))
            for score, piece in zip(scores, pieces):
                file.write(struct.pack("<fi", score, len(piece)) + piece)


# --- model --------------------------------------------------------------------------------------


class Llama(torch.nn.Module):
    """RMSNorm, rotary embedding of neighbouring pairs, grouped-query attention, SwiGLU, tied."""

    def __init__(self):
        super().__init__()
        s = Sizes
        kv = s.kv_heads * s.head

        def matrices(outputs, inputs, scale=1.0):
            return torch.nn.Parameter(torch.randn(s.layers, outputs, inputs) * 0.02 * scale)

        def gains(*shape):
            return torch.nn.Parameter(torch.ones(*shape))

        last = 1 / math.sqrt(2 * s.layers)
        self.embedding = torch.nn.Parameter(torch.randn(s.vocabulary, s.dim) * 0.02)
        self.attention_norm, self.ffn_norm = gains(s.layers, s.dim), gains(s.layers, s.dim)
        self.wq, self.wk, self.wv = matrices(s.dim, s.dim), matrices(kv, s.dim), matrices(kv, s.dim)
        self.wo = matrices(s.dim, s.dim, last)
        self.w1, self.w3 = matrices(s.hidden, s.dim), matrices(s.hidden, s.dim)
        self.w2 = matrices(s.dim, s.hidden, last)
        self.final_norm = gains(s.dim)
        turn = torch.arange(0, s.head, 2).double() / s.head
        angle = torch.arange(s.sequence).double()[:, None] / 10000.0**turn
        self.register_buffer("cosines", angle.cos().float())
        self.register_buffer("sines", angle.sin().float())

    def rotate(self, x):
        cosines, sines = self.cosines[: x.shape[2]], self.sines[: x.shape[2]]
        even, odd = x[..., 0::2], x[..., 1::2]
        pair = (even * cosines - odd * sines, even * sines + odd * cosines)
        return torch.stack(pair, dim=-1).flatten(-2)

    def attention(self, x, layer):
        def heads(w):
            return (x @ w[layer].T).unflatten(-1, (-1, Sizes.head)).transpose(1, 2)

        def grouped(y):
            return y.repeat_interleave(Sizes.heads // Sizes.kv_heads, dim=1)

        q, k, v = self.rotate(heads(self.wq)), self.rotate(heads(self.wk)), heads(self.wv)
        mixed = F.scaled_dot_product_attention(q, grouped(k), grouped(v), is_causal=True)
        return mixed.transpose(1, 2).flatten(-2) @ self.wo[layer].T

    def forward(self, tokens):
        def norm(x, gain):
            return F.rms_norm(x, (Sizes.dim,), gain, 1e-5)

        x = self.embedding[tokens]
        for layer in range(Sizes.layers):
            x = x + self.attention(norm(x, self.attention_norm[layer]), layer)
            y = norm(x, self.ffn_norm[layer])
            gate = F.silu(y @ self.w1[layer].T) * (y @ self.w3[layer].T)
            x = x + gate @ self.w2[layer].T
        return norm(x, self.final_norm) @ self.embedding.T

    def write(self, path):
        s = Sizes
        header = (s.dim, s.hidden, s.layers, s.heads, s.kv_heads, s.vocabulary, s.sequence)
        tensors = (self.embedding, self.attention_norm, self.wq, self.wk, self.wv, self.wo,
                   self.ffn_norm, self.w1, self.w2, self.w3, self.final_norm, self.cosines, self.sines)
        with open(path, "wb") as file:
            file.write(struct.pack("<7i", *header))
            for tensor in tensors:
                file.write(tensor.detach().contiguous().numpy().astype("<f4").tobytes())


# --- training -----------------------------------------------------------------------------------


def make_batches(encoded, size):
    """Stories of like length side by side; a target of -1 does not count."""
    ordered = sorted(encoded, key=len)
    batches = []
    for i in range(0, len(ordered) - size + 1, size):
        rows = ordered[i : i + size]
        inputs = torch.full((size, len(rows[-1]) + 1), BEGIN)
        targets = torch.full_like(inputs, -1)
        for r, row in enumerate(rows):
            inputs[r, 1 : len(row) + 1] = torch.tensor(row)
            targets[r, : len(row) + 1] = torch.tensor(row + [BEGIN])
        batches.append((inputs, targets))
    return [batches[i] for i in torch.randperm(len(batches)).tolist()]


def loss_of(model, batch):
    return F.cross_entropy(model(batch[0]).flatten(0, 1), batch[1].flatten(), ignore_index=-1)


def train(model, batches, rate):
    decayed = [p for p in model.parameters() if p.dim() > 2 or p is model.embedding]
    others = [p for p in model.parameters() if not any(p is q for q in decayed)]
    groups = [{"params": decayed, "weight_decay": 0.05}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=True)
    warm_up = 100
    start, cpu = time.time(), time.process_time()
    for step, batch in enumerate(batches):
        done = max(0.0, (step - warm_up) / (len(batches) - warm_up))
        factor = min(1.0, (step + 1) / warm_up) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))
        for group in optimizer.param_groups:
            group["lr"] = rate * factor
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0 or step + 1 == len(batches):
            print(f"step {step} of {len(batches)}: loss {loss.item():.4f}, "
                  f"{time.time() - start:.0f} s, {time.process_time() - cpu:.0f} s of CPU", flush=True)


def write_stories(tool, seed, count):
    command = [tool, "write", "--seed", str(seed), "--count", str(count)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default="build/llama_stories")
    parser.add_argument("--out", type=pathlib.Path, default="llama/model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stories", type=int, default=160_000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(True)

    stories = write_stories(options.tool, 0, options.stories)
    tokenizer = Tokenizer(learn_pieces(stories[:20_000], Sizes.vocabulary))
    tokenizer.write(options.out / "stories_tokenizer.bin")
    encoded = [tokenizer.encode(story) for story in stories]
    longest, total = max(map(len, encoded)), sum(map(len, encoded))
    print(f"{len(stories)} stories, {total} tokens, {total / len(stories):.0f} a story, "
          f"longest {longest}, {FIRST_PIECE + len(tokenizer.pieces)} pieces", flush=True)
    assert longest < Sizes.sequence, "a story does not fit the context"

    model = Llama()
    print(f"{sum(p.numel() for p in model.parameters())} parameters", flush=True)
    train(model, make_batches(encoded, options.batch), options.rate)
    unseen = [tokenizer.encode(s) for s in write_stories(options.tool, VALIDATION_SEED, 512)]
    with torch.no_grad():
        losses = [loss_of(model, batch).item() for batch in make_batches(unseen, options.batch)]
    print(f"loss on unseen stories: {sum(losses) / len(losses):.4f} nats a token")
    model.write(options.out / "stories.bin")


if __name__ == "__main__":
    main()
