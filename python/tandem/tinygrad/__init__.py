"""tinygrad's device TANDEM: import this before tensors are made, then DEV=TANDEM (or device="TANDEM").

    DEV=TANDEM python -c "import tandem.tinygrad; from tinygrad import Tensor; print((Tensor.arange(4) + 1).numpy())"

Each realize() is one program of the machine, made of tinygrad's tensor graph: graph.py writes it as StableHLO,
schedule.py hands it to tinygrad in place of its own kernels, device.py runs it. docs/tinygrad.md tells the rest.
"""

import importlib.metadata
import sys
import types

_VERSION = "0.14."  # what stands between tensors and kernels is new in each release


def _check() -> None:
    try:
        found = importlib.metadata.version("tinygrad")
    except importlib.metadata.PackageNotFoundError:
        raise ImportError(f"tandem.tinygrad needs tinygrad {_VERSION}*, which is not installed") from None
    if not found.startswith(_VERSION):
        raise ImportError(f"tandem.tinygrad works with tinygrad {_VERSION}*, here is {found}")


def _register() -> None:
    """tinygrad looks for the device X in the module tinygrad.runtime.ops_x."""
    from tandem.tinygrad import device, schedule

    module = types.ModuleType("tinygrad.runtime.ops_tandem")
    module.TandemDevice = device.TandemDevice
    sys.modules[module.__name__] = module
    schedule.install()


_check()
_register()
