#!/usr/bin/env python3
"""Compiled division and remainder on pairs built around the corners, against NumPy.

  divisions.py [--build FOLDER] [--pairs 100000000] [--preset full] [--state FILE] [--plant]

So many pairs each of s32, ui32 and f32: powers of two and their neighbours, numbers of every length,
products and their neighbours (so that quotients are about to change), the ends of the range, zeros,
and for reals infinities and NaNs; and the reals by numbers that the program knows. Integers must be exact, by zero as StableHLO says; quotients of reals one unit in the
last place off at most, two where the remainder that corrects them or its share of the quotient is below 2^-126;
remainders of reals exact up to quotients of 2^66, and numbers beyond. Pairs come in pieces of 2^20; piece n is always
the same one. What has passed is noted in --state as it passes, and not done again by the same compiler. --plant changes
one result of each piece, which must be found. Exit status 77 without NumPy or without the package.
"""

import argparse
import hashlib
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as problem:
    print(f"divisions: skipped, {problem}")
    sys.exit(77)

PIECE = 1 << 20
PROGRESS = 10  # pieces between two lines that tell how far it is
TEXT = """func.func public @main(%x: tensor<{n}x{t}>, %y: tensor<{n}x{t}>) -> (tensor<{n}x{t}>, tensor<{n}x{t}>) {{
  %q = "stablehlo.divide"(%x, %y) : (tensor<{n}x{t}>, tensor<{n}x{t}>) -> tensor<{n}x{t}>
  %r = "stablehlo.remainder"(%x, %y) : (tensor<{n}x{t}>, tensor<{n}x{t}>) -> tensor<{n}x{t}>
  return %q, %r : tensor<{n}x{t}>, tensor<{n}x{t}>
}}
"""
# Numbers in the program: divisors, ordinary ones and both ends of what has an inverse in two parts; then dividends.
DIVISORS = (0.9, 3.0, -255.0, 1.0000001, 1.9999999, 0.33333334, 2.0**96, 1.1 * 2.0**95, 1.1 * 2.0**96, 1.7e-27,
             2.0**-96, 1.3 * 2.0**-96, 1.3 * 2.0**-97, 2.0**-125, 3e38)
DIVIDENDS = (1.0, -1.0, 0.5, -2.0**-20, 2.0**-124, 2.0, 2.0**-125, 0.75, 0.0)
BY_CONSTANTS = """func.func public @main(%x: tensor<{n}xf32>, %y: tensor<{n}xf32>) -> ({types}) {{
{quotients}
  return {names} : {types}
}}
"""


def by_constants(count):
    """The text of a program that divides %x by each of the divisors, and each of the dividends by %x."""
    tensor = f"tensor<{count}xf32>"
    numbers = range(len(DIVISORS + DIVIDENDS))
    quotients = [f'  %c{i} = "stablehlo.constant"() {{value = dense<{np.float32(number):.9e}> : {tensor}}} : () '
                 f'-> {tensor}\n  %q{i} = "stablehlo.divide"({f"%x, %c{i}" if i < len(DIVISORS) else f"%c{i}, %x"}) '
                 f': ({tensor}, {tensor}) -> {tensor}' for i, number in enumerate(DIVISORS + DIVIDENDS)]
    return BY_CONSTANTS.format(n=count, types=", ".join(tensor for _ in numbers), quotients="\n".join(quotients),
                               names=", ".join(f"%q{i}" for i in numbers))


def corner_words(random, count):
    """Words of every length: powers of two, their neighbours, random ones; either sign."""
    length = random.integers(0, 33, count)
    power = np.left_shift(np.uint64(1), length.astype(np.uint64)).astype(np.int64)
    near = power + random.integers(-2, 3, count)
    anything = random.integers(0, 1 << 32, count) >> (32 - length)
    words = np.where(random.random(count) < 0.4, near, anything)
    return np.where(random.random(count) < 0.5, words, -words)


