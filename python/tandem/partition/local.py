"""The program of one device in the form that the compiler expects."""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir

from tandem.partition import modules

def _number_type() -> Any:
    return ir.RankedTensorType.get([], ir.IntegerType.get_unsigned(32))


def _function_of(operation: Any) -> Any:
    while operation.name != "func.func":
        operation = operation.parent.operation
    return operation


def _calls(module: Any) -> list[Any]:
    return [each for each in modules.all_below(module) if each.name == "func.call"]


def _callee(call: Any) -> str:
    return ir.FlatSymbolRefAttr(call.attributes["callee"]).value


def _asking_functions(module: Any, asks: list[Any]) -> set[str]:
    """Those that ask for the number themselves, and those that call one of them."""
    asking = {modules.name_of(_function_of(each)) for each in asks}
    while True:
        callers = {modules.name_of(_function_of(call)) for call in _calls(module) if _callee(call) in asking}
        if callers <= asking:
            return asking
        asking |= callers


def _add_argument(function: Any) -> Any:
    """One more argument after the others, the number."""
    number = function.operation.regions[0].blocks[0].add_argument(_number_type(), function.operation.location)
    inputs, outputs = modules.types_of(function)
    given = modules.attributes_of_arguments(function)
    function.operation.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([*inputs, number.type], outputs))
    modules.set_attributes_of_arguments(function, [*given, {}])
    return number


def _pass_on(call: Any, number: Any) -> None:
    with ir.InsertionPoint(call):
        new = ir.Operation.create("func.call", results=[result.type for result in call.results],
                                  operands=[*call.operands, number], loc=call.location,
                                  attributes={name: call.attributes[name] for name in call.attributes})
    for old, result in zip(call.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    call.erase()


def number_as_argument(module: Any) -> bool:
    """A program gets the number of its partition as one more argument, after the others; False if it does not ask for
    it."""
    asks = [each for each in modules.all_below(module) if each.name == "stablehlo.partition_id"]
    if not asks:
        return False
    asking = _asking_functions(module, asks) | {"main"}
    numbers = {modules.name_of(function): _add_argument(function)
               for function in module.body if function.operation.name == "func.func" and modules.name_of(function) in asking}
    for each in asks:
        each.results[0].replace_all_uses_with(numbers[modules.name_of(_function_of(each))])
        each.erase()
    for call in _calls(module):
        if _callee(call) in asking:
            _pass_on(call, numbers[modules.name_of(_function_of(call))])
    return True


def donate(module: Any, donors: list[int], aliases: dict[int, int]) -> None:
    """Sets which result takes the memory of which argument: as given by the program (`aliases`), else, for each of
    `donors`, the first one of its type that is still free. A donor without such a result keeps its memory, as on the
    CPU.
    """
    main = modules.main_of(module)
    inputs, outputs = modules.types_of(main)
    taken = {argument: result for argument, result in aliases.items() if inputs[argument] == outputs[result]}
    for donor in (each for each in sorted({*donors, *aliases}) if each not in taken):
        free = (result for result, kind in enumerate(outputs) if kind == inputs[donor] and result not in taken.values())
        if (result := next(free, None)) is not None:
            taken[donor] = result
    attribute = ir.IntegerType.get_signless(32)
    modules.set_attributes_of_arguments(
        main, [{"tf.aliasing_output": ir.IntegerAttr.get(attribute, taken[argument])} if argument in taken else {}
               for argument in range(len(inputs))])
