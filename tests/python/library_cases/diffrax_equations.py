"""diffrax: an adaptive solution with output at given times, a stochastic equation, a neural one that learns, and a solver that runs out of steps."""

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

TOLERANCES = {"decay": 1e-5, "steps": 0, "noise": 1e-5, "losses": 2e-3, "refusal": 0}
FAILS = "maximum number of solver steps was reached"


def decay(**options):
    return diffrax.diffeqsolve(
        diffrax.ODETerm(lambda t, y, args: -y), diffrax.Dopri5(), t0=0, t1=3, dt0=0.1, y0=jnp.array(1.0),
        saveat=diffrax.SaveAt(ts=jnp.array([0.0, 1.0, 2.0, 3.0])), stepsize_controller=diffrax.PIDController(rtol=1e-5, atol=1e-5), **options)


def noise():
    motion = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-2, shape=(3,), key=jax.random.key(2))
    terms = diffrax.MultiTerm(diffrax.ODETerm(lambda t, y, args: -y), diffrax.ControlTerm(lambda t, y, args: jnp.diag(0.3 * y), motion))
    return diffrax.diffeqsolve(terms, diffrax.Heun(), t0=0.0, t1=1.0, dt0=0.05, y0=jnp.array([1.0, 2.0, -1.0])).ys


class Field(eqx.Module):
    network: eqx.nn.MLP

    def __call__(self, t, y, args):
        return self.network(y)


def losses():
    field = Field(eqx.nn.MLP(2, 2, 16, 2, jnp.tanh, key=jax.random.key(0)))
    times = jnp.linspace(0, 1, 8)
    starts = jax.random.normal(jax.random.key(1), (4, 2))
    targets = starts[:, None] * jnp.exp(-times)[None, :, None]

    def solution(field, start):
        return diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.Tsit5(), t0=0.0, t1=1.0, dt0=0.1, y0=start, saveat=diffrax.SaveAt(ts=times),
            stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-6)).ys

    @eqx.filter_jit
    @eqx.filter_value_and_grad
    def loss(field):
        return jnp.mean((jax.vmap(solution, (None, 0))(field, starts) - targets) ** 2)

    optimizer, found = optax.adam(1e-2), []
    state = optimizer.init(eqx.filter(field, eqx.is_inexact_array))
    for _ in range(3):
        value, gradient = loss(field)
        changes, state = optimizer.update(gradient, state)
        field = eqx.apply_updates(field, changes)
        found.append(float(value))
    return found


def refusal():
    """1 if the solver reports running out of steps, by equinox.error_if."""
    try:
        jax.block_until_ready(decay(max_steps=4).ys)
    except Exception as error:
        return [1 if FAILS in str(error) else -1]
    return [0]


def results():
    solution = decay()
    return {"decay": solution.ys, "steps": solution.stats["num_steps"], "noise": noise(), "losses": losses(), "refusal": refusal()}
