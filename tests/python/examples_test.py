"""The scripts below examples/, run as by a user, and their output."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import needs_compiler  # noqa: F401, skips without a compiler


TANDEM = os.environ.get("TANDEM_EXECUTABLE", "build/tandem")


def output(script, *arguments, platforms=""):
    environment = dict(os.environ, JAX_PLATFORMS=platforms)
    process = subprocess.run([sys.executable, f"examples/{script}", *arguments], env=environment,
                             capture_output=True, text=True, check=False)
    if process.returncode != 0:
        raise AssertionError(process.stderr)
    return process.stdout


class Examples(unittest.TestCase):
    def test_training_follows_the_cpu_and_separates_the_spirals(self):
        text = output("train_mlp.py", platforms="tandem,cpu")
        right = re.search(r"told right: ([\d.]+)%", text)
        self.assertGreater(float(right[1]), 95, text)
        difference = re.search(r"difference of losses: (\S+)", text)
        self.assertLess(float(difference[1]), 0.01, text)
        self.assertGreater(int(re.search(r"takes (\d+) cycles", text)[1]), 1000)

    def test_attention_is_profiled(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "attention.html")
            text = output("profile_attention.py", str(page), platforms="tandem")
            self.assertLess(float(re.search(r"from NumPy: (\S+)", text)[1]), 0.02, text)
            self.assertTrue(page.is_file())

    def test_the_llama_tells_the_story_of_the_assembly_program(self):
        text = output("story_llama.py", "--print-tokens", platforms="tandem")
        told = [int(line) for line in text.splitlines() if line.isdigit()]
        command = [TANDEM, "llama", "--print-tokens"]
        wanted = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        self.assertGreater(len(told), 100)
        self.assertEqual(told, [int(token) for token in wanted if token != "1"])

    def test_kernels_in_python(self):
        text = output("python_kernels.py")
        errors = [float(error) for error in re.findall(r"largest error (\S+)", text)]
        self.assertEqual(len(errors), 3)
        self.assertLess(max(errors), 1e-6)

    def test_random_numbers_are_those_of_the_cpu(self):
        text = output("sampling.py", platforms="tandem,cpu")
        for kind in ("bits", "uniform", "integers", "categorical", "permutation"):
            self.assertIn(f"{kind}: the same", text)
        self.assertLess(float(re.search(r"normal: within (\S+)", text)[1]), 1e-6, text)

    def test_a_convolutional_network_learns(self):
        text = output("convolution.py", "--steps", "40", platforms="tandem")
        self.assertGreater(float(re.search(r"told right: ([\d.]+)%", text)[1]), 90, text)

    def test_a_quantised_network_chooses_as_before(self):
        text = output("quantised_mlp.py", platforms="tandem")
        self.assertLess(float(re.search(r"fp32: ([\d.]+)% of", text)[1]), 5, text)
        self.assertGreater(float(re.search(r"fp32: ([\d.]+)%$", text, re.M)[1]), 95, text)

    def test_the_machine_without_jax(self):
        text = output("without_jax.py")
        self.assertEqual(text.count("right"), 2, text)
        self.assertNotIn("WRONG", text)


if __name__ == "__main__":
    unittest.main()
