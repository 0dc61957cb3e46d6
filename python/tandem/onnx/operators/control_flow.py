"""If, Loop and Scan: graphs within graphs."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from tandem.onnx.nodes import Node, operator
from tandem.onnx.values import Refused, Value, is_known, traced


def _arrays(node: Node, values: Any) -> tuple[Any, ...]:
    if any(value is None or isinstance(value, list) for value in values):
        raise node.refuse("sequences or optional values that cross a branch or loop of the machine")
    return tuple(traced(value) for value in values)


@operator("If")
def branch(node: Node, condition: Value) -> Value:
    if is_known(condition):
        return tuple(node.run("then_branch" if bool(np.asarray(condition).reshape(-1)[0]) else "else_branch", []))
    try:
        return lax.cond(traced(condition).reshape(()), lambda: _arrays(node, node.run("then_branch", [])),
                        lambda: _arrays(node, node.run("else_branch", [])))
    except (Refused, TypeError):  # only one can be valid for these shapes: which one?
        node.known(condition, 0)
        raise


_ENDLESS = (1 << 31) - 1  # rounds that no program gets to the end of; they are counted in int32
_MOST_WRITTEN = 100_000  # nodes of a model whose rounds are written out


@operator("Loop")
def loop(node: Node, trips: Value, condition: Value, *carried: Value) -> Value:
    count = len(carried)
    limit = None if trips is None else int(node.known(trips, 0).reshape(()))
    if limit is not None and limit >= _ENDLESS:  # how exporters write a `while`
        limit = _ENDLESS
    scans = len(node.attr("body").output) - 1 - count
    if condition is not None and is_known(condition) and not bool(np.asarray(condition).reshape(())):
        limit = 0
    if scans and limit is None:
        raise node.refuse("results of each round, and no number of rounds")
    if scans:
        return _unrolled(node, limit, carried, scans)

    def go_on(state: Any) -> Any:
        more = state[1]
        return more if limit in (None, _ENDLESS) else more & (state[0] < limit)

    def body(state: Any) -> Any:
        results = node.run("body", [state[0], state[1], *state[2:]])
        return (state[0] + 1, traced(results[0]).reshape(()), *_arrays(node, results[1:]))

    first = jnp.bool_(True) if condition is None else traced(condition).reshape(())
    return tuple(lax.while_loop(go_on, body, (jnp.int32(0), first, *_arrays(node, carried)))[2:])


def _unrolled(node: Node, limit: int, carried: tuple[Value, ...], scans: int) -> Value:
    """Iterations one after the other, while it is known that another one follows; shapes may change."""
    kept: list[list[Value]] = [[] for _ in range(scans)]
    values = list(carried)
    for number in range(limit):
        if node.interpreter.interpreted > _MOST_WRITTEN:
            raise node.refuse(f"results of each round, more than {_MOST_WRITTEN} nodes in all its rounds")
        results = node.run("body", [np.array(number, np.int64), np.array(True), *values])
        values = results[1:1 + len(values)]
        for rows, row in zip(kept, results[1 + len(values):], strict=True):
            rows.append(row)
        if not is_known(results[0]):
            raise node.refuse("results of each round, and a number of rounds that values decide")
        if not bool(np.asarray(results[0]).reshape(())):
            break
    if not all(kept):
        raise node.refuse("results of each round, and no round")
    stacked = [np.stack(rows) if is_known(*rows) else jnp.stack([traced(row) for row in rows]) for rows in kept]
    return (*values, *stacked)


@operator("Scan")
def scan(node: Node, *inputs: Value) -> Value:
    if node.opset < 9:
        return _batched(node, *inputs)
    over = node.attr("num_scan_inputs")
    states = inputs[:len(inputs) - over]
    return _scanned(node, states, inputs[len(states):])


def _scanned(node: Node, states: Any, items: Any) -> tuple[Any, ...]:
    count = len(node.attr("body").output) - len(states)
    axes = node.attr("scan_input_axes") or [0] * len(items)
    ways = node.attr("scan_input_directions") or node.attr("directions") or [0] * len(items)
    out_axes = node.attr("scan_output_axes") or [0] * count
    out_ways = node.attr("scan_output_directions") or [0] * count
    items = [jnp.moveaxis(traced(item), axis, 0) for item, axis in zip(items, axes, strict=True)]
    items = [jnp.flip(item, 0) if way else item for item, way in zip(items, ways, strict=True)]

    def step(state: Any, item: Any) -> Any:
        results = _arrays(node, node.run("body", [*state, *item]))
        return results[:len(state)], results[len(state):]

    last, rows = lax.scan(step, _arrays(node, states), tuple(items))
    rows = [jnp.flip(row, 0) if way else row for row, way in zip(rows, out_ways, strict=True)]
    return (*last, *[jnp.moveaxis(row, 0, axis) for row, axis in zip(rows, out_axes, strict=True)])


def _batched(node: Node, lengths: Value, *inputs: Value) -> tuple[Any, ...]:
    """Opset 8: a batch of scans."""
    if lengths is not None:
        raise node.refuse("lengths of sequences")
    over = node.attr("num_scan_inputs")
    results = []
    for number in range(inputs[0].shape[0]):
        each = [traced(value)[number] for value in inputs]
        results.append(_scanned(node, each[:len(each) - over], each[len(each) - over:]))
    return tuple(jnp.stack(parts) for parts in zip(*results, strict=True))
