"""Operations of tinygrad: a name, the shapes of the operands, and a function. Gradients are compared too unless the
name ends in an exclamation mark."""

from tinygrad import Tensor, dtypes


def unary():
    plain = {name: (lambda name: lambda x: getattr(x, name)())(name) for name in (
        "relu", "sigmoid", "tanh", "exp", "exp2", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "asinh",
        "atanh", "gelu", "quick_gelu", "silu", "swish", "elu", "celu", "selu", "softplus", "softsign", "mish", "hardswish",
        "hardsigmoid", "hardtanh", "leaky_relu", "relu6", "logsigmoid", "erf", "abs", "neg", "square", "sign", "ceil", "floor",
        "round", "trunc", "reciprocal", "isnan", "isinf", "isfinite", "logical_not")}
    for name, function in plain.items():
        scale = 0.4 if name in ("asin", "acos", "atanh", "tan") else 1.0
        exact = name in ("isnan", "isinf", "isfinite", "logical_not", "ceil", "floor", "round", "trunc", "sign")
        yield name + ("!" if exact else ""), [(5, 7)], (lambda f, s: lambda x: f(x * s))(function, scale)
    for name in ("log", "log2", "log10", "sqrt", "rsqrt", "acosh"):
        yield name, [(5, 7)], (lambda name: lambda x: getattr(x.abs() + 1.1, name)())(name)


    for name in ("sigmoid", "silu", "gelu", "softplus", "logsigmoid", "tanh", "quick_gelu", "mish", "swish", "softsign"):
        yield f"{name}_extreme", [(5, 7)], (lambda name: lambda x: getattr(x * 200, name)())(name)
    yield "sigmoid_by_hand_extreme", [(5, 7)], lambda x: (x * 200).exp() / (1 + (x * 200).exp())


def binary():
    yield "add", [(4, 6), (4, 6)], lambda x, y: x + y
    yield "add_broadcast", [(4, 1, 6), (3, 1)], lambda x, y: x + y
    yield "sub_scalar", [(4, 6)], lambda x: 2 - x
    yield "mul", [(4, 6), (6,)], lambda x, y: x * y
    yield "div", [(4, 6), (4, 6)], lambda x, y: x / (y.abs() + 0.5)
    yield "pow", [(4, 6), (4, 6)], lambda x, y: (x.abs() + 0.5) ** y
    yield "pow_const", [(4, 6)], lambda x: x ** 3
    yield "maximum", [(4, 6), (4, 6)], lambda x, y: x.maximum(y)
    yield "minimum", [(4, 6), (1, 6)], lambda x, y: x.minimum(y)
    yield "where", [(4, 6), (4, 6)], lambda x, y: (x > y).where(x, y * 2)
    yield "compare!", [(4, 6), (4, 6)], lambda x, y: (x < y).cat(x >= y, x == x, x != y)
    yield "lerp", [(4, 6), (4, 6)], lambda x, y: x.lerp(y, 0.3)
    yield "clip", [(4, 6)], lambda x: x.clip(-0.5, 0.7)
    yield "logical!", [(4, 6), (4, 6)], lambda x, y: ((x > 0) & (y > 0)).cat((x > 0) | (y > 0), (x > 0) ^ (y > 0))
    integers = lambda x: (x * 10).cast(dtypes.int32)  # noqa: E731
    yield "int_arithmetic!", [(4, 6), (4, 6)], lambda x, y: integers(x) * integers(y) - integers(x)
    yield "int_floor_division!", [(4, 6), (4, 6)], lambda x, y: integers(x) // (integers(y) * 2 + 1)
    yield "int_modulo!", [(4, 6), (4, 6)], lambda x, y: integers(x) % (integers(y) * 2 + 1)
    yield "int_true_division!", [(4, 6), (4, 6)], lambda x, y: integers(x) / (integers(y) * 2 + 1)
    yield "int_bits!", [(4, 6), (4, 6)], lambda x, y: (integers(x) & integers(y)) | (integers(x) ^ 5)
    yield "int_shifts!", [(4, 6)], lambda x: (integers(x) << 3) + (integers(x) >> 1)
    yield "bytes!", [(4, 6)], lambda x: (x * 10).cast(dtypes.int8) * 3
    yield "unsigned!", [(4, 6)], lambda x: (x.abs() * 1000).cast(dtypes.uint32) // 7
    yield "unsigned_bytes!", [(4, 6)], lambda x: (x.abs() * 10).cast(dtypes.uint8) + 200
    yield "bfloat16!", [(4, 6)], lambda x: (x.cast(dtypes.bfloat16) * 2).cast(dtypes.float32)
    yield "bitcast!", [(4, 6)], lambda x: x.bitcast(dtypes.int32) >> 3


