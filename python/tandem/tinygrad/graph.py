"""tinygrad's tensor graph as StableHLO: one function, from the state of buffers before to their state after."""

from __future__ import annotations

import numpy as np
from tinygrad.uop.ops import GroupOp, Ops, UOp

from tandem.stablehlo_text import Builder, least, matmul_precision
from tandem.tinygrad import closed, contraction, elementwise, stores
from tandem.tinygrad.nodes import Unsupported, element, flipped, shape

_SAME = (Ops.CONTIGUOUS, Ops.DETACH, Ops.CONTIGUOUS_BACKWARD, Ops.NOOP)
_BUFFERS = (Ops.PARAM, Ops.BUFFER)
_JOINS = {Ops.ADD: ("add", "or"), Ops.MUL: ("multiply", "and"), Ops.MAX: ("maximum", "or")}


class Graph:
    """`values` maps nodes to their values. `state` maps each buffer to its contents after the stores read so far."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.values: dict[UOp, str] = {}
        self.state: dict[UOp, str] = {}
        self.buffers: list[UOp] = []  # in the order of the arguments
        self.counted: dict[UOp, np.ndarray] = {}  # sums of constants
        self.contractions: dict[UOp, contraction.Contraction] = {}

    def value(self, u: UOp) -> str:
        """Sources first, without recursion: graphs are deep."""
        waiting = [(u, False)]
        while waiting:
            node, ready = waiting.pop()
            if node in self.values or node.op in (Ops.SINK, Ops.STORE, *_BUFFERS):
                continue
            if ready:
                self.values[node] = self._make(node)
            else:
                waiting.append((node, True))
                waiting += [(source, False) for source in self._sources(node)]
        return self.made(u)

    def _sources(self, u: UOp) -> tuple[UOp, ...]:
        """The sources of a node: without sizes, and for a matrix product the factors."""
        if u.op in GroupOp.Movement or u.op is Ops.AFTER:
            return u.src[:1]
        if u.op is not Ops.REDUCE:
            return () if u.op is Ops.CONST else u.src
        if closed.is_constant(u) and (counted := closed.values(u)) is not None:
            self.counted[u] = counted
            return ()
        if element(u) in ("f32", "bf16") and (found := contraction.find(u)) is not None:
            self.contractions[u] = found
            return found.left, found.right
        return u.src[:1]

    def made(self, u: UOp) -> str:
        """The value of a node whose sources were read. A buffer that is read before any store is an argument."""
        if u not in self.values and u.op in _BUFFERS:
            if u.arg is not None and getattr(u.arg, "slot", 0) < 0:
                raise Unsupported(f"the variable {u.arg.name}")
            self.buffers.append(u)
            self.values[u] = self.builder.argument(shape(u), element(u))
        return self.values[u]

    def _make(self, u: UOp) -> str:
        if u.op is Ops.CONST:
            return self.builder.constant(0 if u.is_invalid else u.val, element(u), shape(u))
        if u.op is Ops.AFTER:
            return stores.after(self, u)
        if u.op in _SAME:
            return self.made(u.src[0])
        if u.op in GroupOp.Movement:
            return self.moved(u, self.made(u.src[0]))
        if u.op is Ops.REDUCE:
            return self._reduce(u)
        if u.op is Ops.STACK:
            return self._stack(u)
        if u.op in GroupOp.Elementwise:
            return elementwise.make(self, u)
        raise Unsupported(f"the operation {u.op.name}")

    def moved(self, u: UOp, value: str) -> str:
        """A movement operation, of `value` in place of its source."""
        build, to = self.builder, shape(u)
        if u.op is Ops.RESHAPE:
            return build.reshape(value, to)
        if u.op is Ops.PERMUTE:
            return build.transpose(value, u.marg)
        if u.op is Ops.EXPAND:
            return build.spread(value, to, range(len(u.marg), len(to)))
        if u.op is Ops.SHRINK:
            return build.slice(value, [begin for begin, _ in u.marg], [begin + size for begin, size in u.marg])
        if u.op is Ops.PAD:
            have = build.shape(value)
            return build.pad(value, [low for low, _ in u.marg],
                             [size - low - inner for (low, size), inner in zip(u.marg, have)])
        return build.reverse(value, flipped(u))

    def _stack(self, u: UOp) -> str:
        to = shape(u)
        parts = [self.builder.reshape(self.builder.fit(self.builder.convert(self.made(source), element(u)), to[1:]),
                                      (1, *to[1:])) for source in u.src]
        return self.builder.concatenate(parts, 0)

    def _reduce(self, u: UOp) -> str:
        operation, count = u.arg
        kind = element(u)
        if u in self.counted:
            return self._constant(self.counted[u], shape(u), kind)
        if u in self.contractions:
            return self._dot(u, self.contractions[u])
        begin = {Ops.ADD: 0, Ops.MUL: 1, Ops.MAX: least(kind)}[operation]
        source = self.builder.convert(self.made(u.src[0]), kind)
        return self.builder.reduce(source, _JOINS[operation][kind == "i1"], begin, range(count))

    def _constant(self, array: np.ndarray, to: tuple[int, ...], kind: str) -> str:
        """As start + step * place if it counts."""
        build, found = self.builder, closed.progression(array)
        if found is None or found[1] == 0:
            return build.array(array.reshape(to), kind)
        value = build.op("iota", [], array.shape, "i32", "iota_dimension = 0 : i64")
        for name, number, neutral in (("multiply", found[1], 1), ("add", found[0], 0)):
            if number != neutral:
                value = build.op(name, [value, build.constant(number, "i32", array.shape)], array.shape, "i32")
        return build.reshape(build.convert(value, kind), to)

    def _dot(self, u: UOp, found: contraction.Contraction) -> str:
        build = self.builder
        sides = []
        for side, alone in ((found.left, found.left_only), (found.right, found.right_only)):
            axes = sorted(found.batch + found.contracted + alone)
            value = self.made(side)
            own = [size for size in build.shape(value) if size != 1]
            value = build.convert(build.reshape(value, own), element(u))
            places = [[axes.index(axis) for axis in group] for group in (found.batch, found.contracted)]
            sides.append((value, *places))
        (left, left_batch, left_sum), (right, right_batch, right_sum) = sides
        product = build.dot(left, right, (left_batch, right_batch), (left_sum, right_sum), matmul_precision())
        have = found.batch + found.left_only + found.right_only
        kept = [axis for axis in found.order if axis in have]
        product = build.transpose(product, [have.index(axis) for axis in kept])
        to = shape(u)
        return build.spread(product, to, [place for place, axis in enumerate(found.order) if axis in have])

