"""torch.compile(model, backend="tandem", options={"preset": ..., "model": ..., "strict": ...}).

Dynamo finds this by the entry point `torch_dynamo_backends`.
"""

from __future__ import annotations

import functools
import os
import re
from typing import Any, Callable, Sequence

import torch
import torch._dynamo
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from tandem.device import default_machine
from tandem.torch import breaks, library, operators
from tandem.torch.graph import Graph
from tandem.torch.machine import Machine, machine_of

# Dynamo leaves modules of nn.RNNBase to the CPU, silently, unless it is told to take them.
torch._dynamo.config.allow_rnn = True
breaks.watch()

_OPTIONS = {"preset", "model", "strict"}


@functools.cache
def decompositions() -> dict[Any, Callable[..., Any]]:
    """How operators are decomposed: as in ATen's core, and those without a function here by torch's own
    decompositions."""
    known = {**torch._decomp.core_aten_decompositions(), **library.DECOMPOSITIONS}
    known = {op: rule for op, rule in known.items() if not operators.is_own(op)}
    others = {op: rule for op, rule in torch._decomp.decomposition_table.items()
              if isinstance(op, torch._ops.OpOverload) and op not in known and operators.find(op) is None}
    return {**others, **known, **operators.DECOMPOSITIONS}


def tandem(module: torch.fx.GraphModule, inputs: Sequence[Any], *, options: dict[str, Any] | None = None,
           mode: str | None = None) -> Callable[..., Any]:
    """Dynamo calls this for each graph. Raises ValueError for unknown options, Refused."""
    options = dict(options or {})
    if unknown := sorted(set(options) - _OPTIONS):
        raise ValueError(f"torch.compile on Tandem: no option `{unknown[0]}`; there are {', '.join(sorted(_OPTIONS))}")
    if mode is not None:
        raise ValueError(f"torch.compile on Tandem: mode `{mode}` is Inductor's")
    machine = machine_of(str(options.get("preset") or default_machine()),
                         str(options.get("model") or os.environ.get("TANDEM_MODEL", "golden")))
    breaks.check(module, bool(options.get("strict")))
    return _autograd(machine, _names(module))(module, inputs)


def _names(module: torch.fx.GraphModule) -> list[str]:
    """The user's names of the arguments: `x`, `self._parameters['weight']`."""
    sources = [getattr(node, "_dynamo_source", None) for node in module.graph.find_nodes(op="placeholder")]
    return [re.sub(r"L\['(\w+)'\]", r"\1", source.name if isinstance(source.name, str) else source.name())
            if source is not None else "an argument" for source in sources]


def _autograd(machine: Machine, names: list[str]) -> Any:
    def forward(module: torch.fx.GraphModule, _inputs: Any) -> Any:
        context = torch._guards.TracingContext.try_get()
        kept_from = context.fw_metadata.num_forward_returns if context and context.fw_metadata else None
        return _boxed(Graph(module, machine, kept_from, names))

    def backward(module: torch.fx.GraphModule, _inputs: Any) -> Any:
        return _boxed(Graph(module, machine))

    def inference(module: torch.fx.GraphModule, _inputs: Any) -> Any:
        return _boxed(Graph(module, machine, names=names))

    return aot_autograd(fw_compiler=forward, bw_compiler=backward, inference_compiler=inference,
                        decompositions=decompositions(), keep_inference_input_mutations=True)


def _boxed(graph: Graph) -> Any:
    return make_boxed_func(lambda *arguments: graph(arguments))
