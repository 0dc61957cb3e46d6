"""Tells JAX about the platform "tandem"; JAX calls initialize() itself, by the entry point.

Nothing is started here: devices are created when JAX first wants them, which without JAX_PLATFORMS=tandem or
jax.devices("tandem") is never.
"""

import os
import pathlib
import sys

_TESTED_JAX = "0.10.2"
_HERE = pathlib.Path(__file__).absolute().parent  # a program may change its folder later
# Below the CPU's 0: a program that does not ask for this platform is unaffected.
_PRIORITY = -100


def plugin_path() -> pathlib.Path:
    """The shared library that JAX loads; TANDEM_PLUGIN names another one."""
    asked = os.environ.get("TANDEM_PLUGIN")
    if asked:
        return pathlib.Path(asked)
    return _HERE / "lib" / "pjrt_plugin_tandem.so"


def _options() -> dict[str, str]:
    """Tells the plugin where the partitioner is; the environment may name another."""
    if os.environ.get("TANDEM_PARTITIONER"):
        return {}
    return {"partitioner": str(_HERE / "partition" / "__main__.py"), "partitioner_python": sys.executable}


def allow_donation(mlir) -> None:
    """JAX only marks arguments as donated for platforms that it knows."""
    if "tandem" not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append("tandem")


def _let_interrupts_through(error: type[Exception]) -> None:
    """Ctrl-C ends the run that JAX waits for, and with it the wait, by an error of JAX's. Python checks for the signal
    only when it executes Python code; this initialiser, which is Python, suffices, and KeyboardInterrupt replaces the
    error."""

    original = error.__init__

    def initialise(self: Exception, *arguments: object) -> None:
        original(self, *arguments)

    error.__init__ = initialise  # type: ignore[method-assign]


def initialize() -> None:
    """Registers the platform. JAX reports exceptions of this and continues without it."""
    import jax
    from jax._src import source_info_util, xla_bridge
    from jax._src.interpreters import mlir
    from tandem import forks, lowering_rules, transfers, pallas

    library = plugin_path()
    if not library.exists():
        raise FileNotFoundError(f"{library} is missing: build it with scripts/setup --group python")
    if jax.__version__ != _TESTED_JAX:
        raise ImportError(
            f"Tandem was tested with jax {_TESTED_JAX}, this is jax {jax.__version__}: "
            f"pip install jax=={_TESTED_JAX}")
    xla_bridge._nonexperimental_plugins.add("tandem")
    source_info_util.register_exclusion(str(pathlib.Path(__file__).parent))  # not the user's lines
    allow_donation(mlir)
    lowering_rules.register("tandem")
    transfers.go_through_the_host("tandem")
    pallas.register("tandem")
    _let_interrupts_through(jax.errors.JaxRuntimeError)
    forks.watch()
    xla_bridge.register_plugin("tandem", priority=_PRIORITY, library_path=str(library), options=_options)
