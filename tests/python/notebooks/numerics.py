"""k-means, Kalman filter, power iteration, Game of Life, ODE, MCMC, linear algebra."""
from functools import partial
import jax, jax.numpy as jnp
import numpy as np
from jax import lax, random, jit, vmap, grad

# %% k-means
@partial(jit, static_argnums=(1, 2))
def kmeans(x, k, iters=15):
    centres = x[:k]
    def body(i, centres):
        d = jnp.sum((x[:, None] - centres[None]) ** 2, -1)
        a = jnp.argmin(d, axis=1)
        total = jax.ops.segment_sum(x, a, num_segments=k)
        count = jax.ops.segment_sum(jnp.ones(len(x)), a, num_segments=k)
        return total / jnp.maximum(count, 1)[:, None]
    centres = lax.fori_loop(0, iters, body, centres)
    return centres, jnp.argmin(jnp.linalg.norm(x[:, None] - centres, axis=-1), -1)
rng = np.random.default_rng(3)
points = np.concatenate([rng.normal(c, 0.3, (33, 2)) for c in ((0, 0), (3, 3), (-3, 2))])
centres, assign = kmeans(points, 3)          # float64 NumPy array goes in
print(centres, np.bincount(assign))

# %% Kalman filter, constant velocity
dt = 0.1
F = jnp.array([[1, dt], [0, 1]]); Hm = jnp.array([[1.0, 0]]); Q = 0.01 * jnp.eye(2); R = jnp.array([[0.2]])
def kalman(z):
    def f(carry, z):
        m, P = carry
        m, P = F @ m, F @ P @ F.T + Q
        S = Hm @ P @ Hm.T + R
        K = jnp.linalg.solve(S, Hm @ P).T
        r = z - Hm @ m
        m, P = m + K @ r, P - K @ S @ K.T
        ll = -0.5 * (r @ jnp.linalg.inv(S) @ r + jnp.linalg.slogdet(2 * jnp.pi * S)[1])
        return (m, P), (m, ll)
    _, (ms, ll) = lax.scan(f, (jnp.zeros(2), jnp.eye(2)), z)
    return ms, ll.sum()
z = jnp.sin(jnp.arange(40) * dt)[:, None] + 0.1 * random.normal(random.PRNGKey(0), (40, 1))
ms, ll = jit(kalman)(z)
print("kalman", ms[-1], ll, jnp.abs(grad(lambda z: kalman(z)[1])(z)).max())

# %% power iteration and friends
A = random.normal(random.PRNGKey(4), (9, 9)); A = A @ A.T
def power(A, tol=1e-6):
    def cond(s): return (jnp.linalg.norm(s[0] - s[1]) > tol) & (s[2] < 500)
    def body(s):
        v = A @ s[0]
        return v / jnp.linalg.norm(v), s[0], s[2] + 1
    v, _, n = lax.while_loop(cond, body, (jnp.ones(len(A)) / 3.0, jnp.zeros(len(A)), 0))
    return v @ A @ v, n
print("power", *power(A), jnp.linalg.eigvalsh(A)[-1])
U, S, Vt = jnp.linalg.svd(A[:, :5], full_matrices=False)
print("svd", S, jnp.abs(U * S @ Vt - A[:, :5]).max() < 1e-1)
print("chol", jnp.linalg.cholesky(A + jnp.eye(9))[-1, -1], "det", jnp.linalg.det(A / 5), "cond", jnp.linalg.matrix_rank(A))
print("pinv", jnp.linalg.pinv(A[:, :3]).shape, "expm", jax.scipy.linalg.expm(A / 50)[0, 0])

# %% Game of Life
def life(grid):
    n = sum(jnp.roll(grid, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return ((n == 3) | ((grid == 1) & (n == 2))).astype(grid.dtype)
grid = jnp.zeros((20, 20), jnp.uint8).at[jnp.array([1, 2, 3, 3, 3]), jnp.array([2, 3, 1, 2, 3])].set(1)
after = lax.fori_loop(0, 30, lambda i, g: life(g), grid)
print("life", after.sum(), jnp.argwhere(after))
from jax.scipy.signal import convolve2d
n = convolve2d(grid.astype(jnp.float32), jnp.ones((3, 3)), mode="same")
print("neighbours", n.max(), jnp.nonzero(n == n.max()))

# %% Lorenz by RK4, vmapped over starts
def lorenz(s):
    x, y, z = s
    return jnp.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])
def rk4(s, _):
    h = 0.01
    k1 = lorenz(s); k2 = lorenz(s + h / 2 * k1); k3 = lorenz(s + h / 2 * k2); k4 = lorenz(s + h * k3)
    s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return s, s
starts = jnp.array([1., 1., 1.]) + 0.01 * jnp.arange(5)[:, None]
ends, path = jit(vmap(lambda s: lax.scan(rk4, s, None, length=100)))(starts)
print("lorenz", ends, path.shape)

# %% Metropolis, sieve, sorting, fancy indexing
def metropolis(key, n=300):
    logp = lambda x: -0.5 * x ** 2 + jnp.log(2 + jnp.sin(3 * x))
    def step(x, key):
        k1, k2 = random.split(key)
        y = x + random.normal(k1)
        x = jnp.where(jnp.log(random.uniform(k2)) < logp(y) - logp(x), y, x)
        return x, x
    return lax.scan(step, 0.0, random.split(key, n))[1]
s = jit(metropolis)(random.key(1)); print("mcmc", s.mean(), s.std(), jnp.median(s))
sieve = lax.fori_loop(2, 11, lambda i, m: jnp.where((jnp.arange(120) % i == 0) & (jnp.arange(120) > i), False, m), jnp.ones(120, bool).at[:2].set(False))
print("primes", jnp.flatnonzero(sieve))
x = random.permutation(random.key(2), 20); order = jnp.argsort(x); rank = jnp.empty_like(order).at[order].set(jnp.arange(20))
print(rank, jnp.searchsorted(jnp.sort(x), 7), x[::-2], x[jnp.array([0, -1])], x.reshape(4, 5)[:, [1, 3]], x[x > 12])
fib = lax.fori_loop(0, 40, lambda i, s: (s[1], s[0] + s[1]), (jnp.uint32(0), jnp.uint32(1)))[0]; print("fib", fib)
print("poly", jnp.polyfit(jnp.arange(6.0), jnp.arange(6.0) ** 2, 2), jnp.interp(2.5, jnp.arange(6.0), jnp.arange(6.0) ** 2))
print("collatz", vmap(lambda n: lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, 0))[1])(jnp.arange(1, 20)))
print("mandel", lax.fori_loop(0, 20, lambda i, s: (s[0] ** 2 - s[1] ** 2 - 0.5, 2 * s[0] * s[1] + 0.5, s[2] + (s[0] ** 2 + s[1] ** 2 < 4)), (0.0, 0.0, 0)))
print("mod/float ops", jnp.floor_divide(-7, 3), jnp.mod(-7.5, 2), jnp.divmod(17, 5), jnp.gcd(12, 18), 7 // jnp.int32(2), jnp.bitwise_xor(5, 3), jnp.round(2.567, 2))
for t in range(3):
    key = random.fold_in(random.key(0), t); print(t, random.choice(key, jnp.arange(10), (3,), replace=False), random.poisson(key, 4.0, (3,)), random.gamma(key, 2.0, (2,)))
