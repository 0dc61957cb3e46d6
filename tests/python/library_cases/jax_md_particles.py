"""jax-md: FIRE descent of soft spheres, and Lennard-Jones particles with neighbour lists under a thermostat."""

import jax
import jax.numpy as jnp
from jax_md import energy, minimize, simulate, space

TOLERANCES = {"descent": 1e-3, "lennard_jones": 1e-3, "positions": 1e-4, "overflow": 0}
BOX = 8.0


def results():
    displacement, shift = space.periodic(BOX)
    spheres = energy.soft_sphere_pair(displacement)
    start, step = minimize.fire_descent(spheres, shift)
    state = start(BOX * jax.random.uniform(jax.random.key(0), (32, 2)))
    energies = [spheres(state.position)]
    state = jax.jit(lambda state: jax.lax.fori_loop(0, 20, lambda _, state: step(state), state))(state)
    energies.append(spheres(state.position))

    numbers = jnp.arange(64)
    grid = jnp.stack([numbers // 8, numbers % 8], axis=1).astype(jnp.float32)
    find, forces = energy.lennard_jones_neighbor_list(displacement, BOX, r_cutoff=2.5)
    neighbours = find.allocate(grid)
    begin, advance = simulate.nvt_nose_hoover(forces, shift, 1e-3, kT=0.1)

    @jax.jit
    def further(state, neighbours):
        state = advance(state, neighbor=neighbours)
        return state, neighbours.update(state.position)

    moving = begin(jax.random.key(1), grid, neighbor=neighbours)
    first = forces(grid, neighbor=neighbours)
    for _ in range(5):
        moving, neighbours = further(moving, neighbours)
    return {"descent": jnp.stack(energies), "lennard_jones": first, "positions": moving.position, "overflow": neighbours.did_buffer_overflow}
