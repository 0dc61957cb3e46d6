"""Operations of Relax: a name, the shapes of the tensors it takes (with a type where not float32), and the call."""

import tvm.relax.op as op
from tvm import relax, tirx


def all_operations():
    for name in ("abs", "exp", "tanh", "sin", "cos", "sigmoid", "negative", "ceil", "floor", "round", "sign", "square", "erf",
                 "tan"):
        yield name, [(5, 7)], getattr(op, name)
    for name in ("log", "sqrt", "rsqrt"):
        yield name, [(5, 7)], (lambda name: lambda x: getattr(op, name)(op.add(op.abs(x), relax.const(0.5))))(name)
    for name in ("add", "subtract", "multiply", "maximum", "minimum"):
        yield name, [(4, 6), (4, 6)], getattr(op, name)
        yield f"{name}_broadcast", [(3, 4, 1), (6,)], getattr(op, name)
    yield "divide", [(4, 6), (4, 6)], lambda x, y: op.divide(x, op.add(op.abs(y), relax.const(0.5)))
    yield "power", [(4, 6), (4, 6)], lambda x, y: op.power(op.add(op.abs(x), relax.const(0.5)), y)
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        yield name, [(4, 6), (4, 6)], (lambda name: lambda x, y: op.where(getattr(op, name)(x, y), x, y))(name)
    yield "where", [(4, 6), (4, 6)], lambda x, y: op.where(op.less(x, y), x, op.multiply(y, relax.const(2.0)))
    yield "clip", [(4, 6)], lambda x: op.clip(x, -0.5, 0.7)
    yield "astype", [(4, 6)], lambda x: op.astype(op.astype(op.multiply(x, relax.const(10.0)), "int32"), "float32")
    for kind in ("float16", "int16", "uint16", "int8", "uint8"):
        yield f"add_{kind}", [((4, 6), kind), ((4, 6), kind)], op.add
    yield "logical", [(4, 6), (4, 6)], lambda x, y: op.where(
        op.logical_and(op.logical_not(op.less(x, y)), op.greater(x, relax.const(0.0))), x, y)
    for name in ("relu", "silu", "gelu", "gelu_tanh", "softplus", "leakyrelu"):
        yield name, [(5, 7)], getattr(op.nn, name)
    for name in ("sum", "mean", "max", "min", "prod", "variance", "std"):
        yield name, [(3, 4, 5)], (lambda name: lambda x: getattr(op, name)(x, axis=[0, 2]))(name)
    yield "sum_keepdims", [(3, 4, 5)], lambda x: op.sum(x, axis=-1, keepdims=True)
    yield "sum_of_all", [(3, 4, 5)], op.sum
    yield "softmax", [(6, 9)], op.nn.softmax
    yield "softmax_columns", [(6, 9)], lambda x: op.nn.softmax(x, axis=0)
    yield "log_softmax", [(6, 9)], op.nn.log_softmax
    yield "layer_norm", [(6, 9), (9,), (9,)], lambda x, g, b: op.nn.layer_norm(x, g, b, axes=[-1])
    yield "group_norm", [(2, 6, 4, 4), (6,), (6,)], lambda x, g, b: op.nn.group_norm(
        x, g, b, num_groups=3, channel_axis=1, axes=[2, 3])
    yield "rms_norm", [(6, 9), (9,)], lambda x, w: op.nn.rms_norm(x, w, axes=[-1])
    yield "batch_norm", [(2, 3, 4, 4), (3,), (3,), (3,), (3,)], lambda x, g, b, m, v: relax.TupleGetItem(
        op.nn.batch_norm(x, g, b, m, op.abs(v), axis=1, training=False), 0)
    yield "matmul", [(9, 17), (17, 5)], op.matmul
    yield "matmul_stack", [(2, 3, 4, 7), (3, 7, 5)], op.matmul
    yield "matmul_one_for_all", [(2, 3, 4, 7), (7, 5)], op.matmul
    yield "matmul_vector", [(9, 17), (17,)], op.matmul
    yield "conv1d", [(2, 3, 11), (4, 3, 5)], op.nn.conv1d
    yield "conv2d", [(2, 3, 7, 7), (4, 3, 3, 3)], lambda x, w: op.nn.conv2d(x, w, padding=1)
    yield "conv2d_strided", [(1, 3, 9, 9), (4, 3, 3, 3)], lambda x, w: op.nn.conv2d(
        x, w, strides=2, padding=(0, 1, 2, 1), dilation=2)
    yield "conv2d_grouped", [(1, 4, 6, 6), (4, 1, 3, 3)], lambda x, w: op.nn.conv2d(x, w, groups=4)
    yield "conv2d_nhwc", [(1, 6, 6, 3), (3, 3, 3, 4)], lambda x, w: op.nn.conv2d(
        x, w, data_layout="NHWC", kernel_layout="HWIO")
    yield "max_pool2d", [(1, 2, 6, 6)], lambda x: op.nn.max_pool2d(x, pool_size=3, strides=2, padding=1)
    yield "avg_pool2d", [(1, 2, 7, 7)], lambda x: op.nn.avg_pool2d(x, pool_size=3, strides=2, padding=1)
    yield "avg_pool2d_padded", [(1, 2, 7, 7)], lambda x: op.nn.avg_pool2d(
        x, pool_size=3, strides=2, padding=1, count_include_pad=True)
    yield "adaptive_avg_pool2d", [(1, 5, 4, 4)], lambda x: op.nn.adaptive_avg_pool2d(x, (1, 1))
    yield "reshape", [(3, 4, 5)], lambda x: op.reshape(x, (10, 6))
    yield "permute_dims", [(3, 4, 5)], lambda x: op.permute_dims(x, (2, 0, 1))
    yield "transpose", [(3, 4, 5)], op.permute_dims
    yield "flatten", [(3, 4, 5)], op.flatten
    yield "expand_and_squeeze", [(3, 4)], lambda x: op.squeeze(op.expand_dims(x, [0, 2]), [2])
    yield "broadcast_to", [(4, 1)], lambda x: op.broadcast_to(x, (3, 4, 5))
    yield "concat", [(3, 4), (2, 4)], lambda x, y: op.concat([x, y, x], axis=0)
    yield "stack", [(3, 4), (3, 4)], lambda x, y: op.stack([x, y], axis=1)
    yield "split", [(6, 4)], lambda x: relax.TupleGetItem(op.split(x, [1, 4], axis=0), 1)
    yield "strided_slice", [(6, 8)], lambda x: op.strided_slice(x, [0, 1], [1, -6], [5, 8], [1, 2])
    yield "flip", [(3, 4)], lambda x: op.flip(x, 1)
    yield "repeat", [(3, 4)], lambda x: op.repeat(x, 3, axis=1)
    yield "tile", [(3, 4)], lambda x: op.tile(x, (2, 3))
    yield "pad", [(3, 4)], lambda x: op.nn.pad(x, (1, 2, 0, 3), "constant", 1.5)
    yield "take", [(9, 6), ((4,), "int32")], lambda x, i: op.take(x, i, axis=0)
    yield "take_columns", [(3, 9), ((2, 2), "int32")], lambda x, i: op.take(x, i, axis=1)
    yield "cumsum", [(3, 9)], lambda x: op.cumsum(x, axis=1)
    yield "tril", [(5, 6)], lambda x: op.tril(x, 1)
    yield "triu", [(5, 6)], lambda x: op.triu(x, -1)
    yield "one_hot", [((4,), "int32")], lambda i: op.one_hot(
        i, tirx.FloatImm("float32", 1.0), tirx.FloatImm("float32", 0.0), 9)
    yield "full_like", [(4, 6)], lambda x: op.add(x, op.ones_like(x))
    yield "attention", [(1, 6, 2, 8), (1, 6, 2, 8), (1, 6, 2, 8)], op.nn.attention
