"""Products, and functions of jax.lax beyond single elements."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from cases import case


def products():
    table = {
        "matmul": ["f[3,4] f[4,5]", "f[4] f[4]", "f[2,3,4] f[2,4,5]", "f[2,3,4] f[4]", "f[3,0] f[0,2]",
                   "i[3,4] i[4,5]", "h[3,4] h[4,5]", "y[3,4] y[4,5]", "f[1,1] f[1,1]", "f[17,33] f[33,9]",
                   "f[2,1,3,4] f[5,4,2]", "b[3,4] b[4,3]"],
        "dot": ["f[3] f[3]", "f[] f[3]", "f[2,3] f[4,3,5]", "i[3] i[3]", "f[0] f[0]"],
        "inner": ["f[3,4] f[2,4]"], "outer": ["f[3] f[4]", "i[2] i[3]"],
        "vdot": ["f[3,4] f[3,4]"], "vecdot": ["f[3,4] f[3,4]"], "matvec": ["f[3,4] f[4]"],
        "vecmat": ["f[3] f[3,4]"], "cross": ["f[5,3] f[5,3]"], "convolve": ["f[7] f[3]"],
        "correlate": ["f[7] f[3]"],
    }
    for name, lines in table.items():
        for words in lines:
            yield case(f"jnp.{name}", words, getattr(jnp, name))
    for axes in (0, 1, 2, ((0,), (1,))):
        yield case("jnp.tensordot", "f[3,3] f[3,3]", lambda x, y, a=axes: jnp.tensordot(x, y, a))
    for text, words in (("ij,jk->ik", "f[3,4] f[4,5]"), ("bij,bjk->bik", "f[2,3,4] f[2,4,5]"),
                        ("bqhd,bkhd->bhqk", "f[2,3,2,4] f[2,5,2,4]"), ("ii->i", "f[4,4]"),
                        ("ii", "f[4,4]"), ("ij->ji", "f[3,4]"), ("i,j->ij", "f[3] f[4]"),
                        ("abcd,cde->abe", "f[2,3,4,5] f[4,5,6]"), ("ijk->", "f[2,3,4]"),
                        ("ab,bc,cd->ad", "f[2,3] f[3,4] f[4,5]"), ("...ij,...jk->...ik", "f[2,3,4] f[1,4,2]")):
        yield case(f"jnp.einsum/{text}", words, lambda *v, t=text: jnp.einsum(t, *v))
    polynomials = {"poly": "f[3]", "polyadd": "f[3] f[2]", "polysub": "f[3] f[2]", "polymul": "f[3] f[2]",
                   "polyder": "f[4]", "polyint": "f[4]", "polyval": "f[4] f[5]", "vander": "f[4]"}
    for name, words in polynomials.items():
        yield case(f"jnp.{name}", words, getattr(jnp, name))
    yield case("jnp.polyfit", "f[9] f[9]", lambda x, y: jnp.polyfit(x, y, 2))


def convolutions():
    def convolve(**options):
        return lambda x, w: lax.conv_general_dilated(x, w, **options)

    one = dict(window_strides=(1, 1), padding="SAME")
    last = dict(dimension_numbers=("NHWC", "HWIO", "NHWC"))
    for number, (words, options) in enumerate((
            ("f[2,3,9,10] f[4,3,3,3]", one),
            ("f[2,3,9,10] f[4,3,3,2]", dict(window_strides=(2, 1), padding="VALID")),
            ("f[1,2,7,7] f[3,2,2,2]", dict(one, rhs_dilation=(2, 3))),
            ("f[1,2,5,5] f[3,2,3,3]", dict(one, padding=((1, 2), (0, 1)), lhs_dilation=(2, 2))),
            ("f[2,4,6,6] f[6,2,3,3]", dict(one, feature_group_count=2)),
            ("f[4,2,6,6] f[4,2,3,3]", dict(one, batch_group_count=2)),
            ("f[2,6,6,3] f[3,3,3,4]", dict(one, **last)),
            ("h[1,2,6,6] h[3,2,3,3]", one), ("f[1,2,3,3] f[3,2,5,5]", dict(one, padding="VALID")),
            ("f[2,0,6,6] f[3,0,3,3]", one),
            ("f[2,3,8] f[4,3,3]", dict(window_strides=(2,), padding="SAME")),
            ("f[1,2,4,5,6] f[3,2,2,2,2]", dict(window_strides=(1, 2, 1), padding="VALID")))):
        yield case(f"lax.conv_general_dilated/{number}", words, convolve(**options))
    yield case("lax.conv", "f[2,3,9,10] f[4,3,3,3]", lambda x, w: lax.conv(x, w, (1, 2), "SAME"))
    yield case("lax.conv_with_general_padding", "f[2,3,9,10] f[4,3,3,3]", lambda x, w:
               lax.conv_with_general_padding(x, w, (1, 1), ((1, 1), (0, 2)), None, None))
    yield case("lax.conv_transpose", "f[2,5,5,3] f[3,3,3,4]", lambda x, w: lax.conv_transpose(
        x, w, (2, 2), "SAME"))
    yield case("lax.conv_general_dilated_patches", "f[2,3,7,7]", lambda x:
               lax.conv_general_dilated_patches(x, (3, 3), (1, 1), "SAME"))
    yield case("lax.conv_general_dilated_local", "f[1,2,5,5] f[3,18,3,3]", lambda x, w:
               lax.conv_general_dilated_local(x, w, (1, 1), "VALID", (3, 3)))


def moving():
    table = {
        "broadcast": ("f[3]", lambda x: lax.broadcast(x, (2, 4))),
        "broadcast_in_dim": ("f[3]", lambda x: lax.broadcast_in_dim(x, (2, 3, 4), (1,))),
        "broadcast_to_rank": ("f[3]", lambda x: lax.broadcast_to_rank(x, 3)),
        "broadcasted_iota": ("f[3]", lambda x: x + lax.broadcasted_iota(jnp.float32, (2, 3), 1)),
        "iota": ("i[7]", lambda x: x + lax.iota(jnp.int32, 7)),
        "collapse": ("f[2,3,4]", lambda x: lax.collapse(x, 0, 2)),
        "concatenate": ("f[2,3] f[2,1]", lambda x, y: lax.concatenate([x, y], 1)),
        "stack": ("f[2,3] f[2,3]", lambda x, y: lax.stack([x, y])),
        "unstack": ("f[2,3]", lax.unstack), "tile": ("f[2,3]", lambda x: lax.tile(x, (2, 2))),
        "expand_dims": ("f[3]", lambda x: lax.expand_dims(x, (0, 2))),
        "squeeze": ("f[1,3,1]", lambda x: lax.squeeze(x, (0, 2))),
        "reshape": ("f[3,4]", lambda x: lax.reshape(x, (2, 6))),
        "transpose": ("f[2,3,4]", lambda x: lax.transpose(x, (2, 0, 1))),
        "rev": ("f[2,3,4]", lambda x: lax.rev(x, (0, 2))),
        "pad": ("f[3,4] f[]", lambda x, v: lax.pad(x, v, ((1, 2, 1), (-1, 3, 0)))),
        "slice": ("f[6,7]", lambda x: lax.slice(x, (1, 2), (5, 7), (2, 3))),
        "slice_in_dim": ("f[6,7]", lambda x: lax.slice_in_dim(x, 1, 5, 2, 1)),
        "split": ("f[6]", lambda x: lax.split(x, (2, 0, 4))),
        "index_in_dim": ("f[6,7]", lambda x: lax.index_in_dim(x, 2)),
        "index_take": ("f[6,7] i[3]<6", lambda x, i: lax.index_take(x, (i,), (0,))),
        "dynamic_slice": ("f[6,7] i[] i[]", lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3))),
        "dynamic_slice_in_dim": ("f[6,7] i[]", lambda x, i: lax.dynamic_slice_in_dim(x, i, 3)),
        "dynamic_index_in_dim": ("f[6,7] i[]", lambda x, i: lax.dynamic_index_in_dim(x, i)),
        "dynamic_update_slice": ("f[6,7] f[2,3] i[]", lambda x, y, i: lax.dynamic_update_slice(x, y, (i, i))),
        "dynamic_update_slice_in_dim": ("f[6,7] f[2,7] i[]", lambda x, y, i:
                                        lax.dynamic_update_slice_in_dim(x, y, i, 0)),
        "dynamic_update_index_in_dim": ("f[6,7] f[7] i[]", lambda x, y, i:
                                        lax.dynamic_update_index_in_dim(x, y, i, 0)),
        "select": ("b[3] f[3] f[3]", lax.select),
        "select_n": ("i[5]<3 f[5] f[5] f[5]", lax.select_n),
        "clamp": ("f[] f[7] f[]", lax.clamp), "full": ("f[2]", lambda x: x + lax.full((2,), 3.0)),
        "full_like": ("f[2]", lambda x: lax.full_like(x, 4)), "broadcast_like": ("f[3] f[2,3]", lax.broadcast_like),
        "convert_element_type": ("f[7]", lambda x: lax.convert_element_type(x, jnp.int8)),
        "bitcast_convert_type": ("f[7]", lambda x: lax.bitcast_convert_type(x, jnp.uint8)),
        "reduce_precision": ("f[9]", lambda x: lax.reduce_precision(x, 5, 10)),
        "integer_pow": ("f[7]", lambda x: lax.integer_pow(x, -3)),
        "sort": ("f[3,9]", lax.sort), "sort_key_val": ("i[9] f[9]", lax.sort_key_val),
        "top_k": ("f[3,9]", lambda x: lax.top_k(x, 3)), "optimization_barrier": ("f[3]", lax.optimization_barrier),
        "approx_max_k": ("f[3,9]", lambda x: lax.approx_max_k(x, 3)),
        "approx_min_k": ("f[3,9]", lambda x: lax.approx_min_k(x, 3)),
        "batch_matmul": ("f[2,3,4] f[2,4,5]", lax.batch_matmul),
        "dot": ("f[3,4] f[4,5]", lax.dot),
        "dot_general": ("f[2,3,4,5] f[5,2,4]", lambda x, y: lax.dot_general(x, y, (((2, 3), (2, 0)), ((0,), (1,))))),
        "ragged_dot": ("f[6,4] f[2,4,5]", lambda x, y: lax.ragged_dot(x, y, jnp.array([2, 4]))),
        "argmax": ("f[3,4]", lambda x: lax.argmax(x, 1, jnp.int32)),
        "argmin": ("s[12]", lambda x: lax.argmin(x, 0, jnp.int32)),
        "composite": ("f[3]", lax.composite(lambda x: x * 2, "own.double")),
    }
    for name, entry in table.items():
        if entry:
            yield case(f"lax.{name}", *entry)
    for kind in ("h", "i", "u", "c", "y", "b"):
        yield case("lax.convert_element_type/kinds", f"{kind}[7]", lambda x: [
            x.astype(t) for t in (jnp.float32, jnp.bfloat16, jnp.int32, jnp.uint32, jnp.int8,
                                  jnp.uint8, bool)])
    for name in "sum max min prod and or xor".split():
        kind = "i" if name in ("and", "or", "xor") else "f"
        for axes in ((0,), (1, 2), (0, 1, 2)):
            yield case(f"lax.reduce_{name}/{axes}", f"{kind}[2,3,5]", lambda x, n=name, a=axes:
                       getattr(lax, f"reduce_{n}")(x, a))
    for name in "cumsum cumprod cummax cummin cumlogsumexp".split():
        for words, reverse in (("f[9]", False), ("f[3,4]", True), ("f[0]", False)):
            yield case(f"lax.{name}", words, lambda x, n=name, r=reverse: getattr(lax, n)(x, 0, r))
    yield case("lax.reduce", "f[3,4] f[]", lambda x, v: lax.reduce(x, v, lambda a, b: a * 0.5 + b, (1,)))
    for name, start in (("max", -jnp.inf), ("min", jnp.inf), ("add", 0.0), ("mul", 1.0)):
        for number, (size, stride, padding) in enumerate((((2, 3), (1, 1), "SAME"), ((3, 2), (2, 2), "VALID"),
                                                          ((1, 4), (3, 1), ((0, 0), (2, 1))))):
            yield case(f"lax.reduce_window/{name}{number}", "f[7,9]", lambda x, n=name, s=start, w=size, t=stride,
                       p=padding: lax.reduce_window(x, s, getattr(lax, n), w, t, p))
    yield case("lax.reduce_window/dilated", "f[7,9]", lambda x: lax.reduce_window(
        x, 0.0, lax.add, (2, 2), (1, 1), "VALID", base_dilation=(2, 1), window_dilation=(1, 3)))


def indexing():
    numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    yield case("lax.gather", "f[6,7] i[4,1]<9", lambda x, i: lax.gather(x, i, numbers, (1, 5)))
    yield case("lax.gather/fill", "f[6,7] i[4,1]<9", lambda x, i: lax.gather(
        x, i, numbers, (1, 7), mode="fill", fill_value=-1))
    into = lax.ScatterDimensionNumbers((1,), (0,), (0,))
    for name in "scatter scatter_add scatter_mul scatter_min scatter_max scatter_sub".split():
        for mode in ("drop", "clip"):
            unique = name == "scatter"
            yield case(f"lax.{name}/{mode}", "f[9,4] f[3,4]", lambda x, u, n=name, m=mode: getattr(lax, n)(
                x, jnp.array([[2], [5], [10 if unique else 2]]), u, into, mode=m))
    yield case("lax.scatter_apply", "f[9,4]", lambda x: lax.scatter_apply(
        x, jnp.array([[2], [5]]), lambda v: v * 2, into, update_shape=(2, 4)))


def control():
    yield case("lax.cond", "i[] f[5]", lambda p, x: lax.cond(p > 0, jnp.sin, jnp.cos, x))
    yield case("lax.switch", "i[]<3 f[5]", lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x))
    yield case("lax.fori_loop", "f[5] i[]<9", lambda x, n: lax.fori_loop(0, n, lambda i, v: v * 0.5 + i, x))
    yield case("lax.while_loop", "f[5]", lambda x: lax.while_loop(
        lambda s: jnp.sum(jnp.abs(s)) > 1, lambda s: s * 0.5, x))
    yield case("lax.scan", "f[] f[6]", lambda c, x: lax.scan(lambda s, v: (s + v, s * v), c, x))
    yield case("lax.scan/reverse", "f[2] f[6,2]", lambda c, x: lax.scan(
        lambda s, v: (s + v, (s, v * 2)), c, x, reverse=True, unroll=2))
    yield case("lax.map", "f[6]", lambda x: lax.map(lambda v: v * v, x))
    yield case("lax.associative_scan", "f[9]", lambda x: lax.associative_scan(jnp.multiply, x))
    yield case("lax.custom_root", "p[]", lambda a: lax.custom_root(
        lambda x: x * x - a, 1.0, lambda f, x: lax.fori_loop(0, 12, lambda _, y: 0.5 * (y + a / y), x),
        lambda g, y: y / g(1.0)))
    yield case("lax.custom_linear_solve", "p[]", lambda a: lax.custom_linear_solve(
        lambda x: a * x, 3.0, lambda mv, b: b / a))
    yield case("lax.platform_dependent", "f[3]", lambda x: lax.platform_dependent(
        x, default=jnp.sin))


def all_cases():
    for group in (products, convolutions, moving, indexing, control):
        yield from group()
