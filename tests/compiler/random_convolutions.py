#!/usr/bin/env python3
"""Random convolutions against NumPy, their gradients against JAX on the CPU.

  random_convolutions.py [--build FOLDER] [--count 60] [--first 0] [--preset small] [--keep FOLDER] [--state FILE]

A program is one convolution of 0 to 3 spatial dimensions: operands and result with their dimensions in any order,
strides, padding (negative too), dilation of both operands, a reversed window, groups of features or of batches, a
few channels or many; or JAX's gradients of one. Values are small multiples of 1/2, so that every sum is exact: results
are compared bit for bit. Program number n is always the same one: `--first n --count 1 --keep FOLDER` repeats it and
keeps its text. What has passed is noted in --state (random_programs.py). Exit status 77 without jax or without the
package, 130 where it was interrupted.
"""

import os
import random
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import jax
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
    from jax import lax
except ImportError as problem:
    print(f"random_convolutions: skipped, {problem}")
    sys.exit(77)

import random_runner

MOST_PRODUCTS = 1 << 19  # the golden model makes each
DTYPES = {"float32": np.float32, "bfloat16": ml_dtypes.bfloat16, "int8": np.int8}
CHANNELS = (1, 1, 2, 3, 4, 7, 8, 15, 16, 17, 24, 33)


