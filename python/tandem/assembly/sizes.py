"""The sizes of a machine, by its name."""

from __future__ import annotations

from tandem.assembly.machine import PRESETS, Preset


def sizes_of(machine: str) -> Preset:
    """The sizes of a preset ("small"), of sizes ("lanes=32,vmem=2MiB") or of a file of them ("mine.toml").

    Raises ValueError when there is no such machine.
    """
    if machine in PRESETS:
        return PRESETS[machine]
    from tandem import _core

    return Preset(*_core.machine_sizes(machine))


def target_of(machine: str) -> str:
    """Its form in `.target`: a preset unchanged, sizes in quotes; timing is not part of a program."""
    if machine in PRESETS:
        return machine
    from tandem import _core

    return _core.machine_target(machine)
