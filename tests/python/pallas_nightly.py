"""JAX's own Pallas kernels for TPU (jax.experimental.pallas.ops.tpu), as the installed JAX has them, on
the largest presets' VMEM; values against JAX's interpreter on the CPU.

    TANDEM_PRESET=edge build/venv/bin/python tests/python/pallas_nightly.py
"""

import functools
import os
import sys
import unittest

os.environ["JAX_PLATFORMS"] = os.environ.get("JAX_PLATFORMS") or "tandem,cpu"
os.environ["TANDEM_PRESET"] = os.environ.get("TANDEM_PRESET") or "edge"

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.interpreters import mlir
from jax._src.pallas import pallas_call
from jax.experimental.pallas.ops.tpu import flash_attention, matmul, megablox, splash_attention
from jax.experimental.pallas.ops.tpu import ragged_paged_attention as ragged
from jax.experimental.pallas.ops.tpu.paged_attention import paged_attention
from jax.experimental.pallas.ops.tpu.splash_attention import (splash_attention_kernel,
                                                              splash_attention_mask)

import needs_compiler  # noqa: F401, skips without a compiler

F32, BF16 = jnp.float32, jnp.bfloat16
TOLERANCE = {F32: 2e-5, BF16: 2e-2}


def interpret_on_cpu():
    """These kernels do not set `interpret` themselves."""
    def rule(context, *operands, interpret, **parameters):
        return pallas_call._pallas_call_lowering(context, *operands, interpret=interpret or True,
                                                 **parameters)
    mlir.register_lowering(pallas_call.pallas_call_p, rule, platform="cpu")


def reals(*shape, dtype=F32, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def gradients(function, count):
    return jax.grad(lambda *x: function(*x).astype(F32).sum(), argnums=tuple(range(count)))


class Kernels(unittest.TestCase):
    def compare(self, function, *arguments, dtype=F32):
        with jax.default_matmul_precision("highest"):
            want = jax.tree.leaves(jax.jit(function)(
                *jax.device_put(arguments, jax.devices("cpu")[0])))
            lowered = jax.jit(function).trace(*arguments).lower(lowering_platforms=("tandem",))
            self.assertIn("tpu_custom_call", lowered.as_text())
            got = jax.tree.leaves(jax.jit(function)(*arguments))
        for one, other in zip(got, want, strict=True):
            one, other = (np.asarray(value, np.float64) for value in (one, other))
            np.testing.assert_allclose(one, other, rtol=0,
                                       atol=TOLERANCE[dtype] * np.abs(other).max())

    def test_matmul(self):
        for dtype in (F32, BF16):
            self.compare(functools.partial(matmul.matmul, block_shape=(256, 256), block_k=256),
                         reals(512, 512, dtype=dtype), reals(512, 512, dtype=dtype, seed=1),
                         dtype=dtype)

    def flash(self, causal, bias, segments, dtype, backward):
        q, k, v = (reals(1, 2, 384, 128, dtype=dtype, seed=i) for i in range(3))
        rest = [reals(1, 2, 384, 384, seed=3)] if bias else []
        ids = flash_attention.SegmentIds(*[np.arange(384)[None] // 200] * 2) if segments else None

        def f(q, k, v, *rest):
            return flash_attention.flash_attention(q, k, v, *rest, segment_ids=ids, causal=causal)
        self.compare(gradients(f, 3) if backward else f, q, k, v, *rest, dtype=dtype)

    def test_flash_attention(self):
        self.flash(False, False, False, F32, False)
        self.flash(True, False, False, BF16, False)
        self.flash(True, True, True, F32, False)

    def test_flash_attention_backward(self):
        self.flash(True, False, False, F32, True)
        self.flash(True, True, True, F32, True)

    def splash(self, mask, backward=False, fused=False, cap=None, segments=False, mqa=False):
        size, heads = 512, 2
        masks = splash_attention_mask.MultiHeadMask([mask((size, size)) for _ in range(heads)])
        blocks = dict(block_q=128, block_kv=256, block_kv_compute=128, block_q_dkv=128,
                      block_kv_dkv=256, block_kv_dkv_compute=128)
        if not fused:
            blocks |= dict(block_q_dq=128, block_kv_dq=128)
        make = (splash_attention_kernel.make_splash_mqa_single_device if mqa
                else splash_attention_kernel.make_splash_mha_single_device)
        kernel = make(masks, attn_logits_soft_cap=cap,
                      block_sizes=splash_attention_kernel.BlockSizes(use_fused_bwd_kernel=fused,
                                                                     **blocks))
        ids = splash_attention_kernel.SegmentIds(*[np.arange(size, dtype=np.int32) // 300] * 2
                                                 ) if segments else None
        q = reals(heads, size, 128)
        k, v = (reals(*([] if mqa else [heads]), size, 128, seed=i) for i in (1, 2))

        def f(q, k, v):
            return kernel(q, k, v, ids)
        self.compare(gradients(f, 3) if backward else f, q, k, v)

    def test_splash_attention(self):
        causal = splash_attention_mask.CausalMask
        local = functools.partial(splash_attention_mask.LocalMask, window_size=(128, 64), offset=0)
        self.splash(causal)
        self.splash(causal, mqa=True)
        self.splash(local, cap=20.0, segments=True)

    def test_splash_attention_backward(self):
        causal = splash_attention_mask.CausalMask
        local = functools.partial(splash_attention_mask.LocalMask, window_size=(128, 64), offset=0)
        self.splash(causal, backward=True)
        self.splash(local, backward=True, fused=True, cap=20.0, segments=True)

    def test_grouped_products(self):
        sizes = np.array([100, 156, 200, 56], np.int32)
        self.compare(megablox.gmm, reals(512, 256), reals(4, 256, 256, seed=1), sizes)
        tgmm = sys.modules["jax.experimental.pallas.ops.tpu.megablox.gmm"].tgmm
        self.compare(tgmm, reals(256, 512), reals(512, 256, seed=1), sizes)

    def test_paged_attention(self):
        keys = [reals(2, 32, 16, 128, seed=i) for i in (1, 2)]
        self.compare(functools.partial(paged_attention, pages_per_compute_block=4),
                     reals(4, 8, 128), *keys, np.array([100, 37, 128, 1], np.int32),
                     np.arange(32, dtype=np.int32).reshape(4, 8))

    def test_ragged_paged_attention(self):
        """JAX's interpreter cannot run this one; the expected result is computed beside it."""
        lengths = np.array([64, 40, 100, 17], np.int32)
        rest = (lengths, np.arange(32, dtype=np.int32).reshape(4, 8),
                np.array([0, 16, 32, 48, 64], np.int32), np.array([4], np.int32))
        for dtype in (F32, BF16):
            q, pages = reals(64, 8, 128, dtype=dtype), reals(32, 16, 4, 128, dtype=dtype, seed=1)
            with jax.default_matmul_precision("highest"):
                got = jax.jit(functools.partial(
                    ragged.ragged_paged_attention, num_kv_pages_per_block=4,
                    num_queries_per_block=16))(q, pages, *rest)
                with jax.default_device(jax.devices("cpu")[0]):
                    want = ragged.ref_ragged_paged_attention(q, pages, *rest)
            got, want = (np.asarray(value, np.float64) for value in (got, want))
            np.testing.assert_allclose(got, want, rtol=0,
                                       atol=TOLERANCE[dtype] * np.abs(want).max())


if __name__ == "__main__":
    interpret_on_cpu()
    unittest.main()
