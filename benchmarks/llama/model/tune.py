#!/usr/bin/env python3
"""Trains the committed model a little further, with its vocabulary, after a change of the grammar.

    ../venv/bin/python benchmarks/llama/model/tune.py --checkpoint OLD --out NEW
"""
import argparse
import pathlib
import struct

import torch
import train

FIRST_SEED = 200_000  # train.py stays below
FOLDER = pathlib.Path("benchmarks/llama/model")


def read_pieces(path):
    data, offset, pieces = path.read_bytes(), 4, []
    while offset < len(data):
        length = struct.unpack_from("<i", data, offset + 4)[0]
        pieces.append(data[offset + 8 : offset + 8 + length].decode())
        offset += 8 + length
    return pieces[train.FIRST_PIECE :]


@torch.no_grad()
def read_weights(model, path):
    weights = torch.frombuffer(bytearray(path.read_bytes()[28:]), dtype=torch.float32)
    offset = 0
    for tensor in (model.embedding, model.attention_norm, model.wq, model.wk, model.wv, model.wo,
                   model.ffn_norm, model.w1, model.w2, model.w3, model.final_norm):
        tensor.copy_(weights[offset : offset + tensor.numel()].view_as(tensor))
        offset += tensor.numel()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default="build/llama_stories")
    parser.add_argument("--checkpoint", type=pathlib.Path, default=FOLDER / "stories.bin")
    parser.add_argument("--tokenizer", type=pathlib.Path, default=FOLDER / "stories_tokenizer.bin")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--stories", type=int, default=3_840)
    parser.add_argument("--rate", type=float, default=1e-3)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    tokenizer = train.Tokenizer(read_pieces(options.tokenizer))
    model = train.Llama()
    read_weights(model, options.checkpoint)
    stories = train.write_stories(options.tool, FIRST_SEED, options.stories)
    train.train(model, train.make_batches([tokenizer.encode(s) for s in stories], 32), options.rate)
    unseen = train.write_stories(options.tool, train.VALIDATION_SEED, 256)
    batches = train.make_batches([tokenizer.encode(s) for s in unseen], 32)
    with torch.no_grad():
        losses = [train.loss_of(model, batch).item() for batch in batches]
    print(f"loss on unseen stories: {sum(losses) / len(losses):.4f} nats a token")
    model.write(options.out)


if __name__ == "__main__":
    main()
