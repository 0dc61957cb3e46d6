"""Collectives, against JAX on its CPU with as many virtual devices; skipped where the compiler is not built.
"""

import pathlib
import sys
import unittest

import on_devices  # noqa: I001, sets the devices before jax looks
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import needs_compiler  # noqa: F401, skips without a compiler
from on_devices import mesh_of, numbers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from by_night import by_night  # noqa: E402

RING = [(k, (k + 1) % 4) for k in range(4)]


def spread(mesh, x, *spec):
    return jax.device_put(x, NamedSharding(mesh, P(*spec)))


def manual(mesh, body, *spec, out=None):
    out = P(*spec) if out is None else out
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P(*spec), out_specs=out, check_vma=False))


class Collectives(on_devices.OnDevices):
    def each(self, body, *, sizes=(4,), names=("i",), shape=(8, 12), kind=np.float32, order=None, tolerance=0):
        """The results of `body` for each device's part."""
        x = (np.arange(np.prod(shape)) * 7 % 11 - 4).reshape(shape).astype(kind)
        self.same(lambda mesh: manual(mesh, body, names)(spread(mesh, x, names)), sizes, names, order, tolerance)

    def test_every_collective(self):
        def body(a):
            part = a[:, :4]
            return (lax.psum(a, "i"), lax.pmax(a, "i"), lax.pmin(a, "i"), lax.pmean(a, "i"), lax.all_gather(a, "i"),
                    lax.all_gather(a, "i", axis=1, tiled=True), lax.psum_scatter(a.T, "i", tiled=True),
                    lax.psum_scatter(part, "i", scatter_dimension=1), lax.all_to_all(part, "i", 1, 0),
                    lax.all_to_all(a, "i", 1, 0, tiled=True), lax.all_to_all(a, "i", 1, 1, tiled=True), lax.ppermute(a, "i", RING),
                    a + lax.axis_index("i"))

        self.each(body)

    def test_every_type(self):
        def body(a):
            return lax.psum(a, "i"), lax.pmax(a, "i"), lax.all_gather(a, "i"), lax.ppermute(a, "i", RING), lax.all_to_all(a[:, :4], "i", 1, 0)

        self.each(body, kind=jnp.bfloat16, shape=(4, 5))
        self.each(lambda a: (lax.psum(a + 1j * a, "i"), lax.all_gather(a * 1j, "i"), lax.ppermute(a - 2j * a, "i", RING)))
        self.each(lambda a: (lax.all_gather(a > 0, "i"), lax.ppermute(a > 0, "i", RING[:2])))

    @by_night
    def test_more_types(self):
        def body(a):
            return lax.psum(a, "i"), lax.pmax(a, "i"), lax.all_gather(a, "i"), lax.ppermute(a, "i", RING), lax.all_to_all(a[:, :4], "i", 1, 0)

        for kind in (np.float16, np.int32, np.uint32, np.int8, np.uint8, jnp.int4, jnp.float8_e4m3fn):
            with self.subTest(kind=np.dtype(kind).name):
                self.each(body, kind=kind, shape=(4, 5))

    def test_groups(self):
        def body(a):
            return [f(a, axes) for axes in ("x", "y", ("x", "y"), ("y", "x")) for f in (lax.psum, lax.all_gather)] + [
                lax.psum_scatter(a, "y", scatter_dimension=1, tiled=True), lax.all_to_all(a, "x", 1, 0, tiled=True)]

        self.each(body, sizes=(2, 4), names=("x", "y"), shape=(8, 16))
        self.each(body, sizes=(4, 2), names=("x", "y"), shape=(8, 16), order=[5, 1, 0, 7, 2, 3, 6, 4])

    def test_groups_by_index(self):
        groups = [[0, 3], [2, 1]]

        def body(a):
            return (lax.psum(a, "i", axis_index_groups=groups), lax.all_gather(a, "i", axis_index_groups=groups),
                    lax.psum_scatter(a, "i", scatter_dimension=1, axis_index_groups=groups, tiled=True),
                    lax.all_to_all(a, "i", 1, 0, axis_index_groups=groups, tiled=True))

        self.each(body)

    def test_who_is_sent_nothing_has_zeros(self):
        for pairs in ([(0, 1), (1, 2), (2, 3)], [(0, 3)], [(0, 0), (1, 2), (2, 1), (3, 3)], []):
            self.each(lambda a, pairs=pairs: lax.ppermute(a, "i", pairs))

    def test_large_and_uneven_reductions(self):
        for shape in ((8, 130), (4, 1025), (4, 3000)):
            self.each(lambda a: (lax.psum(a, "i"), lax.pmax(a, "i")), shape=shape)
        self.each(lambda a: lax.psum(a, "i"), sizes=(2,), shape=(2, 1500))

    def test_sums_are_in_the_order_of_the_group_and_the_same_everywhere(self):
        x = np.float32([1e8, 1, -1e8, 3])
        # Around a ring: of parts that are whole vectors, half by half, with contributions from the opposite device
        # (docs/decisions/0187).
        halves = []
        for c in range(4):
            before, own, behind, far = x[c - 1], x[c], x[(c + 1) % 4], x[(c + 2) % 4]
            halves += [((far + before) + own) + behind, (before + own) + (far + behind)]
        for size, wanted in ((1, ((x[0] + x[1]) + x[2]) + x[3]), (2000, np.repeat(halves, 256)[:2000])):
            mesh = mesh_of("tandem", (4,), ("i",))
            y = manual(mesh, lambda a: lax.psum(a, "i"), "i", out=P("i"))(spread(mesh, np.tile(x[:, None], (1, size)), "i"))
            np.testing.assert_array_equal(y, np.tile(wanted, (4, 1)))

    def test_products_inside_of_rings(self):
        w = (np.arange(128 * 64) * 5 % 7 - 3).reshape(128, 64).astype(np.float32)
        groups = [[2, 0, 3, 1]]

        def gathered(a):
            return lax.all_gather(a, "i", tiled=True) @ w

        def scattered(a):
            return lax.psum_scatter(a.reshape(512, 64) @ w.reshape(64, 128), "i", tiled=True)

        shapes = {"gathered": (gathered, 512), "by index": (lambda a: lax.all_gather(a, "i", axis_index_groups=groups, tiled=True) @ w, 512),
                  "of the right": (lambda a: w.T @ lax.all_gather(a.T, "i", axis=1, tiled=True), 512), "scattered": (scattered, 1024),
                  "twice": (lambda a: lax.fori_loop(0, 2, lambda k, b: b + gathered(a)[:128, :1] - k, a), 512)}
        for name, (body, rows) in shapes.items():
            with self.subTest(form=name):
                self.each(body, shape=(rows, 128))
        with self.subTest(form="gradient"):
            self.each(jax.grad(lambda a: (gathered(a) ** 2).sum() / 8), shape=(512, 128))

    def test_products_inside_of_rings_are_the_same_everywhere(self):
        x, w = (np.random.default_rng(k).normal(size=shape).astype(np.float32) for k, shape in enumerate(((512, 128), (128, 64))))
        mesh = mesh_of("tandem", (4,), ("i",))
        all_gathered = manual(mesh, lambda a: lax.all_gather(a, "i", tiled=True) @ w, "i")(spread(mesh, x, "i"))
        summed = manual(mesh, lambda a: lax.psum(a @ w, "i"), "i")(spread(mesh, np.tile(x, (4, 1)) * np.float32(1.1), "i"))
        for result in map(np.asarray, (all_gathered, summed)):
            for copy in np.split(result, 4)[1:]:
                np.testing.assert_array_equal(copy, np.split(result, 4)[0])

    def test_the_same_exchange_again_and_again(self):
        def body(a):
            moved = lax.fori_loop(0, 7, lambda k, b: lax.ppermute(b, "i", RING) + k, a)
            return lax.scan(lambda c, row: (c + lax.psum(row * c, "i") % 5, lax.all_gather(c, "i").sum()), a[0], moved)

        self.each(body)

    def test_conditions_and_branches(self):
        def body(a):
            total = lax.while_loop(lambda b: lax.psum(b.sum(), "i") < 1000, lambda b: b * 2 + 1, jnp.abs(a))
            place = lax.axis_index("x")
            there = lax.cond(place == 0, lambda b: lax.psum(b, "i"), lambda b: lax.pmax(b, "i") * 2, a)  # groups go each its way
            return total, there, lax.cond(lax.psum(a.sum(), ("x", "i")) > 0, lambda b: lax.all_gather(b, "x").sum(0), lambda b: -b, a)

        self.each(body, sizes=(2, 4), names=("x", "i"), shape=(8, 6))

    def test_slow_and_fast_devices(self):
        def body(a):
            a = lax.fori_loop(0, 40 * lax.axis_index("i"), lambda k, b: (b * 3 + 1) % 7, a)
            return lax.ppermute(lax.psum(a, "i") + a, "i", RING)

        self.each(body, kind=np.int32)

    def test_whole_programs_are_partitioned(self):
        def program(mesh):
            x = spread(mesh, numbers(8, 12) % 7, "a", "b")
            w = spread(mesh, numbers(12, 4) % 5, "b")
            functions = (lambda x, w: x @ w, lambda x, w: (x.sum(), x.max(0), jnp.sort(x, 0), jnp.cumsum(x, 1)), lambda x, w: x[::-1],
                         lambda x, w: jnp.argmax(x, 0), lambda x, w: jnp.roll(x, 1, 0), lambda x, w: x.T @ x)
            return [jax.jit(f)(x, w) for f in functions]

        with jax.default_matmul_precision("highest"):
            self.same(program, (2, 2), ("a", "b"))


