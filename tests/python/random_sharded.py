"""Random programs over several devices against JAX's CPU with as many virtual ones: the place of each part, its
contents, and which arguments are gone.

    JAX_PLATFORMS=tandem,cpu build/venv/bin/python tests/python/random_sharded.py --count 200 --seed 1

Programs of single devices (`shard_map`) call collectives, too. A program with more kinds of groups than there are flags is refused, with its line; all others must be the same bit for bit (all
numbers are small integers). Differences are printed with their seeds; `--only SEED` runs that one and prints it.
"""

import argparse
import os
import random
import re
import sys

if __name__ == "__main__":
    os.environ["JAX_PLATFORMS"] = "tandem,cpu"
os.environ["TANDEM_DEVICES"] = "8"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

REFUSED = re.compile(r"^UNIMPLEMENTED: (\S+:\d+:\d+: )?error: unimplemented: stablehlo\.\w+ among devices that are grouped in another way")
SIZES = (1, 2, 3, 4, 4, 5, 6, 8, 8, 12)


class Draw:
    """Everything about one program, from a seed; the program itself is built from it once for each platform."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        self.sizes = pick([(2,), (3,), (4,), (8,), (1, 4), (2, 2), (2, 3), (2, 4), (4, 2), (2, 2, 2), (1, 2, 3)])
        self.names = tuple("abc"[:len(self.sizes)])
        self.places = self.random.sample(range(8), int(np.prod(self.sizes)))
        self.manual = self.random.random() < 0.4
        self.shapes = [tuple(pick(SIZES) for _ in range(self.random.randint(1, 3))) for _ in range(self.random.randint(1, 3))]
        self.specs = [self.spec(shape) for shape in self.shapes]
        self.types = [pick((np.float32, np.float32, np.int32)) for _ in self.shapes]
        self.donated = tuple(k for k in range(len(self.shapes)) if self.random.random() < 0.3)
        self.steps = [(pick(MANUAL if self.manual else WHOLE), self.random.random()) for _ in range(self.random.randint(1, 8))]
        self.asked = self.random.random() < 0.3  # out_shardings

    def spec(self, shape):
        """Axes for dimensions that they divide."""
        names = list(self.names)
        self.random.shuffle(names)
        parts = []
        for size in shape:
            taken = []
            while names and self.random.random() < 0.6 and size % self.parts((*taken, names[0])) == 0:
                taken.append(names.pop())
                if size % self.parts(taken) != 0:
                    names.append(taken.pop())
                    break
            parts.append(tuple(taken) if len(taken) > 1 else taken[0] if taken else None)
        return P(*parts)

    def parts(self, axes):
        return int(np.prod([self.sizes[self.names.index(axis)] for axis in axes], dtype=int))

    def mesh(self, platform):
        devices = np.array([jax.devices(platform)[place] for place in self.places]).reshape(self.sizes)
        return Mesh(devices, self.names, axis_types=(AxisType.Auto,) * len(self.names))

    def __str__(self):
        return (f"mesh {dict(zip(self.names, self.sizes, strict=True))} on {self.places}, {'shard_map' if self.manual else 'jit'}, arguments "
                f"{list(zip(self.shapes, self.specs, [t.__name__ for t in self.types], strict=True))}, donated {self.donated}, "
                f"steps {[step.__name__ for step, _ in self.steps]}, asked {self.asked}")


def wrap(x):
    """Small integers stay small."""
    return jnp.where(jnp.abs(x) > 1000, x % 7, x)


def number(choice, many):
    return int(choice * 1000) % max(1, many)


def scale(x, choice, _):
    return wrap(x * number(choice, 5) + 1)


def negate_some(x, _choice, _):
    return jnp.where(x > 3, -x, x)


def maximum_of_itself(x, choice, _):
    return jnp.maximum(x, wrap(x * x) - number(choice, 20))


def transpose(x, _choice, _):
    return x.T


def last_column(x, _choice, _):
    return x[..., -1:] + x


def halves(x, _choice, _):
    return jnp.concatenate([x[..., :1], x], axis=-1)


def total(x, choice, _):
    return wrap(x.sum(axis=number(choice, x.ndim))) if x.ndim > 1 else x


def largest(x, choice, _):
    return x.max(axis=number(choice, x.ndim), keepdims=True) + x


def product(x, _choice, _):
    w = jnp.asarray(np.arange(x.shape[-1] * 3).reshape(x.shape[-1], 3) % 3, x.dtype)
    return wrap(jnp.matmul(x % 5, w, precision="highest"))


def running(x, _choice, _):
    return wrap(jnp.cumsum(x % 3, axis=-1))


def ordered(x, _choice, _):
    return jnp.sort(x, axis=-1)


def flat(x, _choice, _):
    return x.reshape(-1)


def padded(x, _choice, _):
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(1, 2)])


def looped(x, choice, _):
    return lax.fori_loop(0, number(choice, 4), lambda i, y: wrap(y * 2 + i.astype(y.dtype)), x)


def scanned(x, _choice, _):
    return lax.scan(lambda carry, row: (wrap(carry + row.sum().astype(carry.dtype)), wrap(row + carry)), jnp.zeros((), x.dtype),
                    x)[1] if x.ndim > 1 else x


def counted(x, _choice, _):
    return x + lax.broadcasted_iota(x.dtype, x.shape, x.ndim - 1)


def bits(x, _choice, _):
    return x + (jax.random.bits(jax.random.key(7), x.shape) % 5).astype(x.dtype)


def constrained(x, choice, draw):
    mesh, made = draw
    made.random.seed(int(choice * 1e6))
    return lax.with_sharding_constraint(x, NamedSharding(mesh, made.spec(x.shape)))


def uneven(x, choice, draw):
    mesh, made = draw
    axis = made.names[number(choice, len(made.names))]
    return lax.with_sharding_constraint(x, NamedSharding(mesh, P(axis)))


def placed(x, choice, draw):
    _, made = draw
    return x + lax.axis_index(made.names[number(choice, len(made.names))]).astype(x.dtype)


def branched(x, choice, draw):
    _, made = draw
    place = lax.axis_index(made.names[number(choice, len(made.names))])
    return lax.cond(place % 2 == 0, lambda y: y + 5, lambda y: wrap(y * 3), x)


def called(x, choice, draw):
    return jax.jit(lambda y: placed(y, choice, draw) * 2)(x)


def axes_of(choice, made):
    """Some of the mesh's axes, in some order, and how many devices a group along them has."""
    chosen = random.Random(choice)
    axes = tuple(chosen.sample(made.names, chosen.randint(1, len(made.names))))
    return axes if len(axes) > 1 else axes[0], made.parts(axes), chosen


