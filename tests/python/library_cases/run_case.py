"""Runs one of these cases on the platform that JAX_PLATFORMS names, and saves its results.

    run_case.py NAME FILE.npz
"""

import importlib
import os
import sys

import jax
import numpy as np

if __name__ == "__main__":
    name, file = sys.argv[1:]
    case = importlib.import_module(name)
    assert jax.default_backend() == os.environ["JAX_PLATFORMS"], jax.devices()
    found = {key: np.asarray(value, np.float64) for key, value in case.results().items()}
    assert set(found) == set(case.TOLERANCES), name
    np.savez(file, **found, **{f"tolerance {key}": case.TOLERANCES[key] for key in found})
