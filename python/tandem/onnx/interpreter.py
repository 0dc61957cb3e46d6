"""A graph, node by node: operators of the tables, functions of the model, and functions that ONNX itself defines."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import onnx
from onnx import external_data_helper, numpy_helper

from tandem.onnx import operators  # noqa: F401, fills the table
from tandem.onnx.element_types import element_types
from tandem.onnx.nodes import OPERATORS, Node
from tandem.onnx.values import Refused, Unknown, Value, is_known, traced


def opsets(imports: Any) -> dict[str, int]:
    return {"" if entry.domain == "ai.onnx" else entry.domain: entry.version for entry in imports}


def constant(tensor: onnx.TensorProto) -> np.ndarray:
    if tensor.data_type == onnx.TensorProto.STRING:
        raise Refused(f"ONNX on Tandem: `{tensor.name}` holds strings", "strings")
    if external_data_helper.uses_external_data(tensor):  # onnx would look for it in the current folder
        raise Refused(f"ONNX on Tandem: the data of `{tensor.name}` is in another file and was not loaded", "data that was not loaded")
    if any(size < 0 for size in tensor.dims):
        raise Refused(f"ONNX on Tandem: `{tensor.name}` has the sizes {list(tensor.dims)}", "negative sizes")
    try:
        return numpy_helper.to_array(tensor)
    except (KeyError, MemoryError, OverflowError, TypeError, ValueError) as error:
        raise Refused(f"ONNX on Tandem: `{tensor.name}` of the sizes {list(tensor.dims)}: {type(error).__name__}: {error}",
                      "data of another size or type") from None


_MOST_ELEMENTS = 1 << 33  # of a value, as in the compiler; JAX fails where the bytes exceed 64 bits
_MOST_NODES = 1_000_000  # of a model, each call of a function counted


def _check_size(model: onnx.ModelProto) -> None:
    """Nested functions are expanded, by ONNX too: a few lines can expand without practical limit."""
    functions = {(function.domain, function.name): function for function in model.functions}
    sizes: dict[tuple[str, str], int] = {}

    def size(nodes: Any, within: frozenset[tuple[str, str]]) -> int:
        count = 0
        for node in nodes:
            count += 1 + sum(size(graph.node, within) for graph in _graphs(node))
            key = (node.domain, node.op_type)
            if key not in functions:
                continue
            if key in within:
                raise Refused(f"ONNX on Tandem: the function `{node.op_type}` calls itself", "functions that call themselves")
            if key not in sizes:
                sizes[key] = size(functions[key].node, within | {key})
            count += sizes[key]
        return count

    if (count := size(model.graph.node, frozenset())) > _MOST_NODES:
        raise Refused(f"ONNX on Tandem: the model is of {count:.3g} nodes when its functions are written out; there may be {_MOST_NODES}",
                      "models of too many nodes")


def _graphs(node: onnx.NodeProto) -> list[onnx.GraphProto]:
    return [graph for attribute in node.attribute for graph in ([attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs)]


def _computed_once(nodes: Any, names: Sequence[str], where: str) -> None:
    """A name has one value: ONNX's graphs are in single assignment form."""
    known = set(names)
    for name in (name for node in nodes for name in node.output if name):  # no name: unused
        if name in known:
            raise Refused(f"ONNX on Tandem: `{name}` of {where} is computed twice", "values that are computed twice")
        known.add(name)


