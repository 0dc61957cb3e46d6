"""Tandem, a small tensor processor in simulation: the machine from Python, and under JAX.

    JAX_PLATFORMS=tandem python -c "import jax; print(jax.numpy.arange(4.0) + 1)"

JAX finds the plugin by itself; docs/jax_reference.md describes how to choose machine and model. `tandem.cycles`,
`compile`, `report` and `profile` need JAX, everything else does not.
"""

from typing import Any

__all__ = ["Device", "Program", "Run", "RunError", "assemble", "compile", "cycles", "explain",
           "function", "kernel", "profile", "report"]

_WHERE = {"Device": "device", "Program": "device", "Run": "device", "RunError": "device",
          "assemble": "device", "compile": "jax_tools", "cycles": "jax_tools",
          "explain": "explaining", "function": "functions", "kernel": "kernels",
          "profile": "profiling", "report": "profiling"}


def __getattr__(name: str) -> Any:
    """Loads parts when they are first used: JAX asks for the plugin only."""
    if name == "__version__":
        import importlib.metadata

        return importlib.metadata.version("tandem")
    if name not in _WHERE:
        raise AttributeError(f"module 'tandem' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"tandem.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    """The public names, including parts that are not loaded yet."""
    return sorted([*__all__, "__doc__", "__version__"])
