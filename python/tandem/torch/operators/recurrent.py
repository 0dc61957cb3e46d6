"""Layers of LSTM, which are one operator in torch on a CPU if the input needs no gradient: a loop over the steps."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


def lstm_layer(x: jax.Array, of_input: jax.Array, of_state: jax.Array, input_bias: jax.Array, state_bias: jax.Array,
               hidden: jax.Array, cell: jax.Array, reverse: bool) -> tuple[jax.Array, jax.Array, jax.Array]:
    """x: steps first. The gates are torch's: input, forget, cell, output."""
    ahead = jnp.einsum("tbi,gi->tbg", x, of_input) + input_bias + state_bias

    def step(state: tuple[jax.Array, jax.Array], row: jax.Array) -> Any:
        hidden, cell = state
        enter, forget, new, out = jnp.split(row + hidden @ of_state.T, 4, -1)
        cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(enter) * jnp.tanh(new)
        hidden = jax.nn.sigmoid(out) * jnp.tanh(cell)
        return (hidden, cell), hidden

    (hidden, cell), rows = jax.lax.scan(step, (hidden[0], cell[0]), ahead, reverse=reverse)
    return rows, hidden[None], cell[None]


def _check(mode: int, layers: int, bidirectional: bool, batch_first: bool) -> None:
    if mode != 2 or layers != 1 or bidirectional or batch_first:
        raise NotImplementedError("layers that torch does not make itself")


@operator(aten.mkldnn_rnn_layer.default)
def mkldnn_rnn_layer(x: jax.Array, of_input: jax.Array, of_state: jax.Array, input_bias: jax.Array, state_bias: jax.Array,
                     hidden: jax.Array, cell: jax.Array, reverse: bool, batch_sizes: Any, mode: int, hidden_size: int,
                     layers: int, has_biases: bool, bidirectional: bool, batch_first: bool, train: bool) -> tuple[Any, ...]:
    _check(mode, layers, bidirectional, batch_first)
    return *lstm_layer(x, of_input, of_state, input_bias, state_bias, hidden, cell, reverse), jnp.zeros(0, jnp.uint8)


@operator(aten.mkldnn_rnn_layer_backward.default)
def mkldnn_rnn_layer_backward(x: jax.Array, of_input: jax.Array, of_state: jax.Array, input_bias: jax.Array,
                              state_bias: jax.Array, hidden: jax.Array, cell: jax.Array, output: Any, hidden_out: Any,
                              cell_out: Any, of_rows: Any, of_hidden: Any, of_cell: Any, reverse: bool, mode: int,
                              hidden_size: int, layers: int, has_biases: bool, train: bool, bidirectional: bool,
                              batch_sizes: Any, batch_first: bool, workspace: Any) -> tuple[Any, ...]:
    _check(mode, layers, bidirectional, batch_first)
    results, pull = jax.vjp(lambda *values: lstm_layer(*values, reverse), x, of_input, of_state, input_bias, state_bias,
                            hidden, cell)
    gradients = [jnp.zeros_like(result) if gradient is None else gradient.reshape(result.shape)
                 for gradient, result in zip((of_rows, of_hidden, of_cell), results, strict=True)]
    return pull(tuple(gradients))
