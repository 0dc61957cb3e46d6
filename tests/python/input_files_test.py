"""Named pipes in the place of files: refused everywhere; a test that waits is ended by its alarm."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

os.environ["JAX_PLATFORMS"] = os.environ.get("JAX_PLATFORMS") or "tandem"

import jax
import numpy as np

import tandem
from tandem import tools

import needs_compiler  # noqa: F401, skips without a compiler

WHY = "is a named pipe"
SECONDS = 120


class Pipes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        signal.alarm(SECONDS)
        self.addCleanup(signal.alarm, 0)

    def fifo(self, name):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        os.mkfifo(path)
        return path

    def refused(self, module, *words):
        environment = dict(os.environ, JAX_PLATFORMS="cpu")
        ran = subprocess.run([sys.executable, "-P", "-m", module, *map(str, words)], env=environment, capture_output=True,
                             text=True, check=False, timeout=SECONDS, cwd=self.folder)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertRegex(ran.stderr, WHY)
        self.assertNotIn("Traceback", ran.stderr)

    def test_files_of_the_package(self):
        for name in ("program.elf", "program.s"):
            with self.assertRaisesRegex(OSError, WHY):
                tandem.Device().load(self.fifo(name))
        with self.assertRaisesRegex(OSError, WHY):
            tandem.function("f", outputs=lambda x: x, file=str(self.fifo("function.s")))(np.ones(4, np.float32))
        with self.assertRaisesRegex(OSError, "is a device"):
            tandem.Device().load("/dev/zero")
        with self.assertRaises(FileNotFoundError):
            tools.input_file(self.folder / "nothing")

    def test_what_a_shell_has_made_is_read(self):
        ends = os.pipe()
        os.write(ends[1], tandem.assemble("halt\n"))
        os.close(ends[1])
        tandem.Device().load(f"/dev/fd/{ends[0]}")()
        os.close(ends[0])

    def test_weights(self):
        program = self.folder / "program.mlir"
        program.write_text(jax.jit(lambda w: w + 1).lower(np.ones(4, np.float32)).as_text())
        self.refused("tandem.weights", self.fifo("a.mlir"), "--weights", self.folder, "-o", "out.elf")
        self.fifo("weights/model.safetensors")
        self.refused("tandem.weights", program, "--weights", self.folder / "weights", "-o", "out.elf")

    def test_models_of_the_server(self):
        self.fifo("model/config.json")
        for path in (self.fifo("a.bin"), self.folder / "model", self.fifo("a.gguf")):
            self.refused("tandem.serve", path)

    def test_onnx(self):
        try:
            import onnx
        except ImportError:
            self.skipTest("onnx is not there")
        self.refused("tandem.onnx", self.fifo("a.onnx"), "-o", "out.elf")
        tensor = onnx.numpy_helper.from_array(np.ones(4, np.float32), "w")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.ClearField("raw_data")
        tensor.external_data.add(key="location", value="weights.bin")
        self.fifo("weights.bin")
        graph = onnx.helper.make_graph([onnx.helper.make_node("Identity", ["w"], ["y"])], "g", [],
                                       [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [4])], [tensor])
        path = self.folder / "external.onnx"
        path.write_bytes(onnx.helper.make_model(graph).SerializeToString())
        self.refused("tandem.onnx", path, "-o", "out.elf")


if __name__ == "__main__":
    unittest.main()
