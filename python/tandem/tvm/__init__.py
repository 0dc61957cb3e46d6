"""Apache TVM: the parts of a Relax module that the machine can compute, as programs of it.

    module = tandem.tvm.partition(module)        # functions for the machine, the rest as it was
    machine = tandem.tvm.compile(module)         # a relax.VirtualMachine; machine["main"](...)

docs/tvm.md has more. operations.py translates Relax's operations to StableHLO, reading.py writes a function with them,
partitioning.py groups calls, running.py runs them.
"""

from tandem import versions

versions.needs("tandem.tvm", "apache-tvm", "0.27.")

from tandem.tvm.partitioning import partition  # noqa: E402
from tandem.tvm.running import compile, statistics  # noqa: E402, A004

__all__ = ["compile", "partition", "statistics"]
