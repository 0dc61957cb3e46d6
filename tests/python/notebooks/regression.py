"""Logistic regression and softmax classifier, plain gradient descent then Adam with optax."""
import numpy as np
import jax
import jax.numpy as jnp
import optax

# %% data
key = jax.random.PRNGKey(0)
kx, kw, kn = jax.random.split(key, 3)
N, D = 500, 7
X = jax.random.normal(kx, (N, D))
w_true = jax.random.normal(kw, (D,))
y = (jax.nn.sigmoid(X @ w_true) > jax.random.uniform(kn, (N,))).astype(jnp.float32)
print(X.shape, y.mean())

# %% standardise
mu, sigma = X.mean(axis=0), X.std(axis=0)
X = (X - mu) / sigma
perm = jax.random.permutation(jax.random.PRNGKey(1), N)
X, y = X[perm], y[perm]
X_train, X_test = X[:400], X[400:]
y_train, y_test = y[:400], y[400:]

# %% loss
def predict(params, X):
    return X @ params["w"] + params["b"]

def loss_fn(params, X, y, l2=1e-3):
    logits = predict(params, X)
    nll = jnp.mean(jnp.logaddexp(0.0, logits) - y * logits)
    return nll + l2 * jnp.sum(params["w"] ** 2)

params = {"w": jnp.zeros(D), "b": 0.0}
grad_fn = jax.jit(jax.value_and_grad(loss_fn))
for step in range(50):
    value, grads = grad_fn(params, X_train, y_train)
    params = jax.tree.map(lambda p, g: p - 0.5 * g, params, grads)
    if step % 10 == 0:
        print(f"step {step:3d} loss {value:.5f}")
accuracy = jnp.mean((predict(params, X_test) > 0) == (y_test > 0.5))
print(f"test accuracy {accuracy:.3f}")
print("weights", np.round(params["w"], 3))

# %% Newton's method for comparison
H = jax.hessian(lambda w: loss_fn({"w": w, "b": params["b"]}, X_train, y_train))(params["w"])
g = jax.grad(lambda w: loss_fn({"w": w, "b": params["b"]}, X_train, y_train))(params["w"])
step = jnp.linalg.solve(H, g)
print("newton step", step, jnp.linalg.norm(step))

# %% optax with mini batches
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(0.1, 60)))
params = {"w": jnp.zeros(D), "b": jnp.zeros(())}
opt_state = optimizer.init(params)

@jax.jit
def train_step(params, opt_state, xb, yb):
    loss, grads = jax.value_and_grad(loss_fn)(params, xb, yb)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss

rng = np.random.default_rng(0)
for epoch in range(3):
    order = rng.permutation(400)
    for i in range(0, 400, 64):
        idx = order[i:i + 64]
        params, opt_state, loss = train_step(params, opt_state, X_train[idx], y_train[idx])
    print(f"epoch {epoch} loss {loss.item():.5f}")
print(jax.tree.map(lambda p: np.round(np.asarray(p), 3), params))

# %% confusion matrix, ROC
p = jax.nn.sigmoid(predict(params, X_test))
pred = (p > 0.5).astype(jnp.int32)
confusion = jnp.zeros((2, 2), int).at[y_test.astype(int), pred].add(1)
print(confusion)
order = jnp.argsort(-p)
tp = jnp.cumsum(y_test[order]); fp = jnp.cumsum(1 - y_test[order])
auc = jnp.trapezoid(tp / tp[-1], fp / fp[-1])
print(f"auc {auc:.4f}")
hist, edges = jnp.histogram(p, bins=8, range=(0, 1))
print(hist, edges)
print("percentiles", jnp.percentile(p, jnp.array([5., 50., 95.])))
# dropout of samples: boolean mask indexing outside jit
print("hard positives", X_test[(y_test == 1) & (p < 0.5)].shape)
print(jnp.unique(pred, return_counts=True))
