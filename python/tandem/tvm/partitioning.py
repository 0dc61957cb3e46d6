"""Which calls of a module the machine computes: those that can be written as StableHLO; neighbours together."""

from __future__ import annotations

import tvm
from tvm import relax
from tvm.relax.dpl import DFPattern, is_op, wildcard

from tandem.tvm.reading import OPERATIONS, Reader


def _can_be_read(context: relax.transform.PatternCheckContext) -> bool:
    """By trial: the call alone, with variables for its arguments."""
    call = context.matched_expr
    try:
        _read_alone(call)
    except NotImplementedError:
        return False
    return True


def _read_alone(call: relax.Call) -> None:
    parameters, arguments = [], []
    for number, argument in enumerate(call.args):
        if isinstance(argument, relax.Var):
            arguments.append(relax.Var(f"x{number}", argument.ty))
            parameters.append(arguments[-1])
        elif isinstance(argument, relax.Tuple) and any(isinstance(field, relax.Var) for field in argument.fields):
            fields = [relax.Var(f"x{number}_{place}", field.ty) if isinstance(field, relax.Var) else field
                      for place, field in enumerate(argument.fields)]
            parameters += [field for field in fields if isinstance(field, relax.Var)]
            arguments.append(relax.Tuple(fields))
        else:
            arguments.append(argument)
    builder = relax.BlockBuilder()
    with builder.function("main", parameters):
        builder.emit_func_output(builder.emit(relax.Call(call.op, arguments, call.attrs)))
    Reader(builder.get()["main"]).text()


def _pattern(name: str) -> DFPattern:
    if name in ("relax.multiply", "relax.divide"):  # the matcher inspects both of their arguments itself
        return is_op(name)(wildcard(), wildcard())
    return is_op(name)(varg_default_wildcard=True)


def partition(module: tvm.IRModule) -> tvm.IRModule:
    """The module with functions of attribute Codegen="tandem"; its entry is `main`. Everything else stays unchanged."""
    patterns = [relax.transform.FusionPattern(name.replace("relax.", "tandem."), _pattern(name), {}, _can_be_read)
                for name in OPERATIONS]
    module = relax.transform.FuseOpsByPattern(patterns, bind_constants=False, annotate_codegen=False)(module)
    return relax.transform.MergeCompositeFunctions()(module)


def left(module: tvm.IRModule) -> list[str]:
    """Operations that are not the machine's, by name."""
    names: set[str] = set()

    def visit(expression: object) -> None:
        if isinstance(expression, relax.Call) and str(getattr(expression.op, "name", "")).startswith("relax."):
            names.add(expression.op.name)

    for function in module.functions.values():
        if isinstance(function, relax.Function) and not (function.attrs and "Codegen" in function.attrs):
            relax.analysis.post_order_visit(function, visit)
    return sorted(names - {"relax.call_tir", "relax.call_dps_packed"})
