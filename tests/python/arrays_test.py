"""Arrays of JAX on the devices: there and back, copied, deleted, refused."""

import os
import threading
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"
os.environ["TANDEM_DEVICES"] = "2"
os.environ["TANDEM_HBM"] = "256M"

import jax
import ml_dtypes
import numpy as np

DTYPES = [np.float32, ml_dtypes.bfloat16, np.float16, np.int32, np.int16, np.int8, np.uint32, np.uint16, np.uint8,
          np.bool_, np.complex64, ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]
SHAPES = [(), (1,), (0,), (7,), (16,), (3, 5), (2, 0, 4), (2, 3, 4), (2, 1, 3, 5), (1, 2, 3, 2, 2)]


def pattern(shape, dtype):
    return (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 100).astype(dtype)


class Devices(unittest.TestCase):
    def test_jax_sees_the_devices(self):
        devices = jax.devices()
        self.assertEqual(len(devices), 2)
        self.assertEqual(devices[0].platform, "tandem")
        self.assertEqual(devices[1].id, 1)
        self.assertEqual(devices[0].device_kind, "Tandem small")
        self.assertIn("model=golden", str(devices[0]))
        self.assertEqual([m.kind for m in devices[0].addressable_memories()], ["device"])

    def test_memory_statistics_follow_the_arrays(self):
        device = jax.devices()[1]
        before = device.memory_stats()["bytes_in_use"]
        array = jax.device_put(np.zeros((1000, 100), np.float32), device).block_until_ready()
        stats = device.memory_stats()
        self.assertGreaterEqual(stats["bytes_in_use"], before + 400_000)
        self.assertGreaterEqual(stats["peak_bytes_in_use"], stats["bytes_in_use"])
        self.assertLessEqual(stats["bytes_in_use"], stats["bytes_limit"])
        array.delete()
        self.assertEqual(device.memory_stats()["bytes_in_use"], before)


class Transfers(unittest.TestCase):
    def test_every_type_and_shape_comes_back(self):
        for dtype in DTYPES:
            for shape in SHAPES:
                with self.subTest(dtype=np.dtype(dtype).name, shape=shape):
                    value = pattern(shape, dtype)
                    back = np.asarray(jax.device_put(value))
                    self.assertEqual(back.dtype, value.dtype)
                    np.testing.assert_array_equal(back, value)

    def test_views_come_back(self):
        base = pattern((6, 8), np.float32)
        for view in (base.T, base[::2, 1::3], base[::-1], np.broadcast_to(base[0], (4, 8))):
            np.testing.assert_array_equal(np.asarray(jax.device_put(view)), view)

    def test_arrays_go_between_devices_and_platforms(self):
        value = pattern((5, 9), np.float32)
        first, second = jax.devices()
        there = jax.device_put(jax.device_put(value, first), second)
        self.assertEqual(there.devices(), {second})
        np.testing.assert_array_equal(there, value)
        on_cpu = jax.device_put(there, jax.devices("cpu")[0])
        np.testing.assert_array_equal(on_cpu, value)

    def test_a_type_that_the_machine_has_not_is_refused(self):
        with jax.enable_x64(True), self.assertRaisesRegex(jax.errors.JaxRuntimeError, "UNIMPLEMENTED.*int64"):
            jax.device_put(np.zeros(3, np.int64)).block_until_ready()

    def test_lack_of_memory_is_an_exception(self):
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "RESOURCE_EXHAUSTED"):
            jax.device_put(np.zeros(100 << 20, np.float32)).block_until_ready()
        np.testing.assert_array_equal(jax.device_put(pattern((4,), np.int32)), [0, 1, 2, 3])

    def test_a_deleted_array_cannot_be_read(self):
        array = jax.device_put(pattern((4,), np.float32))
        array.delete()
        self.assertTrue(array.is_deleted())
        with self.assertRaisesRegex(RuntimeError, "deleted"):
            np.asarray(array)

    def test_subnormal_numbers_of_numpy_stay(self):
        tiny = np.float32(1e-40)
        np.asarray(jax.device_put(np.full(100, tiny)))
        self.assertNotEqual(tiny * np.float32(0.5), 0)

    def test_threads_share_devices(self):
        failures = []

        def work(number):
            for i in range(20):
                value = pattern((50, 7), np.int32) + number * 1000 + i
                array = jax.device_put(value, jax.devices()[number % 2])
                if not np.array_equal(np.asarray(array), value):
                    failures.append((number, i))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
