"""Groups of partitions that XLA gives by axes of a mesh, read from HLO's text: the conversion to StableHLO drops the
position of each partition in the mesh.
"""

from __future__ import annotations

import re

import numpy as np

_GROUPS = re.compile(r"replica_groups=mesh\[(?P<axes>[^\]]*)\](?:, device_ids=\((?P<places>[^{]*)\))? \{(?P<along>[^}]*)\}")
_CHANNEL = re.compile(r"channel_id=(\d+)")
_AXIS = re.compile(r"'(\w+)'=(\d+)")
_NAME = re.compile(r"'(\w+)'")
_TURNED = re.compile(r"\[([\d,]+)\](?:T\(([\d,]+)\))?")
_LIST = re.compile(r"[\d,]+")


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _places(text: str | None, count: int) -> np.ndarray:
    """The partition at each place: counted, counted over dimensions in another order, or a list."""
    if text is None:
        return np.arange(count)
    if turned := _TURNED.fullmatch(text):
        shape = _numbers(turned[1])
        order = _numbers(turned[2]) if turned[2] else range(len(shape))
        return np.arange(count).reshape(shape).transpose(order).reshape(-1)
    if _LIST.fullmatch(text):
        return np.array(_numbers(text))
    raise RuntimeError(f"internal: places of a mesh that are not understood: {text}")


def _rows(match: re.Match[str]) -> np.ndarray:
    sizes = {name: int(size) for name, size in _AXIS.findall(match["axes"])}
    along = match["along"].split(",")
    if not all(_NAME.fullmatch(axis) for axis in along):
        raise RuntimeError(f"internal: groups that are not understood: {match[0]}")
    names = list(sizes)
    inner = [names.index(axis.strip("'")) for axis in along]
    outer = [axis for axis in range(len(names)) if axis not in inner]
    places = _places(match["places"], int(np.prod(list(sizes.values()), dtype=int))).reshape(tuple(sizes.values()))
    return places.transpose(outer + inner).reshape(-1, int(np.prod([list(sizes.values())[axis] for axis in inner], dtype=int)))


def groups_by_channel(hlo: str) -> dict[int, np.ndarray]:
    """Of each collective with groups along axes of a mesh, by the number of its channel: a group a row."""
    found: dict[int, np.ndarray] = {}
    for line in hlo.splitlines():
        match = _GROUPS.search(line)
        if match is None:
            if "replica_groups=mesh" in line:
                raise RuntimeError(f"internal: groups that are not understood: {line}")
            continue
        channel = _CHANNEL.search(line)
        rows = _rows(match)
        if channel is None or not np.array_equal(found.setdefault(int(channel[1]), rows), rows):
            raise RuntimeError(f"internal: groups without a channel of their own: {line}")
    return found
