"""Random programs over several devices against JAX's CPU: in the number given in docs/many_chips.md."""

import os
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"

import needs_compiler  # noqa: F401, skips without a compiler
import random_sharded


class RandomSharded(unittest.TestCase):
    def test_programs_are_those_of_the_cpu(self):
        ran, _, differing = random_sharded.run(range(1_000_000, 1_000_300))
        self.assertEqual(differing, {})
        self.assertGreater(ran, 150)


if __name__ == "__main__":
    unittest.main()
