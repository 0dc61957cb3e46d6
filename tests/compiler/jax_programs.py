"""Programs as JAX's users write them, one a case, for jax_check.py.

None was written with a part of the compiler in mind.
"""

import jax
import jax.numpy as jnp
from jax import lax

from jax_cases import Case, reals, words

PRECISE = dict(precision="highest")


def losses():
    def focal(logits, labels):
        """Of the classes' probabilities, weighted by how wrong they are."""
        log_p = jax.nn.log_softmax(logits, axis=-1)
        chosen = jnp.take_along_axis(log_p, labels[:, None], axis=-1)[:, 0]
        return -jnp.mean((1 - jnp.exp(chosen)) ** 2 * chosen)

    labels = words(37, seed=2, low=0, high=19)
    yield Case("user.focal_loss", jax.value_and_grad(focal), (reals(37, 19), labels), 2e-5, 1e-7)

    def contrastive(a, b):
        """Rows of the two sides belong together; both directions."""
        unit = lambda v: v / jnp.linalg.norm(v, axis=-1, keepdims=True)
        scores = jnp.dot(unit(a), unit(b).T, **PRECISE) / 0.07
        pick = jnp.arange(len(a))
        return -(jax.nn.log_softmax(scores, 0)[pick, pick] + jax.nn.log_softmax(scores, 1)[pick, pick]).mean() / 2

    yield Case("user.contrastive_loss", jax.value_and_grad(contrastive, (0, 1)), (reals(24, 20), reals(24, 20, seed=5)),
               5e-5, 1e-6)

    def huber(w, x, y, mask):
        off = jnp.tanh(jnp.dot(x, w, **PRECISE)) - y
        each = jnp.where(jnp.abs(off) < 0.5, 0.5 * off ** 2, 0.5 * (jnp.abs(off) - 0.25))
        return jnp.sum(each * mask) / jnp.maximum(mask.sum(), 1)

    yield Case("user.masked_huber", jax.value_and_grad(huber),
               (reals(12), reals(50, 12, seed=1), reals(50, seed=2), (words(50, seed=3) > 0).astype(jnp.float32)), 1e-5, 1e-7)


def attentions():
    def sliding(q, k, v):
        """Heads in the middle, the last 16 places, slopes by head instead of positions."""
        away = jnp.arange(q.shape[0])[:, None] - jnp.arange(k.shape[0])
        slopes = 2.0 ** -jnp.arange(1, q.shape[1] + 1)
        scores = jnp.einsum("qhd,khd->hqk", q, k, **PRECISE) * q.shape[-1] ** -0.5 - slopes[:, None, None] * away
        p = jax.nn.softmax(jnp.where((away >= 0) & (away < 16), scores, -1e9), axis=-1)
        return jnp.einsum("hqk,khd->qhd", p, v, **PRECISE)

    yield Case("user.sliding_attention", sliding, tuple(reals(60, 3, 8, seed=s) for s in (1, 2, 3)), 1e-4, 1e-5)

    def linear(q, k, v):
        """A running state in place of scores."""
        q, k = jax.nn.elu(q) + 1, jax.nn.elu(k) + 1

        def turn(state, inputs):
            sums, norm = state
            q, k, v = inputs
            sums, norm = sums + jnp.outer(k, v), norm + k
            return (sums, norm), jnp.dot(q, sums, **PRECISE) / (jnp.dot(q, norm, **PRECISE) + 1e-6)

        return lax.scan(turn, (jnp.zeros((q.shape[1], v.shape[1])), jnp.zeros(q.shape[1])), (q, k, v))[1]

    yield Case("user.linear_attention", linear, (reals(30, 8), reals(30, 8, seed=1), reals(30, 11, seed=2)), 2e-5, 1e-6)

    def rotary(x, theta):
        """Halves turned against each other, queries and keys by their distance."""
        angles = jnp.arange(x.shape[0])[:, None] * theta ** (-jnp.arange(0, 1, 2 / x.shape[-1]))
        a, b = jnp.split(x, 2, axis=-1)
        cos, sin = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
        turned = jnp.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)
        return jnp.einsum("qhd,khd->hqk", turned, turned, **PRECISE)

    yield Case("user.rotary_scores", rotary, (reals(20, 2, 16), jnp.float32(10000)), 1e-5, 2e-5)


