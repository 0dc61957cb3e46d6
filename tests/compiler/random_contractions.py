#!/usr/bin/env python3
"""Random contractions and reductions around them, against NumPy.

  random_contractions.py [--build FOLDER] [--count 150] [--first 0] [--preset small] [--keep FOLDER] [--state FILE]

A program is one to three einsums of any dimension numbers: batch, free and contracted dimensions in any
order and any number (none too), extents around 1, 2, sublanes and lanes, types mixed. What enters and what
leaves may be negated, transposed, scaled, cut, reduced (over no dimension too) or met with another result.
Every eighth program is one einsum of hundreds of rows and columns: there copies are cut into parts.
Values are small multiples of 1/4, so that every product and every sum is exact: results are
compared bit for bit at every precision. Program number n is always the same one: `--first n --count 1
--keep FOLDER` repeats it and keeps its text. Passed ones are noted in --state (random_programs.py). Exit status 77
without jax or without the package, 130 where it was interrupted.
"""

import functools
import os
import random
import string
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import jax
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
except ImportError as problem:
    print(f"random_contractions: skipped, {problem}")
    sys.exit(77)

import random_runner

EXTENTS = (1, 1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 64, 100, 127, 128, 130, 257)
LARGEST = 1 << 14  # elements of an operand or result
MOST_TURNS = 1 << 19  # of all loops together: the golden model makes each product
WIDE_EXTENTS = (96, 128, 130, 200, 256, 384, 512, 520)
WIDE_LARGEST = 1 << 18
WIDE_TURNS = 1 << 26
TYPES = (("float32", "float32"), ("bfloat16", "bfloat16"), ("float32", "bfloat16"), ("bfloat16", "float32"),
         ("int8", "int8"), ("int32", "int32"))
DTYPES = {"float32": np.float32, "bfloat16": ml_dtypes.bfloat16, "int8": np.int8, "int32": np.int32}


class Site:
    """One einsum with operations before and after it; `of` works on JAX's arrays and on NumPy's."""

    def __init__(self, draw, extents, is_wide=False):
        self.draw = draw
        self.largest, self.most_turns = (WIDE_LARGEST, WIDE_TURNS) if is_wide else (LARGEST, MOST_TURNS)
        letters = string.ascii_lowercase[:draw.choice((3, 3, 3, 4) if is_wide else (1, 2, 3, 3, 4, 4, 5))]
        kinds = {letter: draw.choice(("left", "right", "batch", "depth", "depth")) for letter in letters}
        if is_wide:
            kinds.update(zip(letters, ("left", "right", "depth")))
            narrow = functools.partial(draw.choice, EXTENTS)
        shuffled = lambda chosen: "".join(draw.sample(chosen, len(chosen)))
        self.left = shuffled([c for c in letters if kinds[c] != "right"])
        self.right = shuffled([c for c in letters if kinds[c] != "left"])
        self.result = shuffled([c for c in letters if kinds[c] != "depth"])
        self.size = {letter: narrow() if is_wide and place > 2 else extents() for place, letter in enumerate(letters)}
        self.types = draw.choice(TYPES)
        self.before = draw.choice(("", "", "negate", "double", "add"))
        self.after = draw.choice(("", "", "negate", "sum", "max", "sum of nothing", "transpose", "row", "relu"))
        self.precision = draw.choice(("default", "highest"))

    def shapes(self):
        return [tuple(self.size[c] for c in part) for part in (self.left, self.right, self.result)]

    def fits(self):
        turns = np.prod(list(self.size.values()), dtype=np.int64)
        return turns <= self.most_turns and all(np.prod(s, dtype=np.int64) <= self.largest for s in self.shapes())

    def inputs(self, numbers):
        return [np.asarray(numbers.integers(-8, 9, shape) / (4 if "float" in kind else 1)).astype(DTYPES[kind])
                for shape, kind in zip(self.shapes(), self.types)]

    def entered(self, x):
        match self.before:
            case "negate": return -x
            case "double": return x * x.dtype.type(2) if isinstance(x, np.ndarray) else x * jnp.asarray(2, x.dtype)
            case "add": return x + x
        return x

    def left_over(self, library, x):
        axis = len(self.result) // 2
        match self.after:
            case "negate": return -x
            case "sum" if x.ndim: return x.sum(axis, dtype=x.dtype)
            case "max" if x.ndim: return x.max(axis)
            case "sum of nothing": return x.sum((), dtype=x.dtype)
            case "transpose": return library.transpose(x)
            case "row" if x.ndim: return x + x[..., :1]
            case "relu": return library.maximum(x, x.dtype.type(0))
        return x

    def jax(self, x, y):
        wide = jnp.int32 if "int" in self.types[0] else jnp.float32
        product = jnp.einsum(f"{self.left},{self.right}->{self.result}", self.entered(x), y,
                             preferred_element_type=wide, precision=self.precision)
        return self.left_over(jnp, product)

    def numpy(self, x, y):
        wide = np.int64 if "int" in self.types[0] else np.float64
        product = np.einsum(f"{self.left},{self.right}->{self.result}", self.entered(x).astype(wide), y.astype(wide))
        return np.asarray(self.left_over(np, product))


class Program:
    aims = False

    def __init__(self, number):
        draw = random.Random(number)
        is_wide = number % 8 == 5
        extents = functools.partial(draw.choice, WIDE_EXTENTS if is_wide else EXTENTS)
        self.sites = []
        while len(self.sites) < (1 if is_wide else draw.choice((1, 1, 2, 3))):
            site = Site(draw, extents, is_wide)
            if site.fits():
                self.sites.append(site)
        numbers = np.random.default_rng(number)
        self.inputs = [array for site in self.sites for array in site.inputs(numbers)]

    def function(self, *arrays):
        return tuple(site.jax(*arrays[2 * i:2 * i + 2]) for i, site in enumerate(self.sites))

    def expected(self):
        return [site.numpy(*self.inputs[2 * i:2 * i + 2]) for i, site in enumerate(self.sites)]

    def differs(self, index, want, have):
        return not np.array_equal(want, np.asarray(have).astype(want.dtype).reshape(want.shape))

    def text(self):
        return "\n".join(f"{s.left},{s.right}->{s.result} {s.size} {s.types} before={s.before} after={s.after} "
                         f"{s.precision}" for s in self.sites)


if __name__ == "__main__":
    sys.exit(random_runner.main("random_contractions", __doc__, Program, count=150))
