"""Recurrent layers."""

from __future__ import annotations

from typing import Any, Callable

import jax
import jax.numpy as jnp
from jax import lax

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Value, traced

_ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "Sigmoid": jax.nn.sigmoid, "Tanh": jnp.tanh, "Relu": jax.nn.relu, "Softplus": jax.nn.softplus,
    "Softsign": jax.nn.soft_sign}


class Layer:
    """What the three kinds share: directions, activations, lengths, states."""

    def __init__(self, node: Node, x: Value, w: Value, lengths: Value, defaults: list[str]):
        self.node, self.hidden, self.ways = node, node.attr("hidden_size"), w.shape[0]
        self.batch_first = bool(node.attr("layout", 0))
        self.x = jnp.swapaxes(traced(x), 0, 1) if self.batch_first else traced(x)
        self.lengths = None if lengths is None else traced(lengths)
        if node.has("clip") or node.has("activation_alpha") or node.has("activation_beta"):
            raise node.refuse("clip or parameters of activations")
        names = node.attr("activations") if node.has("activations") else defaults * self.ways
        if unknown := [name for name in names if name not in _ACTIVATIONS]:
            raise node.refuse(f"activation {unknown[0]}")
        each = len(names) // self.ways
        self.activations = [[_ACTIVATIONS[name] for name in names[way * each:(way + 1) * each]] for way in range(self.ways)]

    def state(self, value: Value, way: int) -> Any:
        if value is None:
            return jnp.zeros((self.x.shape[1], self.hidden), self.x.dtype)
        return traced(value)[:, way] if self.batch_first else traced(value)[way]

    def scan(self, way: int, step: Callable[..., Any], states: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
        """step(states, input) -> states; the first state is the output. Time beyond a sequence's length changes nothing."""
        count = self.x.shape[0]
        backwards = self.node.attr("direction") == "reverse" or way == 1

        def one(states: tuple[Any, ...], item: tuple[Any, Any]) -> tuple[tuple[Any, ...], Any]:
            x, time = item
            new = step(states, x)
            if self.lengths is None:
                return new, new[0]
            inside = (time < self.lengths)[:, None]
            new = tuple(jnp.where(inside, fresh, old) for fresh, old in zip(new, states, strict=True))
            return new, jnp.where(inside, new[0], 0)

        return lax.scan(one, states, (self.x, jnp.arange(count, dtype=jnp.int32)), reverse=backwards)

    def results(self, outputs: list[Any], states: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        axis = 2 if self.batch_first else 1
        outputs = [jnp.swapaxes(output, 0, 1) if self.batch_first else output for output in outputs]
        last = [jnp.stack(parts, 1 if self.batch_first else 0) for parts in zip(*states, strict=True)]
        return (jnp.stack(outputs, axis), *last)


def _bias(b: Value, way: int, size: int) -> tuple[Any, Any]:
    return (0, 0) if b is None else (traced(b)[way, :size], traced(b)[way, size:])


@operator("RNN")
def rnn(node: Node, x: Value, w: Value, r: Value, b: Value = None, lengths: Value = None, h: Value = None) -> Value:
    layer, w, r = Layer(node, x, w, lengths, ["Tanh"]), traced(w), traced(r)
    outputs, states = [], []
    for way in range(layer.ways):
        (act,), bias = layer.activations[way], sum(_bias(b, way, layer.hidden))

        def step(state: Any, x: Any, way: int = way, act: Any = act, bias: Any = bias) -> Any:
            return (act(x @ w[way].T + state[0] @ r[way].T + bias),)

        last, output = layer.scan(way, step, (layer.state(h, way),))
        outputs.append(output)
        states.append(last)
    return layer.results(outputs, states)


@operator("GRU")
def gru(node: Node, x: Value, w: Value, r: Value, b: Value = None, lengths: Value = None, h: Value = None) -> Value:
    layer, w, r, size = Layer(node, x, w, lengths, ["Sigmoid", "Tanh"]), traced(w), traced(r), node.attr("hidden_size")
    linear = node.attr("linear_before_reset", 0)
    outputs, states = [], []
    for way in range(layer.ways):
        (gate, act), (bw, br) = layer.activations[way], _bias(b, way, 3 * size)
        bw, br = jnp.broadcast_to(bw, 3 * size), jnp.broadcast_to(br, 3 * size)

        def step(state: Any, x: Any, way: int = way, gate: Any = gate, act: Any = act, bw: Any = bw, br: Any = br) -> Any:
            before, inputs = state[0], x @ w[way].T + bw
            gates = before @ r[way, :2 * size].T + br[:2 * size]
            z = gate(inputs[:, :size] + gates[:, :size])
            reset = gate(inputs[:, size:2 * size] + gates[:, size:])
            if linear:
                rest = reset * (before @ r[way, 2 * size:].T + br[2 * size:])
            else:
                rest = (reset * before) @ r[way, 2 * size:].T + br[2 * size:]
            return ((1 - z) * act(inputs[:, 2 * size:] + rest) + z * before,)

        last, output = layer.scan(way, step, (layer.state(h, way),))
        outputs.append(output)
        states.append(last)
    return layer.results(outputs, states)


@operator("LSTM")
def lstm(node: Node, x: Value, w: Value, r: Value, b: Value = None, lengths: Value = None, h: Value = None,
         c: Value = None, p: Value = None) -> Value:
    layer, w, r = Layer(node, x, w, lengths, ["Sigmoid", "Tanh", "Tanh"]), traced(w), traced(r)
    size = layer.hidden
    if node.attr("input_forget", 0):
        raise node.refuse("input_forget")
    outputs, states = [], []
    for way in range(layer.ways):
        acts, bias = layer.activations[way], sum(_bias(b, way, 4 * size))
        peep = jnp.zeros(3 * size, layer.x.dtype) if p is None else traced(p)[way]

        def step(state: Any, x: Any, way: int = way, acts: Any = acts, bias: Any = bias, peep: Any = peep) -> Any:
            gate, act, out = acts
            before, cell = state
            i, o, f, new = jnp.split(x @ w[way].T + before @ r[way].T + bias, 4, -1)
            i, f = gate(i + peep[:size] * cell), gate(f + peep[2 * size:] * cell)
            cell = f * cell + i * act(new)
            return gate(o + peep[size:2 * size] * cell) * out(cell), cell

        last, output = layer.scan(way, step, (layer.state(h, way), layer.state(c, way)))
        outputs.append(output)
        states.append(last)
    return layer.results(outputs, states)
