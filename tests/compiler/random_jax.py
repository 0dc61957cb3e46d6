#!/usr/bin/env python3
"""Random JAX programs of ordinary size, and gradients of them, against JAX on the CPU.

  random_jax.py [--build FOLDER] [--count 100] [--first 0] [--preset small] [--keep FOLDER] [--state FILE]
                [--focus NAME]

A program is a few steps of random_layers.py, each on what an earlier one made, with extents around those where
the compiler decides differently, by its own reports (decisions.py). Every other program aims at a decision with a way
that no program has taken before: a failure names it, and --focus NAME repeats it. A program returns several values, or
the gradients of their weighted sum with respect to all reals that it takes; some donate what they take, and return
some of it as it is. Results must agree to a thousandth of the largest number (and 2e-5), at the highest
precision of products. Program number n is always the same one: `--first n --count 1 --keep FOLDER`
repeats it and keeps its text. Passed ones are noted in --state. Exit status 77 without jax or without the package, 130
where it was interrupted.
"""

import functools
import os
import random
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError as problem:
    print(f"random_jax: skipped, {problem}")
    sys.exit(77)

import random_layers
import random_runner

TOLERANCE = 1e-3  # of the largest number
NOISE = 2e-5  # the rest of numbers near 1 that cancel


def is_far(want, have):
    have = np.asarray(have).reshape(want.shape)
    limit = TOLERANCE * (np.abs(want).max() if want.size else 0) + NOISE
    return not np.isfinite(want).all() or not np.all(np.abs(have - want) <= limit)


class Program:
    aims = True

    def __init__(self, number, focus=None, sizes=None):
        sizes = sizes or {}
        self.aimed = sizes.get(focus, ())
        self.steps_aimed = random_layers.steps_at(focus) if focus else ()
        self.draw = random_layers.Draw(random.Random(f"{number} {focus}"),
                                       [size for around in sizes.values() for size in around], self.aimed)
        self.numbers = np.random.default_rng(number)
        self.inputs, self.steps, self.shapes, self.words = [], [], [], []
        self.add_input(random_layers.real(*self.first_shape()))
        self.shapes.append(self.inputs[0].shape)
        wanted = self.draw((1, 2, 3, 4, 5, 6))
        for _ in range(200):
            if len(self.steps) == wanted:
                break
            self.add_step()
        used = {source for _, source, _ in self.steps}
        self.results = [i for i in range(len(self.shapes)) if i not in used or self.draw.chance(0.1)]
        self.weights = [self.numbers.normal(size=self.shapes[i]).astype(np.float32) for i in self.results]
        self.is_gradient = self.draw.chance(0.5)
        donates = self.draw.chance(0.3)
        self.donated = tuple(i for i in range(len(self.inputs)) if donates and self.draw.chance(0.7))
        self.returned = [i for i in range(len(self.inputs)) if donates and self.draw.chance(0.4)]

    def first_shape(self):
        rank = self.draw((1, 2, 2, 2, 3))
        if self.draw.chance(0.15):
            return (self.draw(random_layers.LONG),)
        if self.aimed and self.draw.chance(0.5):
            return self.shape_of(self.draw([size for size in self.aimed if size <= random_layers.MOST_AIMED] or (1,)))
        while True:
            shape = tuple(self.draw.extent() for _ in range(rank))
            if np.prod(shape) <= random_layers.MOST_ELEMENTS:
                return shape

    def shape_of(self, elements):
        """So many elements, or few more: in a row, or in rows of an extent."""
        if self.draw.chance(0.3) and elements <= random_layers.LONG[-1]:
            return (elements,)
        columns = self.draw.extent(elements)
        return (-(-elements // columns), columns)

    def add_input(self, described):
        kind, shape, bound = described
        if kind == "index":
            self.inputs.append(self.numbers.integers(0, bound, shape).astype(np.int32))
        else:
            self.inputs.append(np.asarray(self.numbers.normal(0, 1, shape), np.float32))

    def add_step(self):
        source = len(self.shapes) - 1 if self.draw.chance(0.8) else self.draw.random.randrange(len(self.shapes))
        aims = self.steps_aimed and self.draw.chance(0.5)
        make = self.draw(self.steps_aimed if aims else random_layers.STEPS)
        made = make(self.draw, self.shapes[source])
        if made is None:
            return
        function, described = made
        inputs = [jax.ShapeDtypeStruct(shape, jnp.int32 if kind == "index" else jnp.float32)
                  for kind, shape, _ in described]
        result = jax.eval_shape(function, jax.ShapeDtypeStruct(self.shapes[source], jnp.float32), *inputs)
        if np.prod(result.shape) > max(random_layers.MOST_ELEMENTS, self.inputs[0].size) or 0 in result.shape:
            return
        first = len(self.inputs)
        for each in described:
            self.add_input(each)
        self.steps.append((function, source, range(first, len(self.inputs))))
        self.shapes.append(result.shape)
        self.words.append(f"{make.__name__} of {source} {self.shapes[source]} -> {result.shape}")

    def forward(self, *arrays):
        values = [arrays[0]]
        for function, source, inputs in self.steps:
            values.append(function(values[source], *(arrays[i] for i in inputs)))
        return tuple(values[i] for i in self.results)

    def function(self, *arrays):
        return (*self.computed(*arrays), *(arrays[i] for i in self.returned))

    def computed(self, *arrays):
        with jax.default_matmul_precision("highest"):
            if not self.is_gradient:
                return self.forward(*arrays)
            reals = tuple(i for i, array in enumerate(self.inputs) if array.dtype == np.float32)

            def loss(*arrays):
                made = self.forward(*arrays)
                return sum((weight * value).sum() / np.sqrt(value.size) for weight, value in zip(self.weights, made))
            return jax.grad(loss, reals)(*arrays)

    def expected(self):
        return [np.asarray(value) for value in jax.jit(self.function)(*self.inputs)]

    def differs(self, index, want, have):
        # XLA's compiled programs are wrong now and then (0.10.2: products with broadcast operands, reduced);
        # one operation at a time is slow and right.
        return is_far(want, have) and is_far(self.one_by_one()[index], have)

    @functools.cache
    def one_by_one(self):
        with jax.disable_jit():
            return [np.asarray(value) for value in self.function(*map(jnp.asarray, self.inputs))]

    def text(self):
        kind = "gradient" if self.is_gradient else "values"
        return "\n".join(["  " + word for word in self.words] +
                         [f"  {kind} of {self.results}, donated {self.donated}, returned {self.returned}"])


if __name__ == "__main__":
    sys.exit(random_runner.main("random_jax", __doc__, Program, count=100))