def reductions():
    for name in ("sum", "mean", "max", "min", "prod", "var", "std"):
        yield name, [(3, 4, 5)], (lambda name: lambda x: getattr(x, name)())(name)
        yield f"{name}_axis", [(3, 4, 5)], (lambda name: lambda x: getattr(x, name)(axis=1))(name)
        yield f"{name}_last", [(3, 4, 5)], (lambda name: lambda x: getattr(x, name)(axis=-1, keepdim=True))(name)
    yield "sum_large", [(130, 200)], lambda x: x.sum()
    yield "argmax!", [(6, 9)], lambda x: x.argmax(axis=1)
    yield "argmin!", [(6, 9)], lambda x: x.argmin()
    yield "any_all!", [(6, 9)], lambda x: (x > 1).any(axis=1).cat((x > -9).all(axis=0))
    yield "softmax", [(6, 9)], lambda x: x.softmax()
    yield "softmax_columns", [(6, 9)], lambda x: x.softmax(axis=0)
    yield "log_softmax", [(6, 9)], lambda x: x.log_softmax()
    yield "logsumexp", [(6, 9)], lambda x: x.logsumexp(axis=1)
    yield "cumsum", [(6, 9)], lambda x: x.cumsum(axis=1)
    yield "cumprod", [(3, 5)], lambda x: x.cumprod(axis=0)
    yield "cummax!", [(6, 9)], lambda x: x.cummax(axis=0)[0]
    yield "layernorm", [(6, 9)], lambda x: x.layernorm()
    yield "normalize", [(6, 9)], lambda x: x.normalize()
    yield "sort!", [(4, 9)], lambda x: x.sort(dim=1)[0]
    yield "topk!", [(4, 9)], lambda x: x.topk(3)[0]


def products():
    yield "matmul", [(9, 17), (17, 5)], lambda x, y: x @ y
    yield "matmul_batched", [(3, 4, 7), (3, 7, 5)], lambda x, y: x @ y
    yield "matmul_broadcast", [(2, 1, 4, 7), (3, 7, 5)], lambda x, y: x @ y
    yield "matmul_vector", [(9, 17), (17,)], lambda x, y: x @ y
    yield "vector_matmul", [(17,), (17, 5)], lambda x, y: x @ y
    yield "inner", [(17,), (17,)], lambda x, y: x @ y
    yield "outer", [(7,), (5,)], lambda x, y: x.reshape(7, 1) @ y.reshape(1, 5)
    yield "matmul_transposed", [(9, 17), (5, 17)], lambda x, y: x @ y.transpose()
    yield "linear", [(4, 9), (9, 6), (6,)], lambda x, w, b: x.linear(w, b)
    yield "einsum", [(3, 4, 5), (4, 6, 3)], lambda x, y: Tensor.einsum("abc,bda->dc", x, y)
    yield "attention", [(2, 3, 6, 8), (2, 3, 6, 8), (2, 3, 6, 8)], lambda q, k, v: q.scaled_dot_product_attention(k, v)
    yield "attention_causal", [(1, 2, 6, 8), (1, 2, 6, 8), (1, 2, 6, 8)], lambda q, k, v: q.scaled_dot_product_attention(
        k, v, is_causal=True)
    yield "conv2d", [(2, 3, 7, 7), (4, 3, 3, 3)], lambda x, w: x.conv2d(w)
    yield "conv2d_padded", [(1, 3, 7, 7), (4, 3, 3, 3), (4,)], lambda x, w, b: x.conv2d(w, b, padding=1, stride=2)
    yield "conv2d_grouped", [(1, 4, 6, 6), (4, 2, 3, 3)], lambda x, w: x.conv2d(w, groups=2)
    yield "conv2d_depthwise", [(1, 4, 6, 6), (4, 1, 3, 3)], lambda x, w: x.conv2d(w, groups=4, dilation=2)
    yield "conv1d", [(2, 3, 11), (4, 3, 5)], lambda x, w: x.conv2d(w)
    yield "conv_transpose2d", [(1, 3, 5, 5), (3, 2, 3, 3)], lambda x, w: x.conv_transpose2d(w, stride=2)
    yield "max_pool2d", [(1, 2, 6, 6)], lambda x: x.max_pool2d(2)
    yield "avg_pool2d", [(1, 2, 7, 7)], lambda x: x.avg_pool2d(3, stride=2, padding=1)


