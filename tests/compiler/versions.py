#!/usr/bin/env python3
"""Artifacts of every version of StableHLO that is read: the programs of tests/compiler/cycles, written for each by
StableHLO's own serialisation, become the same program.

    tests/compiler/versions.py [--build FOLDER] [--slice N]

--slice takes every Nth pair of a program and a version, as a commit does; all of them run nightly. Needs jax
(build/venv); ends with status 77 without.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

try:
    from jax.interpreters import mlir
    from jaxlib.mlir.dialects import stablehlo
except ImportError:
    print("no jax: scripts/setup --group python")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Some between 0.14.0 and 1.17.0; those in which an operation's form changed are among them.
VERSIONS = ("0.14.0", "0.17.0", "0.19.0", "0.20.0", "1.0.0", "1.3.0", "1.5.0", "1.6.0", "1.7.0", "1.8.0", "1.9.0", "1.10.0",
            "1.13.0", "1.14.0", "1.15.0", "1.16.0", "1.17.0")


def compiled(build, artifact, folder):
    """The level `tensor` without locations, or the error: attributes that say "none" are removed."""
    source, text = folder / "a.mlirbc", folder / "a.mlir"
    source.write_bytes(artifact)
    done = subprocess.run([build / "tandem-compile", source, "--emit=tensor", "-o", text], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        return done.stderr
    return subprocess.run([build / "tandem-opt", text], capture_output=True, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--slice", type=int, default=1, help="only every Nth pair of program and version")
    options = parser.parse_args()
    build = options.build.resolve()
    different = tried = seen = 0
    with mlir.make_ir_context() as context, tempfile.TemporaryDirectory() as folder:
        for path in sorted((ROOT / "tests/compiler/cycles").glob("*.mlirbc")):
            module = stablehlo.deserialize_portable_artifact(context, path.read_bytes())
            wanted = compiled(build, path.read_bytes(), pathlib.Path(folder))
            for version in VERSIONS:
                seen += 1
                if seen % options.slice != 0:
                    continue
                artifact = stablehlo.serialize_portable_artifact(module, version)
                tried += 1
                got = compiled(build, artifact, pathlib.Path(folder))
                if got != wanted or "func.func" not in got:
                    different += 1
                    print(f"{path.name} in {version}: {got[:300]}")
    print(f"{tried} artifacts, {different} different")
    return 1 if different or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
