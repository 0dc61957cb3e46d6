"""optimistix and lineax: a root, a fixed point, least squares, a minimum; linear systems by CG, GMRES, LU and Cholesky."""

import jax
import jax.numpy as jnp
import lineax
import optimistix

TOLERANCES = {"root": 1e-5, "fixed": 1e-5, "fit": 1e-3, "minimum": 1e-3, "cg": 1e-3, "gmres": 1e-3, "lu": 1e-4, "cholesky": 1e-4}


def curve(parameters, x):
    return parameters[0] * jnp.exp(-parameters[1] * x)


def results():
    root = optimistix.root_find(
        lambda y, args: jnp.stack([jnp.tanh(y[0]) - y[1], y[0] ** 2 - jnp.sinh(y[1] + 1)]),
        optimistix.Newton(rtol=1e-5, atol=1e-5), jnp.array([0.1, 0.2])).value
    fixed = optimistix.fixed_point(lambda y, args: jnp.cos(y), optimistix.FixedPointIteration(rtol=1e-6, atol=1e-6), jnp.array(1.0)).value
    x = jnp.linspace(0, 2, 20)
    fit = optimistix.least_squares(
        lambda parameters, args: curve(parameters, x) - curve(jnp.array([2.0, 0.7]), x),
        optimistix.LevenbergMarquardt(rtol=1e-5, atol=1e-5), jnp.array([1.0, 1.0])).value
    minimum = optimistix.minimise(
        lambda y, args: jnp.sum((y - 3.0) ** 2), optimistix.BFGS(rtol=1e-5, atol=1e-5), jnp.zeros(3)).value
    matrix = jax.random.normal(jax.random.key(0), (6, 6))
    positive = lineax.MatrixLinearOperator(matrix @ matrix.T + 6 * jnp.eye(6), lineax.positive_semidefinite_tag)
    general = lineax.MatrixLinearOperator(matrix + 4 * jnp.eye(6))
    ones = jnp.ones(6)
    return {"root": root, "fixed": fixed, "fit": fit, "minimum": minimum,
            "cg": lineax.linear_solve(positive, ones, lineax.CG(rtol=1e-5, atol=1e-5)).value,
            "gmres": lineax.linear_solve(general, ones, lineax.GMRES(rtol=1e-5, atol=1e-5)).value,
            "lu": lineax.linear_solve(general, ones).value,
            "cholesky": lineax.linear_solve(positive, ones, lineax.Cholesky()).value}
