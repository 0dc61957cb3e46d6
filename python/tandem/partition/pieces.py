"""A partitioned program as bytes; the plugin reads them in python/pjrt/programs/partitioned.cpp."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

_MAGIC = b"TNDMPT01"


@dataclass(frozen=True)
class Partitioned:
    """The program of one device, and how its arguments and results make up those of the whole."""

    artifact: bytes
    shown: bytes  # the same for people and frameworks: with `partition_id` in place of the argument
    takes_number: bool  # one more argument than the whole: the number of the partition, uint32
    arguments: Sequence[bytes]  # xla.OpSharding each
    results: Sequence[bytes]


def _piece(data: bytes) -> bytes:
    return struct.pack("<Q", len(data)) + data


def to_bytes(made: Partitioned) -> bytes:
    head = struct.pack("<3Q", made.takes_number, len(made.arguments), len(made.results))
    return _MAGIC + b"".join(map(_piece, (head, made.artifact, made.shown, *made.arguments, *made.results)))


def from_bytes(data: bytes) -> Partitioned:
    assert data.startswith(_MAGIC)
    rest, found = data[len(_MAGIC):], []
    while rest:
        size, = struct.unpack_from("<Q", rest)
        found.append(rest[8:8 + size])
        rest = rest[8 + size:]
    head, artifact, shown, *shardings = found
    takes_number, arguments, results = struct.unpack("<3Q", head)
    assert len(shardings) == arguments + results
    return Partitioned(artifact, shown, bool(takes_number), shardings[:arguments], shardings[arguments:])
