"""The kernels of this folder: what each computes in double precision, its tolerance, and the work that no program can
avoid. tests/kernels checks them and benchmarks/kernels measures them by this one list.
"""

import dataclasses
import math
from typing import Callable

import numpy as np

SUBLANES = 8
LANES = {"nano": 8, "small": 16, "edge": 64, "full": 128}


@dataclasses.dataclass(frozen=True)
class Work:
    """Useful work of one call; `cycles` gives the time of each unit for it at its own rate."""

    bytes_in: int = 0
    bytes_out: int = 0
    mxu_macs: int = 0
    vector: float = 0  # operations of one element each
    eup: int = 0
    xlu: int = 0

    def cycles(self, lanes):
        beat, vector = 4 * lanes, SUBLANES * lanes
        return {
            "memory in": self.bytes_in / beat,
            "memory out": self.bytes_out / beat,
            "MXU": self.mxu_macs / (lanes * lanes),
            "vector": self.vector / (2 * vector),
            "EUP": self.eup / (2 * lanes),  # 4 cycles for 8 rows
            "XLU": self.xlu / (2 * lanes),
        }

    def roof(self, lanes):
        """The unit that needs longest, and its cycles."""
        return max(self.cycles(lanes).items(), key=lambda item: item[1])


@dataclasses.dataclass(frozen=True)
class Kernel:
    """`inputs(random, shape)` gives arrays by name (`_name`: for the reference only),
    `reference(arrays)` outputs in double precision, `tolerance(arrays, outputs)` the allowed error of each element;
    `work(shape)` the useful work.
    """

    name: str
    inputs: Callable
    reference: Callable
    tolerance: Callable
    work: Callable
    shapes: tuple  # checked at each commit, on every preset, in lockstep on nano and small
    larger: tuple  # golden and cycle-exact model, every preset
    measured: tuple  # sizes of the table
    outputs: tuple = ("y",)
    presets: Callable = lambda preset, shape: True  # where a shape fits
    sizes: Callable = lambda shape: ()  # `--size` of outputs whose sizes no input brings


def as_double(array):
    """Numbers as double precision; 16-bit words are bf16."""
    if array.dtype.itemsize == 2:
        return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def bf16(array):
    """The nearest bf16 of each element, ties to even, as the 16-bit words of a .npy file."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def rows_and(*vectors, scale=1.0, second=None):
    """Inputs of a kernel on rows: x, perhaps another array of its shape, vectors of a row's length."""

    def inputs(random, shape):
        arrays = {"x": random.normal(0, 2, shape)}
        if second:
            arrays[second] = random.normal(0, 1, shape)
        arrays.update({name: random.normal(0, 1, shape[-1:]) for name in vectors})
        return {name: (scale * value).astype(np.float32) for name, value in arrays.items()}

    return inputs


def gelu(x):
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def sigmoid(x):
    return 0.5 + 0.5 * np.tanh(x / 2)


def softmax(x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def rms_norm(x, weight, epsilon=1e-6):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon) * weight


def layer_norm(x, weight, bias, epsilon=1e-6):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon) * weight + bias


def of_largest(share, *others):
    """A share of the largest of |y|, 1 and the inputs named, element by element."""

    def tolerance(arrays, outputs):
        sizes = np.maximum(np.abs(outputs["y"]), 1)
        for name in others:
            sizes = np.maximum(sizes, np.abs(arrays[name]))
        return {"y": share * sizes}

    return tolerance


def elementwise(arrays_in, vector, eup, per_row=(0, 0), parameters=0):
    """Work of `arrays_in` fp32 arrays to one: operations an element, EUP and XLU results a row."""

    def work(shape):
        elements, rows = math.prod(shape), math.prod(shape[:-1])
        return Work(bytes_in=4 * (arrays_in * elements + parameters * shape[-1]),
                    bytes_out=4 * elements, vector=vector * elements,
                    eup=eup * elements + per_row[0] * rows, xlu=per_row[1] * elements)

    return work


def matrices(random, shape):
    m, k, n = shape
    return {"a": bf16(random.normal(0, 1, (m, k))), "b": bf16(random.normal(0, 1, (k, n)))}


def product_tolerance(a, c):
    """One rounding to bf16, k additions in fp32."""
    inner = a["a"].shape[-1]
    return {"c": 2**-8 * np.abs(c["c"]) + inner * 2**-24 * (np.abs(a["a"]) @ np.abs(a["b"]))}


def product_work(element):
    def work(shape):
        m, k, n = shape
        return Work(bytes_in=element * (m * k + k * n), bytes_out=element * m * n, mxu_macs=m * k * n)

    return work