def summed(x, choice, draw):
    return wrap(lax.psum(x, axes_of(choice, draw[1])[0]))


def extreme(x, choice, draw):
    axes, _, chosen = axes_of(choice, draw[1])
    return chosen.choice((lax.pmax, lax.pmin))(x, axes)


def gathered(x, choice, draw):
    axes, many, chosen = axes_of(choice, draw[1])
    return lax.all_gather(x, axes, axis=chosen.randrange(x.ndim), tiled=True) if x.size * many < 4096 else x


def scattered(x, choice, draw):
    axes, many, _ = axes_of(choice, draw[1])
    fitting = [k for k, size in enumerate(x.shape) if size % many == 0]
    return wrap(lax.psum_scatter(x, axes, scatter_dimension=fitting[0], tiled=True)) if fitting else x


def exchanged(x, choice, draw):
    axes, many, chosen = axes_of(choice, draw[1])
    fitting = [k for k, size in enumerate(x.shape) if size % many == 0]
    return lax.all_to_all(x, axes, fitting[-1], chosen.randrange(x.ndim), tiled=True) if fitting else x


def permuted(x, choice, draw):
    axes, many, chosen = axes_of(choice, draw[1])
    pairs = list(zip(chosen.sample(range(many), many), chosen.sample(range(many), many), strict=True))
    return lax.ppermute(x, axes, pairs[:chosen.randint(0, many)])


def together_in_a_loop(x, choice, draw):
    axes, _, chosen = axes_of(choice, draw[1])
    pairs = [(k, (k + 1) % draw[1].sizes[0]) for k in range(draw[1].sizes[0])]

    def turn(k, y):
        return wrap(lax.ppermute(y, draw[1].names[0], pairs) + lax.pmax(y, axes) + k.astype(y.dtype))

    return lax.fori_loop(0, chosen.randint(0, 3), turn, x)


