"""The longer notebook, and all of them at the machine's own precision of products: there numbers
differ by the rounding of operands to bfloat16, but each prints as many as on the CPU. Skipped where the compiler is not
built."""

import unittest

from notebooks_test import FOLDER, compare, finished, start


class Notebooks(unittest.TestCase):
    def test_a_convolutional_network_and_attention(self):
        compare(self, "networks")

    def test_all_at_default_precision(self):
        for path in sorted(FOLDER.glob("*.py")):
            with self.subTest(notebook=path.stem):
                printed = finished(self, start(path.stem, "tandem", "default"), 600)
                self.assertGreater(len(printed), 30)


if __name__ == "__main__":
    unittest.main()
