"""Kernels written in Python, their results beside NumPy's, and their exact time.

    build/venv/bin/python examples/python_kernels.py
"""

import numpy as np

import tandem
from kernels.grouped_matmul import grouped_matmul
from kernels.rms_norm import rms_norm
from kernels.swiglu import swiglu


def show(name, program, expected, **inputs):
    """Runs on the cycle-exact model and prints the largest difference from `expected`."""
    run = tandem.Device(model="cycle").load(program.assemble())(**inputs)
    error = np.max(np.abs(run.outputs["y"] - expected) / np.maximum(1, np.abs(expected)))
    print(f"{name}: {run.cycles} cycles, largest error {error:.1e}")


def main():
    random = np.random.default_rng(1)
    x = random.standard_normal((64, 128)).astype(np.float32)
    weight = random.standard_normal(128).astype(np.float32)
    exact = x.astype(np.float64)
    show("RMSNorm", rms_norm(64, 128), x=x, weight=weight,
         expected=exact / np.sqrt(np.mean(exact**2, -1, keepdims=True) + 1e-6) * weight)
    gate, up = (4 * random.standard_normal((2, 8192))).astype(np.float32)
    show("SwiGLU", swiglu(8192), gate / (1 + np.exp(-gate.astype(np.float64))) * up, gate=gate, up=up)
    sizes = np.array([16, 0, 40, 8], np.int32)
    tokens = random.integers(-4, 5, (64, 32)).astype(np.float32)
    experts = random.integers(-4, 5, (4, 32, 48)).astype(np.float32)
    parts = np.split(tokens, np.cumsum(sizes)[:-1])
    show("grouped matrix multiply", grouped_matmul(64, 32, 48, 4), x=tokens, w=experts, sizes=sizes,
         expected=np.concatenate([part @ expert for part, expert in zip(parts, experts)]))


if __name__ == "__main__":
    main()
