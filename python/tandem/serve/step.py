"""One step of a Llama for many requests at a time, as a function of JAX.

A step takes rows. A row is one token of one request at one position; a request that decodes has one row, one whose
prompt is read has as many as fit. Keys and values are in pages of `page` positions each, and a row names the pages of
its request in order, so any rows can be combined. All keys and values of a step are written before any are read: a row
sees those of the same step, up to its own position.

Page 0 is unowned: idle rows write there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tandem.serve.packed import product
from tandem.serve.shape import Shape


class Rows(NamedTuple):
    """The inputs of a step."""

    tokens: Any  # [rows]
    positions: Any  # [rows]
    tables: Any  # [rows, pages of a request]


def norm(x: Any, weight: Any, epsilon: float) -> Any:
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + epsilon) * weight


def rotated(x: Any, cosines: Any, sines: Any) -> Any:
    """Rotary embedding by halves of [rows, heads, head]."""
    low, high = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([low * cosines - high * sines, high * cosines + low * sines], axis=-1)


def angles(shape: Shape, positions: Any) -> tuple[Any, Any]:
    """Cosines and sines, [rows, 1, head / 2]."""
    frequencies = shape.theta ** (-jnp.arange(0, shape.head, 2, dtype=jnp.float32) / shape.head)
    turned = positions.astype(jnp.float32)[:, None, None] * frequencies
    return jnp.cos(turned), jnp.sin(turned)


def written(pages: Any, first: int, rows: Rows, new: Any) -> Any:
    """The pages with the rows' new entries in them; a layer's pages begin at `first`."""
    page = pages.shape[1]
    mine = jnp.take_along_axis(rows.tables, (rows.positions // page)[:, None], axis=1)[:, 0]
    return pages.at[first + mine, rows.positions % page].set(new)


def attention(shape: Shape, query: Any, pages: Any, first: int, rows: Rows) -> Any:
    """[rows, heads * head] of queries [rows, heads, head].

    Pages are used in their layout. A query is at the place of its keys, with zeros beside it, and a head's result is
    taken from the place of its values: one product per row instead of one for each head of keys.
    """
    number, table = rows.tables.shape
    seen = table * pages.shape[1]
    mine = pages[first + rows.tables].reshape(number, seen, 2 * shape.keys)
    own = np.arange(shape.heads)[:, None] // (shape.heads // shape.key_heads) == np.arange(2 * shape.key_heads)
    keys, values = (jnp.asarray(np.repeat(place, shape.head, axis=1), jnp.float32) for place in (own, np.roll(own, shape.key_heads, axis=1)))
    query = jnp.tile(query, (1, 1, 2 * shape.key_heads)) * keys
    scores = jnp.einsum("nhd,npd->nhp", query, mine) * shape.head ** -0.5
    allowed = jnp.arange(seen) <= rows.positions[:, None]
    weights = jax.nn.softmax(jnp.where(allowed[:, None], scores, -1e30), axis=-1)
    mixed = jnp.einsum("nhp,npd->nhd", weights, mine)
    return (mixed * values).reshape(number, shape.heads, 2 * shape.key_heads, shape.head).sum(axis=2).reshape(number, -1)


def step(shape: Shape, weights: dict[str, Any], pages: Any, rows: Rows) -> tuple[Any, Any, Any]:
    """The likeliest next token of each row, the scores of all, and the pages."""
    count = pages.shape[0] // shape.layers
    cosines, sines = angles(shape, rows.positions)
    queries = shape.heads * shape.head
    x = weights["embedding"][rows.tokens]
    for number, own in enumerate(weights["layers"]):
        taken = product(norm(x, own["attention_norm"], shape.epsilon), own["attention"])
        query, key, value = jnp.split(taken, [queries, queries + shape.keys], axis=-1)
        query = rotated(query.reshape(-1, shape.heads, shape.head), cosines, sines)
        key = rotated(key.reshape(-1, shape.key_heads, shape.head), cosines, sines).reshape(-1, shape.keys)
        pages = written(pages, number * count, rows, jnp.concatenate([key, value], axis=-1))
        x = x + product(attention(shape, query, pages, number * count, rows), own["output"])
        gate, up = jnp.split(product(norm(x, own["hidden_norm"], shape.epsilon), own["hidden"]), 2, axis=-1)
        x = x + product(jax.nn.silu(gate) * up, own["down"])
    scores = product(norm(x, weights["norm"], shape.epsilon), weights["classifier"], jax.lax.Precision.HIGH)
    return jnp.argmax(scores, axis=-1).astype(jnp.int32), scores, pages
