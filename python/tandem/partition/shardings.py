"""Shardings in the forms of Shardy, of XLA, and of bytes of xla.OpSharding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from jaxlib._hlo import HloSharding
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy

from tandem.partition import modules

REPLICATED = "{replicated}"


class NotPlain(Exception):
    """A sharding that is more than a map of whole axes to dimensions."""


class Mesh:
    """Axes by name, and the number of the partition at each place."""

    def __init__(self, attribute: Any) -> None:
        mesh = sdy.MeshAttr(attribute)
        self.sizes = {axis.name: axis.size for axis in map(sdy.MeshAxisAttr, mesh.axes)}
        numbers = list(mesh.device_ids) or range(int(np.prod(list(self.sizes.values()), dtype=int)))
        self.places = np.array(numbers).reshape(tuple(self.sizes.values()))

    def rows(self, axes: list[str]) -> np.ndarray:
        """The partitions along `axes`, the last of which changes fastest, in a row for each place of the other axes."""
        names = list(self.sizes)
        inner = [names.index(axis) for axis in axes]
        outer = [axis for axis in range(len(names)) if axis not in inner]
        width = int(np.prod([self.sizes[axis] for axis in axes], dtype=int))
        return self.places.transpose(outer + inner).reshape(-1, width)


def meshes_of(module: Any) -> dict[str, Mesh]:
    return {modules.name_of(each): Mesh(each.operation.attributes["mesh"])
            for each in module.body if each.operation.name == "sdy.mesh"}


def _whole_axes(axes: Any) -> list[str]:
    references = [sdy.AxisRefAttr(axis) for axis in axes]
    if any(reference.sub_axis_info is not None for reference in references):
        raise NotPlain
    return [reference.name for reference in references]


def text_of(sharding: Any, meshes: Mapping[str, Mesh]) -> str:
    """A `sdy.sharding` as XLA writes it. Raises NotPlain."""
    sharding = sdy.TensorShardingAttr(sharding)
    mesh = meshes[ir.FlatSymbolRefAttr(sharding.mesh_or_ref).value]
    if list(sharding.unreduced_axes):
        raise NotPlain
    dimensions = []
    for each in map(sdy.DimensionShardingAttr, sharding.dimension_shardings):
        if not each.is_closed:
            raise NotPlain
        dimensions.append(_whole_axes(each.axes))
    used = [axis for axes in dimensions for axis in axes]
    counts = [int(np.prod([mesh.sizes[axis] for axis in axes], dtype=int)) for axes in dimensions]
    if all(count == 1 for count in counts):
        return REPLICATED
    numbers = mesh.rows(used).T  # a row for each part, with the partitions that have it
    several = numbers.shape[1] > 1
    shape = ",".join(map(str, counts + [numbers.shape[1]] * several))
    places = ",".join(map(str, numbers.flatten()))
    return f"{{devices=[{shape}]{places}{' last_tile_dim_replicate' if several else ''}}}"


def bytes_of(text: str) -> bytes:
    return HloSharding.from_string(text).to_proto().SerializeToString()


def bytes_of_each(text: str, number: int) -> list[bytes]:
    """Of the results of a program, whose shardings XLA writes as one, in braces where there are not one."""
    if number == 0:
        return []  # XLA has one for the empty tuple
    whole = HloSharding.from_string(text)
    parts = [whole] if number == 1 and not text.startswith("{{") else list(whole.tuple_elements())
    if len(parts) != number:
        raise RuntimeError(f"internal: {number} results and {len(parts)} shardings: {text}")
    return [part.to_proto().SerializeToString() for part in parts]
