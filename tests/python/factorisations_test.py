"""Factorisations, which are JAX programs here: without implicit promotion of ranks, of empty matrices, and those that JAX has
only for the CPU, compared with it. Skipped where the compiler is not built."""

import os
import unittest

os.environ["JAX_PLATFORMS"] = "tandem,cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.lax import linalg

import needs_compiler  # noqa: F401, skips without a compiler

A = np.array([[4, 1, 2, 0], [1, 3, 1, 1], [2, 1, 2, -1], [0, 1, -1, 5]], np.float32)


def on_cpu(function, *arguments):
    with jax.default_device(jax.devices("cpu")[0]):
        return jax.tree.map(np.asarray, jax.jit(function)(*arguments))


class Factorisations(unittest.TestCase):
    def setUp(self):
        precise = jax.default_matmul_precision("highest")
        precise.__enter__()
        self.addCleanup(precise.__exit__, None, None, None)

    def same(self, function, *arguments):
        got = jax.jit(function)(*arguments)
        for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(on_cpu(function, *arguments)), strict=True):
            np.testing.assert_allclose(g, w, atol=2e-5)

    def test_complex_matrices(self):
        a = (A + 1j * A[::-1, ::-1].T * [1, 2, -1, 0.5]).astype(np.complex64)
        hermitian = a @ a.conj().T + np.eye(4, dtype=np.complex64)

        def factors(a, hermitian):
            return (jnp.linalg.cholesky(hermitian), jnp.linalg.qr(a), jnp.linalg.eigh(hermitian),
                    jnp.linalg.svd(a), jnp.linalg.solve(a, hermitian), jax.scipy.linalg.hessenberg(a, calc_q=True))
        with jax.numpy_dtype_promotion("strict"), jax.numpy_rank_promotion("raise"):
            lower, (q, r), (values, vectors), (u, s, v), solved, (h, p) = jax.tree.map(np.asarray,
                                                                                  jax.jit(factors)(a, hermitian))
        for got, want in ((lower @ lower.conj().T, hermitian), (q @ r, a), (q.conj().T @ q, np.eye(4)),
                          ((vectors * values) @ vectors.conj().T, hermitian), ((u * s) @ v, a),
                          (a @ solved, hermitian), (p @ h @ p.conj().T, a), (s, np.linalg.svd(a)[1])):
            np.testing.assert_allclose(got, want, atol=1e-4)
        self.assertEqual((values.dtype, s.dtype), (np.float32, np.float32))

    def test_ranks_need_no_promotion(self):
        batch = np.stack([A, A + np.eye(4, dtype=np.float32)])
        with jax.numpy_rank_promotion("raise"):
            factor, q, values, solved = jax.jit(lambda a, b: (
                jnp.linalg.cholesky(a), jnp.linalg.qr(b), jnp.linalg.svd(b, compute_uv=False),
                jax.scipy.linalg.solve_triangular(b, b, unit_diagonal=True)))(A, batch)
        np.testing.assert_allclose(factor @ factor.T, A, atol=1e-4)
        np.testing.assert_allclose(np.asarray(q[0]) @ q[1], batch, atol=1e-4)
        np.testing.assert_allclose(values, np.linalg.svd(batch)[1], atol=1e-4)
        unit = np.triu(batch, 1) + np.eye(4)
        np.testing.assert_allclose(unit @ np.asarray(solved), batch, atol=1e-4)

    def test_matrices_without_elements(self):
        def zeros(*shape):
            return np.zeros(shape, np.float32)

        for name, function, arguments, shape in (
                ("derivative of qr", lambda a: jax.jvp(jnp.linalg.qr, (a,), (a,))[1][0], (zeros(0, 0),), (0, 0)),
                ("qr", lambda a: jnp.linalg.qr(a)[0], (zeros(3, 0),), (3, 0)),
                ("solve", jnp.linalg.solve, (zeros(0, 0), zeros(0, 2)), (0, 2)),
                ("inv", jnp.linalg.inv, (zeros(2, 0, 0),), (2, 0, 0)),
                ("cholesky", jnp.linalg.cholesky, (zeros(0, 0),), (0, 0)),
                ("svd", lambda a: jnp.linalg.svd(a)[1], (zeros(0, 0),), (0,)),
                ("solve_triangular", jax.scipy.linalg.solve_triangular, (zeros(0, 0), zeros(0, 2)), (0, 2))):
            with self.subTest(name):
                self.assertEqual(jax.jit(function)(*arguments).shape, shape)

    def test_hessenberg_form(self):
        self.same(linalg.hessenberg, A + np.triu(A, 1))
        self.same(linalg.hessenberg, np.stack([A, A + np.tri(4, dtype=np.float32)]))

    def test_tridiagonal_form(self):
        for lower in (True, False):
            self.same(lambda a: linalg.tridiagonal(a, lower=lower), A + np.triu(A, 1))

    def test_qr_with_pivots(self):
        for a in (A, A[:, :3], A[:3], np.stack([A, A[::-1]])):
            self.same(lambda a: jax.scipy.linalg.qr(a, pivoting=True), a)

    def test_fixed_columns_stay_in_front(self):
        self.same(lambda a: linalg.geqp3(a, jnp.array([0, 0, 1, 0], jnp.int32))[1:], A)

    def test_what_is_not_there_says_so(self):
        for name, function in (("jnp.linalg.eig", jnp.linalg.eigvals), ("jax.scipy.linalg.schur", jax.scipy.linalg.schur)):
            with self.assertRaisesRegex(NotImplementedError, f"unimplemented: {name} .*on Tandem: it needs"):
                jax.jit(function)(A)


if __name__ == "__main__":
    unittest.main()
