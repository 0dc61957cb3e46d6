"""Writes recorded/: the programs of small networks (forward and backward), their inputs, and the results of eager
torch.

    build/venv/bin/python tests/python/torch_cases/record.py        # needs torch: scripts/python-environment --nightly

python/torch_recorded compiles and runs them at each commit, without torch. To be run again when tandem.torch lowers a
graph in another way.
"""

from __future__ import annotations

import copy
import pathlib

import numpy as np
import tandem.torch.backend  # noqa: F401
import torch
from models import make
from tandem import jax_tools
from tandem.torch.machine import Machine

NAMES = ("mlp", "cnn", "lstm")
FOLDER = pathlib.Path(__file__).parent / "recorded"


class Recorder:
    """Records compiled and launched programs."""

    def __init__(self) -> None:
        self.artifacts: list[bytes] = []
        self.launches: list[tuple[list[np.ndarray], list[np.ndarray]]] = []
        compiled, launch = jax_tools.compiled, Machine.launch

        def compiled_and_kept(artifact, preset):
            self.artifacts.append(artifact)
            return compiled(artifact, preset)

        def launched_and_kept(machine, program, inputs):
            outputs = launch(machine, program, inputs)
            self.launches.append(([machine.fetch(value) for value in inputs], [machine.fetch(value) for value in outputs]))
            return outputs

        jax_tools.compiled, Machine.launch = compiled_and_kept, launched_and_kept


def known(model, inputs, loss_of) -> list[np.ndarray]:
    """The result and the gradients, by eager torch."""
    result = model(*inputs)
    loss_of(result).backward()
    return [value.detach().numpy() for value in (result, *(parameter.grad for parameter in model.parameters()))]


def main() -> None:
    recorder = Recorder()
    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        model, inputs, loss_of = make(name)
        torch._dynamo.reset()
        want = known(copy.deepcopy(model), inputs, loss_of)
        loss_of(torch.compile(model, backend="tandem", fullgraph=True)(*inputs)).backward()
        compared = 0
        for part, artifact, (taken, given) in zip(("forward", "backward"), recorder.artifacts, recorder.launches, strict=True):
            file = {"artifact": np.frombuffer(artifact, np.uint8)}
            file.update({f"arg{number}": array for number, array in enumerate(taken)})
            for number, array in enumerate(given):
                for value in want:
                    if value.shape == array.shape and np.allclose(value, array, rtol=1e-2, atol=1e-4):
                        file[f"out{number}"] = value
                        compared += 1
                        break
            np.savez_compressed(FOLDER / f"{name}_{part}.npz", **file)
        print(f"{name}: {compared} results of {len(want)} are compared")
        recorder.artifacts.clear()
        recorder.launches.clear()


if __name__ == "__main__":
    main()
