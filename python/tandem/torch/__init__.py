"""PyTorch on Tandem: torch.compile(model, backend="tandem"), which needs no import of this, and models in files.

    elf = tandem.torch.export(model, (x,), preset="full")

`statistics` counts programs, launches, cycles and bytes.
"""

from typing import Any

__all__ = ["Refused", "statistics"]

_WHERE = {"Refused": "values", "statistics": "machine"}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'tandem.torch' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"tandem.torch.{_WHERE[name]}"), name)