class Convolution:
    """Random arguments of lax.conv_general_dilated."""

    def __init__(self, draw):
        self.rank = draw.choice((0, 1, 1, 2, 2, 2, 2, 2, 3))
        some = lambda *among: [draw.choice(among) for _ in range(self.rank)]
        names = "DHW"[3 - self.rank:]
        order = lambda first: "".join(draw.sample(first + names, len(first + names)))
        usual = [("N" + "C" + names, "OI" + names, "NC" + names), ("N" + names + "C", names + "IO", "N" + names + "C")]
        self.numbers = draw.choice(usual + [(order("NC"), order("OI"), order("NC"))])
        self.window = some(1, 1, 2, 3, 3, 3, 5, 7)
        if draw.random() < .2:
            self.window = [1] * self.rank
        self.size = some(1, 4, 7, 8, 9, 14, 17)
        self.strides = some(1, 1, 1, 2, 3) if draw.random() < .5 else [1] * self.rank
        self.dilation = some(1, 1, 2) if draw.random() < .3 else [1] * self.rank
        self.input_dilation = some(1, 2, 3) if draw.random() < .25 else [1] * self.rank
        kinds = (lambda w: (0, 0), lambda w: (w // 2, w // 2), lambda w: (draw.randint(-1, w), draw.randint(-1, w)))
        self.padding = [kind(w) for kind, w in zip(some(*kinds), self.window)]
        self.batch = draw.choice((1, 1, 2, 3, 8))
        self.features, self.out = draw.choice(CHANNELS), draw.choice(CHANNELS)
        self.feature_groups = self.batch_groups = 1
        match draw.choice(("", "", "", "depthwise", "multiplied", "features", "batches", "all batches")):
            case "depthwise":
                self.feature_groups = self.out = self.features
            case "multiplied":
                self.feature_groups, self.out = self.features, self.features * draw.choice((2, 3))
            case "features":
                self.feature_groups = draw.choice((2, 4))
                self.features, self.out = self.feature_groups * draw.choice((1, 3, 8)), self.feature_groups * draw.choice((1, 2, 8))
            case "batches":
                self.batch_groups = draw.choice((2, 4))
                self.batch, self.out = self.batch_groups * draw.choice((1, 2)), self.batch_groups * draw.choice((1, 5))
            case "all batches":
                self.batch_groups = self.batch = self.out = draw.choice((8, 17, 24))
        self.kind = draw.choice(("float32", "float32", "float32", "bfloat16", "int8"))
        self.gradient = self.kind == "float32" and draw.random() < .4 and self.batch_groups == 1
        if self.gradient:
            self.padding = [(max(0, low), max(0, high)) for low, high in self.padding]

    def shape(self, letters, of):
        return tuple(of[letter] for letter in letters)

    def shapes(self):
        names = "DHW"[3 - self.rank:]
        x = dict(zip(names, self.size)) | {"N": self.batch, "C": self.features}
        w = dict(zip(names, self.window)) | {"O": self.out, "I": self.features // self.feature_groups}
        return self.shape(self.numbers[0], x), self.shape(self.numbers[1], w)

    def apply(self, x, w):
        # Spatial dimensions are numbered as the operands' texts name them.
        at = ["DHW"[3 - self.rank:].index(c) for c in self.numbers[1] if c in "DHW"]
        numbers = lax.conv_dimension_numbers(x.shape, w.shape, self.numbers)
        picked = lambda values: [values[i] for i in at]
        wide = jnp.int32 if self.kind == "int8" else jnp.float32
        return lax.conv_general_dilated(
            x, w, picked(self.strides), picked(self.padding), picked(self.input_dilation), picked(self.dilation), numbers,
            self.feature_groups, self.batch_groups, preferred_element_type=wide)

    def numpy(self, x, w):
        """The same with one product for each place of the window. XLA's CPU forgets to pad for some windows of 1."""
        names = "DHW"[3 - self.rank:]
        order = lambda value, letters, wanted: np.transpose(value.astype(np.float64), [letters.index(c) for c in wanted])
        x, w = order(x, self.numbers[0], "NC" + names), order(w, self.numbers[1], "OI" + names)
        for axis, (dilation, (low, high)) in enumerate(zip(self.input_dilation, self.padding), 2):
            size = (x.shape[axis] - 1) * dilation + 1
            wide = np.zeros(x.shape[:axis] + (max(0, size + low + high),) + x.shape[axis + 1:])
            for at in range(x.shape[axis]):
                if 0 <= at * dilation + low < wide.shape[axis]:
                    wide[(slice(None),) * axis + (at * dilation + low,)] = x[(slice(None),) * axis + (at,)]
            x = wide
        places = [(size - (window - 1) * dilation - 1) // stride + 1 for size, window, dilation, stride
                  in zip(x.shape[2:], self.window, self.dilation, self.strides)]
        batch, groups = x.shape[0] // self.batch_groups, self.feature_groups * self.batch_groups
        x = x.reshape(self.batch_groups, batch, self.feature_groups, -1, *x.shape[2:])
        x = np.moveaxis(x, 2, 1).reshape(groups, batch, w.shape[1], *x.shape[4:])
        w = w.reshape(groups, -1, *w.shape[1:])
        result = np.zeros((batch, groups, w.shape[1], *places))
        for at in np.ndindex(*self.window):
            box = tuple(slice(i * d, i * d + (p - 1) * s + 1, s) for i, d, p, s
                        in zip(at, self.dilation, places, self.strides))
            result += np.einsum("gnc...,goc->ngo...", x[(slice(None),) * 3 + box], w[(slice(None),) * 3 + at])
        return order(result.reshape(batch, -1, *places), "NC" + names, self.numbers[2])

    def products(self):
        x, w = self.shapes()
        shape = jax.eval_shape(self.apply, jax.ShapeDtypeStruct(x, DTYPES[self.kind]),
                               jax.ShapeDtypeStruct(w, DTYPES[self.kind])).shape
        return int(np.prod(shape)) * int(np.prod(w)) // self.out


class Program:
    aims = False

    def __init__(self, number):
        draw = random.Random(number)
        while True:
            self.convolution = Convolution(draw)
            try:
                if 0 < self.convolution.products() <= MOST_PRODUCTS:
                    break
            except (TypeError, ValueError):  # an empty result, or sizes that JAX refuses
                continue
        numbers = np.random.default_rng(number)
        kind = DTYPES[self.convolution.kind]
        half = lambda shape: np.asarray(numbers.integers(-4, 5, shape) / (1 if kind is np.int8 else 2)).astype(kind)
        self.inputs = [half(shape) for shape in self.convolution.shapes()]
        if self.convolution.gradient:
            self.inputs.append(half(jax.eval_shape(self.convolution.apply, *self.inputs).shape))

    def function(self, x, w, *gradients):
        result = self.convolution.apply(x, w)
        if not gradients:
            return (result,)
        return jax.vjp(self.convolution.apply, x, w)[1](gradients[0])

    def expected(self):
        if len(self.inputs) == 2:
            return [self.convolution.numpy(*self.inputs)]
        with jax.default_matmul_precision("highest"):
            return [np.asarray(result) for result in jax.jit(self.function)(*self.inputs)]

    def differs(self, index, want, have):
        return not np.array_equal(want, np.asarray(have).astype(want.dtype).reshape(want.shape))

    def text(self):
        return " ".join(f"{name}={value}" for name, value in vars(self.convolution).items())


if __name__ == "__main__":
    sys.exit(random_runner.main("random_convolutions", __doc__, Program, count=60))
