"""A process forked from one with devices can only report that it has none, and end.

It has none of its parent's threads. The plugin refuses all requests there (python/pjrt/core/fork_guard.hpp); three
things wait in jaxlib before the plugin is called: a compilation, for a thread of a pool, the end of the client and of
MLIR's pool, for their threads, and the end of the process, for runs that call their host (host_calls.py). On JAX's CPU
the first hangs and the second crashes.
"""

from __future__ import annotations

import os
from typing import Any, Callable

_MESSAGE = ("FAILED_PRECONDITION: this process was forked after Tandem's devices were started, so they do not "
            "exist in it; start processes with multiprocessing.set_start_method('spawn') or 'forkserver'")
_kept: list[Any] = []  # the client and MLIR's pool of threads, which wait for threads when they end


def has_lost_devices() -> bool:
    """Whether this is such a child."""
    return bool(_kept)


def _refuse_compilations(compiler: Any, error: type[Exception]) -> None:
    original: Callable[..., Any] = compiler.backend_compile_and_load

    def compile_and_load(backend: Any, *arguments: Any, **named: Any) -> Any:
        if getattr(backend, "platform", None) == "tandem":
            raise error(_MESSAGE)
        return original(backend, *arguments, **named)

    compiler.backend_compile_and_load = compile_and_load


def _in_child() -> None:
    import jax
    from jax._src import compiler, xla_bridge
    from jax._src.interpreters import mlir

    client = xla_bridge._backends.get("tandem")
    if client is None:  # the child may start devices of its own
        return
    _refuse_compilations(compiler, jax.errors.JaxRuntimeError)
    _keep(client)
    _keep(getattr(mlir, "global_thread_pool", None))


def _keep(owner_of_threads: Any) -> None:
    """It is never destroyed: one owner more than there are."""
    import ctypes

    _kept.append(owner_of_threads)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(owner_of_threads))


def watch() -> None:
    """From now on forked children are handled."""
    os.register_at_fork(after_in_child=_in_child)
