"""tandem.weights: programs whose weights come from files of safetensors and GGUF."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

os.environ["JAX_PLATFORMS"] = "cpu"

import needs_compiler  # noqa: F401, skips without a compiler

try:
    import gguf
    from safetensors.numpy import save_file
except ImportError as error:
    print(f"skipped: {error} (scripts/python-environment)")
    sys.exit(77)

import jax
import jax.numpy as jnp
import numpy as np

import tandem
from tandem.weights.binding import Unbound, bound
from tandem.weights.files import Unreadable, tensors


def network(weights, x):
    return jnp.maximum(x @ weights["layers.0.w"].astype(jnp.float32), 0) @ weights["layers.1.w"] + weights["b"]


class Weights(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        random = np.random.default_rng(0)
        self.weights = {"layers.0.w": random.normal(size=(32, 64)).astype(jnp.bfloat16),
                        "layers.1.w": random.normal(size=(64, 8)).astype(np.float32), "b": random.normal(size=8).astype(np.float32)}
        self.x = random.normal(size=(4, 32)).astype(np.float32)
        self.wanted = network({name: array.astype(np.float32) for name, array in self.weights.items()}, self.x)

    def program(self, function, *arguments):
        lowered = jax.jit(function).trace(*arguments).lower(lowering_platforms=("tandem",))
        return lowered.as_text(debug_info=True)

    def compiled(self, program, weights, *options):
        path, elf = self.folder / "program.mlir", self.folder / "program.elf"
        path.write_bytes(program if isinstance(program, bytes) else program.encode())
        return elf, subprocess.run([sys.executable, "-m", "tandem.weights", path, "--weights", weights, "-o", elf, *options],
                                   capture_output=True, text=True)

    def test_weights_of_safetensors_are_in_the_program(self):
        folder = self.folder / "model"
        folder.mkdir()
        save_file({"layers.0.w": self.weights["layers.0.w"], "b": self.weights["b"]}, folder / "1.safetensors")
        save_file({"layers.1.w": self.weights["layers.1.w"], "unused": np.zeros(3, np.float32)}, folder / "2.safetensors")
        elf, ended = self.compiled(self.program(network, self.weights, self.x), folder)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("weights['layers.0.w']: layers.0.w\n", ended.stdout)
        self.assertTrue(ended.stdout.endswith("arg0: x\n"), ended.stdout)
        run = tandem.Device().load(elf)(arg0=self.x)
        np.testing.assert_allclose(run.outputs["out0"], self.wanted, rtol=0, atol=0.02 * np.abs(self.wanted).max())

    def test_weights_of_gguf_by_given_names(self):
        path = self.folder / "model.gguf"
        writer = gguf.GGUFWriter(path, "none")
        kinds = gguf.GGMLQuantizationType
        quantised = gguf.quantize(self.weights["layers.0.w"].astype(np.float32), kinds.Q8_0)
        writer.add_tensor("w0", quantised, raw_dtype=kinds.Q8_0)
        writer.add_tensor("w1", self.weights["layers.1.w"])
        writer.add_tensor("b", self.weights["b"])
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()

        def of_arguments(w0, second, b, x):
            return network({"layers.0.w": w0, "layers.1.w": second, "b": b}, x)

        artifact = jax.export.export(jax.jit(of_arguments), platforms=["tandem"], disabled_checks=[
            jax.export.DisabledSafetyCheck.platform()])(*self.weights.values(), self.x).mlir_module_serialized
        elf, ended = self.compiled(artifact, path, "--bind", "arg1=w1")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        run = tandem.Device().load(elf)(arg0=self.x)
        np.testing.assert_allclose(run.outputs["out0"], self.wanted, rtol=0, atol=0.03 * np.abs(self.wanted).max())

    def test_what_does_not_belong_together_is_refused(self):
        program = self.program(network, self.weights, self.x).encode()
        for change, word in (({"b": np.zeros(9, np.float32)}, r"`weights\['b'\]`.*\(9,\) in the file"), ({"b": np.zeros(8, np.int32)}, "int32")):
            with self.assertRaisesRegex(Unbound, word):
                bound(program, self.weights | change)
        with self.assertRaisesRegex(Unbound, "no argument `arg7`"):
            bound(program, self.weights, {"arg7": "b"})
        with self.assertRaisesRegex(Unbound, "no tensor `c`"):
            bound(program, self.weights, {"x": "c"})
        with self.assertRaisesRegex(Unbound, "no StableHLO"):
            bound(b"nonsense", self.weights)
        (self.folder / "broken.safetensors").write_bytes(b"\xff" * 40)
        with self.assertRaisesRegex(Unreadable, "broken"):
            tensors(self.folder / "broken.safetensors")
        for name in ("1", "2"):
            (self.folder / "twice").mkdir(exist_ok=True)
            save_file({"b": self.weights["b"]}, self.folder / f"twice/{name}.safetensors")
        with self.assertRaisesRegex(Unreadable, "`b` is in another file"):
            tensors(self.folder / "twice")
        _, ended = self.compiled("nonsense", self.folder / "missing.gguf")
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("no such file", ended.stderr)

    def test_no_input_is_written_over(self):
        weights, program, link = self.folder / "w.safetensors", self.folder / "program.mlir", self.folder / "link"
        save_file(self.weights, weights)
        program.write_text(self.program(network, self.weights, self.x))
        link.symlink_to(weights)
        before = weights.read_bytes(), program.read_bytes()
        for output in (weights, program, link):
            ended = subprocess.run([sys.executable, "-m", "tandem.weights", program, "--weights", weights, "-o", output],
                                   capture_output=True, text=True)
            self.assertEqual(ended.returncode, 1)
            self.assertIn("is an input of this command", ended.stderr)
        self.assertEqual((weights.read_bytes(), program.read_bytes()), before)


if __name__ == "__main__":
    unittest.main()
