"""MJX: a ball and a double pendulum, a batch of each. MJX recognizes platforms by their names; on others it needs
impl="jax"."""

import jax
import jax.numpy as jnp
import mujoco
from mujoco import mjx

TOLERANCES = {"ball": 1e-5, "angles": 1e-3, "speeds": 1e-2}
BALL = """<mujoco><worldbody>
  <body pos="0 0 .16"><freejoint/><geom size=".15" mass="1" type="sphere"/></body><geom type="plane" size="1 1 .1"/>
</worldbody></mujoco>"""
PENDULUM = """<mujoco><option timestep="0.01"/><worldbody>
  <body pos="0 0 2"><joint type="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
    <body pos=".5 0 0"><joint type="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0" contype="0"/></body>
  </body></worldbody></mujoco>"""


def moved(text, steps, change):
    model = mjx.put_model(mujoco.MjModel.from_xml_string(text), impl="jax")

    @jax.jit
    @jax.vmap
    def run(speed):
        state = mjx.make_data(model, impl="jax")
        state = state.replace(qvel=state.qvel.at[change].set(speed))
        return jax.lax.fori_loop(0, steps, lambda _, state: mjx.step(model, state), state)

    return run(jnp.linspace(0.0, 1.0, 5))


def results():
    pendulum = moved(PENDULUM, 10, 0)
    return {"ball": moved(BALL, 5, 0).qpos, "angles": pendulum.qpos, "speeds": pendulum.qvel}
