"""torch.cond and torch.while_loop: branches and loops of the machine, whose graphs are traced by an interpreter of their own."""

from __future__ import annotations

from typing import Any, Callable

import jax
import jax.numpy as jnp
import torch

Graph = Callable[..., Any]


def cond(interpreter: type) -> Graph:
    def call(condition: Any, on_true: torch.fx.GraphModule, on_false: torch.fx.GraphModule, operands: Any) -> tuple[Any, ...]:
        branches = [_function(interpreter, module) for module in (on_true, on_false)]
        return jax.lax.cond(jnp.reshape(condition, ()), *branches, *map(jnp.asarray, operands))

    return call


def while_loop(interpreter: type) -> Graph:
    def call(condition: torch.fx.GraphModule, body: torch.fx.GraphModule, carried: Any, others: Any) -> tuple[Any, ...]:
        goes_on, step = _function(interpreter, condition), _function(interpreter, body)
        return jax.lax.while_loop(lambda state: jnp.reshape(goes_on(*state, *others)[0], ()),
                                  lambda state: step(*state, *others), tuple(map(jnp.asarray, carried)))

    return call


def _function(interpreter: type, module: torch.fx.GraphModule) -> Callable[..., tuple[Any, ...]]:
    def call(*values: Any) -> tuple[Any, ...]:
        results = interpreter(module).run(*values, enable_io_processing=False)
        return tuple(map(jnp.asarray, results if isinstance(results, (tuple, list)) else [results]))

    return call


CONTROL = {torch.ops.higher_order.cond: cond, torch.ops.higher_order.while_loop: while_loop}
