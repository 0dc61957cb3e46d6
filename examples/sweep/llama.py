"""The story Llama, 24 tokens in one launch: a program of the study beside it.

Its weights are packed by NumPy, so that nothing but the story runs on the machine.
"""

import pathlib
import sys

import jax
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))

import story_llama  # noqa: E402

TOKENS = 24

with jax.default_device(jax.devices("cpu")[0]):
    shape, parameters = story_llama.load(story_llama.MODEL / "stories.bin")
parameters = jax.tree.map(np.asarray, parameters)
tokens, count = jax.jit(lambda given: story_llama.tell(shape, given, TOKENS))(parameters)
assert int(count) == TOKENS