def attention_inputs(random, shape):
    positions, heads, key_heads, size = shape
    return {name: bf16(random.normal(0, 1, (positions, of, size)))
            for name, of in (("q", heads), ("k", key_heads), ("v", key_heads))}


def attention(a, values):
    """Weights times `values`, head by head."""
    positions, heads, size = a["q"].shape
    group = heads // a["k"].shape[1]
    result = np.empty_like(a["q"])
    for head in range(heads):
        scores = a["q"][:, head] @ a["k"][:, head // group].T / math.sqrt(size)
        scores[np.triu_indices(positions, 1)] = -np.inf
        result[:, head] = softmax(scores) @ values[:, head // group]
    return result


def attention_work(shape):
    """Only the needed scores: a triangle with its diagonal."""
    positions, heads, key_heads, size = shape
    pairs = heads * positions * (positions + 1) // 2
    return Work(bytes_in=2 * positions * size * (heads + 2 * key_heads),
                bytes_out=2 * positions * size * heads, mxu_macs=2 * pairs * size, eup=pairs,
                vector=5 * pairs)


def quantised(random, shape):
    m, k, n = shape
    return {"a": random.integers(-100, 101, (m, k)).astype(np.int8),
            "b": random.integers(-100, 101, (k, n)).astype(np.int8),
            "scale": (random.uniform(0.5, 2, n) / (60 * math.sqrt(k))).astype(np.float32)}


def requantised(a):
    return {"c": np.clip((a["a"] @ a["b"]) * a["scale"], -128, 127)}


def batches(random, shape):
    count, m, k, n = shape
    return {"a": bf16(random.normal(0, 1, (count, m, k))),
            "b": bf16(random.normal(0, 1, (count, k, n)))}


def groups(random, shape):
    """Rows go to groups at random; some groups have none."""
    count, m, k, n = shape
    sizes = np.bincount(random.integers(0, count, m), minlength=count)
    return {"a": bf16(random.normal(0, 1, (m, k))), "b": bf16(random.normal(0, 1, (count, k, n))),
            "sizes": sizes.astype(np.int32)}


def grouped(a, b, sizes):
    ends = np.cumsum(sizes.astype(int))
    return np.concatenate([a[end - int(size):end] @ b[group]
                           for group, (end, size) in enumerate(zip(ends, sizes))])


def grouped_tolerance(a, c):
    spread = grouped(np.abs(a["a"]), np.abs(a["b"]), a["sizes"])
    return {"c": 2**-8 * np.abs(c["c"]) + a["a"].shape[1] * 2**-24 * spread}


def grouped_work(shape):
    count, m, k, n = shape
    return Work(bytes_in=2 * (m * k + count * k * n), bytes_out=2 * m * n, mxu_macs=m * k * n)


def batched_work(shape):
    count, m, k, n = shape
    return Work(bytes_in=2 * count * (m * k + k * n), bytes_out=2 * count * m * n,
                mxu_macs=count * m * k * n)


def real_matrices(random, shape):
    m, k, n = shape
    return {"a": random.normal(0, 1, (m, k)).astype(np.float32),
            "b": random.normal(0, 1, (k, n)).astype(np.float32)}


def split_tolerance(fixed, each):
    """The omitted parts, and k additions in fp32, relative to the sum of |a b|."""

    def tolerance(a, c):
        return {"c": (fixed + a["a"].shape[1] * each) * (np.abs(a["a"]) @ np.abs(a["b"]))}

    return tolerance


def split_work(passes):
    def work(shape):
        m, k, n = shape
        return Work(bytes_in=4 * (m * k + k * n), bytes_out=4 * m * n, mxu_macs=passes * m * k * n)

    return work


def with_ties(random, shape):
    """Numbers of few values, so that many are equal, infinities and both zeros."""
    x = random.integers(-8, 9, shape[:2]).astype(np.float32) / 2
    x[random.random(shape[:2]) < 0.05] = -np.inf
    x[random.random(shape[:2]) < 0.02] = -0.0
    return {"x": x, "_k": np.array(shape[2], np.int32)}


def top_k(a):
    """In total order, -0 below +0; of equal ones the lower column first."""
    order = np.lexsort((np.signbit(a["x"]), -a["x"]), axis=-1)[:, :int(a["_k"])]
    return {"values": np.take_along_axis(a["x"], order, -1), "columns": order.astype(float)}


def convolution_inputs(random, shape):
    images, height, width, channels, kernel_h, kernel_w, outputs, *window = shape
    return {"x": bf16(random.normal(0, 1, (images, height, width, channels))),
            "k": bf16(random.normal(0, 1, (kernel_h, kernel_w, channels, outputs))),
            "window": np.array(window, np.int32)}


def convolved_sizes(shape):
    _, height, width, _, kernel_h, kernel_w, _, stride_h, stride_w, pad_h, pad_w = shape
    return ((height + 2 * pad_h - kernel_h) // stride_h + 1,
            (width + 2 * pad_w - kernel_w) // stride_w + 1)


def convolution(x, k, window):
    stride_h, stride_w, pad_h, pad_w = (int(number) for number in window)
    images, height, width, _ = x.shape
    kernel_h, kernel_w, _, outputs = k.shape
    rows, columns = convolved_sizes((*x.shape, *k.shape[:2], outputs, stride_h, stride_w, pad_h, pad_w))
    padded = np.pad(x, ((0, 0), (pad_h, pad_h), (pad_w, pad_w), (0, 0)))
    y = np.zeros((images, rows, columns, outputs))
    for h in range(kernel_h):
        for w in range(kernel_w):
            y += padded[:, h:h + rows * stride_h:stride_h, w:w + columns * stride_w:stride_w][
                :, :rows, :columns] @ k[h, w]
    return y


def convolution_tolerance(a, y):
    terms = math.prod(a["k"].shape[:3])
    spread = convolution(np.abs(a["x"]), np.abs(a["k"]), a["window"])
    return {"y": 2**-8 * np.abs(y["y"]) + terms * 2**-24 * spread}


def convolution_work(shape):
    images, height, width, channels, kernel_h, kernel_w, outputs = shape[:7]
    rows, columns = convolved_sizes(shape)
    positions = images * rows * columns
    return Work(bytes_in=2 * channels * (images * height * width + kernel_h * kernel_w * outputs),
                bytes_out=2 * positions * outputs,
                mxu_macs=positions * kernel_h * kernel_w * channels * outputs)


def gather_inputs(random, shape):
    rows, size, count = shape
    return {"table": random.normal(0, 1, (rows, size)).astype(np.float32),
            "ids": random.integers(0, rows, count).astype(np.int32)}


def append_inputs(random, shape):
    capacity, position, count, heads, size = shape
    return {"x": bf16(random.normal(0, 1, (count, heads, size))),
            "cache": bf16(random.normal(0, 1, (capacity, heads, size))),
            "position": np.array([position], np.int32)}


def appended(a):
    position = int(a["position"][0])
    cache = a["cache"].copy()
    cache[position:position + len(a["x"])] = a["x"]
    return {"cache": cache}


def exactly(arrays, outputs):
    return {name: np.zeros_like(value) for name, value in outputs.items()}


def rope_inputs(random, shape):
    positions, heads, size = shape
    angles = np.outer(np.arange(positions), 10000.0 ** (-np.arange(size // 2) / max(size // 2, 1)))
    return {"x": random.normal(0, 1, shape).astype(np.float32),
            "cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)}


def rope(a):
    low, high = np.split(a["x"], 2, axis=-1)
    cos, sin = a["cos"][:, None], a["sin"][:, None]
    return {"y": np.concatenate([low * cos - high * sin, high * cos + low * sin], axis=-1)}


def rope_work(shape):
    positions, heads, size = shape
    elements = math.prod(shape)
    return Work(bytes_in=4 * (elements + positions * size), bytes_out=4 * elements, vector=3 * elements)


PRODUCTS = ((1, 1, 1), (8, 16, 16), (3, 40, 7), (70, 90, 75), (200, 64, 36))
MORE_PRODUCTS = ((257, 300, 70), (520, 129, 300))
ROWS = ((1, 1), (3, 7), (8, 16), (9, 33), (40, 20))
MORE_ROWS = ((5, 130), (37, 100), (70, 257))
MEASURED = ((128, 128), (256, 1000), (1024, 1024))

KERNELS = [
    Kernel("gelu", rows_and(), lambda a: {"y": gelu(a["x"])}, of_largest(1e-6),
           elementwise(1, 8, 1), ROWS, MORE_ROWS, MEASURED),
    Kernel("swiglu", rows_and(second="z"), lambda a: {"y": a["x"] * sigmoid(a["x"]) * a["z"]},
           lambda a, y: {"y": 1e-6 * np.maximum(np.abs(a["x"] * a["z"]), 1)},
           elementwise(2, 4, 1), ROWS, MORE_ROWS, MEASURED),
    Kernel("bias_gelu_residual", rows_and("bias", second="residual"),
           lambda a: {"y": gelu(a["x"] + a["bias"]) + a["residual"]}, of_largest(1e-6, "residual"),
           elementwise(2, 10, 1, parameters=1), ROWS, MORE_ROWS, MEASURED,
           presets=lambda preset, shape: preset != "nano" or shape[-1] <= 184),
    Kernel("softmax", rows_and(), lambda a: {"y": softmax(a["x"])},
           lambda a, y: {"y": 1e-5 * y["y"]},
           elementwise(1, 5, 1, per_row=(1, 0)), (*ROWS, (75, 40)),
           (*MORE_ROWS, (64, 128), (200, 340)), MEASURED),
    Kernel("rms_norm", rows_and("weight"), lambda a: {"y": rms_norm(a["x"], a["weight"])},
           of_largest(2e-6), elementwise(1, 4, 0, per_row=(1, 0), parameters=1), ROWS, MORE_ROWS,
           MEASURED),
    Kernel("layer_norm", rows_and("weight", "bias"),
           lambda a: {"y": layer_norm(a["x"], a["weight"], a["bias"])},
           of_largest(4e-6, "weight"), elementwise(1, 8, 0, per_row=(1, 0), parameters=2),
           ROWS, MORE_ROWS, MEASURED),
    Kernel("matmul_bf16", matrices, lambda a: {"c": a["a"] @ a["b"]}, product_tolerance,
           product_work(2), PRODUCTS, MORE_PRODUCTS, ((128,) * 3, (512,) * 3, (1024,) * 3, (2048,) * 3),
           outputs=("c",)),
    Kernel("flash_attention", attention_inputs, lambda a: {"y": attention(a, a["v"])},
           lambda a, y: {"y": 2**-7 * attention(a, np.abs(a["v"]))}, attention_work,
           ((1, 1, 1, 8), (9, 1, 1, 16), (37, 2, 1, 7), (33, 4, 2, 64), (20, 2, 2, 128)),
           ((300, 2, 1, 64), (70, 3, 1, 100), (290, 1, 1, 128), (520, 2, 2, 96)),
           ((512, 4, 2, 64), (1024, 1, 1, 128), (2048, 1, 1, 128))),
    Kernel("gather", gather_inputs, lambda a: {"y": a["table"][a["ids"].astype(int)]}, exactly,
           lambda shape: Work(bytes_in=4 * (shape[1] + 1) * shape[2], bytes_out=4 * shape[1] * shape[2]),
           ((1, 1, 1), (5, 7, 3), (40, 33, 130), (9, 16, 65)), ((300, 200, 300),),
           ((1000, 64, 256), (1000, 512, 256), (1000, 1024, 1024))),
    Kernel("append", append_inputs, appended, exactly,
           lambda shape: Work(bytes_in=2 * math.prod(shape[2:]), bytes_out=2 * math.prod(shape[2:])),
           ((1, 0, 1, 1, 1), (5, 2, 3, 2, 7), (9, 8, 1, 4, 16)), ((100, 30, 70, 2, 64),),
           ((64, 7, 1, 8, 64), (512, 10, 128, 8, 64), (2048, 0, 2048, 8, 128)), outputs=("cache",)),
    Kernel("rope", rope_inputs, rope, of_largest(1e-6, "x"), rope_work,
           ((1, 1, 2), (3, 2, 14), (9, 5, 32), (20, 3, 66)), ((200, 4, 64), (33, 2, 128)),
           ((128, 8, 64), (512, 8, 128), (2048, 8, 128))),
    Kernel("matmul_s8", quantised, requantised,
           lambda a, c: {"c": 0.5 + 2**-23 * np.abs(c["c"])}, product_work(1), PRODUCTS, MORE_PRODUCTS,
           ((128,) * 3, (512,) * 3, (1024,) * 3, (2048,) * 3), outputs=("c",)),
    Kernel("matmul_batched", batches, lambda a: {"c": a["a"] @ a["b"]}, product_tolerance,
           batched_work, ((1, 1, 1, 1), (3, 9, 16, 16), (2, 70, 40, 35)), ((5, 130, 100, 60),),
           ((8, 128, 128, 128), (16, 256, 256, 256), (8, 512, 512, 512)), outputs=("c",)),
    Kernel("matmul_grouped", groups, lambda a: {"c": grouped(a["a"], a["b"], a["sizes"])},
           grouped_tolerance, grouped_work, ((1, 1, 1, 1), (4, 30, 16, 24), (7, 40, 34, 20)),
           ((3, 300, 130, 70),), ((8, 512, 256, 256), (8, 1024, 512, 512), (8, 2048, 1024, 1024)),
           outputs=("c",)),
    Kernel("matmul_f32_3", real_matrices, lambda a: {"c": a["a"] @ a["b"]},
           split_tolerance(2**-14, 2**-23), split_work(3), PRODUCTS, MORE_PRODUCTS,
           ((128,) * 3, (512,) * 3, (1024,) * 3), outputs=("c",)),
    Kernel("matmul_f32_6", real_matrices, lambda a: {"c": a["a"] @ a["b"]},
           split_tolerance(2**-20, 2**-23), split_work(6), PRODUCTS, MORE_PRODUCTS,
           ((128,) * 3, (512,) * 3, (1024,) * 3), outputs=("c",)),
    Kernel("top_k", with_ties, top_k, exactly,
           lambda shape: Work(bytes_in=4 * shape[0] * shape[1], bytes_out=8 * shape[0] * shape[2],
                              vector=shape[0] * shape[1]),
           ((1, 1, 1), (3, 7, 7), (9, 40, 5), (20, 33, 20)), ((33, 300, 17),),
           ((64, 1000, 8), (256, 128, 2), (8, 8192, 40)), outputs=("values", "columns"),
           sizes=lambda shape: (f"k={shape[2]}",)),
    Kernel("conv2d", convolution_inputs, lambda a: {"y": convolution(a["x"], a["k"], a["window"])},
           convolution_tolerance, convolution_work,
           ((1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0), (2, 5, 6, 3, 3, 3, 7, 1, 1, 1, 1),
            (1, 9, 8, 20, 3, 2, 18, 2, 3, 1, 0), (1, 6, 7, 33, 5, 5, 4, 1, 2, 2, 4),
            (2, 3, 2, 2, 5, 7, 3, 2, 1, 4, 6), (3, 4, 40, 5, 1, 1, 5, 1, 1, 0, 0)),
           ((1, 12, 300, 40, 3, 3, 70, 1, 1, 1, 1), (2, 30, 31, 3, 7, 7, 64, 2, 2, 3, 3),
            (2, 14, 14, 130, 3, 3, 40, 1, 1, 1, 1)),
           ((1, 56, 56, 64, 3, 3, 64, 1, 1, 1, 1), (1, 56, 56, 256, 1, 1, 64, 1, 1, 0, 0),
            (1, 32, 256, 128, 3, 3, 128, 1, 1, 1, 1)),
           sizes=lambda shape: tuple(f"{name}={size}" for name, size in
                                     zip(("rows", "columns"), convolved_sizes(shape)))),
]


def zeros(*shape):
    return np.zeros(shape, np.float32)


def halves(*shape):
    return bf16(np.zeros(shape))


def numbers(*values):
    return np.array(values, np.int32)


# (kernel, preset, inputs, --size of outputs, code of the explicit trap)
REFUSED = [
    ("softmax", "nano", {"x": zeros(2, 3000)}, (), 2),
    ("rms_norm", "nano", {"x": zeros(1, 9000), "weight": zeros(9000)}, (), 2),
    ("rope", "small", {"x": zeros(2, 1, 3), "cos": zeros(2, 1), "sin": zeros(2, 1)}, (), 1),
    ("flash_attention", "small", {"q": halves(2, 1, 130), "k": halves(2, 1, 130),
                                  "v": halves(2, 1, 130)}, (), 2),
    ("flash_attention", "small", {"q": halves(2, 3, 16), "k": halves(2, 2, 16),
                                  "v": halves(2, 2, 16)}, (), 1),
    ("gather", "small", {"table": zeros(3, 5), "ids": numbers(0, 2, 3)}, (), 4),
    ("gather", "small", {"table": zeros(3, 5), "ids": numbers(1, -1)}, (), 4),
    ("append", "small", {"x": halves(3, 1, 4), "cache": halves(5, 1, 4), "position": numbers(3)}, (), 1),
    ("top_k", "small", {"x": zeros(2, 4)}, ("k=5",), 1),
    ("matmul_bf16", "small", {"a": halves(2, 0), "b": halves(0, 3)}, (), 1),
    ("matmul_grouped", "small", {"a": halves(4, 3), "b": halves(2, 3, 5), "sizes": numbers(3, 2)}, (), 1),
    ("conv2d", "small", {"x": halves(1, 4, 4, 2), "k": halves(3, 3, 2, 2),
                         "window": numbers(0, 1, 0, 0)}, ("rows=2", "columns=2"), 1),
    ("conv2d", "small", {"x": halves(1, 4, 4, 2), "k": halves(3, 3, 2, 2),
                         "window": numbers(1, 1, 3, 0)}, ("rows=2", "columns=2"), 1),
]
