"""The first device's part of a program over several devices, for tools that observe one machine."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tandem import tools
from tandem.partition import pieces

_PARTITIONER = pathlib.Path(__file__).absolute().parent / "partition" / "__main__.py"


def _free(sharding: Any) -> bool:
    """Whether the caller leaves the sharding of a result open."""
    from jax._src.sharding_impls import UnspecifiedValue

    return isinstance(sharding, UnspecifiedValue)


def partitioned(artifact: bytes, lowered: Any) -> pieces.Partitioned | None:
    """JAX's lowering, split as by the plugin; None if it is for one device. Raises RuntimeError."""
    given = lowered._lowering.compile_args
    if given["num_devices"] == 1:
        return None
    free = "".join("1" if _free(sharding) else "0" for sharding in given["out_shardings"])
    ended = tools.run([sys.executable, _PARTITIONER, f"--partitions={given['num_devices']}", f"--free={free}"], artifact)
    if ended.status != 0:
        raise RuntimeError(ended.errors.strip())
    return pieces.from_bytes(ended.output)


def _part(array: np.ndarray, sharding: bytes) -> np.ndarray:
    """The part of partition 0."""
    from jaxlib._hlo import HloSharding, OpSharding

    proto = OpSharding()
    proto.ParseFromString(sharding)
    whole = HloSharding.from_proto(proto)
    if whole.is_replicated():
        return array
    counts = list(whole.tile_assignment_dimensions())
    order = list(whole.tile_assignment_devices())
    place = np.unravel_index(order.index(0), counts)[:array.ndim]
    part = tuple(slice(at * (size // count), (at + 1) * (size // count))
                 for at, size, count in zip(place, array.shape, counts, strict=False))
    return array[part]


def arguments_of(made: pieces.Partitioned, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The first device's parts of the arguments, and its number if the program takes it."""
    parts = [_part(array, sharding) for array, sharding in zip(arrays, made.arguments, strict=True)]
    return [*parts, np.zeros((), np.uint32)] if made.takes_number else parts
