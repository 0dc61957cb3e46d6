"""Programs of one collective each over N devices, and their results by NumPy.

Numbers are small and whole, so their sums are exact in every order.
"""

import dataclasses
import functools
import io

import jax
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

# On one device: a repeated call takes its previous result.
COLLECTIVES = {
    "all_reduce": lambda part, _: lax.psum(part, "i"),
    "all_gather": lambda part, _: lax.all_gather(part, "i", tiled=True),
    "reduce_scatter": lambda part, _: lax.psum_scatter(part, "i", tiled=True),
    "all_to_all": lambda part, _: lax.all_to_all(part, "i", 0, 0, tiled=True),
    "collective_permute": lambda part, chips: lax.ppermute(part, "i", [(k, (k + 1) % chips) for k in range(chips)]),
}
NAMES = list(COLLECTIVES)
REPEATS = ("all_reduce", "all_to_all", "collective_permute")  # a part is what it was


def by_numpy(name, parts):
    """Each chip's part of all chips' data."""
    chips = len(parts)
    total = functools.reduce(np.add, parts)
    split = [np.split(part, chips) for part in parts]
    return {"all_reduce": lambda: [total] * chips, "all_gather": lambda: [np.concatenate(parts)] * chips,
            "reduce_scatter": lambda: np.split(total, chips),
            "all_to_all": lambda: [np.concatenate([each[chip] for each in split]) for chip in range(chips)],
            "collective_permute": lambda: [parts[chip - 1] for chip in range(chips)]}[name]()


@dataclasses.dataclass
class Case:
    name: str
    chips: int
    size: int  # bytes of its data
    inputs: list  # of each chip
    wanted: list

    @property
    def repeats(self):
        return self.name in REPEATS

    def again(self, times):
        """This number of collectives, one after the other."""
        parts = self.inputs
        for _ in range(times):
            parts = by_numpy(self.name, parts)
        return dataclasses.replace(self, wanted=parts)

    def artifact(self, times):
        """The program of one device, as the plugin's compiler gets it."""
        from jaxlib import _jax
        from tandem import one_of_several

        mesh = jax.make_mesh((self.chips,), ("i",), devices=jax.devices("cpu")[:self.chips],
                             axis_types=(jax.sharding.AxisType.Auto,))

        @jax.jit
        @functools.partial(jax.shard_map, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False)
        def program(part):
            for _ in range(times):
                part = COLLECTIVES[self.name](part, self.chips)
            return part

        lowered = program.trace(np.concatenate(self.inputs)).lower()
        module = io.BytesIO()
        lowered.compiler_ir("stablehlo").operation.write_bytecode(module)
        artifact = _jax.mlir.serialize_portable_artifact(module.getvalue(), "1.13.0", True)
        return one_of_several.partitioned(artifact, lowered).artifact


def case(name, chips, size):
    words = size // 4 // (chips if name == "all_gather" else 1)
    rng = np.random.default_rng([chips, size, *name.encode()])
    parts = [rng.integers(-9, 10, words).astype(np.float32) for _ in range(chips)]
    return Case(name, chips, size, parts, by_numpy(name, parts))
