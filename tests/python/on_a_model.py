"""Run by many_chips_test.py on the model that TANDEM_MODEL names: prints of each collective whether NumPy agrees."""

import on_devices  # noqa: I001, sets the devices before jax looks
import jax
import numpy as np
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from on_devices import mesh_of, numbers

mesh = mesh_of("tandem", (4,), ("i",))
host = np.rint(numbers(8, 4) * 8)  # sums of these are exact in any order
x = jax.device_put(host, NamedSharding(mesh, P("i")))
shards = host.reshape(4, 2, 4)


def manual(body):
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False))


PROGRAMS = {
    "all_reduce": (manual(lambda a: lax.psum(a, "i")), np.tile(shards.sum(0), (4, 1))),
    "all_gather": (manual(lambda a: lax.all_gather(a, "i")), np.tile(shards, (4, 1, 1))),
    "collective_permute": (manual(lambda a: lax.ppermute(a, "i", [(0, 1)])), np.concatenate([0 * host[:2], host[:2], 0 * host[:4]])),
    "reduce_scatter": (manual(lambda a: lax.psum_scatter(a, "i", tiled=False, scatter_dimension=1)), shards.sum(0).T.reshape(-1)),
    "all_to_all": (manual(lambda a: lax.all_to_all(a, "i", 1, 0, tiled=True)), host.T.reshape(-1, 1)),
    "sum": (jax.jit(lambda x: x.sum()), host.sum()),
    "replicated": (jax.jit(lambda x: x, out_shardings=NamedSharding(mesh, P())), host),
}
for name, (program, wanted) in PROGRAMS.items():
    print(name, "right" if np.array_equal(np.asarray(program(x)), wanted) else "WRONG")
