"""Attention, which is one operator in torch on a CPU, and its gradient."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch

from tandem.torch.operators import operator

aten = torch.ops.aten


def attention(q: jax.Array, k: jax.Array, v: jax.Array, causal: bool, mask: Any, scale: Any) -> tuple[jax.Array, jax.Array]:
    """The result, and the logarithm of each row's sum."""
    scores = jnp.einsum("...qd,...kd->...qk", q, k, preferred_element_type=jnp.float32)
    scores = scores * (q.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -jnp.inf)
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf) if mask.dtype == bool else scores + mask
    weights = jax.nn.softmax(scores, -1).astype(v.dtype)
    return jnp.einsum("...qk,...kd->...qd", weights, v), jax.nn.logsumexp(scores, -1)


@operator(aten._scaled_dot_product_flash_attention_for_cpu.default)
def flash_attention(q: jax.Array, k: jax.Array, v: jax.Array, dropout_p: float = 0.0, is_causal: bool = False, *,
                    attn_mask: Any = None, scale: Any = None) -> tuple[jax.Array, jax.Array]:
    if dropout_p:
        raise NotImplementedError("dropout")  # torch takes another operator then
    return attention(q, k, v, is_causal, attn_mask, scale)


@operator(aten._scaled_dot_product_flash_attention_for_cpu_backward.default)
def flash_attention_backward(gradient: jax.Array, q: jax.Array, k: jax.Array, v: jax.Array, out: jax.Array, logsumexp: jax.Array,
                             dropout_p: float, is_causal: bool, *, attn_mask: Any = None, scale: Any = None) -> Any:
    return jax.vjp(lambda q, k, v: attention(q, k, v, is_causal, attn_mask, scale)[0], q, k, v)[1](gradient)
