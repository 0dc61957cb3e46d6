"""The operators: by name of ATen's overload (or of all overloads) a function of JAX. What stands here comes before torchax's.

    @operator(aten.native_dropout.default)
    def native_dropout(x, p, train): ...

`decomposition` enters what takes an operator apart instead.
"""

from __future__ import annotations

import importlib
import math
import operator as python_operator
from typing import Any, Callable

import torch

from tandem.torch.library import OPERATORS
from tandem.torch.values import Refused

_TABLE: dict[Any, Callable[..., Any]] = {}
DECOMPOSITIONS: dict[Any, Callable[..., Any]] = {}
WANTS_META: set[Callable[..., Any]] = set()  # functions that ask what torch knows of their first argument: meta=


def operator(*targets: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """targets: overloads, or packets of all overloads that have no entry of their own."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        for target in targets:
            _TABLE[target] = function
        return function

    return enter


def decomposition(*targets: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function of torch that takes these operators apart, before there is a backward graph of its own."""

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
            return entry.func
    return None


def is_own(target: Any) -> bool:
    """Whether the function stands here, and not in torchax."""
    return target in _TABLE or (isinstance(target, torch._ops.OpOverload) and target.overloadpacket in _TABLE)


# Numbers that are known while a graph is traced: sizes and what is computed of them.
_KNOWN = {*(value for module in (python_operator, math) for value in vars(module).values() if callable(value)), torch.sym_int, torch.sym_float, torch.sym_max, torch.sym_min,
          torch.sym_not, torch.sym_ite}


def other(interpreter: Any, target: Any) -> Callable[..., Any]:
    """What a call of something else than an operator of ATen's is. Raises Refused."""
    if callable(target) and target in _KNOWN:
        return target
    raise Refused(f"{target}: no such operator here")


for _module in ("adaptive", "attention", "convolution", "elementwise", "indexing", "linear_algebra", "normalising", "padding",
                "pooling", "random", "recurrent", "special", "strided"):
    importlib.import_module(f"tandem.torch.operators.{_module}")