def together_in_a_branch(x, choice, draw):
    """Devices that differ in other axes may go different ways."""
    axes, _, _ = axes_of(choice, draw[1])
    others = [name for name in draw[1].names if name not in axes]
    place = lax.axis_index(others[0]) if others else lax.psum(1, axes)
    return lax.cond(place % 2 == 0, lambda y: wrap(lax.psum(y, axes)), lambda y: y - 1, x)


EVERYWHERE = (scale, negate_some, maximum_of_itself, transpose, last_column, halves, total, largest, product, running, ordered, flat,
              padded, looped, scanned, counted, bits)
WHOLE = (*EVERYWHERE, *(scale, negate_some, looped) * 3, constrained, constrained, uneven)
TOGETHER = (summed, extreme, gathered, scattered, exchanged, permuted, together_in_a_loop, together_in_a_branch)
MANUAL = (*EVERYWHERE, placed, placed, branched, called, *TOGETHER * 2)


def body(draw, mesh):
    def compute(*arguments):
        values = list(arguments)
        for step, choice in draw.steps:
            index = number(choice, len(values))
            values.append(step(values[index], choice, (mesh, draw)))
        return values[len(arguments):]

    return compute


def results(draw, platform):
    """The results of the program there, and the remaining arguments."""
    mesh = draw.mesh(platform)
    arrays = [jax.device_put((np.arange(np.prod(shape)) % 11 - 3).reshape(shape).astype(kind), NamedSharding(mesh, spec))
              for shape, spec, kind in zip(draw.shapes, draw.specs, draw.types, strict=True)]
    compute = body(draw, mesh)
    if draw.manual:
        # The results of the devices are concatenated along the first dimension.
        compute = jax.shard_map(compute, mesh=mesh, in_specs=tuple(draw.specs), out_specs=P(draw.names), check_vma=False)
    options = {}
    if draw.asked and not draw.manual:
        shapes = jax.eval_shape(compute, *arrays)
        draw.random.seed(1)
        options["out_shardings"] = [NamedSharding(mesh, draw.spec(shape.shape)) for shape in shapes]
    made = jax.jit(compute, donate_argnums=draw.donated, **options)(*arrays)
    jax.block_until_ready(made)
    return made, [array.is_deleted() for array in arrays]


def differences(draw):
    """The differences from the CPU; None if the program was refused."""
    wanted, left = results(draw, "cpu")
    try:
        made, here = results(draw, "tandem")
    except jax.errors.JaxRuntimeError as error:
        if REFUSED.match(str(error)):
            return None
        return [f"{type(error).__name__}: {error}"]
    # The CPU gives memory to results of the same size, whatever their type.
    found = [f"arguments are gone: {here}, on the CPU {left}"] if any(gone and not there for gone, there in zip(here, left, strict=True)) else []
    for place, (array, other) in enumerate(zip(made, wanted, strict=True)):
        parts, others = ({shard.device.id: shard for shard in each.addressable_shards} for each in (array, other))
        if {d: s.index for d, s in parts.items()} != {d: s.index for d, s in others.items()}:
            found.append(f"result {place} lies as {array.sharding}, on the CPU as {other.sharding}")
            continue
        for device, shard in parts.items():
            if not np.array_equal(shard.data, others[device].data):
                found.append(f"result {place} on device {device}:\n{shard.data}\non the CPU\n{others[device].data}")
    return found


def run(seeds, verbose=False):
    """How many ran, how many were refused, and what differed by seed."""
    ran, refused, differing = 0, 0, {}
    for seed in seeds:
        draw = Draw(seed)
        if verbose:
            print(seed, draw, flush=True)
        found = differences(draw)
        ran += found == []
        refused += found is None
        if found:
            differing[seed] = f"{draw}\n" + "\n".join(found)
            print(f"seed {seed}: {differing[seed]}", flush=True)
    return ran, refused, differing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    first = arguments.seed * 1_000_000
    seeds = range(first, first + arguments.count) if arguments.only is None else [arguments.only]
    ran, refused, differing = run(seeds, arguments.only is not None)
    print(f"{ran} programs ran as on the CPU, {refused} were refused, {len(differing)} differ")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
