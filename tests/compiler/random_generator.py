"""Random StableHLO programs, legal by construction, for random_programs.py."""

import random

import numpy as np

DTYPES = {"f32": np.float32, "i32": np.int32, "ui32": np.uint32, "i8": np.int8, "i1": np.bool_}
SIZES = (0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 9, 17)
UNARY = {"f32": ("negate", "abs", "floor", "ceil", "sign", "round_nearest_even"),
         "i32": ("negate", "abs", "not", "sign", "popcnt", "count_leading_zeros"),
         "ui32": ("not", "popcnt", "count_leading_zeros"), "i8": ("negate", "not", "abs", "sign"),
         "i1": ("not",)}
BINARY = {"f32": ("add", "subtract", "multiply", "maximum", "minimum"),
          "i32": ("add", "subtract", "multiply", "maximum", "minimum", "divide", "remainder", "and",
                  "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic"),
          "ui32": ("add", "subtract", "multiply", "maximum", "minimum", "divide", "remainder", "and",
                   "or", "xor", "shift_left", "shift_right_logical"),
          "i8": ("add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor"),
          "i1": ("and", "or", "xor")}
REDUCERS = {"f32": ("add", "maximum", "minimum"), "i32": ("add", "maximum", "minimum", "and", "xor"),
            "ui32": ("add", "maximum", "or"), "i8": ("add", "maximum"), "i1": ("and", "or")}
INEXACT = ("exponential", "tanh", "sine", "cosine", "logistic", "cbrt")


