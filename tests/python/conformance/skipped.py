"""Public functions without a case, and why. A function that is neither here nor in a case fails the
suite, so that nothing new goes untested."""

REASONS = {
    "eigenvalues without symmetry": "jnp.roots",
    "several devices": """lax.all_gather lax.all_to_all lax.pbroadcast lax.pmax lax.pmean lax.pmin
        lax.ppermute lax.precv lax.psend lax.pshuffle lax.psum lax.psum_scatter lax.pswapaxes
        lax.ragged_all_to_all""",
    "in tests/python/many_chips_test.py": """lax.axis_index lax.axis_size lax.pcast
        lax.with_sharding_constraint""",
    "computes nothing on a device": """jnp.array_repr jnp.array_str jnp.broadcast_shapes jnp.can_cast
        jnp.einsum_path jnp.from_dlpack jnp.frombuffer jnp.fromfile jnp.fromiter jnp.frompyfunc
        jnp.fromstring jnp.get_printoptions jnp.isdtype jnp.isscalar jnp.issubdtype jnp.iterable jnp.load
        jnp.ndim jnp.printoptions jnp.promote_types jnp.result_type jnp.save jnp.savez
        jnp.set_printoptions jnp.shape jnp.size lax.after_all lax.broadcast_shapes
        lax.conv_dimension_numbers lax.conv_general_permutations lax.conv_general_shape_tuple
        lax.conv_shape_tuple lax.conv_transpose_shape_tuple lax.create_token lax.dce_sink lax.dtype
        lax.empty lax.padtype_to_pads lax.reduce_window_shape_tuple lax.shape_as_value lax.stage
        nn.get_scaled_dot_general_config random.key_dtype random.key_impl
        lax.ConvGeneralDilatedDimensionNumbers lax.DotDimensionNumbers lax.PrecisionLike
        jnp.iscomplexobj jnp.isrealobj""",
    "shapes that depend on values": "jnp.trim_zeros",
    "random numbers without a key": "lax.rng_uniform",
    "the same operation under another name of the suite": """jnp.acos jnp.acosh jnp.asin jnp.asinh jnp.atan
        jnp.atanh jnp.polydiv lax.rng_bit_generator lax.ragged_dot_general
        lax.mulhi jnp.i0""",
    "products with scales of blocks": """lax.scaled_dot nn.scaled_dot_general
        nn.scaled_matmul""",
}
FUNCTIONS = {name: reason for reason, names in REASONS.items() for name in names.split()}
