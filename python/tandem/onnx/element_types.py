"""Types of a graph's values, as ONNX infers them: without their shapes, which it computes with whatever sizes a file has in it
(and ends the process for some)."""

from __future__ import annotations

from typing import Any

import onnx
import onnx.shape_inference
from onnx import TensorProto, helper

from tandem.onnx.values import Refused

_ANY = "\0any"  # no name of a graph: a value of an unknown shape
_FIELDS = {"value": None, "sparse_value": None, "value_float": TensorProto.FLOAT, "value_floats": TensorProto.FLOAT, "value_int": TensorProto.INT64,
           "value_ints": TensorProto.INT64, "value_string": TensorProto.STRING, "value_strings": TensorProto.STRING}


def element_types(model: onnx.ModelProto) -> dict[str, int]:
    """By name. Raises Refused."""
    skeleton = onnx.ModelProto(ir_version=model.ir_version)
    skeleton.opset_import.extend(model.opset_import)
    skeleton.graph.CopyFrom(_graph(model.graph))
    skeleton.graph.input.append(helper.make_tensor_value_info(_ANY, TensorProto.FLOAT, None))
    skeleton.graph.input.extend(helper.make_tensor_value_info(tensor.name, tensor.data_type, None) for tensor in model.graph.initializer)
    skeleton.functions.extend(_function(function) for function in model.functions)
    try:
        graph = onnx.shape_inference.infer_shapes(skeleton).graph
    except onnx.shape_inference.InferenceError as error:
        raise Refused(f"ONNX on Tandem: {str(error).splitlines()[0]}", "models that ONNX refuses") from None
    return {value.name: value.type.tensor_type.elem_type
            for values in (graph.input, graph.value_info, graph.output) for value in values}


def _graph(graph: onnx.GraphProto) -> onnx.GraphProto:
    """Initialisers are left to the caller."""
    made = onnx.GraphProto(name=graph.name)
    known = {tensor.name for tensor in graph.initializer}
    made.input.extend(_value(value) for value in graph.input if value.name not in known)
    made.output.extend(_value(value) for value in graph.output)
    made.value_info.extend(_value(value) for value in graph.value_info)
    made.node.extend(_node(node, _ANY) for node in graph.node)
    return made


def _inner(graph: onnx.GraphProto) -> onnx.GraphProto:
    """Of an attribute: it may not have inputs of its own."""
    made = _graph(graph)
    nodes = [_cast(tensor.name, tensor.data_type, _ANY) for tensor in graph.initializer] + list(made.node)
    del made.node[:]
    made.node.extend(nodes)
    return made


def _function(function: onnx.FunctionProto) -> onnx.FunctionProto:
    made = onnx.FunctionProto()
    made.CopyFrom(function)
    del made.node[:], made.value_info[:]
    made.node.extend(_node(node, function.input[0] if function.input else "") for node in function.node)
    return made


def _value(value: onnx.ValueInfoProto) -> onnx.ValueInfoProto:
    made = onnx.ValueInfoProto()
    made.CopyFrom(value)
    _forget(made.type)
    return made


def _forget(kind: onnx.TypeProto) -> None:
    """Its shape, however deep it is in sequences."""
    while kind.WhichOneof("value") in ("sequence_type", "optional_type"):
        kind = getattr(kind, kind.WhichOneof("value")).elem_type
    if kind.WhichOneof("value") in ("tensor_type", "sparse_tensor_type"):
        getattr(kind, kind.WhichOneof("value")).ClearField("shape")


def _cast(name: str, kind: int, source: str) -> onnx.NodeProto:
    return helper.make_node("Cast", [source], [name], to=kind)


def _node(node: onnx.NodeProto, source: str) -> onnx.NodeProto:
    """One that makes its value of nothing gets a value of an unknown shape."""
    if source and node.domain in ("", "ai.onnx") and len(node.output) == 1:
        if node.op_type == "Constant" and (kind := _kind_of(node)):
            return _cast(node.output[0], kind, source)
        if node.op_type in ("RandomNormal", "RandomUniform"):
            return _cast(node.output[0], next((attribute.i for attribute in node.attribute if attribute.name == "dtype"), TensorProto.FLOAT), source)
    made = onnx.NodeProto()
    made.CopyFrom(node)
    for attribute in made.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            attribute.g.CopyFrom(_inner(attribute.g))
        for inner in attribute.graphs:
            inner.CopyFrom(_inner(inner))
    return made


def _kind_of(node: onnx.NodeProto) -> Any:
    """Of a constant's value; None where it is the attribute of a function's caller."""
    for attribute in node.attribute:
        if attribute.name in _FIELDS and not attribute.ref_attr_name:
            tensor = attribute.sparse_tensor.values if attribute.name == "sparse_value" else attribute.t
            return _FIELDS[attribute.name] or tensor.data_type
    return None
