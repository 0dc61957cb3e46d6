"""orbax: arrays of several types and an optimiser's state, saved and restored, and a manager that keeps the last two steps."""

import tempfile

import jax
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp

TOLERANCES = {"same": 0, "steps": 0, "weights": 1e-5}  # normal numbers differ in their last places


def results():
    tree = {"weights": jax.random.normal(jax.random.key(0), (16, 8)), "half": jnp.arange(8, dtype=jnp.bfloat16), "count": jnp.int32(3)}
    saved = {"tree": tree, "state": optax.adamw(1e-3).init(tree["weights"])}
    with tempfile.TemporaryDirectory() as folder:
        with ocp.StandardCheckpointer() as checkpointer:
            checkpointer.save(folder + "/once", saved)
            checkpointer.wait_until_finished()
            once = checkpointer.restore(folder + "/once", saved)
        with ocp.CheckpointManager(folder + "/steps", options=ocp.CheckpointManagerOptions(max_to_keep=2)) as manager:
            for step in range(3):
                manager.save(step, args=ocp.args.StandardSave(saved))
            manager.wait_until_finished()
            last, steps = manager.restore(2, args=ocp.args.StandardRestore(saved)), manager.all_steps()
    same = [np.asarray(a).tobytes() == np.asarray(b).tobytes() and a.devices() == b.devices()
            for restored in (once, last) for a, b in zip(jax.tree.leaves(restored), jax.tree.leaves(saved), strict=True)]
    assert all(same), same
    return {"same": same, "steps": steps, "weights": once["tree"]["weights"]}
