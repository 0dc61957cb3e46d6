"""Functions in linear assembly inside of `jax.jit`: those of Tandem's kernels, and the user's own.

    softmax = tandem.function("softmax", outputs=lambda x: x)
    jax.jit(lambda x: softmax(2 * x) + 1)(x)

    scale = tandem.function("scale", file="scale.s", outputs=lambda x, factor: x)
"""

from __future__ import annotations

import hashlib
import inspect
import pathlib
import re
from typing import Any, Callable

import numpy as np

from tandem import tools

# Anywhere in its line: after a label, in a macro, without a space.
_NAMED = re.compile(r'\.(?:include|incbin)\s*"([^"\n]*)"')


def _digest(path: pathlib.Path, text: str) -> str:
    """Of all files that the text includes: caches of compiled programs check nothing else."""
    digest = hashlib.sha256()
    seen: set[pathlib.Path] = set()

    def add(folder: pathlib.Path, contents: bytes) -> None:
        digest.update(contents)
        names = _NAMED.findall(contents.decode(errors="replace"))
        if any("\\" in name for name in names):  # a macro's argument: any file there
            for other in sorted(path for path in folder.iterdir() if path.is_file()):
                state = other.stat()
                digest.update(f"{other.name} {state.st_size} {state.st_mtime_ns}\n".encode())
        for name in names:
            other = (folder / name).resolve()
            if other not in seen and other.is_file():  # others are Tandem's own
                seen.add(other)
                add(other.parent, other.read_bytes())

    add(path.parent, text.encode())
    return digest.hexdigest()


class Function:
    """A function of an assembly text that is called with JAX arrays.

    Its parameters are declared in its text (`.parameter`) and compared when the program is compiled: inputs are its
    parameters `in`, `inout` and numbers in order, results those `out` and `inout`.
    """

    def __init__(self, name: str, outputs: Callable[..., Any], file: str | None):
        self.__name__ = name
        self._outputs = outputs
        self._file = None if file is None else pathlib.Path(file).resolve()

    def _where(self) -> dict[str, str]:
        """The attributes of the custom call that identify the function."""
        attributes = {"function": self.__name__}
        if self._file is not None:
            try:
                text = tools.input_file(self._file).read_text(encoding="utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(f"{self._file} is no text in UTF-8: {error}") from None
            attributes.update(file=str(self._file), text=text, digest=_digest(self._file, text))
        return attributes

    def __call__(self, *arguments: Any) -> Any:
        import jax

        from tandem.kernels import check_platform

        inputs = [jax.ShapeDtypeStruct(np.shape(x), jax.numpy.result_type(x)) for x in arguments]
        try:
            inspect.signature(self._outputs).bind(*inputs)
        except TypeError:
            raise TypeError(f"{self.__name__}: the rule for its outputs does not take "
                            f"{len(inputs)} inputs") from None
        results = self._outputs(*inputs)
        several = isinstance(results, (tuple, list))
        structs = [jax.ShapeDtypeStruct(x.shape, x.dtype)
                   for x in (results if several else [results])]
        check_platform()
        call = jax.ffi.ffi_call("tandem.kernel", structs, vmap_method="sequential")
        values = call(*arguments, **self._where())
        return tuple(values) if several else values[0]


def function(name: str, *, outputs: Callable[..., Any], file: str | None = None) -> Function:
    """Makes a function in assembly callable with JAX arrays, inside of `jax.jit` too.

    name: of a function of Tandem's kernels (docs/kernels.md), or of one in `file`.
    outputs: the forms of the results, one or a tuple, as a function of the inputs (with shape and dtype), as anything
    with shape and dtype. `jax.vmap` calls it in a loop.
    """
    return Function(name, outputs, file)


__all__ = ["Function", "function"]
