"""Kernels in Python whose copies go to other devices: groups of golden chips through the plugin; skipped where the compiler is
not built.
"""

import os
import unittest

os.environ["JAX_PLATFORMS"] = "tandem"
os.environ["TANDEM_DEVICES"] = "4"
os.environ["TANDEM_MODEL"] = "golden"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import needs_compiler  # noqa: F401, skips without a compiler
import tandem
from tandem.assembly import *
from tandem.kernels import scratch_smem


@tandem.kernel(outputs=lambda x: x)
def shift(x, y):  # y = x of the device to the left
    right = add(csr("chip"), 1)
    round_ = eq(right, csr("chips"))
    mov(0, to=right, on=round_)
    send = scratch_smem(16)
    descriptor(send, x.place(), y.place(), 4 * x.size, flag=24, chip=right, flag_here=25)
    copy(send + 0, s[0], s[0])
    wait(f[24], 1)
    wait(f[25], 1)
    fset(f[24], 0)
    fset(f[25], 0)


@tandem.kernel(outputs=lambda x: x)
def listen(x, y):  # never sent
    first = eq(csr("chip"), 1)
    wait(f[24], 1, on=first)


@tandem.kernel(outputs=lambda x: x)
def refuse(x, y):  # device 2 has enough of it
    here = eq(csr("chip"), 2)
    trap(77, on=here)
    wait(f[24], 1)


class GroupKernels(unittest.TestCase):
    def setUp(self):
        self.mesh = jax.make_mesh((4,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
        self.x = jax.device_put(np.arange(64, dtype=np.float32).reshape(4, 16), NamedSharding(self.mesh, P("i")))

    def mapped(self, function, **options):
        return jax.jit(jax.shard_map(function, mesh=self.mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False), **options)

    def test_a_copy_ends_on_the_next_device(self):
        y = self.mapped(lambda x: shift(2 * x) + 1)(self.x)
        np.testing.assert_array_equal(y, np.roll(2 * np.asarray(self.x), 1, axis=0) + 1)
        self.assertEqual([part.device.id for part in y.addressable_shards], [0, 1, 2, 3])

    def test_results_lie_alike_where_devices_hold_different_things(self):
        held = [jax.device_put(np.zeros(5000 * (1 + i), np.float32), device) for i, device in enumerate(jax.devices())]
        for _ in range(3):
            y = self.mapped(shift)(self.x)
            np.testing.assert_array_equal(y, np.roll(np.asarray(self.x), 1, axis=0))
        self.assertEqual(held[3].shape, (20000,))

    def test_a_donated_argument_moves_where_it_lies_apart(self):
        held = [jax.device_put(np.zeros(5000 * (1 + i), np.float32), device) for i, device in enumerate(jax.devices())]
        x = jax.device_put(np.asarray(self.x), NamedSharding(self.mesh, P("i")))
        y = self.mapped(shift, donate_argnums=0)(x)
        np.testing.assert_array_equal(y, np.roll(np.asarray(self.x), 1, axis=0))
        self.assertEqual(len(held), 4)

    def test_an_end_is_told_with_its_device(self):
        with self.assertRaises(jax.errors.JaxRuntimeError) as caught:
            self.mapped(refuse)(self.x).block_until_ready()
        message = str(caught.exception)
        for part in ("on device 2 (partition 2 of 4)", "chip 2: trap at PC", "chip 0 waits at PC", "group_kernels_test.py"):
            self.assertIn(part, message)
        np.testing.assert_array_equal(self.x + 1, np.asarray(self.x) + 1)

    def test_a_deadlock_is_told_chip_by_chip(self):
        with self.assertRaises(jax.errors.JaxRuntimeError) as caught:
            self.mapped(listen)(self.x).block_until_ready()
        for part in ("deadlock: no chip of the group can go on", "chip 1 waits at PC", "no other chip has added to it", "chip 3 has halted"):
            self.assertIn(part, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
