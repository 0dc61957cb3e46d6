"""Apache TVM: what the machine can compute of a Relax module, as programs of it.

    module = tandem.tvm.partition(module)        # functions for the machine, the rest as it was
    machine = tandem.tvm.compile(module)         # a relax.VirtualMachine; machine["main"](...)

docs/tvm.md tells the rest. operations.py says what Relax's operations are in StableHLO, reading.py writes a function
with them, partitioning.py says which calls belong together, running.py runs them.
"""

from tandem import versions

versions.needs("tandem.tvm", "apache-tvm", "0.27.")

from tandem.tvm.partitioning import partition  # noqa: E402
from tandem.tvm.running import compile, statistics  # noqa: E402, A004

__all__ = ["compile", "partition", "statistics"]
