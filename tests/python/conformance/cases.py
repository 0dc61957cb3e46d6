"""Cases, and the notation of their arguments.

Arguments are a line of text, one word per array: a letter for its contents, its shape, and for integers a bound:

    f[3,4]  float32        p[3]  float32 above 0.1    z[3]  float32 in 0 .. 1    h[3]  bfloat16
    i[5]    int32 (-9..9)  i[5]<4  int32 in 0 .. 3    u[5]  uint32               b[2]  bool
    c[5]    int8           y[5]  uint8                s[3]  float32 with NaN, infinities, zeros
    x[5]    complex64
"""

import dataclasses
import re
import typing
import zlib

import jax.numpy as jnp
import numpy as np

# Ranks 0 to 5, nothing, ones, odd sizes, edges of vectors and tiles.
SHAPES = ((), (1,), (7,), (129,), (0,), (3, 4), (8, 128), (2, 0, 3), (2, 3, 5), (1, 2, 3, 4),
          (2, 1, 3, 2, 2))
FEW = ((), (5,), (3, 4), (2, 0, 3))

SPECIAL = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, 0.5, 3.4e38, -1.2e-38, 100.0,
                    -2.5], np.float32)


@dataclasses.dataclass(frozen=True)
class Case:
    name: str  # "jnp.roll: f[3,4]"
    function: typing.Callable
    arguments: tuple
    options: tuple = ()  # of jax.jit, pairs

    @property
    def operation(self):
        """The key of the table of tolerances."""
        return self.name.split(":")[0].split("/")[0]


def shape_text(shape):
    return "[" + ",".join(map(str, shape)) + "]"


def array(word):
    """The array that a word describes; the same every time, independent of earlier ones."""
    match = re.fullmatch(r"([a-z])\[([\d,]*)\](?:<(\d+))?", word)
    if not match:
        raise ValueError(f"no array: {word}")
    letter, sizes, bound = match.groups()
    shape = tuple(int(size) for size in sizes.split(",") if size)
    random = np.random.default_rng(zlib.crc32(word.encode()))
    if letter == "f":
        return random.normal(0, 2, shape).astype(np.float32)
    if letter == "h":
        return random.normal(0, 2, shape).astype(jnp.bfloat16)
    if letter == "p":
        return random.uniform(0.1, 8, shape).astype(np.float32)
    if letter == "z":
        return random.uniform(0.01, 0.99, shape).astype(np.float32)
    if letter == "x":
        return (random.normal(0, 2, shape) + 1j * random.normal(0, 2, shape)).astype(np.complex64)
    if letter == "s":
        return np.resize(SPECIAL, shape)
    if letter == "b":
        return random.integers(0, 2, shape).astype(bool)
    kind = {"i": np.int32, "u": np.uint32, "c": np.int8, "y": np.uint8}[letter]
    low = 0 if bound or letter in "uy" else -9
    return random.integers(low, int(bound or 9), shape).astype(kind)


def case(name, words, function, **options):
    """A case out of its line; several of one name differ by their arguments."""
    return Case(f"{name}: {words}", function, tuple(array(word) for word in words.split()),
                tuple(options.items()))
