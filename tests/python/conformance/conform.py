#!/usr/bin/env python3
"""Every function of jax.numpy, jax.lax, jax.nn and jax.random on the machine, against JAX's CPU.

  conform.py                          all cases
  conform.py --slice 40               every 40th case, for each commit
  conform.py -k jnp.sort              cases whose name contains this
  conform.py --results FILE           what passed, failed and was skipped, as JSON
  conform.py --accept-skips           count the skipped cases, on the CPU only, and keep the counts

Matrix products run under precision HIGHEST. Fails when a case does, when a function has neither
a case nor a reason in skipped.py, or when the number of skipped cases is not the one in
expected_skips.json. Exit status 77 where JAX or the plugin is missing.
"""

import argparse
import collections
import json
import os
import pathlib
import sys
import time
import types

os.environ.setdefault("JAX_PLATFORMS", "tandem,cpu")
try:
    import jax
    import numpy as np
    MACHINE, CPU = jax.devices("tandem")[0], jax.devices("cpu")[0]
except (ImportError, RuntimeError) as error:
    print(f"skipped: {error}")
    sys.exit(77)

import complex_numbers
import contracting
import elementwise
import models
import moving
import skipped
import tolerances

HERE = pathlib.Path(__file__).parent
MODULES = {"jnp": jax.numpy, "lax": jax.lax, "nn": jax.nn, "random": jax.random}
# The element types of arrays on the machine.
TYPES = {"float32", "bfloat16", "int32", "int8", "uint8", "uint32", "uint16", "int16", "float16",
         "bool", "complex64"}


class Skip(Exception):
    pass


class Wrong(Exception):
    pass


def all_cases():
    for module in (elementwise, moving, contracting, models, complex_numbers):
        yield from module.all_cases()


def run(case, device):
    options = dict(case.options)
    with jax.default_matmul_precision("highest"), jax.default_device(device):
        arguments = jax.device_put(case.arguments, device)
        return jax.tree.leaves(jax.jit(case.function, **options)(*arguments))


def compare(case, expected, got):
    if len(expected) != len(got):
        raise Wrong(f"{len(got)} results for {len(expected)}")
    for number, (want, have) in enumerate(zip(expected, got)):
        want, have = np.asarray(want), np.asarray(have)
        if want.dtype != have.dtype or want.shape != have.shape:
            raise Wrong(f"result {number}: {have.dtype}{have.shape} for {want.dtype}{want.shape}")
        if want.dtype.kind in "biu":
            differ = want != have
        else:
            relative, absolute = tolerances.of(case.operation, want.dtype.name)
            kind = np.complex64 if want.dtype.kind == "c" else np.float32
            wide = [np.asarray(v, kind) for v in (have, want)]
            differ = ~np.isclose(*wide, rtol=relative, atol=absolute, equal_nan=True)
        if np.any(differ):
            place = tuple(int(i) for i in np.argwhere(differ)[0])
            raise Wrong(f"result {number}: {np.count_nonzero(differ)} of {want.size} differ, first "
                        f"at {place}: {have[place]!r} for {want[place]!r}")


def check(case, on_machine):
    try:
        expected = run(case, CPU)
    except (TypeError, ValueError, NotImplementedError, jax.errors.JaxRuntimeError) as error:
        raise Skip(f"refused by JAX on the CPU: {type(error).__name__}") from error
    for result in expected:
        if result.dtype.name not in TYPES:
            raise Skip(f"result of type {result.dtype.name}")
    if on_machine:
        compare(case, expected, run(case, MACHINE))


def missing_functions(cases):
    covered = {case.operation for case in cases}
    for prefix, module in MODULES.items():
        for name in dir(module):
            value = getattr(module, name)
            if name.startswith("_") or not callable(value) or isinstance(value, (type, types.ModuleType)):
                continue
            full = f"{prefix}.{name}"
            if name.endswith("_p") or full in covered or full in skipped.FUNCTIONS:
                continue
            yield full


def judge(case, on_machine):
    """passed, failed or skipped, and why."""
    try:
        check(case, on_machine)
        return "passed", ""
    except Skip as skip:
        return "skipped", str(skip)
    except Exception as error:  # pylint: disable=broad-except
        return "failed", f"{type(error).__name__}: {str(error).splitlines()[0][:300]}"


def report(results, missing, options):
    counts = collections.Counter(status for status, _ in results.values())
    reasons = collections.Counter(why for status, why in results.values() if status == "skipped")
    functions = collections.Counter(skipped.FUNCTIONS.values())
    skips = {"cases": dict(sorted(reasons.items())), "functions": dict(sorted(functions.items()))}
    if options.results:
        failures = {name: why for name, (status, why) in results.items() if status == "failed"}
        options.results.write_text(json.dumps(
            {"passed": counts["passed"], "failed": failures, "skipped": skips}, indent=1) + "\n")
    for name in missing:
        print(f"MISSING {name}: neither a case nor a reason")
    print(f"conform: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    if options.accept_skips and options.slice == 1 and not options.k:
        (HERE / "expected_skips.json").write_text(json.dumps(skips, indent=1) + "\n")
    same = True
    if options.slice == 1 and not options.k:
        same = skips == json.loads((HERE / "expected_skips.json").read_text())
        if not same:
            print(f"the skipped cases are not those of expected_skips.json: {json.dumps(skips)}")
    return counts["failed"] == 0 and not missing and same


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slice", type=int, default=1)
    parser.add_argument("-k", default="")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--accept-skips", action="store_true")
    options = parser.parse_args()
    cases = list(all_cases())
    missing = list(missing_functions(cases))
    results = {}
    chosen = [case for case in cases[::options.slice] if options.k in case.name]
    for number, case in enumerate(chosen):
        start = time.time()
        results[f"{number} {case.name}"] = outcome = judge(case, not options.accept_skips)
        if outcome[0] == "failed":
            print(f"FAIL {case.name}: {outcome[1]}", flush=True)
        if number % 200 == 199:
            jax.clear_caches()  # thousands of programs of the CPU would fill the memory
        if time.time() - start > 20:
            print(f"slow {case.name}: {time.time() - start:.0f} s", flush=True)
    return 0 if report(results, missing, options) else 1


if __name__ == "__main__":
    sys.exit(main())
