"""Sums over constants. tinygrad writes arange(n) as a sum over n * n ones, half of which are masked, and leaves it to
its own kernels to simplify this to counting. Here the same rules are applied, and their result is evaluated."""

from __future__ import annotations

from typing import Callable

import numpy as np
import tinygrad.schedule as tinygrad_schedule
from tinygrad.uop.ops import Ops, UOp

from tandem.tinygrad.nodes import elements_of

_own_graph = tinygrad_schedule.get_kernel_graph  # before this package replaces it

_FUNCTIONS: dict[Ops, Callable[..., np.ndarray]] = {
    Ops.ADD: np.add, Ops.MUL: np.multiply, Ops.SUB: np.subtract, Ops.MAX: np.maximum, Ops.CMPLT: np.less,
    Ops.CMPNE: np.not_equal, Ops.CMPEQ: np.equal, Ops.AND: np.bitwise_and, Ops.OR: np.bitwise_or,
    Ops.XOR: np.bitwise_xor, Ops.WHERE: np.where, Ops.NEG: np.negative, Ops.FLOORDIV: np.floor_divide,
    Ops.FLOORMOD: np.mod}
_EXACT = 2**24  # whole numbers below are exact in float32


class _NotClosed(Exception):
    pass


def is_constant(u: UOp) -> bool:
    return not any(node.op in (Ops.PARAM, Ops.BUFFER, Ops.AFTER, Ops.COPY, Ops.THREEFRY) for node in u.toposort())


def values(u: UOp) -> np.ndarray | None:
    """A constant sum, element by element, as whole numbers; None if tinygrad's rules leave a sum."""
    try:
        found = _evaluated(u)
    except _NotClosed:
        return None
    whole = np.rint(found)
    return whole.astype(np.int64) if np.array_equal(whole, found) and (np.abs(whole) < _EXACT).all() else None


def progression(array: np.ndarray) -> tuple[int, int] | None:
    """Start and step."""
    if array.size < 2:
        return None
    start, step = int(array[0]), int(array[1] - array[0])
    return (start, step) if np.array_equal(array, start + step * np.arange(array.size)) else None


def _evaluated(u: UOp) -> np.ndarray:
    count = elements_of(u)
    target = UOp.param(0, u.dtype, (count,), "CPU")
    kernels = _own_graph(UOp.sink(target.after(target.store(u.reshape(count)))))
    bodies = [node.src[0] for node in kernels.toposort() if node.op is Ops.CALL]
    if len(bodies) != 1:
        raise _NotClosed
    stores = [node for node in bodies[0].toposort() if node.op is Ops.STORE]
    ranges = [node for node in bodies[0].toposort() if node.op is Ops.RANGE]
    if len(stores) != 1 or stores[0].src[0].op is not Ops.INDEX or len(stores[0].src[0].src) != 2:
        raise _NotClosed
    sizes = [int(node.src[0].val) if node.src[0].op is Ops.CONST else 0 for node in ranges]
    if int(np.prod(sizes)) != count:
        raise _NotClosed
    known = {node: np.arange(size).reshape([size if place == axis else 1 for place in range(len(sizes))])
             for axis, (node, size) in enumerate(zip(ranges, sizes))}
    places, found = (np.broadcast_to(_value(part, known), sizes).reshape(-1)
                     for part in (stores[0].src[0].src[1], stores[0].src[1]))
    result = np.empty(count, np.float64)
    result[places] = found
    return result


def _value(u: UOp, known: dict[UOp, np.ndarray]) -> np.ndarray:
    for node in u.toposort(gate=lambda node: node not in known):
        if node not in known:
            known[node] = _made(node, known)
    return known[u]


def _made(u: UOp, known: dict[UOp, np.ndarray]) -> np.ndarray:
    if u.op is Ops.CONST:
        return np.asarray(u.val)
    if u.op is Ops.CAST and not str(u.dtype).startswith(("dtypes.float", "dtypes.half", "dtypes.bfloat", "dtypes.weakfloat")):
        return known[u.src[0]].astype(np.bool_ if "bool" in str(u.dtype) else np.int64)
    if u.op is Ops.CAST:
        return known[u.src[0]].astype(np.float64)
    if u.op not in _FUNCTIONS:
        raise _NotClosed
    return _FUNCTIONS[u.op](*(known[source] for source in u.src))
