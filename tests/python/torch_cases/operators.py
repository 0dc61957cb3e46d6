"""torch's own samples of its operators (OpInfo), each through torch.compile(backend="tandem") and beside eager torch."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Callable, Iterator

import torch
from torch.testing._internal import common_methods_invocations
from torch.utils import _pytree

# Samples of random operators are called with a seed that Dynamo cannot follow.
common_methods_invocations.wrapper_set_seed = lambda op, *args, **kwargs: op(*args, **kwargs)
op_db = common_methods_invocations.op_db

TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "int32": torch.int32}
# Of a number, and of the largest number of its tensor.
TOLERANCES = {torch.float32: (1e-4, 1e-5), torch.float64: (1e-4, 1e-5), torch.complex64: (1e-4, 1e-5),
              torch.complex128: (1e-4, 1e-5), torch.bfloat16: (4e-2, 1e-2)}
# Of operators whose gradient is a small difference of large numbers.
LOOSER = {"logcumsumexp": 2e-3}

# Operators that draw random numbers or leave memory uninitialised: only shape and type can be compared.
RANDOM = set("""bernoulli cauchy empty empty_like empty_permuted empty_strided exponential geometric log_normal multinomial
new_empty new_empty_strided normal normal_in_place nn.functional.alpha_dropout nn.functional.dropout nn.functional.dropout2d
nn.functional.dropout3d nn.functional.feature_alpha_dropout nn.functional.fractional_max_pool2d
nn.functional.fractional_max_pool3d nn.functional.multi_head_attention_forward
nn.functional.rrelu nn.functional.scaled_dot_product_attention pca_lowrank rand_like randint randint_like randn randn_like
svd_lowrank uniform""".split())

# Which of several equal elements they name is left open: only values are compared where elements are often equal.
OPEN_INDICES = {"kthvalue", "mode", "sort", "topk"}

# Where torch itself gives NaN for finite arguments, and where its CPU rounds coordinates to bf16, which costs it more than
# an element of the image.
LEFT_OUT = {("matrix_exp", "bfloat16"), ("nn.functional.grid_sample", "bfloat16"), ("grid_sampler_2d", "bfloat16")}


@dataclass(frozen=True)
class Case:
    """An operator with some of its samples of one type."""

    name: str
    kind: str
    samples: list[tuple[Callable[..., Any], list[torch.Tensor]]]
    is_random: bool

    @property
    def looser(self) -> float:
        """A tolerance instead of the type's."""
        return LOOSER.get(self.name, 0)

    def together(self) -> tuple[Callable[..., Any], list[torch.Tensor]]:
        """All samples as one function."""
        counts = [len(tensors) for _, tensors in self.samples]

        def function(*tensors: torch.Tensor) -> Any:
            results, begin = [], 0
            for (call, _), count in zip(self.samples, counts, strict=True):
                results.append(call(*tensors[begin:begin + count]))
                begin += count
            return results

        return function, [tensor for _, tensors in self.samples for tensor in tensors]


def _sample(op: Any, sample: Any) -> tuple[Callable[..., Any], list[torch.Tensor]]:
    leaves, structure = _pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [number for number, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def call(*tensors: torch.Tensor) -> Any:
        given = list(leaves)
        for place, tensor in zip(places, tensors, strict=True):
            given[place] = tensor
        value, args, kwargs = _pytree.tree_unflatten(given, structure)
        result = sample.output_process_fn_grad(op.op(value, *args, **kwargs))  # without unspecified parts: signs
        if op.name == "argsort" and value.ndim and value.dtype != torch.float32:
            return torch.take_along_dim(value, result, kwargs.get("dim", args[0] if args else -1))
        return result[0] if op.name in OPEN_INDICES and value.dtype != torch.float32 else result

    return call, [leaves[place] for place in places]


def cases(kind: str, count: int, gradients: bool = False, only: str = "") -> Iterator[Case]:
    """count: samples of an operator, spread over those that torch gives."""
    dtype = TYPES[kind]
    for op in op_db:
        name = f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name
        if (only and only not in name) or (name, kind) in LEFT_OUT:
            continue
        if dtype not in op.dtypes or (gradients and dtype not in op.supported_backward_dtypes("cpu")):
            continue
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = [sample for sample in op.sample_inputs("cpu", dtype, requires_grad=gradients)][:40]
        step = max(1, len(given) // count)
        yield Case(name, kind, [_sample(op, sample) for sample in given[::step][:count]], op.name in RANDOM)