class Interpreter:
    """types: element types of the graph's values, as far as ONNX infers them. interpreted: nodes of the last run, those
    of loops once for each round that is written out."""

    def __init__(self, model: onnx.ModelProto):
        _check_size(model)
        self.functions = {(function.domain, function.name): function for function in model.functions}
        self.opsets = opsets(model.opset_import)
        self.interpreted = 0
        self.types = element_types(model)

    def graph(self, graph: onnx.GraphProto, scope: dict[str, Value]) -> list[Value]:
        self.interpreted = 0
        _computed_once(graph.node, [value.name for value in (*graph.input, *graph.initializer)], "the graph")
        self._nodes(graph.node, scope, self.opsets, {})
        return [self._value(scope, output.name) for output in graph.output]

    def subgraph(self, graph: onnx.GraphProto, inputs: Sequence[Value], outer: dict[str, Value]) -> list[Value]:
        scope = dict(outer)
        scope.update({tensor.name: constant(tensor) for tensor in graph.initializer})
        scope.update(zip((value.name for value in graph.input), inputs, strict=False))
        outputs = self._nodes(graph.node, scope, outer.get(_OPSETS, self.opsets), outer.get(_CALLER, {}))
        return [self._value(outputs, output.name) for output in graph.output]

    def _value(self, scope: dict[str, Value], name: str) -> Value:
        if name not in scope:
            raise Refused(f"ONNX on Tandem: nothing computes `{name}`", "a value that nothing computes")
        return scope[name]

    def _nodes(self, nodes: Any, scope: dict[str, Value], versions: dict[str, int],
               caller: dict[str, onnx.AttributeProto]) -> dict[str, Value]:
        scope[_OPSETS], scope[_CALLER] = versions, caller
        for proto in nodes:
            self.interpreted += 1
            domain = "" if proto.domain == "ai.onnx" else proto.domain
            node = Node(proto, versions.get(domain, 1), _attributes(proto, caller), self, scope)
            inputs = [self._value(scope, name) if name else None for name in proto.input]
            with np.errstate(all="ignore"):
                results = self._node(node, inputs)
            for name, result in zip(proto.output, results, strict=False):
                if name:
                    scope[name] = result
        return scope

    def _node(self, node: Node, inputs: list[Value]) -> Sequence[Value]:
        local = self.functions.get((node.proto.domain, node.kind))
        if local is not None:
            return self._call(local, node, inputs)
        function = OPERATORS.get((node.domain, node.kind))
        if function is not None:
            try:
                results = function(node, *inputs)
            except (Refused, Unknown):
                raise
            except (ArithmeticError, AttributeError, IndexError, KeyError, MemoryError, NotImplementedError, TypeError,
                    ValueError) as error:
                refused = node.refuse(f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
                raise refused from error
            results = results if isinstance(results, tuple) else (results,)
            for result in results:
                node.check_room(getattr(result, "shape", ()), _MOST_ELEMENTS)
            return results
        body = _defined(node, inputs)
        if body is None:
            raise node.refuse("no such operator here")
        return self._call(body, node, inputs)

    def _call(self, function: onnx.FunctionProto, node: Node, inputs: list[Value]) -> list[Value]:
        scope: dict[str, Value] = dict.fromkeys(function.input)
        scope.update(zip(function.input, inputs, strict=False))
        given = dict(node.protos)
        for attribute in function.attribute_proto:
            given.setdefault(attribute.name, attribute)
        schema = node.schema()
        for name in function.attribute:
            if name not in given and schema is not None and name in schema.attributes:
                default = schema.attributes[name].default_value
                if default.type != onnx.AttributeProto.UNDEFINED:
                    given[name] = default
        try:
            self._nodes(function.node, scope, {**self.opsets, **opsets(function.opset_import)}, given)
        except Unknown as unknown:
            names = dict(zip(function.input, node.proto.input, strict=False))
            if unknown.name in names:
                raise Unknown(names[unknown.name], unknown.node) from None
            raise Unknown(sources(function.node, unknown.name, names), unknown.node) from None
        return [self._value(scope, name) if wanted else None for name, wanted in zip(function.output, node.outputs, strict=False)]


_OPSETS, _CALLER = "\0opsets", "\0caller"  # no names of a graph


def _attributes(proto: onnx.NodeProto, caller: dict[str, onnx.AttributeProto]) -> dict[str, onnx.AttributeProto]:
    """With the values of a function's caller for those that refer to it; omitted ones stay omitted."""
    found = {}
    for attribute in proto.attribute:
        if not attribute.ref_attr_name:
            found[attribute.name] = attribute
        elif attribute.ref_attr_name in caller:
            found[attribute.name] = caller[attribute.ref_attr_name]
    return found


def _type_of(value: Value) -> bytes:
    if value is None:
        return onnx.TypeProto().SerializeToString()
    if isinstance(value, list):
        raise Refused("ONNX on Tandem: a function of sequences", "a function of sequences")
    array = value if is_known(value) else traced(value)
    return onnx.helper.make_tensor_type_proto(
        onnx.helper.np_dtype_to_tensor_dtype(np.dtype(array.dtype)), array.shape).SerializeToString()


def _defined(node: Node, inputs: list[Value]) -> onnx.FunctionProto | None:
    """ONNX's definition of the operator as a function."""
    schema = node.schema()
    if schema is None:
        return None
    for versions, get in ((schema.function_opset_versions, schema.get_function_with_opset_version),
                          (schema.context_dependent_function_opset_versions, None)):
        if not versions:
            continue
        version = max([number for number in versions if number <= node.opset], default=min(versions))
        if get is None:
            proto = onnx.NodeProto()
            proto.CopyFrom(node.proto)
            del proto.attribute[:]
            for name, attribute in node.protos.items():
                proto.attribute.add().CopyFrom(attribute)
                proto.attribute[-1].name = name
            text = schema.get_context_dependent_function_with_opset_version(
                version, proto.SerializeToString(), [_type_of(value) for value in inputs])
        else:
            text = get(version)
        if text:
            function = onnx.FunctionProto()
            function.ParseFromString(text)
            return function
    return None


def sources(nodes: Any, wanted: str, inputs: Any) -> str:
    """The first of `inputs` whose value (not only its shape) `wanted` depends on; `wanted` if there is none."""
    made = {name: node for node in nodes for name in node.output if name}
    todo, seen = [wanted], set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in inputs:
            return inputs[name] if isinstance(inputs, dict) else name
        node = made.get(name)
        if node is not None and node.op_type not in ("Shape", "Size"):
            todo.extend(reversed(_taken(node)))
    return wanted


def _taken(node: onnx.NodeProto) -> list[str]:
    """Names that a node uses, including those in its graphs."""
    return [name for name in node.input if name] + [name for graph in _graphs(node) for inner in graph.node for name in _taken(inner)]