def text_of(kind, shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + kind + ">"


def elements(shape):
    return int(np.prod(shape, dtype=np.int64))


class Value:
    def __init__(self, name, kind, shape):
        self.name, self.kind, self.shape = name, kind, tuple(shape)

    @property
    def type(self):
        return text_of(self.kind, self.shape)


class Generator:
    """Writes one function, a line an operation."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.values, self.count = [], [], 0
        self.arguments = [self.fresh(self.kind(), self.shape())
                          for _ in range(self.random.randint(1, 3))]
        self.values += self.arguments

    # ---- choices
    def kind(self):
        return self.random.choices(list(DTYPES), (5, 3, 1, 1, 1))[0]

    def shape(self):
        rank = self.random.choices((0, 1, 2, 3, 4, 5), (1, 3, 5, 4, 1, 1))[0]
        return tuple(self.random.choice(SIZES if rank < 4 else (1, 2, 3)) for _ in range(rank))

    def some(self, test=lambda value: True):
        fitting = [value for value in self.values if test(value)]
        return self.random.choice(fitting) if fitting else None

    # ---- lines
    def fresh(self, kind, shape):
        self.count += 1
        return Value(f"%v{self.count}", kind, shape)

    def emit(self, kind, shape, text, keep=True):
        value = self.fresh(kind, shape)
        self.lines.append(f"{value.name} = {text}")
        if keep:
            self.values.append(value)
        return value

    def constant(self, kind, shape, number, keep=False):
        literal = {"f32": f"{float(number):e}", "i1": "true" if number else "false"}.get(
            kind, str(int(number)))
        return self.emit(kind, shape, f"stablehlo.constant dense<{literal}> : {text_of(kind, shape)}",
                         keep)

    def apply(self, name, *operands, keep=True):
        first = operands[0]
        names = ", ".join(value.name for value in operands)
        return self.emit(first.kind, first.shape, f"stablehlo.{name} {names} : {first.type}", keep)

    def limited(self, value):
        """Reals that stay small: the next operation on them is exact."""
        if value.kind != "f32":
            self.values.append(value)
            return value
        low, high = (self.constant("f32", value.shape, n) for n in (-16, 16))
        near = self.apply("minimum", self.apply("maximum", value, low, keep=False), high, keep=False)
        four = self.constant("f32", value.shape, 4)
        quarter = self.constant("f32", value.shape, 0.25)
        whole = self.apply("floor", self.apply("multiply", near, four, keep=False), keep=False)
        return self.apply("multiply", whole, quarter)

    def same(self, value):
        """Another value of the same type."""
        other = self.some(lambda v: v.type == value.type)
        if other is not None and self.random.random() < 0.7:
            return other
        return self.constant(value.kind, value.shape, self.random.randint(0, 5))

    # ---- operations
    def unary(self):
        value = self.some()
        self.apply(self.random.choice(UNARY[value.kind]), value)

    def binary(self):
        value = self.some()
        name = self.random.choice(BINARY[value.kind])
        self.limited(self.apply(name, value, self.same(value), keep=False))

    def compare(self):
        value = self.some()
        way = self.random.choice(("EQ", "NE", "LT", "LE", "GT", "GE"))
        other = self.same(value)
        truth = text_of("i1", value.shape)
        self.emit("i1", value.shape, f"stablehlo.compare {way}, {value.name}, {other.name} : "
                  f"({value.type}, {value.type}) -> {truth}")

    def select(self):
        value = self.some()
        choice = self.some(lambda v: v.kind == "i1" and v.shape in (value.shape, ()))
        if choice is None:
            choice = self.constant("i1", (), 1)
        other = self.same(value)
        self.emit(value.kind, value.shape, f"stablehlo.select {choice.name}, {value.name}, "
                  f"{other.name} : {choice.type}, {value.type}")

    def convert(self):
        value = self.some()
        to = self.kind()
        if value.kind == "f32" and to in ("ui32", "i8"):
            return  # negative, or beyond the range
        made = self.emit(to, value.shape, f"stablehlo.convert {value.name} : ({value.type}) -> "
                         f"{text_of(to, value.shape)}", keep=False)
        self.limited(made)

    def broadcast(self):
        value = self.some(lambda v: len(v.shape) < 4 and elements(v.shape) < 200)
        if value is None:
            return
        shape = [size if size != 1 or self.random.random() < 0.5 else 4 for size in value.shape]
        places = list(range(len(shape)))
        for _ in range(self.random.randint(0, 2)):
            at = self.random.randint(0, len(shape))
            shape.insert(at, self.random.choice((1, 2, 5)))
            places = [place + (place >= at) for place in places]
        self.emit(value.kind, shape, f"stablehlo.broadcast_in_dim {value.name}, dims = {places} : "
                  f"({value.type}) -> {text_of(value.kind, shape)}")

    def reshape(self):
        value = self.some()
        total = elements(value.shape)
        shape = list(value.shape)
        if total and self.random.random() < 0.5:
            factor = self.random.choice([n for n in range(1, total + 1) if total % n == 0])
            shape = [factor, total // factor]
        elif total:
            shape = [total]
        shape.insert(self.random.randint(0, len(shape)), 1)
        self.emit(value.kind, shape, f"stablehlo.reshape {value.name} : ({value.type}) -> "
                  f"{text_of(value.kind, shape)}")

    def transpose(self):
        value = self.some(lambda v: len(v.shape) > 1)
        if value is None:
            return
        order = list(range(len(value.shape)))
        self.random.shuffle(order)
        shape = [value.shape[i] for i in order]
        self.emit(value.kind, shape, f"stablehlo.transpose {value.name}, dims = {order} : "
                  f"({value.type}) -> {text_of(value.kind, shape)}")

    def reverse(self):
        value = self.some(lambda v: v.shape)
        if value is None:
            return
        dims = self.random.sample(range(len(value.shape)), self.random.randint(1, len(value.shape)))
        self.emit(value.kind, value.shape, f"stablehlo.reverse {value.name}, dims = {dims} : {value.type}")

    def slice(self):
        value = self.some(lambda v: v.shape)
        if value is None:
            return
        parts, shape = [], []
        for size in value.shape:
            start = self.random.randint(0, size)
            limit = self.random.randint(start, size)
            step = self.random.choice((1, 1, 2, 3))
            parts.append(f"{start}:{limit}:{step}")
            shape.append(-(-(limit - start) // step))
        self.emit(value.kind, shape, f"stablehlo.slice {value.name} [{', '.join(parts)}] : "
                  f"({value.type}) -> {text_of(value.kind, shape)}")

    def pad(self):
        value = self.some(lambda v: v.shape and elements(v.shape) < 300)
        if value is None:
            return
        low, high, inner, shape = [], [], [], []
        for size in value.shape:
            inner.append(self.random.choice((0, 0, 1)))
            spread = size + max(0, size - 1) * inner[-1]
            low.append(self.random.randint(-1, 2) if spread else self.random.randint(0, 2))
            high.append(self.random.randint(-1, 2) if spread + low[-1] > 0 else 1)
            shape.append(spread + low[-1] + high[-1])
        fill = self.constant(value.kind, (), 1)
        self.emit(value.kind, shape, f"stablehlo.pad {value.name}, {fill.name}, low = {low}, high = "
                  f"{high}, interior = {inner} : ({value.type}, {fill.type}) -> {text_of(value.kind, shape)}")

    def concatenate(self):
        value = self.some(lambda v: v.shape and elements(v.shape) < 300)
        if value is None:
            return
        dim = self.random.randrange(len(value.shape))
        other = self.same(value)
        shape = list(value.shape)
        shape[dim] *= 2
        self.emit(value.kind, shape, f"stablehlo.concatenate {value.name}, {other.name}, dim = {dim} : "
                  f"({value.type}, {value.type}) -> {text_of(value.kind, shape)}")

    def iota(self):
        shape = self.shape()
        if not shape:
            return
        dim = self.random.randrange(len(shape))
        kind = self.random.choice(("f32", "i32", "ui32"))
        made = self.emit(kind, shape, f"stablehlo.iota dim = {dim} : {text_of(kind, shape)}", keep=False)
        self.limited(made)

    def reduce(self):
        value = self.some(lambda v: v.shape and elements(v.shape) < 400)
        if value is None:
            return
        dims = sorted(self.random.sample(range(len(value.shape)), self.random.randint(1, len(value.shape))))
        shape = [size for i, size in enumerate(value.shape) if i not in dims]
        start = self.constant(value.kind, (), 1)
        name = self.random.choice(REDUCERS[value.kind])
        made = self.emit(value.kind, shape, f"stablehlo.reduce({value.name} init: {start.name}) applies "
                         f"stablehlo.{name} across dimensions = {dims} : ({value.type}, {start.type}) -> "
                         f"{text_of(value.kind, shape)}", keep=False)
        self.limited(made)

    def dot(self):
        left = self.some(lambda v: v.kind in ("f32", "i32") and v.shape and elements(v.shape) < 300)
        if left is None:
            return
        dim = self.random.randrange(len(left.shape))
        right_shape = [left.shape[dim], self.random.choice((1, 3, 5))]
        right = self.some(lambda v: v.kind == left.kind and list(v.shape) == right_shape)
        right = right or self.constant(left.kind, right_shape, 2)
        shape = [size for i, size in enumerate(left.shape) if i != dim] + right_shape[1:]
        made = self.emit(left.kind, shape, f"stablehlo.dot_general {left.name}, {right.name}, contracting_dims"
                         f" = [{dim}] x [0], precision = [HIGHEST, HIGHEST] : ({left.type}, {right.type}) -> "
                         f"{text_of(left.kind, shape)}", keep=False)
        self.limited(made)

    def dynamic_slice(self):
        value = self.some(lambda v: v.shape and elements(v.shape))
        if value is None:
            return
        sizes = [self.random.randint(1, size) for size in value.shape]
        starts = [self.constant("i32", (), self.random.randint(-2, 9)) for _ in sizes]
        names = ", ".join(start.name for start in starts)
        kinds = ", ".join(start.type for start in starts)
        part = self.emit(value.kind, sizes, f"stablehlo.dynamic_slice {value.name}, {names}, sizes = {sizes} : "
                         f"({value.type}, {kinds}) -> {text_of(value.kind, sizes)}")
        if self.random.random() < 0.6:
            self.emit(value.kind, value.shape, f"stablehlo.dynamic_update_slice {value.name}, {part.name}, "
                      f"{names} : ({value.type}, {part.type}, {kinds}) -> {value.type}")

    def loop(self):
        """A while loop over a counter and one value, or a choice between two branches."""
        value = self.some(lambda v: elements(v.shape) < 300)
        if value is None:
            return
        name = self.random.choice(BINARY[value.kind])
        other = self.same(value)
        inner, self.lines = self.lines, []
        seen = list(self.values)
        body = Value("%state", value.kind, value.shape)
        made = self.limited(self.apply(name, body, other, keep=False))
        lines, self.lines = self.lines, inner
        self.values = seen
        if self.random.random() < 0.5:
            zero = self.constant("i32", (), 0)
            bound = self.constant("i32", (), self.random.randint(0, 4))
            one = self.constant("i32", (), 1)
            result = self.fresh(value.kind, value.shape)
            number = result.name[2:]
            block = "\n    ".join(lines)
            self.lines.append(
                f"%n{number}, {result.name} = stablehlo.while(%i = {zero.name}, %state = {value.name}) : "
                f"tensor<i32>, {value.type}\n   cond {{ %go = stablehlo.compare LT, %i, {bound.name} : "
                f"(tensor<i32>, tensor<i32>) -> tensor<i1>\n    stablehlo.return %go : tensor<i1> }} do {{\n    "
                f"{block}\n    %j = stablehlo.add %i, {one.name} : tensor<i32>\n    stablehlo.return %j, "
                f"{made.name} : tensor<i32>, {value.type} }}")
        else:
            which = self.some(lambda v: v.kind == "i32" and v.shape == ()) or self.constant("i32", (), 1)
            block = "\n    ".join(lines).replace("%state", value.name)
            result = self.fresh(value.kind, value.shape)
            self.lines.append(
                f'{result.name} = "stablehlo.case"({which.name}) ({{\n    {block}\n    stablehlo.return '
                f"{made.name} : {value.type} }}, {{ stablehlo.return {other.name} : {value.type} }}) : "
                f"(tensor<i32>) -> {value.type}")
        self.values.append(result)

    def program(self):
        """The text, and for each result how far it may be off."""
        steps = [self.unary, self.binary, self.binary, self.compare, self.select, self.convert, self.broadcast,
                 self.reshape, self.transpose, self.reverse, self.slice, self.pad, self.concatenate, self.iota,
                 self.reduce, self.reduce, self.dot, self.dynamic_slice, self.loop]
        for _ in range(self.random.randint(3, 14)):
            self.random.choice(steps)()
        results = self.random.sample(self.values, min(len(self.values), self.random.randint(1, 4)))
        tolerances = [0.0] * len(results)
        for number, value in enumerate(results):
            if value.kind == "f32" and self.random.random() < 0.4:
                results[number] = self.apply(self.random.choice(INEXACT), value)
                tolerances[number] = 1e-6
        arguments = ", ".join(f"{value.name}: {value.type}" for value in self.arguments)
        types = ", ".join(value.type for value in results)
        body = "\n  ".join(self.lines)
        text = (f"func.func public @main({arguments}) -> ({types}) {{\n  {body}\n  return "
                f"{', '.join(value.name for value in results)} : {types}\n}}\n")
        return text, tolerances

    def inputs(self):
        made = []
        for value in self.arguments:
            bits = np.random.default_rng(self.random.getrandbits(32))
            if value.kind == "f32":
                made.append((bits.integers(-40, 40, value.shape) / 4).astype(np.float32))
            elif value.kind == "i1":
                made.append(bits.integers(0, 2, value.shape).astype(bool))
            else:
                made.append(bits.integers(0 if value.kind == "ui32" else -20, 90, value.shape)
                            .astype(DTYPES[value.kind]))
        return made