def movements():
    yield "reshape_permute", [(3, 4, 5)], lambda x: x.permute(2, 0, 1).reshape(10, 6)
    yield "expand", [(3, 1, 5)], lambda x: x.expand(3, 4, 5)
    yield "slices", [(6, 8)], lambda x: x[1:5, ::2]
    yield "slices_backwards", [(6, 8)], lambda x: x[::-1, 5:1:-2]
    yield "pad", [(3, 4)], lambda x: x.pad(((1, 2), (0, 3)))
    yield "pad_value", [(3, 4)], lambda x: x.pad(((1, 2), (0, 3)), value=2.5)
    yield "pad_reflect", [(1, 1, 4, 5)], lambda x: x.pad((1, 2, 1, 1), mode="reflect")
    yield "flip", [(3, 4)], lambda x: x.flip((0, 1))
    yield "roll", [(3, 4)], lambda x: x.roll(2, 1)
    yield "cat", [(3, 4), (2, 4)], lambda x, y: x.cat(y)
    yield "stack", [(3, 4), (3, 4)], lambda x, y: x.stack(y, dim=1)
    yield "repeat", [(3, 4)], lambda x: x.repeat((2, 3))
    yield "split", [(7, 4)], lambda x: x.split(3)[1] * 2
    yield "chunk", [(8, 4)], lambda x: x.chunk(4)[2]
    yield "tril", [(5, 6)], lambda x: x.tril(1)
    yield "triu", [(5, 6)], lambda x: x.triu(-1)
    yield "gather", [(5, 6)], lambda x: x.gather(1, Tensor([[0, 5], [3, 3], [1, 2], [0, 0], [4, 1]], device=x.device))
    yield "index", [(9, 6)], lambda x: x[Tensor([3, 7, 0, 8], device=x.device)]
    yield "index_both", [(9, 6)], lambda x: x[Tensor([3, 7], device=x.device), Tensor([1, 5], device=x.device)]
    yield "masked_fill", [(5, 6)], lambda x: x.masked_fill(x > 0.5, -1)
    yield "one_hot!", [(4,)], lambda x: (x.abs() * 3).cast(dtypes.int32).one_hot(10)
    yield "interpolate", [(1, 2, 4, 4)], lambda x: x.interpolate((8, 8), mode="linear")
    yield "meshgrid", [(3,), (4,)], lambda x, y: x.meshgrid(y)[0] * 2
    yield "diagonal", [(5, 5)], lambda x: x.diagonal()
    yield "unfold", [(8,)], lambda x: x.unfold(0, 3, 2)
    yield "empty", [(3, 0)], lambda x: x.sum(axis=1)
    yield "empty_cat", [(3, 0), (3, 2)], lambda x, y: x.cat(y, dim=1)


def losses():
    yield "cross_entropy", [(6, 9)], lambda x: x.cross_entropy(Tensor([0, 3, 8, 2, 2, 1], device=x.device))
    yield "sparse_cross_entropy", [(6, 9)], lambda x: x.sparse_categorical_crossentropy(
        Tensor([0, 3, 8, 2, 2, 1], device=x.device))
    yield "binary_cross_entropy", [(6, 9)], lambda x: x.sigmoid().binary_crossentropy(
        Tensor.ones(6, 9, device=x.device) * 0.3)
    yield "nll_loss", [(6, 9)], lambda x: x.log_softmax().nll_loss(Tensor([0, 3, 8, 2, 2, 1], device=x.device))


def all_operations():
    for group in (unary, binary, reductions, products, movements, losses):
        yield from group()
