"""A program's calls of its host: `jax.debug.print`, `jax.debug.callback`, callbacks without results.

A program is one launch and never waits for the host. The arguments of a call go into the program's log; the plugin
reads it and passes the records to this module, in order, in a thread of its own. A key, an attribute of the module,
identifies the functions that a program calls: they are kept as long as JAX keeps the program.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import itertools
import logging
import secrets
import time
import traceback
import warnings
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tandem import call_shardings, forks

_KEY = "tandem.host.key"  # before its digits; python/pjrt/programs/host_key.cpp looks for it
_PROCESS = secrets.token_hex(16)
_numbers = itertools.count()
_HEADER = 2  # words of a record before its elements: the number of the call, the record's length

_FAILED = "error calling callback"
_UNIMPLEMENTED = ("unimplemented: {} on Tandem: its result is needed, and a program is one launch: nothing of it runs on "
                  "the host before it halts; return the value from the function instead")


@dataclass(frozen=True)
class _Call:
    name: str  # of the function that the user called
    function: Callable[..., Any]
    operands: tuple[tuple[tuple[int, ...], np.dtype], ...]
    has_results: bool


class _Calls:
    """The calls of a program by number. JAX keeps this with the program, as a callback."""

    def __init__(self) -> None:
        self.key = f"{_PROCESS}{next(_numbers):016x}"
        self.calls: list[_Call] = []

    def __call__(self, *_arguments: Any) -> None:
        raise AssertionError("never called: the plugin hands over records")


_programs: weakref.WeakValueDictionary[str, _Calls] = weakref.WeakValueDictionary()
_runs: dict[int, _Calls] = {}


def _array(words: np.ndarray, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An operand as the program had it; `words` is not shared."""
    if dtype.kind == "c":
        values = np.empty(len(words) // 2, dtype)
        values.real, values.imag = words.view(np.float32).reshape(2, -1)
    elif dtype.itemsize == 4:
        values = words.view(dtype)
    elif _is_real(dtype):
        is_half = dtype.itemsize == 2
        values = words.astype(np.uint16).view(dtype) if is_half else words.view(np.float32).astype(dtype)
    else:
        values = words.view(np.int32).astype(dtype)
    return values.reshape(shape)


def _is_real(dtype: np.dtype) -> bool:
    import jax

    return jax.numpy.issubdtype(dtype, np.floating)


def _words(shape: tuple[int, ...], dtype: np.dtype) -> int:
    return int(np.prod(shape)) * (2 if dtype.kind == "c" else 1)


def _arguments(call: _Call, words: np.ndarray) -> list[np.ndarray]:
    arguments = []
    for shape, dtype in call.operands:
        size = _words(shape, dtype)
        arguments.append(_array(words[:size].copy(), shape, dtype))
        words = words[size:]
    return arguments


def _tell(calls: _Calls, records: np.ndarray) -> None:
    while len(records):
        number, length = int(records[0]), int(records[1])
        if not _HEADER <= length <= len(records) or number >= len(calls.calls):
            raise RuntimeError("the log of the program's calls holds what none of them wrote; a kernel in assembly may have")
        call = calls.calls[number]
        call.function(*_arguments(call, records[_HEADER:length]))
        if call.has_results:
            raise NotImplementedError(_UNIMPLEMENTED.format(call.name))
        records = records[length:]


def _tell_lost(calls: _Calls, lost: int) -> None:
    text = (f"{lost} of the calls of this program's host ({', '.join(sorted({c.name for c in calls.calls}))}) found no "
            "room and are lost, the last ones or the largest; TANDEM_DEBUG_BYTES says how many bytes there are")
    if any(call.has_results for call in calls.calls):
        raise RuntimeError(text)
    warnings.warn(text, RuntimeWarning, stacklevel=2)


_Begin = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)
_Deliver = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.POINTER(ctypes.c_uint32), ctypes.c_int64,
                            ctypes.c_int64, ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)


class _Functions(ctypes.Structure):
    _fields_ = [("begin", _Begin), ("deliver", _Deliver)]


@_Begin
def _begin(key: bytes) -> int:
    calls = _programs.get(key.decode())
    if calls is None:
        return -1
    run = next(_numbers)
    _runs[run] = calls
    return run


@_Deliver
def _deliver(run: int, records: Any, words: int, lost: int, last: int, message: int, room: int) -> int:
    calls = _runs[run]
    try:
        if words:
            _tell(calls, np.ctypeslib.as_array(records, (words,)))
        if last and lost:
            _tell_lost(calls, lost)
        return 0
    except BaseException as error:
        refused = isinstance(error, NotImplementedError) and str(error).startswith("unimplemented: ")
        text = str(error) if refused else f"{_FAILED}: {traceback.format_exc()}"
        said = text.encode(errors="replace")[-(room - 1):] + b"\0"
        ctypes.memmove(message, said, len(said))
        return 2 if refused else 1
    finally:
        if last:
            del _runs[run]


_FUNCTIONS = _Functions(_begin, _deliver)


@functools.cache
def _install() -> None:
    from tandem.jax_plugin import plugin_path

    library = ctypes.CDLL(str(plugin_path()))  # the one that JAX loads
    library.tandem_install_host_functions(ctypes.byref(_FUNCTIONS))
    atexit.register(_finish, library)  # before JAX's own exit handler, which is registered earlier


def _finish(library: ctypes.CDLL) -> None:
    """At the interpreter's end: a thread that takes its lock later would end the process."""
    import jax

    if forks.has_lost_devices():  # and the runs, with their threads
        return
    try:
        jax.effects_barrier()
    except Exception as error:
        if _FAILED not in str(error):  # that has been logged
            traceback.print_exception(error)
    while _runs:  # what functions have started
        time.sleep(0.001)
    library.tandem_wait_for_host_functions()


