"""Arrays on their way between devices of JAX."""

from __future__ import annotations

from typing import Any


def go_through_the_host(platform: str) -> None:
    """JAX moves an array to the same devices in another order by a program in which they send each other its parts;
    without links it is moved as to other devices."""
    from jax._src import dispatch

    by_program = dispatch._different_device_order_reshard

    def reshard(array: Any, target: Any, copy: Any) -> Any:
        devices = target._internal_device_list
        if devices[0].platform != platform or devices == array.sharding._internal_device_list:
            return by_program(array, target, copy)
        return dispatch._DeferredShardArg(array, target, array.aval, True, copy)

    dispatch._different_device_order_reshard = reshard
