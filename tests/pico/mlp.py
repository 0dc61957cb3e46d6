"""The training step of examples/train_mlp.py on pico: JAX's program, compiled for nano, behind the checker. Every write
and all of memory must be golden's; golden's results must be those of JAX on the machine (bit for bit), and near those of
JAX on the CPU.

    build/venv/bin/python tests/pico/mlp.py BUILD
"""

import os
import pathlib
import subprocess
import sys

os.environ |= {"JAX_PLATFORMS": "tandem,cpu", "TANDEM_PRESET": "nano", "TANDEM_MODEL": "golden"}

try:
    import jax
except ImportError:
    print("skipped: the environment has no JAX; run scripts/python-environment")
    sys.exit(77)
import numpy as np

import bench

sys.path.insert(0, str(bench.ROOT / "examples"))
import train_mlp

ACCURACY = 1e-5


def step_on(device, arguments):
    return jax.tree.leaves(train_mlp.step(*jax.device_put(arguments, device)))


def program(build, arguments):
    """The compiled step, and its inputs as files."""
    folder = build / "pico_tests/mlp"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "step.mlir").write_text(train_mlp.step.lower(*arguments).as_text())
    elf = folder / "step.elf"
    subprocess.run([build / "tandem-compile", folder / "step.mlir", "--preset", "nano", "--no-start-copies", "-o", elf], check=True)
    inputs = []
    for number, leaf in enumerate(jax.tree.leaves(arguments)):
        np.save(folder / f"arg{number}.npy", leaf)
        inputs.append(f"arg{number}={folder}/arg{number}.npy")
    return elf, inputs


def golden_results(build, elf, inputs, count):
    files = [elf.parent / f"out{number}.npy" for number in range(count)]
    words = [word for given in inputs for word in ("--in", given)]
    words += [word for number, path in enumerate(files) for word in ("--out", f"out{number}={path}")]
    subprocess.run([build / "tandem", "run", "--on", "golden", elf, *words], check=True, stderr=subprocess.DEVNULL)
    return [np.load(path) for path in files]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    parameters = train_mlp.initial([2, 32, 32, train_mlp.CLASSES], 0)
    arguments = (parameters, jax.tree.map(np.zeros_like, parameters), *train_mlp.spirals(64, 0))
    on_machine = step_on(jax.devices("tandem")[0], arguments)
    on_cpu = step_on(jax.devices("cpu")[0], arguments)

    elf, inputs = program(build, arguments)
    golden = golden_results(build, elf, inputs, len(on_machine))
    content, said, _ = bench.run(bench.make(build), elf, f"+in={' '.join(inputs)}")
    same = all(np.asarray(a).tobytes() == b.tobytes() for a, b in zip(on_machine, golden))
    far = max(float(np.max(np.abs(np.asarray(a) - b))) for a, b in zip(on_cpu, golden))
    print(said)
    print(f"{len(golden)} results: {'the same' if same else 'not the same'} as JAX on the machine, {far:.1g} from JAX on the CPU")
    return 0 if content and same and far < ACCURACY else 1


if __name__ == "__main__":
    sys.exit(main())
