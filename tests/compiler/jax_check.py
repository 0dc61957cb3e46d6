#!/usr/bin/env python3
"""Compiles JAX programs, runs them on a model of the machine and compares with JAX on the CPU.

  tests/compiler/jax_check.py [--build FOLDER] [--on golden|cycle|lockstep] [--preset small]
                              [-k WORD] [--slice N] [--keep FOLDER] [--list]

--slice takes every Nth case, as a commit does; all of them run nightly.

Needs jax (0.10.2) in the Python that runs it; without it there is a message and exit status 77,
which ctest takes for "skipped". The cases are in jax_cases.py and jax_programs.py. --keep writes each artifact and its
input and expected output files, as tests/compiler/artifacts holds them.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import os
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import numpy as np
    from jax._src.interpreters import mlir
    from jax._src.lib import _jax
except ImportError as error:
    print(f"jax_check: skipped, {error}")
    sys.exit(77)

import jax_cases
import jax_programs

TARGET = "1.13.0"  # the StableHLO version that the PJRT plugin asks for


def artifact(function, arguments):
    """The bytes that JAX hands to a PJRT plugin; CHLO has become StableHLO on the way."""
    module = jax.jit(function, keep_unused=True).lower(*arguments).compiler_ir()
    return _jax.mlir.serialize_portable_artifact(mlir.module_to_bytecode(module), TARGET)


def run(command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False)


def npy_type(array):
    """How `tandem run` takes the array: bf16 as its bits."""
    array = np.asarray(array)
    return array.view(np.uint16) if array.dtype.name == "bfloat16" else array


class Failure(Exception):
    pass


def execute(options, folder, case):
    """The outputs of the compiled program, and its cycles or bundles."""
    program = folder / "program.elf"
    compiled = run([options.build / "tandem-compile", folder / "artifact.mlirbc", "-o", program,
                    "--preset", options.preset])
    if compiled.returncode != 0:
        raise Failure("compile: " + compiled.stderr.strip())
    command = [options.build / "tandem"]
    command += ["lockstep"] if options.on == "lockstep" else ["run", "--on", options.on]
    command.append(program)
    for index, argument in enumerate(case.arguments):
        np.save(folder / f"arg{index}.npy", npy_type(argument))
        command += ["--in", f"arg{index}={folder}/arg{index}.npy"]
    if options.on != "lockstep":
        for index in range(case.outputs):
            command += ["--out", f"out{index}={folder}/out{index}.npy"]
    ran = run(command)
    if ran.returncode != 0:
        raise Failure("run: " + ran.stderr.strip()[-2000:])
    if options.on == "lockstep":
        return None
    return [np.load(folder / f"out{index}.npy") for index in range(case.outputs)]


def compare(case, expected, outputs):
    for index, (want, got) in enumerate(zip(expected, outputs)):
        want = np.asarray(want)
        if want.dtype.name == "bfloat16":
            want = want.astype(np.float32)  # as `tandem run` writes it
        if want.shape != got.shape:
            raise Failure(f"output {index}: shape {got.shape}, expected {want.shape}")
        if want.dtype.kind in "biu":
            equal = want.astype(np.int64) == got.astype(np.int64)
        else:
            equal = np.isclose(got, want, rtol=case.relative, atol=case.absolute, equal_nan=True)
        if not np.all(equal):
            where = tuple(np.argwhere(~equal)[0])
            raise Failure(f"output {index}: {np.count_nonzero(~equal)} of {want.size} differ, "
                          f"first at {where}: {got[where]} for {want[where]}")


def check(options, case):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "artifact.mlirbc").write_bytes(artifact(case.function, case.arguments))
        expected = jax.tree.leaves(jax.jit(case.reference or case.function)(*case.arguments))
        case.outputs = len(expected)
        outputs = execute(options, folder, case)
        if outputs is not None:
            compare(case, expected, outputs)


def keep(options, case):
    """Writes a case to tests/compiler/artifacts, without folders in its source locations."""
    folder = options.keep / case.name.rsplit(".", 1)[-1]
    folder.mkdir(parents=True, exist_ok=True)
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
    (folder / "artifact.mlirbc").write_bytes(artifact(case.function, case.arguments))
    for index, argument in enumerate(case.arguments):
        np.save(folder / f"arg{index}.npy", npy_type(argument))
    for index, result in enumerate(jax.tree.leaves(jax.jit(case.function)(*case.arguments))):
        np.save(folder / f"out{index}.npy", npy_type(result))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--build", type=pathlib.Path, default=root / "build")
    parser.add_argument("--on", default="golden", choices=("golden", "cycle", "lockstep"))
    parser.add_argument("--preset", default="small")
    parser.add_argument("-k", default="", help="only cases whose name contains this")
    parser.add_argument("--slice", type=int, default=1, help="only every Nth case")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, help="store the cases in this folder")
    options = parser.parse_args()
    failed = 0
    cases = [*jax_cases.all_cases(), *jax_programs.users()]
    chosen = [case for case in cases[::options.slice] if options.k in case.name]
    for case in chosen:
        if options.list:
            print(case.name)
            continue
        if options.keep:
            keep(options, case)
            continue
        start = time.time()
        try:
            check(options, case)
            print(f"ok    {case.name}  {time.time() - start:.2f} s", flush=True)
        except Failure as failure:
            failed += 1
            print(f"FAIL  {case.name}: {failure}", flush=True)
    print(f"jax_check: {len(chosen)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
