"""StableHLO as text: numbers as MLIR writes them, and each of the builder's operations, compiled and run, beside NumPy."""

import math
import unittest

import needs_compiler  # noqa: F401, skips without a compiler

import numpy as np
from tandem import jax_tools
from tandem.device import Device
from tandem.stablehlo_text import Builder, integers, least, literal


class Numbers(unittest.TestCase):
    def test_real_numbers(self):
        self.assertEqual(float(literal(0.1, "f32")), 0.1)
        self.assertEqual([literal(value, "f32") for value in (math.inf, -math.inf, math.nan, 1e300)],
                         ["0x7F800000", "0xFF800000", "0x7FC00000", "0x7F800000"])
        self.assertEqual([literal(value, "bf16") for value in (math.inf, -math.inf)], ["0x7F80", "0xFF80"])

    def test_integers_wrap(self):
        self.assertEqual([literal(value, "i8") for value in (127, 128, -129)], ["127", "-128", "127"])
        self.assertEqual([literal(value, "ui32") for value in (-1, 2**32)], ["4294967295", "0"])
        self.assertEqual([literal(value, "i1") for value in (0, 2)], ["false", "true"])
        self.assertEqual((least("i8"), least("ui8"), least("f32")), (-128, 0, -math.inf))
        self.assertEqual((integers([]), integers([1, 2])), ("array<i64>", "array<i64: 1, 2>"))


class Operations(unittest.TestCase):
    def test_each_is_what_numpy_has(self):
        build = Builder()
        x, y = build.argument((3, 4), "f32"), build.argument((4, 5), "f32")
        a = np.arange(12, dtype=np.float32).reshape(3, 4) - 5
        b = np.arange(20, dtype=np.float32).reshape(4, 5) / 4
        cases = [
            (build.fit(x, (2, 3, 4)), np.broadcast_to(a, (2, 3, 4))),
            (build.reshape(x, (2, 6)), a.reshape(2, 6)),
            (build.transpose(x, (1, 0)), a.T),
            (build.convert(x, "i32"), a.astype(np.int32)),
            (build.slice(x, (0, 1), (3, 4), (2, 2)), a[0:3:2, 1:4:2]),
            (build.pad(x, (1, 0), (0, 2), 7), np.pad(a, ((1, 0), (0, 2)), constant_values=7)),
            (build.reverse(x, [1]), a[:, ::-1]),
            (build.concatenate([x, build.slice(x, (0, 0), (1, 4))], 0), np.concatenate([a, a[:1]])),
            (build.select(build.compare(x, build.constant(0, "f32", (3, 4)), "LT"), build.constant(1, "f32", (3, 4)), x),
             np.where(a < 0, 1, a).astype(np.float32)),
            (build.reduce(x, "maximum", least("f32"), [1]), a.max(axis=1)),
            (build.dot(x, y, ([], []), ([1], [0]), "HIGHEST"), a @ b),
            (build.array(np.array([[1, 2], [3, 4]]), "i32"), np.array([[1, 2], [3, 4]], np.int32)),
        ]
        elf = jax_tools.compiled(build.module([value for value, _ in cases]).encode(), "small")
        run = Device("small").load(elf)(arg0=a, arg1=b)
        for number, (_, expected) in enumerate(cases):
            np.testing.assert_array_equal(run.outputs[f"out{number}"], expected, f"case {number}")

    def test_what_is_written_twice_is_there_once(self):
        build = Builder()
        x = build.argument((3, 4), "f32")
        self.assertEqual(build.reverse(x, [0]), build.reverse(x, [0]))
        self.assertEqual(len(build.lines), 1)
        self.assertEqual((build.reverse(x, []), build.fit(x, (3, 4)), build.convert(x, "f32")), (x, x, x))


if __name__ == "__main__":
    unittest.main()
