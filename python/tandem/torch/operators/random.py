"""Random numbers: a program takes a seed, which torch's own generator gives at each call, and each operator has its own
stream. So torch.manual_seed determines them; the numbers are not those that torch's CPU draws."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any, Iterator

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator
from tandem.torch.values import ELEMENTS, Refused

aten = torch.ops.aten
_current: list[tuple[jax.Array, Iterator[int]]] = []


@contextlib.contextmanager
def seeded(seed: jax.Array | None) -> Iterator[None]:
    """The seed (two words) for everything traced inside."""
    if seed is None:
        yield
        return
    _current.append((jax.random.wrap_key_data(seed), itertools.count()))
    try:
        yield
    finally:
        _current.pop()


def next_key(generator: Any = None) -> jax.Array:
    """A unique key."""
    if generator is not None:
        raise Refused("random numbers from a generator of their own")
    key, numbers = _current[-1]
    return jax.random.fold_in(key, next(numbers))


def floating(dtype: torch.dtype | None) -> Any:
    return ELEMENTS[dtype or torch.get_default_dtype()]


@operator(aten.native_dropout.default)
def native_dropout(x: jax.Array, p: float, train: bool | None) -> tuple[jax.Array, jax.Array]:
    if train is False or p == 0:
        return x, jnp.ones(x.shape, bool)
    kept = jax.random.bernoulli(next_key(), 1 - p, x.shape)
    scale = 0.0 if p == 1 else 1 / (1 - p)
    return jnp.where(kept, x * jnp.asarray(scale, x.dtype), 0).astype(x.dtype), kept


@operator(aten.rand.default)
def rand(size: Any, *, dtype: Any = None) -> jax.Array:
    return jax.random.uniform(next_key(), tuple(size), jnp.float32).astype(floating(dtype))


@operator(aten.rand_like.default)
def rand_like(x: jax.Array, *, dtype: Any = None, memory_format: Any = None) -> jax.Array:
    return jax.random.uniform(next_key(), x.shape, jnp.float32).astype(ELEMENTS[dtype] if dtype else x.dtype)


@operator(aten.randn.default)
def randn(size: Any, *, dtype: Any = None) -> jax.Array:
    return jax.random.normal(next_key(), tuple(size), jnp.float32).astype(floating(dtype))


@operator(aten.randn_like.default)
def randn_like(x: jax.Array, *, dtype: Any = None, memory_format: Any = None) -> jax.Array:
    return jax.random.normal(next_key(), x.shape, jnp.float32).astype(ELEMENTS[dtype] if dtype else x.dtype)


@operator(aten.randint.default)
def randint(high: int, size: Any, *, dtype: Any = None) -> jax.Array:
    return randint_low(0, high, size, dtype=dtype)


@operator(aten.randint.low)
def randint_low(low: int, high: int, size: Any, *, dtype: Any = None) -> jax.Array:
    return jax.random.randint(next_key(), tuple(size), low, high).astype(ELEMENTS[dtype or torch.int64])


@operator(aten.randint_like.default)
def randint_like(x: jax.Array, high: int, *, dtype: Any = None, memory_format: Any = None) -> jax.Array:
    return randint_like_low(x, 0, high, dtype=dtype)


@operator(aten.randint_like.low_dtype)
def randint_like_low(x: jax.Array, low: int, high: int, *, dtype: Any = None, memory_format: Any = None) -> jax.Array:
    return jax.random.randint(next_key(), x.shape, low, high).astype(ELEMENTS[dtype] if dtype else x.dtype)


@operator(aten.randperm.default)
def randperm(count: int, *, dtype: Any = None) -> jax.Array:
    return jax.random.permutation(next_key(), count).astype(ELEMENTS[dtype or torch.int64])


@operator(aten.bernoulli.default)
def bernoulli(x: jax.Array, *, generator: Any = None) -> jax.Array:
    return jax.random.bernoulli(next_key(generator), x.astype(jnp.float32)).astype(x.dtype)


@operator(aten.bernoulli.p)
def bernoulli_p(x: jax.Array, p: float = 0.5, *, generator: Any = None) -> jax.Array:
    return jax.random.bernoulli(next_key(generator), p, x.shape).astype(x.dtype)


@operator(aten.uniform.default)
def uniform(x: jax.Array, low: float = 0.0, high: float = 1.0, *, generator: Any = None) -> jax.Array:
    return (low + (high - low) * jax.random.uniform(next_key(generator), x.shape)).astype(x.dtype)


@operator(aten.normal_functional.default)
def normal_functional(x: jax.Array, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> jax.Array:
    return (mean + std * jax.random.normal(next_key(generator), x.shape)).astype(x.dtype)


@operator(aten.exponential.default)
def exponential(x: jax.Array, lambd: float = 1.0, *, generator: Any = None) -> jax.Array:
    return (jax.random.exponential(next_key(generator), x.shape) / lambd).astype(x.dtype)


@operator(aten.multinomial.default)
def multinomial(x: jax.Array, count: int, replacement: bool = False, *, generator: Any = None) -> jax.Array:
    key, logits = next_key(generator), jnp.log(x.astype(jnp.float32))
    if replacement:
        drawn = jax.random.categorical(key, logits, shape=(count, *logits.shape[:-1]))
        return jnp.moveaxis(drawn, 0, -1)
    return jax.lax.top_k(logits + jax.random.gumbel(key, logits.shape), count)[1]


@operator(aten.rrelu_with_noise_functional.default)
def rrelu(x: jax.Array, noise: jax.Array, lower: float = 0.125, upper: float = 1 / 3, training: bool = False,
          generator: Any = None) -> tuple[jax.Array, jax.Array]:
    if not training:
        return jnp.where(x > 0, x, x * jnp.asarray((lower + upper) / 2, x.dtype)), noise
    drawn = jax.random.uniform(next_key(generator), x.shape, minval=lower, maxval=upper).astype(x.dtype)
    factor = jnp.where(x > 0, jnp.ones_like(x), drawn)
    return x * factor, factor


@operator(torch.ops.prims.normal.default)
def normal(size: Any, *, mean: Any, std: Any, dtype: Any, requires_grad: bool = False, generator: Any = None) -> jax.Array:
    return (mean + std * jax.random.normal(next_key(generator), tuple(size))).astype(floating(dtype))
