"""The schedule of a realize(): instead of tinygrad's own kernels one program of the machine, built from the tensor
graph. Transfers to or from other devices are split off first, and use tinygrad's own copies."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
from typing import Iterator

import tinygrad.schedule as tinygrad_schedule
from tinygrad.codegen.decomp.op import threefry2x32
from tinygrad.device import Device
from tinygrad.dtype import dtypes
from tinygrad.helpers import Context, Target
from tinygrad.renderer import Estimates
from tinygrad.schedule.multi import multi_pm
from tinygrad.schedule.rangeify import earliest_rewrites, pm_mops
from tinygrad.uop.ops import KernelInfo, Ops, ParamArg, PatternMatcher, ProgramInfo, UOp, UPat, graph_rewrite
from tinygrad.uop.ops import shape_to_shape_arg
from tinygrad.uop.symbolic import symbolic_simple

from tandem.tinygrad.graph import Graph
from tandem.tinygrad.nodes import Unsupported, elements_of

_own_graph = tinygrad_schedule.get_kernel_graph
_own_schedule = tinygrad_schedule.create_schedule
_gate = tinygrad_schedule.gate_kernel_sink

_DECOMPOSED = PatternMatcher([
    (UPat(Ops.THREEFRY, dtype=dtypes.uint64, src=(UPat.var("x"), UPat.var("key"))), threefry2x32),
])


_x, _y = UPat.var("x"), UPat.var("y")
_of_one_more = (1 + _x).reciprocal().named("d")
# Gradients of sigmoids: where x is infinite, x / (1 + x) is 1, not infinity times 0.
_FINITE = PatternMatcher([
    ((_x * _x).reciprocal(), lambda x: x.reciprocal() * x.reciprocal()),
    (_x * _of_one_more, lambda x, d: 1 - d),
    (_x * (_of_one_more * _y), lambda x, y, d: y * (1 - d)),
    (_x * (_of_one_more + _y), lambda x, y, d: (1 - d) + x * y),
])


class _Scheduled:
    """A graph that is scheduled already."""

    def __init__(self, linear: UOp):
        self.linear = linear


def install() -> None:
    tinygrad_schedule.get_kernel_graph = _kernel_graph
    tinygrad_schedule.create_schedule = _schedule


def _kernel_graph(sink: UOp) -> UOp | _Scheduled:
    if not any(_is_ours(device) for node in sink.toposort(_gate) for device in _devices(node)):
        return _own_graph(sink)
    return _Scheduled(UOp(Ops.LINEAR, src=tuple(_Parts(_prepared(sink)).calls())))


def _schedule(graph: UOp | _Scheduled) -> UOp:
    return graph.linear if isinstance(graph, _Scheduled) else _own_schedule(graph)


def _devices(u: UOp) -> tuple[str, ...]:
    device = u.device if u.op in (Ops.PARAM, Ops.BUFFER, Ops.COPY) else None
    return (device,) if isinstance(device, str) else tuple(device or ())


def _is_ours(device: str | None) -> bool:
    return isinstance(device, str) and device.split(":")[0] == "TANDEM"


def _prepared(sink: UOp) -> UOp:
    """With functions inlined, views pushed above stores, and simplified: factors of a literal zero must not be
    computed, as they may be infinite."""
    sink = graph_rewrite(sink, multi_pm)
    with Context(SPLIT_REDUCEOP=0):
        sink = graph_rewrite(sink, pm_mops + earliest_rewrites, bottom_up=True)
    sink = graph_rewrite(sink, symbolic_simple + _FINITE)
    return graph_rewrite(sink, _DECOMPOSED)


class _Parts:
    """A graph in parts of one device each, and the copies between them."""

    def __init__(self, sink: UOp):
        self.sink = sink
        slots = [node.arg.slot for node in sink.toposort() if node.op is Ops.BUFFER and isinstance(node.arg, ParamArg)]
        self.marks = itertools.count(1 << 20)
        self.slots = itertools.count(max(slots, default=-1) + 1)

    def calls(self) -> Iterator[UOp]:
        """In an order in which each part finds buffers as they were before."""
        filled = self._take_filled()
        for copy in self._crossings():
            yield from self._cross(copy)
        others = [state for state in self.sink.src if not _is_ours(state.device)]
        if others:
            yield from _own_calls(UOp.sink(*others))
        for device in dict.fromkeys(state.device for state in self.sink.src if _is_ours(state.device)):
            yield from _program(device, [state for state in self.sink.src if state.device == device])
        if filled:
            yield from _own_calls(UOp.sink(*filled))

    def _take_filled(self) -> list[UOp]:
        """States that are copies of buffers that nothing else here reads or writes: they may be made last."""
        filled = [state for state in self.sink.src if _is_filled_by_copy(state)]
        used = set(UOp.sink(*(state for state in self.sink.src if state not in filled)).toposort(_gate))
        filled = [state for state in filled if state.src[0] not in used]
        self.sink = UOp.sink(*(state for state in self.sink.src if state not in filled))
        return filled

    def _crossings(self) -> Iterator[UOp]:
        """Copies to or from the machine, each after those that it depends on; the graph changes meanwhile."""
        done: set[UOp] = set()
        while True:
            copies = [node for node in self.sink.toposort(_gate) if node.op is Ops.COPY and node not in done
                      and (_is_ours(node.device) or _is_ours(node.src[0].device))]
            if not copies:
                return
            done.add(copies[0])
            yield copies[0]

    def _cross(self, copy: UOp) -> Iterator[UOp]:
        source = copy.src[0]
        if _is_ours(source.device) and not _is_whole_buffer(source):
            held = self._new(source.device, source)
            yield from _program(source.device, [held.after(held.store(source))])
            self._replace(copy, held.copy_to_device(copy.device), source)
        elif _is_ours(copy.device):
            held = self._new(copy.device, copy)
            yield from _own_calls(UOp.sink(held.after(held.store(source.copy_to_device(copy.device)))))
            self._replace(copy, held, source)

    def _new(self, device: str, like: UOp) -> UOp:
        """A buffer that lives as long as the run; tinygrad allocates it each time."""
        buffer = UOp(Ops.BUFFER, src=(shape_to_shape_arg((elements_of(like),)),),
                     arg=ParamArg(next(self.slots), like.dtype, device=device))
        return buffer.reshape(like.shape)

    def _replace(self, copy: UOp, held: UOp, source: UOp) -> None:
        """In the rest of the graph. The stores below `source` are done: their buffers hold the results."""
        stored = {node: node.buf_uop for node in source.toposort(_gate) if node.op is Ops.AFTER}
        marks = {buffer: buffer.replace(arg=dataclasses.replace(buffer.arg, slot=next(self.marks)))
                 for buffer in stored.values()}
        self.sink = self.sink.substitute({copy: held})
        if not stored:
            return
        left = self.sink.substitute({node: marks[buffer].reshape(node.shape) for node, buffer in stored.items()})
        if set(marks) & set(left.toposort(_gate)):  # it is read as it was before, too
            raise Unsupported("a buffer that a copy to another device needs changed, and something else unchanged")
        self.sink = left.substitute({mark: buffer for buffer, mark in marks.items()})


def _is_whole_buffer(u: UOp) -> bool:
    while u.op is Ops.RESHAPE:
        u = u.src[0]
    return u.op in (Ops.PARAM, Ops.BUFFER)


def _is_filled_by_copy(state: UOp) -> bool:
    """Whether a buffer of the machine becomes a copy of one of another device: nothing to compute."""
    if state.op is not Ops.AFTER or len(state.src) != 2 or state.src[0].op is not Ops.PARAM:
        return False
    target, source = state.src[1].src[:2] if state.src[1].op is Ops.STORE else (state, state)
    while source.op is Ops.RESHAPE:
        source = source.src[0]
    while target.op is Ops.RESHAPE:
        target = target.src[0]
    return (target is state.src[0] and source.op is Ops.COPY and _is_ours(state.device)
            and not _is_ours(source.src[0].device) and not any(node.op is Ops.AFTER for node in source.toposort(_gate)))


def _refuse_stores(source: UOp) -> None:
    """A part that is run for its value alone must not store, as it would do so twice."""
    if any(node.op is Ops.AFTER for node in source.toposort(_gate)):
        raise Unsupported("a value that another device makes by assignment in the same realize(); realize it first")


def _own_calls(sink: UOp) -> tuple[UOp, ...]:
    return _own_schedule(_own_graph(sink)).src


def _program(device: str, states: list[UOp]) -> Iterator[UOp]:
    """The call of a program that puts buffers into these states."""
    graph = Graph()
    for state in states:
        if elements_of(state):
            graph.value(state)
    written = list(graph.state)
    if not written:
        return
    text = graph.builder.module([graph.state[buffer] for buffer in written])
    buffers = written + graph.buffers
    info = ProgramInfo("tandem_" + hashlib.sha256(text.encode()).hexdigest()[:12], (1, 1, 1), (1, 1, 1), (),
                       tuple(range(len(buffers))), tuple(range(len(written))), tuple(range(len(written), len(buffers))),
                       Target("TANDEM"))
    parameters = tuple(UOp.param(slot, buffer.dtype, buffer.shape, device) for slot, buffer in enumerate(buffers))
    bytes_ = sum(elements_of(buffer) * buffer.dtype.itemsize for buffer in buffers)
    estimates = Estimates(graph.builder.work, bytes_, bytes_)
    elf = Device[device].compiler.compile_cached(text)
    program = UOp(Ops.PROGRAM, src=(UOp(Ops.SINK, arg=KernelInfo(name=info.name, estimates=estimates)), UOp(Ops.LINEAR, src=parameters),
                                    UOp(Ops.SOURCE, arg=text), UOp(Ops.BINARY, arg=elf)), arg=info)
    yield program.call(*buffers)


