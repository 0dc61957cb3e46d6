"""The minimum time of a JAX function's useful work on a machine, in cycles of its busiest unit.

Counted from the jaxpr, so a plan's own copies, conversions and transposed operands are not useful work.
Latency is ignored: small programs cannot reach their roofs.

With L lanes a cycle does:

  matrix unit      one row of L operands against an L x L tile, one bf16 pass (precision DEFAULT)
  vector unit      16 L elementwise operations
  transcendentals  2 L of exp, log, tanh, rsqrt, a division
  cross-lane unit  two reduced rows
  memory           4 L bytes in, 4 L bytes out
"""

import collections
import math

import numpy as np
from jax._src import core
from jax._src.interpreters import partial_eval

import jax

LANES = {"nano": 8, "small": 16, "edge": 64, "full": 128}

# Operations of the transcendental unit per element.
TRANSCENDENTAL = {"exp": 1, "exp2": 1, "log": 1, "log1p": 1, "expm1": 1, "tanh": 1, "logistic": 2, "rsqrt": 1,
                  "sqrt": 1, "div": 1, "pow": 2, "erf": 1}
# Moves, which use memory only.
MOVES = {"broadcast_in_dim", "reshape", "transpose", "squeeze", "slice", "pad", "concatenate", "gather",
         "dynamic_slice", "dynamic_update_slice", "iota", "copy", "expand_dims", "rev", "stop_gradient", "split",
         "convert_element_type", "select_n", "copy_p"}


def _size(variable):
    return math.prod(variable.aval.shape)


def _bytes(variable):
    kind = variable.aval.dtype
    return _size(variable) * (1 if kind == bool else np.dtype(kind).itemsize)


def _up(a, b):
    return -(-a // b)


class _Work:
    """Operations by unit."""

    def __init__(self, lanes):
        self.lanes = lanes
        self.units = collections.Counter()

    def product(self, times, groups, m, n, k):
        """`groups` products [m, k] x [k, n]: on the matrix unit, or elementwise where that is less."""
        lanes = self.lanes
        rows = groups * _up(k, lanes) * min(m * _up(n, lanes), n * _up(m, lanes))
        elementwise = 2 * groups * m * n * k
        if elementwise / (16 * lanes) < rows:
            self.units["vector"] += times * elementwise
        else:
            self.units["matrix"] += times * rows

    def dot_general(self, equation, times):
        (contracted, _), (batch, _) = equation.params["dimension_numbers"]
        left, right = (v.aval.shape for v in equation.invars)
        k = math.prod(left[d] for d in contracted)
        groups = math.prod(left[d] for d in batch)
        m = math.prod(left) // max(k * groups, 1)
        n = math.prod(right) // max(k * groups, 1)
        self.product(times, groups, m, n, k)

    def convolution(self, equation, times):
        parameters = equation.params
        numbers = parameters["dimension_numbers"]
        groups = parameters["feature_group_count"] * parameters["batch_group_count"]
        window = equation.invars[1].aval.shape
        channels_in = window[numbers.rhs_spec[1]]
        channels_out = window[numbers.rhs_spec[0]] // groups
        taps = math.prod(window[d] for d in numbers.rhs_spec[2:]) / math.prod(parameters["lhs_dilation"])
        positions = _size(equation.outvars[0]) // (channels_out * groups)
        self.product(times, groups, positions, channels_out, max(1, math.ceil(taps * channels_in)))

    def reduction(self, equation, times):
        rank = len(equation.invars[0].aval.shape)
        along_lanes = rank - 1 in equation.params.get("axes", ())
        two = 2 if equation.primitive.name.startswith("arg") else 1
        self.units["vector"] += times * two * _size(equation.invars[0])
        self.units["cross-lane"] += times * along_lanes * _size(equation.outvars[0])

    def equation(self, equation, times):
        name = equation.primitive.name
        elements = _size(equation.outvars[0]) if equation.outvars else 0
        if name == "dot_general":
            self.dot_general(equation, times)
        elif name == "conv_general_dilated":
            self.convolution(equation, times)
        elif name == "sort":
            depth = math.log2(max(2, equation.invars[0].aval.shape[equation.params["dimension"]]))
            self.units["vector"] += times * _size(equation.invars[0]) * depth * (depth + 1) / 2
        elif name.startswith(("reduce_", "arg")):
            if name != "reduce_precision":
                self.reduction(equation, times)
        elif name.startswith("cum"):
            self.units["vector"] += times * _size(equation.invars[0])
        elif name.startswith("scatter"):
            self.units["vector"] += times * _size(equation.invars[2])
        elif name == "top_k":
            self.units["vector"] += times * 2 * _size(equation.invars[0])
        elif name in TRANSCENDENTAL and np.issubdtype(equation.outvars[0].aval.dtype, np.floating):
            self.units["transcendentals"] += times * elements * TRANSCENDENTAL[name]
        elif name not in MOVES:
            self.units["vector"] += times * elements

    def jaxpr(self, jaxpr, times):
        for equation in jaxpr.eqns:
            name = equation.primitive.name
            inner = [v for v in equation.params.values() if isinstance(v, (core.Jaxpr, core.ClosedJaxpr))]
            if name == "scan":
                self.jaxpr(equation.params["jaxpr"].jaxpr, times * equation.params["length"])
            elif inner and not name.startswith(("reduce", "scatter", "sort")):
                for part in inner:
                    self.jaxpr(getattr(part, "jaxpr", part), times)
            else:
                self.equation(equation, times)


def roof(function, arguments, preset):
    """(the unit that bounds `function(*arguments)` on `preset`, the cycles that it takes at least)."""
    lanes = LANES[preset]
    jaxpr = jax.make_jaxpr(function)(*arguments).jaxpr
    # A derivative also computes unused results.
    jaxpr = partial_eval.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)[0]
    work = _Work(lanes)
    work.jaxpr(jaxpr, 1)
    results = [v for v in jaxpr.outvars if not isinstance(v, core.Literal)]
    cycles = {"matrix": work.units["matrix"],
              "vector": work.units["vector"] / (16 * lanes),
              "transcendentals": work.units["transcendentals"] / (2 * lanes),
              "cross-lane": work.units["cross-lane"] / 2,
              "memory": max(sum(map(_bytes, jaxpr.invars)), sum(map(_bytes, results))) / (4 * lanes)}
    bound = max(cycles, key=lambda unit: cycles[unit])
    return bound, max(1, math.ceil(cycles[bound]))
