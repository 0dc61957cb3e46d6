"""To import in tests that compile: where the compiler is not built, they end here as skipped (status 77)."""

import sys

from tandem import tools

try:
    tools.compiler_path()
except FileNotFoundError as error:
    print(f"skipped: {error}")
    sys.exit(77)
