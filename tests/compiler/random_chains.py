"""Random programs with contractions of values that depend on contractions: attention and similar ones.

Shapes, the order of dimensions, the operations between the contractions, and other uses of them vary;
choices() has contractions go by tiles of random sizes, regardless of the cost model.
"""

from random_generator import Generator, text_of

INFINITY = "0xFF800000"  # less than all


class Chain(Generator):
    """Dimensions have a letter: b, c batches, q rows, k keys, d depth, e columns of the result."""

    def __init__(self, seed):
        super().__init__(seed)
        self.values, self.arguments = [], []
        pick = self.random.choice
        self.sizes = {"b": pick((1, 2, 3)), "c": pick((1, 2)), "q": pick((1, 3, 8, 9, 16, 21, 40)),
                      "k": pick((5, 16, 17, 32, 40, 70)), "d": pick((1, 4, 8, 20)), "e": pick((1, 3, 8, 16, 18)),
                      "f": pick((2, 8, 17))}
        self.batch = pick(("", "", "b", "bc"))
        self.others = []  # whatever may be a result as well, with its letters

    # ---- choices
    def choices(self):
        made = {}
        for number in range(3):
            made[f"online#{number}"] = 1
            made[f"online.hold#{number}"] = self.random.randint(0, 1)
            made[f"online.rows#{number}"] = self.random.choice((8, 16, 32))
            made[f"online.keys#{number}"] = self.random.choice((8, 16, 32))
        return made

    def sometimes(self, share):
        return self.random.random() < share

    # ---- values by letters
    def shape_of(self, letters):
        return tuple(self.sizes[letter] for letter in letters)

    def shuffled(self, letters):
        letters = list(letters)
        self.random.shuffle(letters)
        return "".join(letters)

    def argument(self, letters, kind="f32"):
        value = self.fresh(kind, self.shape_of(letters))
        self.arguments.append(value)
        return value

    def make(self, letters, text, kind="f32"):
        return self.emit(kind, self.shape_of(letters), text, keep=False)

    def number(self, letters, number):
        literal = number if isinstance(number, str) else f"{float(number):e}"
        shape = self.shape_of(letters)
        return self.make(letters, f"stablehlo.constant dense<{literal}> : {text_of('f32', shape)}")

    def spread(self, value, letters, to):
        """The value, with dimensions `letters`, for all of `to`."""
        places = [to.index(letter) for letter in letters]
        if sorted(places) != places:
            order = sorted(range(len(places)), key=lambda i: places[i])
            turned = "".join(letters[i] for i in order)
            value, letters = self.turn(value, letters, turned), turned
            places = sorted(places)
        type_of_result = text_of(value.kind, self.shape_of(to))
        return self.make(to, f"stablehlo.broadcast_in_dim {value.name}, dims = {places} : ({value.type}) -> "
                         f"{type_of_result}", value.kind)

    def turn(self, value, letters, to):
        order = [letters.index(letter) for letter in to]
        if order == list(range(len(order))):
            return value
        return self.make(to, f"stablehlo.transpose {value.name}, dims = {order} : ({value.type}) -> "
                         f"{text_of(value.kind, self.shape_of(to))}", value.kind)

    def map(self, name, *operands):
        if len(operands) == 2 and name in ("add", "multiply", "maximum", "minimum") and self.sometimes(0.5):
            operands = operands[::-1]
        return self.apply(name, *operands, keep=False)

    def choose(self, mask, yes, no):
        return self.emit("f32", yes.shape, f"stablehlo.select {mask.name}, {yes.name}, {no.name} : {mask.type}, "
                         f"{yes.type}", keep=False)

    def compare(self, way, left, right):  # pylint: disable=arguments-differ
        truth = text_of("i1", left.shape)
        return self.emit("i1", left.shape, f"stablehlo.compare {way}, {left.name}, {right.name} : ({left.type}, "
                         f"{right.type}) -> {truth}", keep=False)

    def reduced(self, value, letters, name, over="k"):
        start = self.number("", {"add": 0, "maximum": INFINITY, "minimum": "0x7F800000"}[name])
        rest = letters.replace(over, "")
        return self.make(rest, f"stablehlo.reduce({value.name} init: {start.name}) applies stablehlo.{name} across "
                         f"dimensions = [{letters.index(over)}] : ({value.type}, {start.type}) -> "
                         f"{text_of('f32', self.shape_of(rest))}"), rest

    def product(self, left, left_letters, right, right_letters, over):
        """The contraction over a letter, and the letters of its result."""
        if self.sometimes(0.4):
            left, left_letters, right, right_letters = right, right_letters, left, left_letters
        shared = [letter for letter in left_letters if letter in right_letters and letter != over]
        places = lambda letters, of: [letters.index(letter) for letter in of]
        result = "".join(shared + [x for x in left_letters + right_letters if x not in shared and x != over])
        batch = f"batching_dims = {places(left_letters, shared)} x {places(right_letters, shared)}, " if shared else ""
        made = self.make(result, f"stablehlo.dot_general {left.name}, {right.name}, {batch}contracting_dims = "
                         f"{places(left_letters, over)} x {places(right_letters, over)}, precision = [HIGHEST, HIGHEST]"
                         f" : ({left.type}, {right.type}) -> {text_of('f32', self.shape_of(result))}")
        return made, result

    # ---- operations between
    def causal(self, letters):
        """A mask by the places of rows and keys."""
        row, key = (self.make(letters, f"stablehlo.iota dim = {letters.index(x)} : "
                              f"{text_of('i32', self.shape_of(letters))}", "i32") for x in "qk")
        shift = self.constant("i32", self.shape_of(letters), self.random.choice((-3, 0, 0, 5)))
        return self.compare(self.random.choice(("GE", "GT", "LE")), self.map("add", row, shift), key)

    def mask(self, letters):
        way = self.random.randrange(3)
        if way == 0:
            return self.causal(letters)
        part = "".join(x for x in letters if x == "k" or self.sometimes(0.5)) if way == 1 else letters
        return self.spread(self.argument(part, "i1"), part, letters)

    def masked(self, x, letters):
        fill = self.random.choice((INFINITY, INFINITY, -1e30, -1e9, -1000, -50))
        chosen = (x, self.number(letters, fill))
        return self.choose(self.mask(letters), *(reversed(chosen) if self.sometimes(0.3) else chosen))

    def biased(self, x, letters):
        part = self.shuffled(x for x in letters if self.sizes[x] == 1 or self.sometimes(0.6))
        name = self.random.choice(("add", "add", "subtract", "multiply", "maximum"))
        return self.map(name, x, self.spread(self.argument(part), part, letters))

    def bounded(self, x, letters):
        if self.sometimes(0.4):
            return self.apply("tanh", x, keep=False)
        return self.map("minimum", self.map("maximum", x, self.number(letters, -8)), self.number(letters, 8))

    def scaled(self, x, letters):
        return self.map("multiply", x, self.number(letters, self.random.choice((0.25, 0.5, -1, 1.5))))

    def between(self, x, letters):
        for _ in range(self.random.randint(0, 3)):
            x = self.random.choice((self.masked, self.biased, self.bounded, self.scaled))(x, letters)
        if self.sometimes(0.15):
            self.others.append(x)
        return x

    def stabilizer(self, x, letters):
        """The row's maximum, or an equivalent."""
        largest, rest = self.reduced(x, letters, "maximum")
        way = self.random.randrange(4)
        if way == 0:
            largest = self.map("maximum", largest, self.number(rest, self.random.choice((-1e30, -2, 0))))
        if way == 1:
            finite = self.emit("i1", largest.shape, f"stablehlo.is_finite {largest.name} : ({largest.type}) -> "
                               f"{text_of('i1', largest.shape)}", keep=False)
            largest = self.choose(finite, largest, self.number(rest, 0))
        return largest, rest

    def exponential(self, x, letters, least):
        e = self.apply("exponential", self.map("subtract", x, self.spread(*least, letters)), keep=False)
        total, rest = self.reduced(e, letters, "add")
        if self.sometimes(0.2):
            total = self.map("add", total, self.number(rest, 1))
        self.others += [v for v in (total, least[0]) if self.sometimes(0.15)]
        return e, total, rest

    def by_logarithm(self, x, letters):
        least = self.stabilizer(x, letters)
        _, total, rest = self.exponential(x, letters, least)
        whole = self.map("add", self.apply("log", total, keep=False), least[0])
        if self.sometimes(0.3):
            self.others.append(whole)
        return self.apply("exponential", self.map("subtract", x, self.spread(whole, rest, letters)), keep=False)

    def thinned(self, p, letters):
        """Proportional to the input."""
        way = self.random.randrange(3)
        if way == 0:
            return self.choose(self.mask(letters), p, self.number(letters, 0))
        return self.scaled(p, letters) if way == 1 else self.map(
            "multiply", p, self.spread(self.argument("k"), "k", letters))

    def weights(self, x, letters):
        """The weights of the values, and the divisor of their sums, if any."""
        way = self.random.randrange(8)
        if way == 0:
            return self.bounded(x, letters), None
        if way == 1:
            return self.by_logarithm(self.bounded(x, letters), letters), None
        least = self.stabilizer(x, letters)
        e, total, rest = self.exponential(x, letters, least)
        if way < 4:
            return self.thinned(e, letters) if self.sometimes(0.3) else e, (total, rest)
        p = self.map("divide", e, self.spread(total, rest, letters))
        if self.sometimes(0.25):
            p = self.thinned(p, letters)
        if self.sometimes(0.1):
            p = self.map("add", p, self.number(letters, 0.25))
        if self.sometimes(0.15):
            self.others.append(p)
        return p, None

    # ---- the whole
    def chain(self, left, left_letters, keys_letters, columns):
        """softmax(left keys) values, and its letters."""
        x, letters = self.product(left, left_letters, self.argument(keys_letters), keys_letters, "d")
        if self.sometimes(0.3):
            other = self.shuffled(letters)
            x, letters = self.turn(x, letters, other), other
        p, divisor = self.weights(self.between(x, letters), letters)
        value_letters = self.shuffled("".join(b for b in self.batch if self.sometimes(0.8)) + "k" + columns)
        out, letters = self.product(p, letters, self.argument(value_letters), value_letters, "k")
        if divisor is not None:
            out = self.map("divide", out, self.spread(*divisor, letters))
        if self.sometimes(0.3):
            out = self.biased(out, letters)
        return out, letters

    def program(self):
        shared = lambda: "".join(b for b in self.batch if self.sometimes(0.7))
        left = self.shuffled(shared() + "qd")
        keys = self.shuffled("".join(b for b in self.batch if b not in left or self.sometimes(0.7)) + "kd")
        again = self.sometimes(0.25)  # the result goes into a chain of its own
        out, letters = self.chain(self.argument(left), left, keys, "d" if again else "e")
        if again:
            self.others.append(out)
            self.sizes["k"] = self.sizes["f"]
            out, letters = self.chain(out, letters, self.shuffled(shared() + "kd"), "e")
        results = [out] + self.others[:3]
        body = "\n  ".join(self.lines)
        arguments = ", ".join(f"{value.name}: {value.type}" for value in self.arguments)
        types = ", ".join(value.type for value in results)
        return (f"func.func public @main({arguments}) -> ({types}) {{\n  {body}\n  return "
                f"{', '.join(value.name for value in results)} : {types}\n}}\n", [3e-5] * len(results))
