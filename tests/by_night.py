"""Marks a test of a commit's suite as nightly: one that takes long and rarely fails.

    @by_night
    def test_...

ctest registers a file that imports this twice: as itself, where such tests are skipped, and as
nightly/..., which sets TANDEM_NIGHTLY and runs them too.
"""

import os
import unittest

by_night = unittest.skipUnless(os.environ.get("TANDEM_NIGHTLY"), "runs by night (TANDEM_NIGHTLY=1)")
