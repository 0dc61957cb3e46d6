"""jax.numpy: functions that move, choose and reduce."""

import jax.numpy as jnp
import numpy as np

from cases import case

REDUCTIONS = ("sum prod max min mean var std amax amin median ptp nansum nanprod nanmax nanmin "
              "nanmean nanvar nanstd nanmedian").split()
TRUTHS = "all any count_nonzero argmax argmin nanargmax nanargmin".split()
SCANS = "cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod".split()


def reductions():
    for name in REDUCTIONS + TRUTHS:
        function = getattr(jnp, name)
        for words, axis in (("f[7]", None), ("f[3,4]", 0), ("f[3,4]", 1), ("f[3,4]", None),
                            ("f[2,3,5]", -1), ("f[9,130]", 1), ("i[3,4]", 0), ("h[3,4]", 1),
                            ("f[2,1,3,2,2]", 2), ("s[3,4]", 1)):
            if words == "i[3,4]" and name.startswith("nan"):
                continue
            yield case(f"jnp.{name}", f"{words}", lambda x, f=function, a=axis: f(x, axis=a))
        yield case(f"jnp.{name}/keepdims", "f[3,4]",
                   lambda x, f=function: f(x, axis=1, keepdims=True))
    for name in "sum prod all any max mean".split():
        function = getattr(jnp, name)
        axes = {"max": 1}.get(name, (0, 2))
        yield case(f"jnp.{name}/empty", "f[2,3,0]" if name != "max" else "f[0,3]",
                   lambda x, f=function, a=axes: f(x, axis=a))
        yield case(f"jnp.{name}/where", "f[3,4] b[3,4]", lambda x, w, f=function, n=name: f(
            x, axis=0, where=w, **({"initial": -1.0} if n == "max" else {})))
    for name in SCANS:
        for words in ("f[7]", "f[130]", "i[6]"):
            yield case(f"jnp.{name}", words, getattr(jnp, name))
        yield case(f"jnp.{name}/axis", "f[3,4]", lambda x, n=name: getattr(jnp, n)(x, axis=0))
    for name in "quantile percentile nanquantile nanpercentile".split():
        scale = 100 if "percent" in name else 1
        yield case(f"jnp.{name}", "f[3,9]", lambda x, n=name, s=scale: getattr(jnp, n)(
            x, jnp.array([0.1 * s, 0.5 * s, 0.9 * s]), axis=1))
    yield case("jnp.average", "f[3,4] p[4]", lambda x, w: jnp.average(x, axis=1, weights=w))
    yield case("jnp.cov", "f[3,8]", jnp.cov)
    yield case("jnp.corrcoef", "f[3,8]", jnp.corrcoef)
    yield case("jnp.trapezoid", "f[3,8]", jnp.trapezoid)


