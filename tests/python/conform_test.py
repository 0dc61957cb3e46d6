"""pypjrt's conformance checks: nothing fails, and all that compiles or executes passes."""

import unittest

import pypjrt.conform
from pypjrt._loader import Plugin

from tandem.jax_plugin import plugin_path

import needs_compiler  # noqa: F401, skips without a compiler

# Optional features of the interface that this platform does not have.
UNSUPPORTED = {
    "device.clear_memory_stats", "topology.deserialize",
    "topology.create_by_name", "topology.client_free_compile", "transfer.async_host_to_device",
    "buffer.opaque_device_pointer", "buffer.external_reference_count",
}


class Conformance(unittest.TestCase):
    def test_nothing_fails_and_everything_executes(self):
        report = pypjrt.conform.run(Plugin(str(plugin_path())))
        results = {check.id: check.result.value for check in report.checks}
        details = pypjrt.conform.render(report, verbose=True)
        self.assertEqual([name for name, result in results.items() if result == "fail"], [], details)
        self.assertEqual({name for name, result in results.items() if result == "unsupported"},
                         UNSUPPORTED, details)
        for name, result in results.items():
            if name.startswith(("execute.", "buffer.", "compile.")) and name not in UNSUPPORTED:
                self.assertEqual(result, "pass", name)


if __name__ == "__main__":
    unittest.main()
