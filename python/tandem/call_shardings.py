"""Which of several devices call the host: the same ones as on JAX's own platforms."""

from __future__ import annotations

from typing import Any


def mark(module_context: Any, name: str, call: Any, results: Any) -> None:
    """A program on whole arrays calls once, on its first device; one per device (`shard_map`) calls on each."""
    from jax._src import callback, sharding_impls
    from jax._src.interpreters import mlir

    place = module_context.axis_context
    if isinstance(place, sharding_impls.SPMDAxisContext):
        if place.manual_axes != frozenset(place.mesh.axis_names):
            raise NotImplementedError(f"unimplemented: {name} on Tandem in a shard_map over some of the mesh's axes only")
        sharding = callback._get_sdy_array_list_for_callbacks(results)
    elif isinstance(place, sharding_impls.ShardingContext) and place.num_devices > 1:
        first = sharding_impls.SdyArray(mesh_shape=(), dim_shardings=(), logical_device_ids=(0,))
        sharding = sharding_impls.SdyArrayList((first,) * max(1, len(results)))
    else:
        return
    mlir.set_sharding(module_context, call, sharding)