def sampling():
    def top_k(logits, noise):
        """One of the eight likeliest, by Gumbel's noise."""
        best, order = lax.top_k(logits / 0.7, 8)
        pick = jnp.argmax(best - jnp.log(-jnp.log(noise)), axis=-1)
        return jnp.take_along_axis(order, pick[:, None], axis=-1)[:, 0], jax.nn.softmax(best, -1)

    noise = jax.random.uniform(jax.random.key(3), (5, 8), minval=0.01, maxval=0.99)
    yield Case("user.top_k_sampling", top_k, (reals(5, 100), noise), 2e-6)

    def nucleus(logits, key):
        """The fewest that hold nine tenths, drawn from by the machine's own random bits."""
        order = jnp.argsort(logits)[::-1]
        p = jax.nn.softmax(logits[order])
        kept = jnp.where(jnp.cumsum(p) - p < 0.9, logits[order], -jnp.inf)
        return order[jax.random.categorical(jax.random.wrap_key_data(key), kept)], kept

    yield Case("user.nucleus_sampling", nucleus, (reals(64, scale=2.0), jnp.array([3, 9], jnp.uint32)), 1e-6)

    def beam(scores, log_p, sequences, position):
        """The best of all continuations of all beams."""
        width, vocabulary = log_p.shape
        total = (scores[:, None] + jax.nn.log_softmax(log_p, axis=-1)).reshape(-1)
        keys, places = lax.sort((-total, jnp.arange(total.size)), num_keys=1)
        beams, tokens = places[:width] // vocabulary, places[:width] % vocabulary
        return -keys[:width], sequences[beams].at[:, position].set(tokens)

    yield Case("user.beam_step", beam, (reals(4), reals(4, 33, seed=1), words(4, 10, seed=2), jnp.int32(6)), 2e-6)


def estimators():
    def k_means(x, centres):
        """Three iterations; a centre without near points stays."""
        def turn(_, centres):
            far = jnp.sum((x[:, None] - centres) ** 2, axis=-1)
            member = jax.nn.one_hot(jnp.argmin(far, axis=1), len(centres))
            counts = member.sum(0)[:, None]
            return jnp.where(counts > 0, jnp.dot(member.T, x, **PRECISE) / jnp.maximum(counts, 1), centres)

        return lax.fori_loop(0, 3, turn, centres)

    yield Case("user.k_means", k_means, (reals(90, 3), reals(5, 3, seed=8)), 1e-5, 1e-6)

    def kalman(measured):
        """Place and speed from a noisy place; the inverse is of one number."""
        f, h = jnp.array([[1.0, 1.0], [0.0, 1.0]]), jnp.array([[1.0, 0.0]])
        dot = lambda a, b: jnp.dot(a, b, **PRECISE)

        def turn(state, z):
            x, p = dot(f, state[0]), dot(dot(f, state[1]), f.T) + 0.01 * jnp.eye(2)
            gain = dot(p, h.T) / (dot(dot(h, p), h.T) + 0.5)
            x = x + gain[:, 0] * (z - dot(h, x)[0])
            return (x, dot(jnp.eye(2) - dot(gain, h), p)), x

        return lax.scan(turn, (jnp.zeros(2), jnp.eye(2)), measured)[1]

    yield Case("user.kalman", kalman, (jnp.cumsum(reals(40)),), 2e-5, 1e-6)

    def averages(prices):
        """Exponential by scan, simple by cumulative sums, and how far the price is from both."""
        smooth = lax.scan(lambda c, x: (0.9 * c + 0.1 * x,) * 2, prices[0], prices)[1]
        sums = jnp.cumsum(jnp.pad(prices, ((1, 0), (0, 0))), axis=0)
        simple = (sums[5:] - sums[:-5]) / 5
        return smooth, simple, jnp.max(jnp.abs(prices[4:] - simple), axis=0)

    yield Case("user.moving_averages", averages, (100 + reals(50, 6),), 2e-5, 1e-4)


