"""The partitioner by itself: its results without XLA are the same as XLA's. Skipped where the compiler is not built."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import needs_compiler  # noqa: F401, skips without a compiler

import tandem
from tandem.partition import pieces

SCRIPT = pathlib.Path(tandem.__file__).parent / "partition" / "__main__.py"

# All of it manual, on a mesh in an order of its own; asks where it is, by a function, too.
PROGRAM = """
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices())[[2, 0, 3, 1]].reshape(2, 2), ("a", "b"), axis_types=(jax.sharding.AxisType.Auto,) * 2)

def body(x, y):
    return x * lax.axis_index("b"), jax.jit(lambda z: z + lax.axis_index("a"))(y)

specs = (P("b", "a"), P(None, ("a", "b")))
arrays = [jax.device_put(jnp.ones((4, 8)), jax.NamedSharding(mesh, spec)) for spec in specs]
jax.jit(jax.shard_map(body, mesh=mesh, in_specs=specs, out_specs=(P("b", "a"), P(None, ("a", "b")))))(*arrays)
"""


def captured(folder):
    """The program as the plugin gives it to the partitioner."""
    whole, script = pathlib.Path(folder, "whole"), pathlib.Path(folder, "partitioner")
    script.write_text(f'#!/bin/sh\ncat > "{whole}"\nexec "{sys.executable}" "{SCRIPT}" "$@" < "{whole}"\n')
    script.chmod(0o755)
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, env={
        **os.environ, "JAX_PLATFORMS": "tandem", "TANDEM_DEVICES": "4", "TANDEM_CACHE_BYTES": "0",
        "TANDEM_PARTITIONER": str(script)})
    return whole.read_bytes()


def partitioned(artifact, *options):
    return subprocess.run([sys.executable, SCRIPT, "--partitions=4", *options], input=artifact, capture_output=True, check=False)


def parts(sharding):
    """Which partitions have which part."""
    from jaxlib._hlo import HloSharding, OpSharding

    proto = OpSharding()
    proto.ParseFromString(sharding)
    made = HloSharding.from_proto(proto)
    return made.is_replicated(), list(made.tile_assignment_dimensions()), list(made.tile_assignment_devices())


class Partition(unittest.TestCase):
    def test_manual_programs_are_what_xla_makes_of_them(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = captured(folder)
        manual, automatic = (pieces.from_bytes(partitioned(whole, "--free=11", *options).stdout)
                             for options in ((), ("--automatic",)))
        self.assertTrue(manual.takes_number and automatic.takes_number)
        self.assertIn(b"manual_computation_body", automatic.artifact)  # XLA's name: it has been asked
        self.assertNotIn(b"manual_computation_body", manual.artifact)
        self.assertEqual(list(map(parts, manual.arguments)), list(map(parts, automatic.arguments)))
        self.assertEqual(list(map(parts, manual.results)), list(map(parts, automatic.results)))
        self.assertEqual(parts(manual.arguments[0]), (False, [2, 2], [0, 2, 1, 3]))

    def test_what_is_no_program_is_an_error_and_no_result(self):
        for artifact in (b"", b"no program", b"ML\xefR" + bytes(100)):
            ended = partitioned(artifact)
            self.assertNotEqual(ended.returncode, 0)
            self.assertEqual(ended.stdout, b"")
            self.assertNotEqual(ended.stderr, b"")


if __name__ == "__main__":
    unittest.main()