def shapes():
    table = {
        "reshape": [("f[3,4]", lambda x: jnp.reshape(x, (2, 6))), ("f[0,4]", lambda x: x.reshape(2, 0)),
                    ("f[1]", lambda x: x.reshape(())), ("h[2,3,4]", lambda x: x.reshape(-1))],
        "ravel": [("f[2,3,4]", jnp.ravel), ("f[]", jnp.ravel)],
        "transpose": [("f[3,4]", jnp.transpose), ("f[2,3,4,5]", lambda x: x.transpose(3, 1, 0, 2)),
                      ("b[3,4]", jnp.transpose), ("f[2,0,3]", jnp.transpose)],
        "matrix_transpose": [("f[2,3,4]", jnp.matrix_transpose)],
        "permute_dims": [("f[2,3,4]", lambda x: jnp.permute_dims(x, (2, 0, 1)))],
        "swapaxes": [("f[2,3,4]", lambda x: jnp.swapaxes(x, 0, 2))],
        "moveaxis": [("f[2,3,4]", lambda x: jnp.moveaxis(x, 0, -1))],
        "rollaxis": [("f[2,3,4]", lambda x: jnp.rollaxis(x, 2))],
        "expand_dims": [("f[3,4]", lambda x: jnp.expand_dims(x, (0, 2)))],
        "squeeze": [("f[1,3,1]", jnp.squeeze)],
        "broadcast_to": [("f[3,1]", lambda x: jnp.broadcast_to(x, (2, 3, 4)))],
        "broadcast_arrays": [("f[3,1] f[4]", jnp.broadcast_arrays)],
        "concatenate": [("f[3,4] f[2,4]", lambda x, y: jnp.concatenate([x, y])),
                        ("f[3,4] i[3,0]", lambda x, y: jnp.concatenate([x, y], axis=1))],
        "concat": [("i[3] i[4]", lambda x, y: jnp.concat([x, y]))],
        "stack": [("f[3,4] f[3,4]", lambda x, y: jnp.stack([x, y], axis=1))],
        "hstack": [("f[3,4] f[3,1]", lambda x, y: jnp.hstack([x, y]))],
        "vstack": [("f[4] f[4]", lambda x, y: jnp.vstack([x, y]))],
        "dstack": [("f[3,4] f[3,4]", lambda x, y: jnp.dstack([x, y]))],
        "column_stack": [("f[4] f[4]", lambda x, y: jnp.column_stack([x, y]))],
        "block": [("f[2,2] f[2,3]", lambda x, y: jnp.block([[x, y], [y, x]]))],
        "append": [("f[3] f[2]", jnp.append)],
        "split": [("f[6,4]", lambda x: jnp.split(x, 3)), ("f[7]", lambda x: jnp.split(x, [2, 2, 5]))],
        "array_split": [("f[7]", lambda x: jnp.array_split(x, 3))],
        "hsplit": [("f[3,4]", lambda x: jnp.hsplit(x, 2))],
        "vsplit": [("f[4,3]", lambda x: jnp.vsplit(x, 2))],
        "dsplit": [("f[2,3,4]", lambda x: jnp.dsplit(x, 2))],
        "unstack": [("f[3,4]", jnp.unstack)],
        "tile": [("f[3,4]", lambda x: jnp.tile(x, (2, 1, 3)))],
        "repeat": [("f[3,4]", lambda x: jnp.repeat(x, 2, axis=1)),
                   ("f[3]", lambda x: jnp.repeat(x, np.array([1, 0, 2])))],
        "roll": [("f[3,4]", lambda x: jnp.roll(x, 1, axis=0)), ("f[7]", lambda x: jnp.roll(x, -3)),
                 ("f[3,4] i[]", lambda x, n: jnp.roll(x, n, axis=1))],
        "flip": [("f[3,4]", jnp.flip), ("f[2,3,4]", lambda x: jnp.flip(x, 1))],
        "fliplr": [("f[3,4]", jnp.fliplr)], "flipud": [("f[3,4]", jnp.flipud)],
        "rot90": [("f[3,4]", jnp.rot90), ("f[3,4]", lambda x: jnp.rot90(x, 3))],
        "pad": [("f[3,4]", lambda x, m=m: jnp.pad(x, ((1, 2), (0, 3)), mode=m)) for m in
                ("constant", "edge", "reflect", "symmetric", "wrap", "maximum", "mean",
                 "linear_ramp")],
        "atleast_1d": [("f[]", jnp.atleast_1d)], "atleast_2d": [("f[3]", jnp.atleast_2d)],
        "atleast_3d": [("f[3,4]", jnp.atleast_3d)],
        "diag": [("f[4]", jnp.diag), ("f[3,4]", lambda x: jnp.diag(x, 1))],
        "diagflat": [("f[2,2]", jnp.diagflat)],
        "diagonal": [("f[3,4]", jnp.diagonal), ("f[2,3,4]", lambda x: jnp.diagonal(x, 1, 1, 2))],
        "trace": [("f[3,4]", jnp.trace)],
        "tril": [("f[3,4]", jnp.tril), ("f[2,3,3]", lambda x: jnp.tril(x, 1))],
        "triu": [("f[3,4]", jnp.triu)],
        "fill_diagonal": [("f[3,4]", lambda x: jnp.fill_diagonal(x, 9.0, inplace=False))],
        "insert": [("f[5]", lambda x: jnp.insert(x, 2, 9.0))],
        "delete": [("f[5]", lambda x: jnp.delete(x, 2))],
        "resize": [("f[3]", lambda x: jnp.resize(x, (2, 4)))],
        "trim_zeros": [], "kron": [("f[2,3] f[3,2]", jnp.kron)],
        "meshgrid": [("f[3] f[4]", jnp.meshgrid)],
        "ix_": [("i[3] i[2]", jnp.ix_)],
        "apply_along_axis": [("f[3,4]", lambda x: jnp.apply_along_axis(jnp.cumsum, 1, x))],
        "apply_over_axes": [("f[3,4]", lambda x: jnp.apply_over_axes(jnp.sum, x, [0]))],
        "vectorize": [("f[3] f[3]", jnp.vectorize(lambda a, b: a * b))],
        "piecewise": [("f[7]", lambda x: jnp.piecewise(x, [x < 0, x > 1], [-1.0, 1.0, 0.0]))],
        "astype": [("f[7]", lambda x: jnp.astype(x, jnp.int32)), ("f[7]", lambda x: x.astype(bool)),
                   ("i[7]", lambda x: x.astype(jnp.bfloat16)), ("f[7]", lambda x: x.astype(jnp.float16)
                                                               .astype(jnp.float32))],
        "copy": [("f[3]", jnp.copy)], "array": [("f[3]", jnp.array)], "asarray": [("i[3]", jnp.asarray)],
        "flatnonzero": [("f[5]", lambda x: jnp.flatnonzero(x > 0, size=5, fill_value=-1))],
        "nonzero": [("i[3,4]<2", lambda x: jnp.nonzero(x, size=7, fill_value=0))],
        "argwhere": [("i[3,4]<2", lambda x: jnp.argwhere(x, size=7))],
    }
    for name, entries in table.items():
        for number, (words, function) in enumerate(entries):
            yield case(f"jnp.{name}/{number}" if number else f"jnp.{name}", words, function)


