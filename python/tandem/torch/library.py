"""torchax, which implements many of the operators in JAX.

At its import it names torch's spare device "jax", and Dynamo then asks torch for an accelerator that it does not have.
So both calls do nothing during the import. It also switches torch's fused encoder layers off, and they stay off: they
are one operator for a whole layer, with nested tensors inside.
"""

from __future__ import annotations

import pathlib
import sys

import torch
from jax._src import source_info_util

_TORCH = "2.12."
_TORCHAX = "0.0.13"

if not torch.__version__.startswith(_TORCH):
    raise ImportError(f"tandem.torch was tested with torch {_TORCH}*, this is torch {torch.__version__}: "
                      "pip install 'tandem[torch]'")

if "torchax" in sys.modules:
    raise ImportError("torchax was imported before torch.compile's backend `tandem`: import tandem.torch.backend first")

_kept = torch.utils.rename_privateuse1_backend, torch._register_device_module
torch.utils.rename_privateuse1_backend = torch._register_device_module = lambda *_arguments, **_options: None
try:
    import torchax
    from torchax import decompositions
    from torchax.ops import jaten, jtorch, ops_registry  # noqa: F401, they fill the registry
finally:
    torch.utils.rename_privateuse1_backend, torch._register_device_module = _kept

if torchax.__version__ != _TORCHAX:
    raise ImportError(f"tandem.torch was tested with torchax {_TORCHAX}, this is torchax {torchax.__version__}: "
                      "pip install 'tandem[torch]'")

for _package in (torch, torchax):  # their lines are not the user's
    source_info_util.register_exclusion(str(pathlib.Path(_package.__file__).parent))

OPERATORS = ops_registry.all_aten_ops
DECOMPOSITIONS = decompositions.DECOMPOSITIONS
