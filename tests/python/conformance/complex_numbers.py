"""Functions of complex64, and Fourier transforms."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import FEW, case, shape_text

UNARY = {
    "jnp": """abs negative positive sign square conj real imag angle isreal iscomplex isfinite isnan exp expm1 log log1p
        log2 log10 sqrt reciprocal sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh sinc exp2
        sum prod mean var cumsum cumprod sort_complex sort transpose flip ravel""",
    "lax": "neg sign exp log sqrt rsqrt tanh sin cos tan logistic real imag conj square",
}
BINARY = {
    "jnp": "add subtract multiply divide power equal not_equal outer vdot kron convolve correlate",
    "lax": "add sub mul div pow eq ne",
}
TRANSFORMS = {"f": "fft ifft rfft ihfft fft2 rfft2 fftn", "x": "fft ifft irfft hfft fft2 ifft2 irfft2 fftn ifftn irfftn"}
ALONG_ROWS = ("sort_complex", "sort", "cumsum", "cumprod")
ONE_DIMENSION = ("convolve", "correlate", "vdot", "outer", "kron")


def functions():
    for module, names in UNARY.items():
        for name in names.split():
            function = getattr({"jnp": jnp, "lax": lax}[module], name)
            for shape in (((5,), (29,)) if name in ALONG_ROWS else FEW):
                yield case(f"{module}.{name}", "x" + shape_text(shape), function)
    for module, names in BINARY.items():
        for name in names.split():
            function = getattr({"jnp": jnp, "lax": lax}[module], name)
            for shape in (((7,),) if name in ONE_DIMENSION else FEW):
                yield case(f"{module}.{name}", f"x{shape_text(shape)} x{shape_text(shape)}", function)


def transforms():
    for kind, names in TRANSFORMS.items():
        for name in names.split():
            for shape in ((2, 12), (3, 4, 5), (2, 131)):
                yield case(f"jnp.fft.{name}", kind + shape_text(shape), getattr(jnp.fft, name))
    for name in ("fftshift", "ifftshift"):
        yield case(f"jnp.fft.{name}", "x[3,6]", getattr(jnp.fft, name))
    yield case("lax.fft", "x[2,9]", lambda x: lax.fft(x, "FFT", (9,)))


def all_cases():
    yield from functions()
    yield from transforms()
    yield case("lax.complex", "f[5] f[5]", lax.complex)
    yield case("jnp.unwrap", "f[9]", jnp.unwrap)
    yield case("jnp.angle/degrees", "x[9]", lambda x: jnp.angle(x, deg=True))
    yield case("jnp.where/complex", "b[3,4] x[3,4] x[4]", jnp.where)
    yield case("jnp.matmul/complex", "x[2,5,7] x[7,3]", jnp.matmul)
    yield case("jnp.einsum/complex", "x[3,4] x[4,5]", lambda a, b: jnp.einsum("ij,jk->ki", a, b))
    yield case("lax.conv/complex", "x[1,2,9] x[3,2,4]", lambda x, k: lax.conv(x, k, (1,), "SAME"))
    yield case("lax.scan/complex", "x[6]", lambda x: lax.scan(lambda c, v: (c * v, c + v), 1j + 0 * x[0], x))
    yield case("grad/complex", "x[6]", jax.grad(lambda x: jnp.sum(jnp.abs(jnp.fft.fft(x)) ** 2)))
    yield case("jnp.array/at complex", "x[6] x[2]", lambda x, y: x.at[jnp.array([1, 1])].add(y))
    yield case("jnp.array/at product complex", "x[6] x[2]", lambda x, y: x.at[jnp.array([1, 1])].multiply(y))