def layers():
    def block(x, kernel, depthwise, scale, shift):
        """A convolution by depth and by point, group norm, a residual."""
        dims = ("NHWC", "HWIO", "NHWC")
        y = lax.conv_general_dilated(x, depthwise, (1, 1), "SAME", dimension_numbers=dims,
                                     feature_group_count=x.shape[-1], **PRECISE)
        y = lax.conv_general_dilated(y, kernel, (1, 1), "VALID", dimension_numbers=dims, **PRECISE)
        groups = y.reshape(*y.shape[:3], 4, -1)
        mean = groups.mean((1, 2, 4), keepdims=True)
        spread = groups.var((1, 2, 4), keepdims=True)
        y = ((groups - mean) * lax.rsqrt(spread + 1e-5)).reshape(y.shape) * scale + shift
        return x + jax.nn.silu(y)

    yield Case("user.conv_block", block, (reals(2, 9, 7, 12), reals(1, 1, 12, 12, seed=1), reals(3, 3, 1, 12, seed=2),
                                          reals(12, seed=3), reals(12, seed=4)), 1e-4, 2e-5)

    def norms(x, weight, mask):
        """Of the masked places of a row; and over both dimensions, without the mean."""
        count = mask.sum(-1, keepdims=True)
        mean = (x * mask).sum(-1, keepdims=True) / count
        spread = (mask * (x - mean) ** 2).sum(-1, keepdims=True) / count
        layer = jnp.where(mask > 0, (x - mean) / jnp.sqrt(spread + 1e-5), 0) * weight
        return layer, x / (jnp.sqrt((x ** 2).mean()) + 1e-6), jnp.where(count > 30, mean, jnp.nan)

    yield Case("user.masked_norms", norms, (reals(9, 70), reals(70, seed=1), (words(9, 70, seed=2) > 0)
                                            .astype(jnp.float32)), 1e-5, 1e-6)

    def embedding(table, tokens, out):
        """Rows that come twice get both gradients, by one-hot products and by scatters."""
        rows = jnp.tanh(table[tokens].mean(1) + jnp.einsum("bsv,vd->bd", jax.nn.one_hot(tokens, len(table)), table,
                                                             **PRECISE))
        return jnp.sum(jax.nn.logsumexp(jnp.dot(rows, out, **PRECISE), axis=-1))

    yield Case("user.embedding_gradient", jax.grad(embedding, (0, 2)),
               (reals(30, 8), words(6, 9, low=0, high=30), reals(8, 13, seed=1)), 5e-5, 1e-6)

    def recurrent(x, w, u, lengths):
        """A gated unit over sequences of several lengths: beyond its end a state stays."""
        def turn(h, inputs):
            t, x = inputs
            z, r, n = jnp.split(jnp.dot(x, w, **PRECISE) + jnp.dot(h, u, **PRECISE), 3, axis=-1)
            new = jax.nn.sigmoid(z) * h + (1 - jax.nn.sigmoid(z)) * jnp.tanh(n * jax.nn.sigmoid(r))
            h = jnp.where((t < lengths)[:, None], new, h)
            return h, h.max(-1)

        start = jnp.zeros((x.shape[1], u.shape[0]))
        return lax.scan(turn, start, (jnp.arange(len(x)), x))

    yield Case("user.gated_recurrence", recurrent, (reals(12, 4, 5), reals(5, 18, seed=1), reals(6, 18, seed=2),
                                                    jnp.array([12, 3, 0, 7])), 2e-5, 1e-6)


def users():
    for group in (losses, attentions, sampling, estimators, layers):
        yield from group()
