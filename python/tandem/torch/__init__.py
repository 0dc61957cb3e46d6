"""PyTorch on Tandem: torch.compile(model, backend="tandem"), which needs no import of this, and models in files.

    tandem.torch.export(model, (x,), preset="full").write("model.elf")

`operator` makes a kernel an operator of torch; `statistics` counts programs, launches, cycles and bytes.
"""

from typing import Any

__all__ = ["Exported", "Refused", "export", "operator", "statistics"]

_WHERE = {"Exported": "exporting", "Refused": "values", "export": "exporting", "operator": "custom", "statistics": "machine"}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'tandem.torch' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"tandem.torch.{_WHERE[name]}"), name)
