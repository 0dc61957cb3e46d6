"""Libraries on top of JAX, unchanged: Optax, Flax NNX and Equinox, beside the CPU."""

import pathlib
import re
import sys
import unittest

from examples_test import output

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from by_night import by_night  # noqa: E402


class Libraries(unittest.TestCase):
    def agrees(self, text, tolerance):
        loss, wanted = map(float, re.search(r"loss (\S+), on the CPU (\S+)", text).groups())
        self.assertLess(abs(loss - wanted), tolerance, text)
        self.assertLess(float(re.search(r"gradients: (\S+)", text)[1]), tolerance, text)

    def test_optax_trains_as_on_the_cpu(self):
        text = output("train_optax.py", "--steps", "100", platforms="tandem,cpu")
        self.assertGreater(float(re.search(r"told right: ([\d.]+)%", text)[1]), 95, text)
        self.assertLess(float(re.search(r"difference of losses: (\S+)", text)[1]), 1e-4, text)

    @by_night
    def test_a_transformer_of_flax(self):
        self.agrees(output("flax_transformer.py", platforms="tandem,cpu"), 1e-5)

    def test_a_transformer_of_equinox(self):
        self.agrees(output("equinox_transformer.py", platforms="tandem,cpu"), 1e-5)


if __name__ == "__main__":
    unittest.main()