def choosing():
    table = {
        "where": [("b[3,4] f[3,4] f[4]", jnp.where), ("b[] i[3] i[3]", jnp.where)],
        "select": [("f[7]", lambda x: jnp.select([x < 0, x > 1], [x, x * 2], 5.0))],
        "choose": [("i[5]<3 f[3,5]", lambda i, c: jnp.choose(i, list(c), mode="clip"))],
        "clip": [("f[7]", lambda x: jnp.clip(x, -1, 1)), ("i[7] i[7] i[7]", jnp.clip)],
        "take": [("f[5,4] i[3]<5", lambda x, i: jnp.take(x, i, axis=0)),
                 ("f[5,4] i[2,2]<4", lambda x, i: jnp.take(x, i, axis=1, mode="wrap"))],
        "take_along_axis": [("f[5,4] i[2,4]<5", lambda x, i: jnp.take_along_axis(x, i, 0))],
        "put_along_axis": [("f[5,4] i[1,4]<5", lambda x, i: jnp.put_along_axis(x, i, 9.0, 0, inplace=False))],
        "put": [("f[5] i[2]<5", lambda x, i: jnp.put(x, i, 1.0, inplace=False))],
        "place": [("f[5] b[5]", lambda x, m: jnp.place(x, m, jnp.array([1.0, 2.0]), inplace=False))],
        "compress": [("f[5]", lambda x: jnp.compress(np.array([1, 0, 1, 0, 0], bool), x))],
        "extract": [("f[5]", lambda x: jnp.extract(x > 0, x, size=3, fill_value=0))],
        "sort": [("f[7]", jnp.sort), ("f[3,4]", lambda x: jnp.sort(x, axis=0)), ("s[12]", jnp.sort),
                 ("i[9]", lambda x: jnp.sort(x, descending=True)), ("f[2,0,3]", jnp.sort),
                 ("h[8]", jnp.sort), ("b[6]", jnp.sort)],
        "argsort": [("f[9]", jnp.argsort), ("i[3,6]", lambda x: jnp.argsort(x, axis=1)), ("s[12]", jnp.argsort)],
        "lexsort": [("i[6] i[6]", lambda a, b: jnp.lexsort((a, b)))],
        "partition": [("f[9]", lambda x: jnp.sort(jnp.partition(x, 4)[:4]))],
        "argpartition": [("f[9]", lambda x: jnp.sort(x[jnp.argpartition(x, 4)[:4]]))],
        "searchsorted": [("f[9] f[5]", lambda a, v: jnp.searchsorted(jnp.sort(a), v))],
        "digitize": [("f[9]", lambda x: jnp.digitize(x, jnp.array([-1.0, 0.0, 1.0])))],
        "bincount": [("i[9]<5", lambda x: jnp.bincount(x, length=6))],
        "histogram": [("f[20]", lambda x: jnp.histogram(x, bins=4, range=(-2, 2)))],
        "histogram_bin_edges": [("f[20]", lambda x: jnp.histogram_bin_edges(x, 5))],
        "histogram2d": [("f[20] f[20]", lambda x, y: jnp.histogram2d(x, y, bins=3))],
        "histogramdd": [("f[20,2]", lambda x: jnp.histogramdd(x, bins=3)[0])],
        "unique": [("i[9]", lambda x: jnp.unique(x, size=9, fill_value=99))],
        "unique_values": [("i[9]", lambda x: jnp.unique_values(x, size=9))],
        "unique_counts": [("i[9]", lambda x: jnp.unique_counts(x, size=9))],
        "unique_inverse": [("i[9]", lambda x: jnp.unique_inverse(x, size=9))],
        "unique_all": [("i[9]", lambda x: jnp.unique_all(x, size=9))],
        "isin": [("i[9] i[4]", jnp.isin)],
        "intersect1d": [("i[6] i[5]", lambda a, b: jnp.intersect1d(a, b, size=5, fill_value=-1))],
        "union1d": [("i[6] i[5]", lambda a, b: jnp.union1d(a, b, size=11, fill_value=0))],
        "setdiff1d": [("i[6] i[5]", lambda a, b: jnp.setdiff1d(a, b, size=6, fill_value=0))],
        "setxor1d": [("i[6] i[5]", lambda a, b: jnp.setxor1d(a, b, size=11, fill_value=0))],
        "unravel_index": [("i[5]<12", lambda i: jnp.unravel_index(i, (3, 4)))],
        "ravel_multi_index": [("i[5]<3 i[5]<4", lambda i, j: jnp.ravel_multi_index((i, j), (3, 4), mode="clip"))],
        "packbits": [("b[3,9]", lambda x: jnp.packbits(x, axis=1))],
        "unpackbits": [("y[3,4]", lambda x: jnp.unpackbits(x, axis=1))],
        "diff": [("f[7]", jnp.diff), ("f[3,4]", lambda x: jnp.diff(x, n=2, axis=1))],
        "ediff1d": [("f[7]", jnp.ediff1d)], "gradient": [("f[7]", jnp.gradient), ("f[3,4]", jnp.gradient)],
        "interp": [("f[9]", lambda x: jnp.interp(x, jnp.arange(5.0), jnp.arange(5.0) ** 2))],
        "rank": [],
    }
    for name, entries in table.items():
        for number, (words, function) in enumerate(entries):
            yield case(f"jnp.{name}/{number}" if number else f"jnp.{name}", words, function)
    index = {"scalar": lambda x: x[2], "negative": lambda x: x[-1, ::-2], "new": lambda x: x[:, None],
             "list": lambda x: x[jnp.array([0, 4, 2])], "mask": lambda x: jnp.where(x > 0, x, 0)[1:],
             "pairs": lambda x: x[jnp.array([0, 1]), jnp.array([2, 3])], "ellipsis": lambda x: x[..., 1:3],
             "mixed": lambda x: x[jnp.array([[1], [2]]), 1:], "outside": lambda x: x[jnp.array([9, -9])],
             "set": lambda x: x.at[1:3].set(7.0), "add": lambda x: x.at[jnp.array([1, 1, 4])].add(2.0),
             "multiply": lambda x: x.at[jnp.array([0, 2]), 1].mul(3.0), "max": lambda x: x.at[:, 2].max(0.5),
             "min": lambda x: x.at[jnp.array([0, 9])].min(0.0), "apply": lambda x: x.at[1].apply(jnp.sin),
             "drop": lambda x: x.at[jnp.array([7, 1])].set(5.0, mode="drop"),
             "divide": lambda x: x.at[2].divide(3.0), "power": lambda x: x.at[2].power(2.0)}
    for name, function in index.items():
        for words in ("f[5,4]", "i[5,4]", "h[5,4]"):
            if words.startswith("i") and name in ("apply", "divide"):
                continue
            yield case(f"jnp.index/{name}", words, function)