def _calls_of(context: Any) -> _Calls:
    """Those of the program that is being lowered."""
    from jax._src.lib.mlir import ir

    for callback in context.host_callbacks:
        if isinstance(callback, _Calls):
            return callback
    calls = _Calls()
    _programs[calls.key] = calls
    context.add_host_callback(calls)  # JAX keeps it, and the program out of its own caches
    context.module.operation.attributes["host.key"] = ir.StringAttr.get(f"{_KEY}:{calls.key}")
    return calls


def _lowering(name: str, as_function: Callable[..., Callable[..., Any]]) -> Callable[..., Sequence[Any]]:
    """The rule for a primitive; `as_function(**parameters)` is the function that the host runs."""
    from jax._src import core
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir

    def rule(context: Any, *operands: Any, **parameters: Any) -> Sequence[Any]:
        if len(context.module_context.platforms) > 1:
            raise NotImplementedError(f"unimplemented: {name} in a program for several platforms")
        _install()
        calls = _calls_of(context.module_context)
        avals = [core.physical_aval(aval) for aval in context.avals_in]
        calls.calls.append(_Call(name, as_function(**parameters),
                                 tuple((aval.shape, np.dtype(aval.dtype)) for aval in avals),
                                 bool(context.avals_out)))
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), len(calls.calls) - 1)
        call = mlir.custom_call(
            "tandem_debug", result_types=[mlir.aval_to_ir_type(context.module_context, aval)
                                          for aval in context.avals_out],
            operands=operands, has_side_effect=True, api_version=4,
            backend_config={"index": number, "name": ir.StringAttr.get(name)})
        call_shardings.mark(context.module_context, name, call, context.avals_out)
        if context.tokens_in is not None:
            context.set_tokens_out(context.tokens_in)  # the program executes everything in order
        return call.results

    return rule


def _cpu() -> Any:
    """JAX's own CPU, or None if JAX_PLATFORMS leaves it out."""
    from jax._src import xla_bridge

    try:
        return xla_bridge.local_devices(backend="cpu")[0]
    except RuntimeError:
        return None


def _on_host(name: str, function: Callable[..., Any], logger: logging.Logger) -> Callable[..., Any]:
    """Calls `function` with JAX's arrays on its CPU, as JAX does, or else with NumPy's."""
    import jax
    from jax._src import config

    def call(*arguments: Any) -> Any:
        try:
            cpu = _cpu()
            if cpu is None:
                return function(*(np.asarray(argument) for argument in arguments))
            with config.default_device(cpu):
                return function(*jax.device_put(arguments, cpu))
        except BaseException:
            logger.exception("%s failed", name)
            raise

    return call


def _errors_of_checks() -> Callable[..., Sequence[Any]]:
    """A `checkify.check` that was not functionalised: JAX makes it an error of the run on request."""
    from jax._src import checkify, config

    told = _lowering("checkify.check", lambda *, err_tree, **_: functools.partial(checkify.python_err, err_tree))

    def rule(context: Any, *operands: Any, err_tree: Any, debug: bool) -> Sequence[Any]:
        if debug:
            return []
        if not config.xla_runtime_errors.value:
            raise checkify.functionalization_error
        return told(context, *operands, err_tree=err_tree)

    return rule


def _serve_eager_calls() -> None:
    """JAX calls the function immediately, with arrays on its CPU; without a CPU it would refuse."""
    from jax._src import debugging

    of_jax = debugging.debug_callback_impl

    def call(*arguments: Any, callback: Callable[..., Any], **parameters: Any) -> tuple[()]:
        if _cpu() is not None:
            return of_jax(*arguments, callback=callback, **parameters)
        _on_host("jax.debug.callback", callback, debugging.logger)(*arguments)
        return ()

    debugging.debug_callback_impl = call  # jax.debug.print looks for it there
    debugging.debug_callback_p.def_impl(call)


def _tell_failures_once() -> None:
    """`jax.effects_barrier` waits for everything, and forgets errors that it has reported: where runs fail when they
    are called, as on the CPU, it does not see them again either."""
    from jax._src import dispatch

    def block_until_ready(tokens: Any) -> None:
        failures = []
        if forks.has_lost_devices():  # nothing would ever make them ready
            tokens.clear()
            return
        for token in (*tokens.current_tokens.values(), *tokens.output_runtime_tokens.values()):
            try:
                token.block_until_ready()
            except Exception as failure:
                failures.append(failure)
        tokens.clear()
        if failures:
            raise failures[0]

    dispatch.RuntimeTokenSet.block_until_ready = block_until_ready  # type: ignore[method-assign]


def register(platform: str) -> None:
    """Gives the platform its rules."""
    from jax._src import callback, checkify, debugging
    from jax._src.interpreters import mlir

    _serve_eager_calls()
    _tell_failures_once()

    def debug(primitive: Any) -> Callable[..., Callable[..., Any]]:
        return lambda **parameters: functools.partial(primitive.impl, **parameters)

    def plain(name: str) -> Callable[..., Callable[..., Any]]:
        return lambda *, callback, **_: _on_host(name, callback, logger)

    logger = callback.logger
    rules = ((debugging.debug_print_p, "jax.debug.print", debug(debugging.debug_print_p)),
             (debugging.debug_callback_p, "jax.debug.callback", debug(debugging.debug_callback_p)),
             (callback.pure_callback_p, "jax.pure_callback", plain("jax.pure_callback")),
             (callback.io_callback_p, "jax.experimental.io_callback", plain("jax.experimental.io_callback")))
    for primitive, name, as_function in rules:
        mlir.register_lowering(primitive, _lowering(name, as_function), platform=platform)
    mlir.register_lowering(checkify.check_p, _errors_of_checks(), platform=platform)