class Examples(on_devices.OnDevices):
    def test_a_data_parallel_training_step(self):
        def program(mesh):
            rng = np.random.default_rng(0)
            weights = {k: spread(mesh, rng.normal(size=s).astype(np.float32) / 4) for k, s in (("a", (12, 16)), ("b", (16, 3)))}
            x, y = (spread(mesh, rng.normal(size=(16, s)).astype(np.float32), "i") for s in (12, 3))

            def loss(w, x, y):
                return jnp.mean((jnp.tanh(x @ w["a"]) @ w["b"] - y) ** 2)

            @jax.jit
            def step(w, x, y):
                value, gradient = jax.value_and_grad(loss)(w, x, y)
                return value, jax.tree.map(lambda a, g: a - 0.1 * g, w, gradient)

            first, weights = step(weights, x, y)
            return first, step(weights, x, y)

        with jax.default_matmul_precision("highest"):
            self.same(program, tolerance=1e-5)

    def test_a_tensor_parallel_mlp(self):
        def program(mesh):
            rng = np.random.default_rng(1)
            x = spread(mesh, rng.normal(size=(4, 16)).astype(np.float32), "dp")
            w, v = (spread(mesh, rng.normal(size=s).astype(np.float32), *p) for s, p in (((16, 32), (None, "tp")), ((32, 8), ("tp",))))
            return jax.jit(lambda x, w, v: jax.nn.relu(x @ w) @ v)(x, w, v)

        with jax.default_matmul_precision("highest"):
            self.same(program, (2, 4), ("dp", "tp"), tolerance=1e-5)

    def test_attention_in_a_ring(self):
        def body(q, k, v):
            def turn(_, carry):
                k, v, top, total, out = carry
                scores = q @ k.T
                new = jnp.maximum(top, scores.max(1))
                weights, scale = jnp.exp(scores - new[:, None]), jnp.exp(top - new)
                return (lax.ppermute(k, "i", RING), lax.ppermute(v, "i", RING), new, total * scale + weights.sum(1),
                        out * scale[:, None] + weights @ v)

            start = (k, v, jnp.full(q.shape[0], -jnp.inf), jnp.zeros(q.shape[0]), jnp.zeros_like(q))
            *_, total, out = lax.fori_loop(0, 4, turn, start)
            return out / total[:, None]

        def program(mesh):
            rng = np.random.default_rng(2)
            parts = [spread(mesh, rng.normal(size=(16, 8)).astype(np.float32) / 3, "i") for _ in range(3)]
            return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False))(*parts)

        with jax.default_matmul_precision("highest"):
            self.same(program, tolerance=1e-5)

    def test_a_mixture_of_experts(self):
        def body(x, gate, w):
            tokens = x.shape[0] // 4
            order = jnp.argsort(x @ gate)[:4 * tokens]
            sent = lax.all_to_all(x[order].reshape(4, tokens, -1), "i", 0, 0)
            back = lax.all_to_all(jax.nn.relu(sent @ w[0]), "i", 0, 0)
            return jnp.zeros_like(x).at[order].set(back.reshape(4 * tokens, -1))

        def program(mesh):
            rng = np.random.default_rng(3)
            x, gate, w = (rng.normal(size=s).astype(np.float32) for s in ((32, 8), (8,), (4, 8, 8)))
            return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=(P("i"), P(), P("i")), out_specs=P("i"), check_vma=False))(
                spread(mesh, x, "i"), spread(mesh, gate), spread(mesh, w, "i"))

        with jax.default_matmul_precision("highest"):
            self.same(program, tolerance=1e-5)

    def test_a_pipeline(self):
        def body(w, x):
            def tick(carry, k):
                held, done = carry
                mine = jnp.tanh(jnp.where(lax.axis_index("i") == 0, x[jnp.minimum(k, 5)], held) @ w[0])
                place = jnp.clip(k - 3, 0, 5)
                done = jnp.where(k >= 3, done.at[place].set(mine), done)
                return (lax.ppermute(mine, "i", RING[:3]), done), None

            (_, done), _ = lax.scan(tick, (jnp.zeros_like(x[0]), jnp.zeros_like(x)), jnp.arange(9))
            return done

        def program(mesh):
            rng = np.random.default_rng(4)
            w, x = spread(mesh, rng.normal(size=(4, 8, 8)).astype(np.float32), "i"), spread(mesh, rng.normal(size=(6, 2, 8)).astype(np.float32))
            return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=(P("i"), P()), out_specs=P("i"), check_vma=False))(w, x)

        with jax.default_matmul_precision("highest"):
            self.same(program, tolerance=1e-5)


if __name__ == "__main__":
    unittest.main()
