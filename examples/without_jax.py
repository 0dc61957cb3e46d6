"""A program in assembly, NumPy arrays, and its exact time, without JAX.

    build/venv/bin/python examples/without_jax.py
"""

import numpy as np

import tandem

def main():
    x = np.linspace(-4, 4, 1000, dtype=np.float32)
    for model in ("golden", "cycle"):
        program = tandem.Device(model=model).load("benchmarks/tutorial/scale.s")
        run = program(x=x)
        right = np.array_equal(run.outputs["y"], 2 * x + 1)
        print(f"{model}: {'right' if right else 'WRONG'}, {run.bundles} bundles, {run.cycles} cycles")
    lost = {name: count for name, count in run.counters["causes"].items() if count}
    print("where the cycles went:", dict(sorted(lost.items(), key=lambda item: -item[1])))


if __name__ == "__main__":
    main()
