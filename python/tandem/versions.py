"""Packages that a part of Tandem works with, in the one supported version."""

from __future__ import annotations

import importlib.metadata


def needs(module: str, package: str, version: str) -> None:
    """Raises ImportError unless `package` is installed and its version begins with `version` ("0.14.")."""
    try:
        found = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise ImportError(f"{module} needs {package} {version}*, which is not installed") from None
    if not found.startswith(version):
        raise ImportError(f"{module} works with {package} {version}*, here is {found}")
