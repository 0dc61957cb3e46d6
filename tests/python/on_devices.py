"""Shared by tests of programs over several devices: the same program on the plugin's devices and on as many virtual
ones of JAX's CPU.
"""

import os
import unittest

os.environ.setdefault("JAX_PLATFORMS", "tandem,cpu")
os.environ["TANDEM_DEVICES"] = "8"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import numpy as np
from jax.sharding import AxisType, Mesh


def mesh_of(platform, sizes, names, order=None):
    devices = np.array(jax.devices(platform)[:int(np.prod(sizes))])
    return Mesh((devices if order is None else devices[order]).reshape(sizes), names, axis_types=(AxisType.Auto,) * len(names))


def numbers(*shape):
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def plain(x):
    """In a type that NumPy knows."""
    x = np.asarray(x)
    return x.astype(np.float32) if x.dtype == jax.numpy.bfloat16 else x


class OnDevices(unittest.TestCase):
    def same(self, program, sizes=(4,), names=("i",), order=None, tolerance=0):
        """The result of `program(mesh)` is the CPU's, with the same sharding."""
        tandem, cpu = (program(mesh_of(platform, sizes, names, order)) for platform in ("tandem", "cpu"))
        for result, wanted in zip(jax.tree.leaves(tandem), jax.tree.leaves(cpu), strict=True):
            for part, other in zip(result.addressable_shards, wanted.addressable_shards, strict=True):
                self.assertEqual((part.device.id, part.index), (other.device.id, other.index))
                np.testing.assert_allclose(*map(plain, (part.data, other.data)), rtol=tolerance, atol=tolerance)
        return tandem
