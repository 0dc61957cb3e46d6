"""blackjax: steps of NUTS, HMC and random-walk Metropolis on the posterior of a normal distribution's location and scale."""

import blackjax
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import stats

TOLERANCES = {"nuts": 1e-3, "hmc": 1e-3, "walk": 1e-4}
OBSERVED = np.random.default_rng(0).normal(10, 20, size=200).astype(np.float32)


def density(x):
    return jnp.sum(stats.norm.logpdf(OBSERVED, x["location"], jnp.exp(x["scale"])))


def chain(sampler, steps):
    state = sampler.init({"location": jnp.array(1.0), "scale": jnp.array(1.0)})

    @jax.jit
    def run(state):
        def step(state, key):
            state, _ = sampler.step(key, state)
            return state, state.position["location"]
        return jax.lax.scan(step, state, jax.random.split(jax.random.key(0), steps))[1]

    return run(state)


def results():
    inverse_mass = jnp.array([0.5, 0.01])
    return {"nuts": chain(blackjax.nuts(density, 1e-3, inverse_mass), 6),
            "hmc": chain(blackjax.hmc(density, 1e-3, inverse_mass, 10), 20),
            "walk": chain(blackjax.additive_step_random_walk(density, blackjax.mcmc.random_walk.normal(jnp.array([0.1, 0.01]))), 50)}
