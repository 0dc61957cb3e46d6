"""penzai: a multilayer network by named axes, and a transformer like Llama's."""

import jax
import jax.numpy as jnp
from penzai import pz
from penzai.models import simple_mlp
from penzai.models.transformer.variants import llamalike_common

TOLERANCES = {"network": 2e-2, "scores": 5e-2}  # products of bf16


def results():
    network = simple_mlp.MLP.from_config(name="network", init_base_rng=jax.random.key(0), feature_sizes=[8, 32, 32, 8])
    x = pz.nx.wrap(jax.random.normal(jax.random.key(1), (4, 8)), "batch", "features")
    configuration = llamalike_common.LlamalikeTransformerConfig(
        num_kv_heads=2, query_head_multiplier=2, embedding_dim=32, projection_dim=8, mlp_hidden_dim=64, num_decoder_blocks=2,
        vocab_size=50, mlp_variant="swiglu", tie_embedder_and_logits=False, parameter_dtype=jnp.float32, activation_dtype=jnp.float32)
    model = llamalike_common.build_llamalike_transformer(configuration, init_base_rng=jax.random.key(2), name="transformer")
    model, parameters = pz.unbind_params(model, freeze=True)

    @jax.jit
    def scores(parameters, tokens):
        return pz.bind_variables(model, parameters)(tokens, token_positions=pz.nx.arange("seq", 12)).unwrap("batch", "seq", "vocabulary")

    tokens = pz.nx.wrap(jnp.arange(12).reshape(1, 12), "batch", "seq")
    return {"network": network(x).unwrap("batch", "features"), "scores": scores(parameters, tokens)}
