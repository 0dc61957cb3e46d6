"""jax.nn and jax.random, and the transformations: grad, vmap, scan, donation."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import case

KEY = "u[2]"


def networks():
    for words in ("f[7]", "f[3,4]", "f[2,3,5]", "h[3,4]", "f[3,130]"):
        for name in ("softmax", "log_softmax", "logsumexp", "logmeanexp", "standardize"):
            yield case(f"nn.{name}", words, lambda x, n=name: getattr(jax.nn, n)(x, axis=-1))
    yield case("nn.softmax/where", "f[3,4] b[3,4]", lambda x, w: jax.nn.softmax(
        jnp.where(w, x, x), axis=-1, where=w | (x > -9)))
    yield case("nn.glu", "f[3,4]", jax.nn.glu)
    yield case("nn.gelu/exact", "f[7]", lambda x: jax.nn.gelu(x, approximate=False))
    yield case("nn.one_hot", "i[5]<7", lambda i: jax.nn.one_hot(i, 6))
    for causal in (False, True):
        yield case(f"nn.dot_product_attention/{causal}", "f[2,5,2,4] f[2,5,2,4] f[2,5,2,4]",
                   lambda q, k, v, c=causal: jax.nn.dot_product_attention(q, k, v, is_causal=c))


def random():
    shapes = ((), (7,), (3, 4), (0,))
    plain = "normal uniform gumbel cauchy exponential laplace logistic maxwell rademacher bernoulli"
    for name in (plain + " bits double_sided_maxwell rayleigh lognormal").split():
        for shape in shapes:
            extra = {"double_sided_maxwell": (0.0, 1.0), "rayleigh": (1.0,)}.get(name, ())
            order = {"bernoulli": lambda k, s: jax.random.bernoulli(k, 0.3, s),
                     "lognormal": lambda k, s: jax.random.lognormal(k, 1.0, s),
                     "rayleigh": lambda k, s: jax.random.rayleigh(k, 1.0, s),
                     "double_sided_maxwell": lambda k, s: jax.random.double_sided_maxwell(k, 0.0, 1.0, s)}
            function = order.get(name, lambda k, s, n=name: getattr(jax.random, n)(k, s))
            del extra
            yield case(f"random.{name}/{shape}", KEY, lambda k, f=function, s=shape: f(k, s))
    calls = {
        "randint": lambda k: jax.random.randint(k, (9,), -5, 100),
        "permutation": lambda k: jax.random.permutation(k, 9),
        "choice": lambda k: jax.random.choice(k, 9, (4,), replace=False),
        "categorical": lambda k: jax.random.categorical(k, jnp.log(jnp.array([0.1, 0.2, 0.7])), shape=(5,)),
        "split": lambda k: jax.random.split(k, 3), "fold_in": lambda k: jax.random.fold_in(k, 7),
        "PRNGKey": lambda k: k + jax.random.PRNGKey(3), "key": lambda k: jax.random.key_data(jax.random.key(3)),
        "key_data": lambda k: jax.random.key_data(jax.random.wrap_key_data(k)),
        "wrap_key_data": lambda k: jax.random.normal(jax.random.wrap_key_data(k), (3,)),
        "clone": lambda k: jax.random.clone(k), "truncated_normal": lambda k: jax.random.truncated_normal(k, -1, 2, (9,)),
        "beta": lambda k: jax.random.beta(k, 2.0, 3.0, (3,)), "gamma": lambda k: jax.random.gamma(k, 2.0, (3,)),
        "loggamma": lambda k: jax.random.loggamma(k, 2.0, (3,)), "chisquare": lambda k: jax.random.chisquare(k, 3.0, shape=(3,)),
        "dirichlet": lambda k: jax.random.dirichlet(k, jnp.array([1.0, 2.0, 3.0])),
        "f": lambda k: jax.random.f(k, 3.0, 4.0, shape=(3,)), "t": lambda k: jax.random.t(k, 3.0, (3,)),
        "geometric": lambda k: jax.random.geometric(k, 0.3, (5,)), "pareto": lambda k: jax.random.pareto(k, 2.0, (5,)),
        "poisson": lambda k: jax.random.poisson(k, 3.0, (5,)), "binomial": lambda k: jax.random.binomial(k, 9, 0.3, (5,)),
        "triangular": lambda k: jax.random.triangular(k, -1.0, 0.5, 2.0, (5,)), "wald": lambda k: jax.random.wald(k, 1.0, (5,)),
        "weibull_min": lambda k: jax.random.weibull_min(k, 1.0, 2.0, (5,)), "ball": lambda k: jax.random.ball(k, 3, shape=(2,)),
        "generalized_normal": lambda k: jax.random.generalized_normal(k, 2.0, (3,)),
        "orthogonal": lambda k: jax.random.orthogonal(k, 4, shape=(2,)),
        "multivariate_normal": lambda k: jax.random.multivariate_normal(
            k, jnp.array([1.0, -2.0]), jnp.array([[2.0, 0.5], [0.5, 1.0]]), shape=(3,)),
        "multinomial": lambda k: jax.random.multinomial(k, 9, jnp.array([0.2, 0.3, 0.5])),
    }
    for name, function in calls.items():
        yield case(f"random.{name}", KEY, function)
    for kind in ("rbg", "unsafe_rbg"):
        for name in ("normal", "uniform", "bits"):
            yield case(f"random.{name}/{kind}", "u[4]", lambda k, i=kind, n=name: getattr(jax.random, n)(
                jax.random.wrap_key_data(k, impl=i), (9,)))


SMOOTH = ("sin cos tanh exp log sqrt square arctan sinh cosh expm1 log1p logaddexp arctan2 multiply divide "
          "maximum power hypot").split()


def transformed():
    """The same function differentiated, mapped over a dimension, and as the body of a loop."""
    def arguments(name):
        return "p[3,4] p[3,4]" if name in SMOOTH[12:] else "p[3,4]"

    for name in SMOOTH:
        function = getattr(jnp, name)
        yield case(f"grad/{name}", arguments(name), jax.grad(lambda *v, f=function: f(*v).sum()))
        yield case(f"grad/{name}.twice", arguments(name), jax.grad(
            lambda *v, f=function: jax.grad(lambda *w: f(*w).sum())(*v).sum()))
        yield case(f"vmap/{name}", arguments(name), jax.vmap(function))
        yield case(f"scan/{name}", arguments(name), lambda x, *v, f=function: lax.scan(
            lambda c, r: (c + f(r, *[w[0] for w in v]).sum(), f(r, *[w[0] for w in v])), 0.0, x))
        yield case(f"donate/{name}", arguments(name), function, donate_argnums=(0,))
    programs = {
        "matmul": ("f[3,4] f[4,5]", lambda x, y: (x @ y).sum()),
        "softmax": ("f[3,4]", lambda x: (jax.nn.softmax(x) ** 2).sum()),
        "logsumexp": ("f[3,4]", lambda x: jax.nn.logsumexp(x, axis=1).sum()),
        "norm": ("f[3,4]", lambda x: jax.nn.standardize(x).max()),
        "max": ("f[3,4]", lambda x: x.max(axis=1).sum()), "sort": ("f[9]", lambda x: (jnp.sort(x) * jnp.arange(9)).sum()),
        "prod": ("p[5]", lambda x: x.prod()), "cumsum": ("f[7]", lambda x: (jnp.cumsum(x) ** 2).sum()),
        "gather": ("f[5,4]", lambda x: (x[jnp.array([1, 1, 3])] ** 2).sum()),
        "scatter": ("f[5,4]", lambda x: (x.at[jnp.array([1, 3])].multiply(2.0) ** 2).sum()),
        "slice": ("f[7]", lambda x: (x[1:-1:2] ** 2).sum()), "pad": ("f[3]", lambda x: (jnp.pad(x, 2) ** 2).sum()),
        "scan": ("f[6]", lambda x: lax.scan(lambda c, v: (jnp.tanh(c + v), c), 0.5, x)[0]),
        "while": ("f[3]", lambda x: lax.fori_loop(0, 3, lambda i, v: v * 0.5, x).sum()),
        "cond": ("f[3]", lambda x: lax.cond(x[0] > 0, lambda v: v.sum(), lambda v: (v * v).sum(), x)),
        "convolution": ("f[1,2,6,6] f[3,2,3,3]", lambda x, w: lax.conv(x, w, (1, 1), "SAME").sum()),
        "pool": ("f[6,6]", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID").sum()),
        "average": ("f[6,6]", lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 2), (1, 2), "SAME").std()),
        "attention": ("f[2,5,2,4] f[2,5,2,4] f[2,5,2,4]", lambda q, k, v: jax.nn.dot_product_attention(q, k, v).sum()),
        "einsum": ("f[2,3,4] f[4,3]", lambda x, y: jnp.einsum("abc,cb->a", x, y).prod()),
    }
    for name, (words, function) in programs.items():
        yield case(f"grad/{name}", words, jax.grad(function))
        yield case(f"grad/{name}.forward", words, lambda *v, f=function: jax.jvp(f, v, v))
        yield case(f"grad/{name}.checkpoint", words, jax.grad(jax.checkpoint(function)))
        yield case(f"vmap/{name}", " ".join(word.replace("[", "[2,") for word in words.split()),
                   jax.vmap(function))
    yield case("grad/hessian", "f[4]", jax.hessian(lambda x: (jnp.sin(x) * x).prod()))
    yield case("grad/jacobian", "f[4]", jax.jacfwd(lambda x: jnp.cumsum(x * x)))
    yield case("vmap/cond", "f[6]", jax.vmap(lambda v: lax.cond(v > 0, jnp.sin, jnp.cos, v)))
    yield case("vmap/while", "f[6]", jax.vmap(lambda v: lax.while_loop(lambda s: s > 0.1, lambda s: s * 0.5, v)))
    yield case("vmap/nested", "f[2,3,4]", jax.vmap(jax.vmap(lambda v: v - v.mean())))
    yield case("donate/update", "f[6,4] f[2,4]", lambda c, u: lax.dynamic_update_slice(c, u, (2, 0)),
               donate_argnums=(0,))
    yield case("donate/swap", "f[5] f[5]", lambda x, y: (y + 1, x + y), donate_argnums=(0, 1))
    yield case("donate/loop", "f[5]", lambda x: lax.fori_loop(0, 4, lambda i, v: v.at[i].add(v[4]), x),
               donate_argnums=(0,))


def all_cases():
    for group in (networks, random, transformed):
        yield from group()
