"""Programs that torch.compile(backend="tandem") made of small networks, forward and backward, beside the results of
eager torch (torch_cases/record.py): without torch, which is too large for each commit."""

import pathlib
import unittest

import needs_compiler  # noqa: F401, skips without a compiler
import numpy as np

import tandem
from tandem import jax_tools

RECORDED = pathlib.Path(__file__).parent / "torch_cases" / "recorded"


class Recorded(unittest.TestCase):
    def test_programs_give_what_torch_gave(self):
        device, compared = tandem.Device(), 0
        for path in sorted(RECORDED.glob("*.npz")):
            with self.subTest(path.stem):
                file = np.load(path)
                program = device.load(jax_tools.compiled(file["artifact"].tobytes(), "small"))
                run = program(**{info.name: file[info.name] for info in program.tensors if info.is_input})
                for name in [name for name in file if name.startswith("out")]:
                    np.testing.assert_allclose(run.outputs[name], file[name], rtol=1e-3, atol=1e-5, err_msg=name)
                    compared += 1
        self.assertGreaterEqual(compared, 30)


if __name__ == "__main__":
    unittest.main()
