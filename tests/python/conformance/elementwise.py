"""Functions of single elements, over shapes and types, and pairs of shapes that broadcast."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import FEW, SHAPES, case, shape_text

# Name and contents of its arguments (see cases.py), for each kind.
NUMPY_UNARY = {
    "abs absolute negative positive sign square": "f h i c",
    "fabs ceil floor rint round around trunc isfinite isinf isnan isneginf isposinf signbit": "f h s",
    "fix deg2rad degrees rad2deg radians nan_to_num real imag conj conjugate": "f",
    "cos sin tanh arctan atan sinh cosh arcsinh asinh exp expm1 exp2 sinc cbrt i0": "f h",
    "tan": "f",
    "log log2 log10 log1p sqrt reciprocal": "p h",
    "arcsin asin arccos acos arctanh atanh": "z",
    "arccosh acosh": "q",
    "invert bitwise_not bitwise_invert": "i u b c",
    "bitwise_count": "i u",
    "logical_not isreal iscomplex": "f i b",
    "modf frexp": "f",
    "spacing": "p",
}
NUMPY_BINARY = {
    "add subtract multiply maximum minimum equal not_equal less less_equal greater greater_equal":
        "f h i u b",
    "divide true_divide arctan2 atan2 hypot copysign logaddexp logaddexp2 heaviside nextafter": "f",
    "fmax fmin": "f s i",
    "floor_divide mod remainder fmod divmod": "f i u",
    "bitwise_and bitwise_or bitwise_xor": "i u b",
    "logical_and logical_or logical_xor": "f i b",
    "left_shift right_shift bitwise_left_shift bitwise_right_shift": "n",
    "gcd lcm": "i",
    "power float_power pow": "e",
    "isclose array_equal array_equiv allclose": "f s",
    "ldexp": "l",
}
LAX_UNARY = {
    "abs neg sign": "f h i c",
    "ceil floor round is_finite": "f s",
    "cos sin tanh atan sinh cosh asinh exp expm1 exp2 erf erfc cbrt logistic bessel_i0e bessel_i1e":
        "f h",
    "tan square stop_gradient": "f",
    "log log1p sqrt rsqrt reciprocal lgamma digamma": "p",
    "asin acos atanh erf_inv": "z",
    "acosh": "q",
    "bitwise_not clz population_count": "i u c y",
    "real imag conj": "",
}
LAX_BINARY = {
    "add sub mul max min eq ne lt le gt ge": "f h i u",
    "div rem": "f i u",
    "atan2 nextafter": "f",
    "pow": "e",
    "bitwise_and bitwise_or bitwise_xor": "i u b y",
    "shift_left shift_right_logical shift_right_arithmetic": "n",
    "mulhi": "u",
    "igamma igammac zeta polygamma igamma_grad_a random_gamma_grad": "pp",
}
BROADCASTING = (((3, 1), (1, 4)), ((4,), (3, 4)), ((), (2, 3)), ((2, 1, 3), (5, 1)),
                ((2, 0, 3), (1, 3)), ((1, 2, 1, 3, 1), (2, 1, 1, 1, 4)))


def unary(module, prefix, names, kinds):
    for name in names.split():
        for kind in kinds.split():
            for shape in SHAPES if kind in "fpz" else FEW:
                letter = "p" if kind == "q" else kind
                function = getattr(module, name)
                if kind == "q":
                    chosen = lambda x, function=function: function(x + 1)
                else:
                    chosen = function
                yield case(f"{prefix}.{name}", letter + shape_text(shape), chosen)


def binary_words(kind, left, right):
    """Arguments of two shapes: exponents, shift distances and the like have types of their own."""
    pair = {"n": "iy"[0] + "i", "e": "pf", "l": "fi", "pp": "pp"}.get(kind, kind * 2)
    bound = "<31" if kind == "n" else ""
    return f"{pair[0]}{shape_text(left)} {pair[1]}{shape_text(right)}{bound}"


def binary(module, prefix, names, kinds, broadcasting):
    for name in names.split():
        for kind in kinds.split():
            for shape in FEW:
                yield case(f"{prefix}.{name}", binary_words(kind, shape, shape),
                           getattr(module, name))
            for left, right in BROADCASTING if broadcasting else ():
                yield case(f"{prefix}.{name}", binary_words(kind, left, right),
                           getattr(module, name))


def all_cases():
    for names, kinds in NUMPY_UNARY.items():
        names = " ".join(name for name in names.split() if hasattr(jnp, name))
        yield from unary(jnp, "jnp", names, kinds)
    for names, kinds in LAX_UNARY.items():
        yield from unary(lax, "lax", names, kinds)
    for names, kinds in NUMPY_BINARY.items():
        whole = "allclose" in names or "array_equal" in names
        yield from binary(jnp, "jnp", names, kinds, broadcasting=not whole)
    for names, kinds in LAX_BINARY.items():
        yield from binary(lax, "lax", names, kinds, broadcasting=False)
    for name in ("celu elu gelu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu "
                 "log_sigmoid mish relu relu6 selu sigmoid silu soft_sign softplus sparse_plus "
                 "sparse_sigmoid squareplus swish tanh").split():
        for words in ("f[]", "f[7]", "f[3,4]", "h[5]", "f[0]", "f[2,1,3,2,2]"):
            yield case(f"nn.{name}", words, getattr(jax.nn, name))
    yield case("nn.log1mexp", "p[7]", jax.nn.log1mexp)
    for words in ("z[3,4] z[3,4] z[3,4]", "p[5] p[5] z[5]"):
        yield case("lax.betainc", words, lax.betainc)
