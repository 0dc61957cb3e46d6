"""The operators: a function of JAX for each ATen overload (or for all overloads of a name). Entries here take
precedence over torchax's.

    @operator(aten.native_dropout.default)
    def native_dropout(x, p, train): ...

`decomposition` registers a decomposition instead.
"""

from __future__ import annotations

import functools
import importlib
import math
import operator as python_operator
from typing import Any, Callable

import jax.numpy as jnp
import torch

from tandem.torch.library import OPERATORS
from tandem.torch.operators.control import CONTROL
from tandem.torch.values import Refused

_TABLE: dict[Any, Callable[..., Any]] = {}
DECOMPOSITIONS: dict[Any, Callable[..., Any]] = {}
WANTS_META: set[Callable[..., Any]] = set()  # functions that need torch's metadata of their first argument: meta=


def operator(*targets: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """targets: overloads, or packets of all overloads that have no entry of their own."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        for target in targets:
            _TABLE[target] = function
        return function

    return enter


def decomposition(*targets: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function of torch that decomposes these operators, before a separate backward graph exists."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        DECOMPOSITIONS.update(dict.fromkeys(targets, function))
        return function

    return enter


def find(target: Any) -> Callable[..., Any] | None:
    """The function for an overload of ATen's."""
    packet = target.overloadpacket
    for name in (target, packet):
        if name in _TABLE:
            return _TABLE[name]
    for name in (target, packet):
        if (entry := OPERATORS.get(name)) is not None and entry.is_jax_function and not entry.needs_env:
            return _counted_from_the_front(target, entry.func)
    return None


_ONE_MORE = {torch.ops.aten.unsqueeze, torch.ops.aten.unsqueeze_copy, torch.ops.aten.stack}  # dimensions in the result


@functools.cache
def _counted_from_the_front(target: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """With dimensions from 0 on: not all functions of torchax accept negative ones."""
    names = [argument.name for argument in target._schema.arguments]
    if "dim" not in names or names.index("dim") == 0 or target.overloadpacket in _ONE_MORE:
        return function
    place = names.index("dim")

    def call(*args: Any, **kwargs: Any) -> Any:
        dim = kwargs.get("dim", args[place] if place < len(args) else None)
        if isinstance(dim, int) and dim < 0:
            first = args[0][0] if isinstance(args[0], (list, tuple)) else args[0]
            dim += max(jnp.ndim(first), 1)
            if "dim" in kwargs:
                kwargs["dim"] = dim
            else:
                args = (*args[:place], dim, *args[place + 1:])
        return function(*args, **kwargs)

    return call


def is_own(target: Any) -> bool:
    """Whether the function is defined here, and not in torchax."""
    return target in _TABLE or (isinstance(target, torch._ops.OpOverload) and target.overloadpacket in _TABLE)


# Numbers that are known while a graph is traced: sizes and values computed from them.
_KNOWN = {*(value for module in (python_operator, math) for value in vars(module).values() if callable(value)), torch.sym_int, torch.sym_float, torch.sym_max, torch.sym_min,
          torch.sym_not, torch.sym_ite}


def other(interpreter: Any, target: Any) -> Callable[..., Any]:
    """The value of a call of something other than an operator of ATen. Raises Refused."""
    if callable(target) and target in _KNOWN:
        return target
    if target in CONTROL:
        return CONTROL[target](type(interpreter))
    raise Refused(f"{target}: no such operator here")


for _module in ("adaptive", "attention", "convolution", "counting", "elementwise", "indexing", "linear_algebra", "normalising",
                "padding", "pooling", "random", "recurrent", "special", "strided"):
    importlib.import_module(f"tandem.torch.operators.{_module}")