def making():
    table = {
        "arange": [lambda: jnp.arange(7), lambda: jnp.arange(1.0, 9.0, 0.5)],
        "linspace": [lambda: jnp.linspace(0, 1, 7), lambda: jnp.linspace(0, 5, 4, endpoint=False)],
        "logspace": [lambda: jnp.logspace(0, 2, 5)], "geomspace": [lambda: jnp.geomspace(1, 100, 5)],
        "zeros": [lambda: jnp.zeros((3, 4))], "ones": [lambda: jnp.ones((0, 3), bool)],
        "full": [lambda: jnp.full((2, 2), 5)], "empty": [lambda: jnp.empty(3) * 0],
        "eye": [lambda: jnp.eye(3, 4, 1)], "identity": [lambda: jnp.identity(3)],
        "tri": [lambda: jnp.tri(3, 4)], "indices": [lambda: jnp.indices((2, 3))],
        "fromfunction": [lambda: jnp.fromfunction(lambda i, j: i + j, (3, 4))],
        "diag_indices": [lambda: jnp.diag_indices(3)], "tril_indices": [lambda: jnp.tril_indices(3)],
        "triu_indices": [lambda: jnp.triu_indices(3)], "mask_indices": [lambda: jnp.mask_indices(3, jnp.triu, size=6)],
        **{name: [lambda name=name: getattr(jnp, name)(7)] for name in
           ("bartlett", "blackman", "hamming", "hanning")},
        "kaiser": [lambda: jnp.kaiser(7, 3.0)],
    }
    for name, functions in table.items():
        for number, function in enumerate(functions):
            yield case(f"jnp.{name}/{number}", "", function)
    for name in "zeros_like ones_like empty_like".split():
        yield case(f"jnp.{name}", "f[3,4]", lambda x, n=name: getattr(jnp, n)(x) * 0)
    yield case("jnp.full_like", "i[3]", lambda x: jnp.full_like(x, 4))
    for name in "diag_indices_from tril_indices_from triu_indices_from".split():
        yield case(f"jnp.{name}", "f[3,3]", lambda x, n=name: getattr(jnp, n)(x))


def all_cases():
    for group in (reductions, shapes, choosing, making):
        yield from group()
