"""A machine without a model: each token is followed by the next number. It reads pages like the step."""

import threading

import numpy as np


class Counting:
    preset, simulation, cycles_are_measured, step_cycles = "none", "golden", False, 100

    def __init__(self, rows, table, page, fails_at=None):
        self.rows, self.table, self.page, self.fails_at = rows, table, page, fails_at
        self.steps, self.kept, self.go = 0, {}, threading.Event()
        self.go.set()

    def step(self, rows):
        self.go.wait(30)
        self.steps += 1
        if self.steps == self.fails_at:
            raise RuntimeError("planted")
        for token, position, table in zip(*rows, strict=True):
            self.kept[table[position // self.page], position % self.page] = token
        for token, position, table in zip(*rows, strict=True):  # all that it sees is its own, in order
            seen = [self.kept[table[at // self.page], at % self.page] for at in range(position + 1)]
            assert table[0] == 0 or seen == list(range(token - position, token + 1)), (token, position, seen)
        return np.asarray(rows.tokens) + 1, 100
