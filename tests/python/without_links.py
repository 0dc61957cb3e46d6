"""What many_chips_test.py runs on a model without links: prints what each program is refused by."""

import on_devices  # noqa: I001, sets the devices before jax looks
import jax
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from on_devices import mesh_of, numbers

mesh = mesh_of("tandem", (4,), ("i",))
x = jax.device_put(numbers(8, 4), NamedSharding(mesh, P("i")))


def manual(body):
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False))


for program in (manual(lambda a: lax.psum(a, "i")),
                manual(lambda a: lax.all_gather(a, "i")),
                manual(lambda a: lax.ppermute(a, "i", [(0, 1)])),
                manual(lambda a: lax.psum_scatter(a, "i", tiled=False, scatter_dimension=1)),
                manual(lambda a: lax.all_to_all(a, "i", 1, 0, tiled=True)),
                jax.jit(lambda x: x.sum()),
                jax.jit(lambda x: x, out_shardings=NamedSharding(mesh, P()))):
    try:
        jax.block_until_ready(program(x))
        print("not refused")
    except jax.errors.JaxRuntimeError as error:
        print(str(error).splitlines()[0])
