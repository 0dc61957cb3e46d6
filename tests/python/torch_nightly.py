"""Networks trained through torch.compile(backend="tandem") for 20 steps, model and optimizer, beside eager torch. Skipped where torch is not
installed, which scripts/python-environment --nightly does."""

import copy
import pathlib
import sys
import unittest
import warnings

import needs_compiler  # noqa: F401, skips without a compiler

try:
    import torch
    import tandem.torch.backend  # noqa: F401
except ImportError as error:
    print(f"skipped: {error} (scripts/python-environment --nightly)")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).parent / "torch_cases"))

from models import MODELS, make

STEPS = 20


def losses(model, step_of, inputs, loss_of):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    step, found = step_of(optimizer), []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of(model(*inputs))
        loss.backward()
        step()
        found.append(loss.item())
    return found


class Training(unittest.TestCase):
    def test_losses_are_torchs(self):
        for name in MODELS:
            with self.subTest(name):
                torch._dynamo.reset()
                model, inputs, loss_of = make(name)
                other = copy.deepcopy(model)
                want = losses(model, lambda optimizer: optimizer.step, inputs, loss_of)
                compiled = torch.compile(other, backend="tandem", fullgraph=True)
                got = losses(compiled, lambda optimizer: torch.compile(optimizer.step, backend="tandem"), inputs, loss_of)
                worst = max(abs(a - b) for a, b in zip(got, want, strict=True))
                print(f"{name}: {want[0]:.4f} -> {want[-1]:.4f}, largest difference {worst:.1e}", flush=True)
                self.assertLess(worst, 1e-3)
                self.assertLess(want[-1], want[0])

    def test_what_has_no_gradient_is_what_eager_torch_gives(self):
        for name in MODELS:
            with self.subTest(name), torch.no_grad():
                torch._dynamo.reset()
                model, inputs, _ = make(name)
                model.eval()
                got = torch.compile(model, backend="tandem", fullgraph=True)(*inputs)
                torch.testing.assert_close(got, model(*inputs), rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