def word_pairs(random, count, dtype):
    """Half of the dividends are multiples of their divisors, or one beside."""
    y = corner_words(random, count)
    product = y * corner_words(random, count) + random.integers(-1, 2, count)
    x = np.where(random.random(count) < 0.5, product, corner_words(random, count))
    wrapped = [(values & 0xFFFFFFFF).astype(np.uint32) for values in (x, y)]
    return [values.view(dtype) for values in wrapped]


def real_pairs(random, count):
    special = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 3.4028235e38, 1.1754944e-38, 2.0**-126, 2.0**127],
                       np.float32)
    def reals():
        significand = 1 + random.integers(0, 1 << 23, count) * 2.0**-23
        near = 1 + random.integers(-3, 4, count) * 2.0**-23
        values = np.where(random.random(count) < 0.5, significand, near) * np.exp2(random.integers(-126, 128, count))
        values = np.where(random.random(count) < 0.5, values, -values).astype(np.float32)
        return np.where(random.random(count) < 0.02, random.choice(special, count), values)
    x, y = reals(), reals()
    with np.errstate(all="ignore"):
        product = (y * random.integers(1, 1 << 24, count).astype(np.float32)).astype(np.float32)
    return flushed(np.where(random.random(count) < 0.5, product, x)), flushed(y)


def flushed(values):
    """Subnormals are zeros of their sign."""
    return np.where(np.abs(values) < np.float32(2.0**-126), np.copysign(np.float32(0), values), values)


def word_results(x, y):
    """By zero all bits are set, and the rest is the dividend; the smallest number by -1 is itself."""
    wide_x, wide_y = x.astype(np.int64), y.astype(np.int64)
    divisor = np.where(wide_y == 0, 1, wide_y)
    quotient = np.abs(wide_x) // np.abs(divisor) * np.sign(wide_x) * np.sign(divisor)
    rest = wide_x - quotient * divisor
    quotient, rest = np.where(wide_y == 0, -1, quotient), np.where(wide_y == 0, wide_x, rest)
    return [(values & 0xFFFFFFFF).astype(np.uint32).view(x.dtype) for values in (quotient, rest)]


def wrong_words(x, y, results):
    want = word_results(x, y)
    return (results[0] != want[0]) | (results[1] != want[1])


def wrong_quotients(x, y, quotients):
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64) / y.astype(np.float64)
        quotient = exact.astype(np.float32)
        last_place = np.spacing(np.maximum(np.abs(quotient), np.float32(2.0**-126))).astype(np.float64)
        small = np.minimum(np.abs(exact), np.abs(x)) < 2.0**-100
        off = np.abs(quotients.astype(np.float64) - exact) > np.where(small, 2, 1) * last_place
        # Below the smallest number it may be that or zero.
        off &= ~((np.abs(exact) < 2.0**-126) & (np.abs(quotients) <= np.float32(2.0**-126)))
        same = (quotients == quotient) | (np.isnan(quotients) & np.isnan(quotient))
        # Next to the end of the range the quotient may be the infinity or the number before it.
        edge = (np.abs(exact) >= 3.4028234e38) & np.isfinite(exact) & (np.abs(quotients) >= np.float32(3.402823e38))
        wrong = (off & ~same & ~edge) | (np.isnan(quotients) != np.isnan(quotient))
        return wrong | ((exact == 0) & (np.signbit(quotients) != np.signbit(exact)))


def wrong_by_constants(x, _, results):
    wrong = np.zeros(len(x), bool)
    for divisor, quotients in zip(DIVISORS, results):
        wrong |= wrong_quotients(x, np.full_like(x, divisor), quotients)
    for dividend, quotients in zip(DIVIDENDS, results[len(DIVISORS):]):
        wrong |= wrong_quotients(np.full_like(x, dividend), x, quotients)
    return wrong


def wrong_reals(x, y, results):
    wrong = wrong_quotients(x, y, results[0])
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64) / y.astype(np.float64)
        rest = np.fmod(x.astype(np.float64), y.astype(np.float64))
        known = ~(np.abs(exact) > 2.0**66)
        rest = flushed(rest.astype(np.float32))
        same_rest = (results[1] == rest) | (np.isnan(results[1]) & np.isnan(rest))
        return wrong | (known & ~same_rest) | (np.isnan(results[1]) != np.isnan(rest))


