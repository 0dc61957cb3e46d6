"""tinygrad's device TANDEM: import this before tensors are made, then DEV=TANDEM (or device="TANDEM").

    DEV=TANDEM python -c "import tandem.tinygrad; from tinygrad import Tensor; print((Tensor.arange(4) + 1).numpy())"

Each realize() is one program of the machine, built from tinygrad's tensor graph: graph.py writes it as StableHLO,
schedule.py hands it to tinygrad in place of its own kernels, device.py runs it. docs/tinygrad.md has more.
"""

import sys
import types

from tandem import versions


def _register() -> None:
    """tinygrad looks for the device X in the module tinygrad.runtime.ops_x."""
    from tandem.tinygrad import device, schedule

    module = types.ModuleType("tinygrad.runtime.ops_tandem")
    module.TandemDevice = device.TandemDevice
    sys.modules[module.__name__] = module
    schedule.install()


# The layers between tensors and kernels change in each release.
versions.needs("tandem.tinygrad", "tinygrad", "0.14.")
_register()
