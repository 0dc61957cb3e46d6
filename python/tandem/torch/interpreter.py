"""A graph of ATen's operators as a function of JAX: node by node, while JAX traces.

Each result gets the type that torch gives it; a shape other than torch's is an internal error, never a result.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch
from torch.fx.node import Node

from tandem.torch import lines, operators
from tandem.torch.operators import random
from tandem.torch.values import ELEMENTS, Refused, element, host_array, narrow

_NARROW = {torch.int64: torch.int32, torch.float64: torch.float32, torch.uint64: torch.uint32,
           torch.complex128: torch.complex64}
_PLACES = ("device", "layout", "pin_memory", "non_blocking")  # placement of memory, which is up to the machine


def narrowed(value: Any) -> Any:
    """Types of torch as the machine has them, in lists too, which are then Python's own."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(narrowed, value)) if type(value) in (list, tuple) else [narrowed(one) for one in value]
    return _NARROW.get(value, value) if isinstance(value, torch.dtype) else value


class Interpreter(torch.fx.Interpreter):
    """mutated: by the number of an argument, its value after the graph has run."""

    def __init__(self, module: torch.fx.GraphModule):
        super().__init__(module, garbage_collect_values=True)
        self.extra_traceback = False
        self.mutated: dict[int, Any] = {}
        self._numbers = {node: number for number, node in enumerate(module.graph.find_nodes(op="placeholder"))}

    def get_attr(self, target: str, args: Any, kwargs: Any) -> Any:
        value = super().get_attr(target, args, kwargs)
        if isinstance(value, torch.Tensor):
            what = f"the constant {target}"
            return jnp.asarray(narrow(host_array(value, what), element(value.dtype, what), what))
        return value

    def run_node(self, n: Node) -> Any:
        if n.op != "call_function":
            return super().run_node(n)
        stack = n.meta.get("stack_trace")
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        try:
            if n.target is torch.ops.aten.copy_.default and n.args[0] in self._numbers:
                return self._mutate(n.args[0], args)
            result = lines.at(stack, lambda: self._call(n, args, kwargs))
            return as_declared(result, n.meta.get("val"))
        except Refused:
            raise
        except (jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError) as error:
            raise Refused(f"{n.target}: its result depends on values that only a run knows{lines.where(stack)}") from error
        except (TypeError, ValueError, OverflowError, AssertionError, NotImplementedError, KeyError, IndexError,
                AttributeError, RuntimeError) as error:
            raise Refused(f"{n.target}: {_first_line(error)}{lines.where(stack)}") from error

    def _mutate(self, argument: Node, args: Any) -> Any:
        old, new = args[:2]
        self.mutated[self._numbers[argument]] = jnp.broadcast_to(new, old.shape).astype(old.dtype)
        return new

    def _call(self, node: Node, args: Any, kwargs: Any) -> Any:
        if not isinstance(node.target, torch._ops.OpOverload):
            return operators.other(self, node.target)(*args, **kwargs)
        function = operators.find(node.target)
        if function is None:
            raise Refused(f"{node.target}: no such operator here{lines.where(node.meta.get('stack_trace'))}")
        args = [narrowed(value) for value in args]
        kwargs = {name: narrowed(value) for name, value in kwargs.items() if name not in _PLACES}
        if function in operators.WANTS_META:
            kwargs["meta"] = node.args[0].meta["val"]
        return function(*args, **kwargs)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def as_declared(result: Any, meta: Any) -> Any:
    """In torch's type; raises ValueError for another shape."""
    if isinstance(meta, (tuple, list)) and isinstance(result, (tuple, list)):
        return tuple(as_declared(one, its) for one, its in zip(result, meta, strict=True))
    if not isinstance(meta, torch.Tensor) or result is None:
        return result
    array = jnp.asarray(result)
    if all(isinstance(size, int) for size in meta.shape) and array.shape != tuple(meta.shape):
        raise ValueError(f"a result of shape {array.shape} where torch has {tuple(meta.shape)}")
    wanted = ELEMENTS.get(meta.dtype)
    return array if wanted is None or array.dtype == wanted else array.astype(wanted)


def is_random(module: torch.fx.GraphModule) -> bool:
    """Whether the graph draws random numbers."""
    return any(torch.Tag.nondeterministic_seeded in node.target.tags for graph in modules_of(module)
               for node in graph.graph.nodes if isinstance(node.target, torch._ops.OpOverload))


def modules_of(module: torch.fx.GraphModule) -> list[torch.fx.GraphModule]:
    return [part for part in module.modules() if isinstance(part, torch.fx.GraphModule)]


def run(module: torch.fx.GraphModule, values: list[Any], seed: jax.Array | None) -> tuple[list[Any], dict[int, Any]]:
    """The graph's results for these values, and the final values of its arguments, by their numbers."""
    interpreter = Interpreter(module)
    with random.seeded(seed):
        results = interpreter.run(*values, enable_io_processing=False)
    results = results if isinstance(results, (tuple, list)) else [results]
    return list(results), interpreter.mutated