KINDS = {"i32": (lambda random, count: word_pairs(random, count, np.int32), wrong_words),
         "ui32": (lambda random, count: word_pairs(random, count, np.uint32), wrong_words),
         "f32": (real_pairs, wrong_reals),
         "f32 by constants": (real_pairs, wrong_by_constants)}


class Checker:
    """Compiled programs of each kind, and the pieces that have passed."""

    def __init__(self, options, device, folder):
        self.programs = {}
        for number, kind in enumerate(KINDS):
            source, program = folder / f"{kind}.mlir", folder / f"{kind}.elf"
            source.write_text(by_constants(PIECE) if kind == "f32 by constants" else TEXT.format(n=PIECE, t=kind))
            ran = subprocess.run([options.build / "tandem-compile", source, "-o", program, "--preset", options.preset],
                                 capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                sys.exit(f"divisions: {ran.stderr}")
            self.programs[kind] = (number, device.load(program))
        compiler = hashlib.sha256((options.build / "tandem-compile").read_bytes()).hexdigest()[:16]
        self.key = f"{compiler}-{options.preset}"
        self.state, self.plants, self.passed = options.state, options.plant, set()
        if self.state is not None:
            if self.state.exists():
                for line in self.state.read_text(errors="replace").splitlines():
                    match line.split():
                        case [self.key, *kind, piece, "passed"] if piece.isdigit():
                            self.passed.add((" ".join(kind), int(piece)))
            with self.state.open("a") as file:
                file.write("\n")  # after a torn line

    def piece(self, kind, piece):
        """The number of wrong pairs; prints the first."""
        if (kind, piece) in self.passed:
            return 0
        number, program = self.programs[kind]
        make, wrong = KINDS[kind]
        x, y = make(np.random.default_rng([number, piece]), PIECE)
        run = program(arg0=x, arg1=y)
        results = [values.reshape(-1) for values in run.outputs.values()]
        if self.plants:
            bits = results[piece % len(results)].view(np.uint32)
            bits[piece % PIECE] ^= 1 << 30
        found = np.flatnonzero(wrong(x, y, results))
        if found.size:
            at = found[0]
            print(f"FAIL  {kind}, piece {piece}: {found.size} of {PIECE} pairs; {x[at]!r} by {y[at]!r} is "
                  f"{', '.join(repr(values[at]) for values in results)}", flush=True)
        elif self.state is not None:
            with self.state.open("a") as file:
                file.write(f"{self.key} {kind} {piece} passed\n")
        return found.size


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--build", type=pathlib.Path, default=root / "build")
    parser.add_argument("--pairs", type=int, default=100_000_000, help="of each type")
    parser.add_argument("--preset", default="full")
    parser.add_argument("--state", type=pathlib.Path, help="what has passed already; grows")
    parser.add_argument("--plant", action="store_true", help="change a result of each piece: it must be found")
    options = parser.parse_args()
    sys.path.insert(0, str(options.build / "package"))
    try:
        import tandem
        device = tandem.Device(options.preset)
    except ImportError as problem:
        print(f"divisions: skipped, {problem}")
        return 77
    pieces = -(-options.pairs // PIECE)
    with tempfile.TemporaryDirectory() as name:
        checker = Checker(options, device, pathlib.Path(name))
        wrong = 0
        for kind in KINDS:
            for piece in range(pieces):
                wrong += checker.piece(kind, piece)
                if (piece + 1) % PROGRESS == 0 and piece + 1 < pieces:
                    print(f"divisions: {kind}, {piece + 1} of {pieces} pieces", flush=True)
            print(f"divisions: {kind}, {pieces * PIECE} pairs", flush=True)
    print(f"divisions: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as problem:
        sys.exit(f"divisions: {problem}")
