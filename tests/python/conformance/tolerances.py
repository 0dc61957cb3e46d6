"""How far a result may be from JAX's on the CPU: one table, by operation.

Integers and truth values are exact. For reals: relative and absolute error of float32; bfloat16
may be two of its last places away, since both sides round sums at other points. Sums are made in
another order than the CPU's, so what reduces has an absolute part.
"""

EXACT = (0.0, 0.0)
ELEMENTWISE = (2e-6, 1e-6)
REDUCING = (1e-5, 1e-5)
# Many steps one after the other, each with its own rounding.
COMPOSED = (5e-5, 5e-5)
# Series, continued fractions and iterations that stop at the precision of fp32.
ITERATED = (5e-4, 1e-4)
BF16 = (2e-2, 2e-2)

TABLE = {
    **dict.fromkeys(("jnp.add", "jnp.subtract", "jnp.multiply", "jnp.negative", "jnp.abs",
                     "jnp.maximum", "jnp.minimum", "jnp.floor", "jnp.ceil", "jnp.sign",
                     "jnp.transpose", "jnp.reshape", "jnp.concatenate", "jnp.roll",
                     "jnp.flip", "jnp.sort", "jnp.where", "jnp.take", "jnp.tile", "lax.add",
                     "lax.sub", "lax.mul", "lax.neg", "lax.max", "lax.min", "lax.sort",
                     "lax.gather", "lax.select_n", "lax.rev", "lax.pad", "lax.reduce_precision"),
                    EXACT),
    **dict.fromkeys(("jnp.matmul", "jnp.dot", "jnp.einsum", "jnp.tensordot", "jnp.inner",
                     "jnp.convolve", "jnp.correlate", "jnp.cov", "jnp.corrcoef", "jnp.var",
                     "jnp.std", "jnp.nanvar", "jnp.nanstd", "jnp.polyval", "jnp.vander",
                     "jnp.sinc", "jnp.sinh", "jnp.cosh", "jnp.i0", "jnp.power", "jnp.float_power",
                     "jnp.logaddexp2", "jnp.exp2", "jnp.cumprod", "jnp.interp", "jnp.trapezoid",
                     "lax.conv", "lax.conv_general_dilated", "lax.dot_general", "lax.dot",
                     "lax.exp2", "lax.pow", "lax.sinh", "lax.cosh", "lax.tan", "jnp.tan",
                     "lax.lgamma", "lax.erf_inv", "lax.bessel_i0e", "lax.bessel_i1e",
                     "lax.cumprod", "lax.cumlogsumexp", "lax.associative_scan", "jnp.geomspace",
                     "jnp.logspace", "jnp.prod", "lax.reduce_prod", "lax.conv_transpose",
                     "lax.conv_with_general_padding", "jnp.nanprod", "jnp.nancumprod",
                     "jnp.cumulative_prod"), COMPOSED),
    **dict.fromkeys(("lax.igamma", "lax.igammac", "lax.igamma_grad_a", "lax.betainc",
                     "lax.digamma", "lax.polygamma", "lax.zeta", "lax.random_gamma_grad",
                     "grad", "jnp.polyfit", "lax.custom_root"), ITERATED),
}


def of(operation, dtype):
    """Relative and absolute error."""
    if dtype == "bfloat16":
        return BF16
    if operation in TABLE and (dtype != "complex64" or TABLE[operation] != EXACT):
        return TABLE[operation]
    if operation.startswith("random."):
        return ITERATED
    if operation.startswith("jnp.fft."):
        return COMPOSED
    return REDUCING if operation.split(".")[0] in ("jnp", "nn", "lax") else COMPOSED
