"""ResNet-18 on one image of 32 x 32, with random weights: a program of the study beside it."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(0)


def layer(size, before, after):
    """A convolution's weights, and scale and shift after it."""
    weights = RANDOM.normal(size=(size, size, before, after)) / np.sqrt(size * size * before)
    return tuple(np.float32(array) for array in (weights, np.ones(after), np.zeros(after)))


def parameters():
    blocks, before = [], 64
    for after in (64, 64, 128, 128, 256, 256, 512, 512):
        ways = [layer(3, before, after), layer(3, after, after)]
        if before != after:
            ways.append(layer(1, before, after))
        blocks.append(ways)
        before = after
    return {"in": layer(3, 3, 64), "blocks": blocks, "out": np.float32(RANDOM.normal(size=(512, 10)))}


def convolved(x, weights, scale, shift, stride=1):
    x = lax.conv_general_dilated(x, weights, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return x * scale + shift


@jax.jit
def resnet18(x, parameters):
    x = jax.nn.relu(convolved(x, *parameters["in"]))
    for first, second, *shortcut in parameters["blocks"]:
        stride = 2 if shortcut else 1
        y = convolved(jax.nn.relu(convolved(x, *first, stride)), *second)
        x = jax.nn.relu(y + (convolved(x, *shortcut[0], stride) if shortcut else x))
    return x.mean((1, 2)) @ parameters["out"]


image = np.float32(RANDOM.normal(size=(1, 32, 32, 3)))
resnet18(image, parameters()).block_until_ready()
