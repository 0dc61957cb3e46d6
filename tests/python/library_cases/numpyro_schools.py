"""numpyro: the eight schools by NUTS in one program, and a regression by stochastic variational inference.

Chains part where a last bit decides whether a step is taken, so the sampled means are compared by what their number of samples
allows.
"""

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
from numpyro import distributions
from numpyro.infer import MCMC, NUTS, SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal
from numpyro.infer.reparam import TransformReparam

TOLERANCES = {"first": 1e-3, "mu": 1.0, "tau": 1.0, "losses": 1e-2, "slope": 1e-3}
EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def schools(errors, effects=None):
    mu = numpyro.sample("mu", distributions.Normal(0, 5))
    tau = numpyro.sample("tau", distributions.HalfCauchy(5))
    with numpyro.plate("schools", 8), numpyro.handlers.reparam(config={"theta": TransformReparam()}):
        spread = distributions.transforms.AffineTransform(mu, tau)
        theta = numpyro.sample("theta", distributions.TransformedDistribution(distributions.Normal(0.0, 1.0), spread))
        numpyro.sample("effects", distributions.Normal(theta, errors), obs=effects)


def regression(x, y):
    slope = numpyro.sample("slope", distributions.Normal(0, 3))
    numpyro.sample("y", distributions.Normal(slope * x, 0.5), obs=y)


def results():
    chain = MCMC(NUTS(schools), num_warmup=200, num_samples=300, progress_bar=False)
    chain.run(jax.random.PRNGKey(0), ERRORS, effects=EFFECTS)
    samples = chain.get_samples()
    few = MCMC(NUTS(schools), num_warmup=2, num_samples=2, progress_bar=False)
    few.run(jax.random.PRNGKey(1), ERRORS, effects=EFFECTS)
    x = jnp.linspace(-1, 1, 50)
    guide = AutoNormal(regression)
    inference = SVI(regression, guide, numpyro.optim.Adam(0.05), Trace_ELBO()).run(
        jax.random.PRNGKey(2), 100, x, 1.5 * x, progress_bar=False)
    return {"first": few.get_samples()["mu"], "mu": samples["mu"].mean(), "tau": samples["tau"].mean(),
            "losses": inference.losses[-5:], "slope": inference.params["slope_auto_loc"]}
