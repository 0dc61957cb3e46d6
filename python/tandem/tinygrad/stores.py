"""Stores: an AFTER is a buffer once its stores are done. As StableHLO has values only, it is the old value with the
stored part replaced."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from tinygrad.uop.ops import GroupOp, Ops, UOp

from tandem.tinygrad import elementwise
from tandem.tinygrad.nodes import Unsupported, element, elements_of, flipped, shape

if TYPE_CHECKING:
    from tandem.tinygrad.graph import Graph

_MOST_PIECES = 512  # of a store to scattered places


def _root(u: UOp) -> tuple[UOp, list[UOp]]:
    """The buffer that a view is of, and the movements from it to the view."""
    movements = []
    while u.op in GroupOp.Movement or u.op is Ops.AFTER:
        if u.op in GroupOp.Movement:
            movements.append(u)
        u = u.src[0]
    return u, movements[::-1]


def after(graph: Graph, u: UOp) -> str:
    buffer, movements = _root(u.src[0])
    for source in u.src[1:]:
        if source.op is Ops.STORE:
            _store(graph, source)
        else:
            graph.value(source)  # for the stores in it
    value = graph.state.get(buffer) or graph.made(buffer)
    for movement in movements:
        value = graph.moved(movement, value)
    return value


def _store(graph: Graph, store: UOp) -> None:
    build = graph.builder
    target, source = store.src[:2]
    buffer, movements = _root(target)
    if buffer.op not in (Ops.PARAM, Ops.BUFFER):
        raise Unsupported(f"a store to {buffer.op.name}")
    new = build.fit(elementwise.cast(build, graph.value(source), element(buffer)), shape(target))
    if elements_of(target) == elements_of(buffer) and all(step.op is Ops.RESHAPE for step in movements):
        graph.state[buffer] = build.reshape(new, shape(buffer))
        return
    old = graph.state.get(buffer) or graph.made(buffer)
    for movement in movements:  # a value stored to one of these is as large as the buffer, and so is the inverse
        if movement.op not in (Ops.RESHAPE, Ops.PERMUTE, Ops.SHRINK, Ops.FLIP):
            raise Unsupported(f"a store through {movement.op.name}")
    graph.state[buffer] = _put(graph, old, new, movements, shape(buffer))


def _places(movements: list[UOp], whole: tuple[int, ...]) -> np.ndarray:
    """For each element of a view, its place in the buffer."""
    places = np.arange(math.prod(whole)).reshape(whole)
    for step in movements:
        if step.op is Ops.RESHAPE:
            places = places.reshape(step.shape)
        elif step.op is Ops.PERMUTE:
            places = places.transpose(step.marg)
        elif step.op is Ops.SHRINK:
            places = places[tuple(slice(begin, begin + size) for begin, size in step.marg)]
        else:
            places = np.flip(places, flipped(step))
    return places


def _put(graph: Graph, old: str, new: str, movements: list[UOp], whole: tuple[int, ...]) -> str:
    """`old` with `new` at the places of a view: pieces of both, one after the other."""
    build, size = graph.builder, math.prod(whole)
    places = _places(movements, whole).reshape(-1)
    source = np.full(size, -2)  # for each element of the result its place in `new`; -2, as -1 comes before 0
    source[places] = np.arange(places.size)
    breaks = np.flatnonzero(np.diff(source) != (source[1:] >= 0)) + 1
    if breaks.size >= _MOST_PIECES:
        raise Unsupported(f"a store to places in {breaks.size + 1} pieces")
    flat_old, flat_new = build.reshape(old, (size,)), build.reshape(new, (places.size,))
    parts = []
    for begin, end in zip([0, *breaks], [*breaks, size]):
        if source[begin] < 0:
            parts.append(build.slice(flat_old, [begin], [end]))
        else:
            parts.append(build.slice(flat_new, [source[begin]], [source[begin] + end - begin]))
    return build.reshape(build.concatenate(parts, 0), whole)
