#!/usr/bin/env python3
"""JAX's own tests on the machine: how many pass, and why the others do not.

  run.py CHECKOUT                    all files of FILES; CHECKOUT is JAX's repository at tag jax-v0.10.2,
                                     and is cloned where it is not there yet
  run.py CHECKOUT lax_test fft_test  some
  run.py CHECKOUT -k fft             tests whose name fits pytest's expression
  run.py CHECKOUT --write            also writes results.md, beside this file
  run.py CHECKOUT --report           runs nothing: the results of earlier runs

The tests are JAX's and no part of this project; JAX's package on PyPI is without them. What they need
beside JAX and the plugin is in python/requirements-nightly.txt. The device is taken for a TPU with
the types of one, but for f64, i64 and complex128, which need jax_enable_x64. Each test runs once
(--cases: with so many generated cases), and for at most --limit seconds.

Results are kept in --out, so a stopped run continues where it was (--anew: starts again). A process runs --chunk tests;
one that crashes or is too slow takes its process along and is a failure, and the others go on. Exit status 1: fewer
than 99 of 100 pass, or a failure has no reason in reasons.tsv.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import results

HERE = pathlib.Path(__file__).parent
FILES = """lax_test lax_numpy_test lax_numpy_operators_test lax_numpy_reducers_test lax_numpy_indexing_test
    lax_numpy_einsum_test lax_numpy_ufuncs_test lax_numpy_vectorize_test lax_numpy_setops_test nn_test
    lax_autodiff_test lax_scipy_test lax_scipy_special_functions_test lax_vmap_test lax_vmap_op_test
    linalg_test svd_test eigh_test qdwh_test fft_test scipy_fft_test scipy_signal_test scipy_stats_test
    scipy_ndimage_test scipy_interpolate_test scipy_spatial_test random_test random_lax_test
    lax_control_flow_test api_test dtypes_test jet_test ode_test image_test custom_linear_solve_test
    custom_root_test batching_test polynomial_test scaled_dot_test stax_test optimizers_test
    sparse_test""".split()
SOURCE = "https://github.com/jax-ml/jax"
TAG = "jax-v0.10.2"
LEAST = 0.99
MOST_PROCESSES = 200  # of a file


def clone(checkout):
    """The folder with the tests alone: the package that is tested is the one that is installed."""
    commands = (["-c", "advice.detachedHead=false", "clone", "--quiet", "--depth", "1", "--branch", TAG,
                 "--filter=blob:none", "--sparse", SOURCE, str(checkout)],
                ["-C", str(checkout), "sparse-checkout", "set", "tests"])
    for command in commands:
        if subprocess.run(["git", *command], check=False).returncode:
            sys.exit(f"{SOURCE} cannot be cloned to {checkout}")


def run_chunk(options, file, record):
    environment = os.environ | {
        "JAX_NUM_GENERATED_CASES": str(options.cases), "JAX_PLATFORMS": "tandem,cpu",
        "JAX_SUITE_RECORD": str(record), "JAX_SUITE_CHUNK": str(options.chunk),
        "PYTHONPATH": os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH")))),
        "TANDEM_CACHE": os.environ.get("TANDEM_CACHE", str(options.out / "cache"))}
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "on_tandem", "-p", "no:cacheprovider",
               "-o", f"faulthandler_timeout={options.limit}", "-o", "faulthandler_exit_on_timeout=true",
               *(("-k", options.k) if options.k else ()), f"tests/{file}.py"]
    with open(options.out / f"{file}.log", "a", encoding="utf-8") as log:
        subprocess.run(command, cwd=options.checkout, env=environment, stdout=log, stderr=log, check=False)


def run_file(options, file):
    """Until no test is left that has not run."""
    record = options.out / f"{file}.jsonl"
    done = record.with_suffix(".done")
    for _ in range(MOST_PROCESSES):
        if done.exists():
            break
        before = record.stat().st_size if record.exists() else 0
        run_chunk(options, file, record)
        if not done.exists() and (record.stat().st_size if record.exists() else 0) == before:
            sys.exit(f"{file} does not run: {options.out / f'{file}.log'}")
    print(results.line(file, results.read(record)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("files", nargs="*", default=FILES)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/jax_suite"))
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--cases", type=int, default=1)
    parser.add_argument("--chunk", type=int, default=250)
    parser.add_argument("-k", default="")
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_intermixed_args()
    options.out = options.out.resolve()
    if options.anew:
        shutil.rmtree(options.out, ignore_errors=True)
    if not options.checkout.exists():
        clone(options.checkout)
    options.out.mkdir(parents=True, exist_ok=True)
    files = [file.removesuffix(".py") for file in options.files]
    for file in files:
        if not (options.checkout / "tests" / f"{file}.py").exists():
            sys.exit(f"{options.checkout} has no tests/{file}.py: is it JAX's repository?")
        if not options.report:
            run_file(options, file)
    by_file = {file: results.read(options.out / f"{file}.jsonl") for file in files}
    whole = {file for file in files if (options.out / f"{file}.done").exists()}
    text, share, unexplained = results.table(by_file, whole)
    print(text)
    if options.write:
        (HERE / "results.md").write_text(text, encoding="utf-8")
    for name, why in unexplained:
        print(f"without a reason: {name}: {why}")
    return 0 if share >= LEAST and not unexplained else 1


if __name__ == "__main__":
    sys.exit(main())
