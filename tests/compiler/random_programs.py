#!/usr/bin/env python3
"""Random StableHLO programs against the interpreter of StableHLO in jaxlib.

  random_programs.py [--build FOLDER] [--count 200] [--first 0] [--preset small] [--keep FOLDER] [--chains]
                     [--state FILE]

Types and shapes are legal by construction. Reals are multiples of 1/4 and small, and every operation
on them is exact, so results are compared bit for bit (a zero's sign aside); functions that are
not exact are applied to results only, and have a tolerance. One program in eight (all with --chains) has contractions of
what others make of contractions, which go by tiles of random sizes (random_chains.py). Program number n is always the same one:
`--first n --count 1 --keep FOLDER` repeats it and keeps its text. What has passed is noted in --state
as it passes: interrupted and started again, the run goes on there, if the compiler is still the same.
Exit status 77 without jax or without the package, 130 where it was interrupted.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import numpy as np
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
except ImportError as problem:
    print(f"random_programs: skipped, {problem}")
    sys.exit(77)

from random_chains import Chain
from random_generator import DTYPES, Generator, text_of
from random_runner import for_each, parser_of, start

CHAINS = 8  # one program in so many has contractions of what others make of contractions


def interpreted(module, inputs):
    arguments = [attribute(array) for array in inputs]
    return [np.array(ir.DenseElementsAttr(result)) for result in stablehlo.eval_module(module, arguments)]


def attribute(array):
    if array.size == 0:
        kind = next(name for name, dtype in DTYPES.items() if array.dtype == dtype)
        return ir.Attribute.parse(f"dense<> : {text_of(kind, array.shape)}")
    if array.dtype == np.uint32:
        kind = ir.IntegerType.get_unsigned(32)
        return ir.DenseElementsAttr.get(array, type=kind, shape=array.shape)
    if array.dtype == np.bool_:
        kind = ir.RankedTensorType.get(array.shape, ir.IntegerType.get_signless(1))
        return ir.DenseElementsAttr.get([ir.BoolAttr.get(bool(v)) for v in array.ravel()], kind)
    return ir.DenseElementsAttr.get(array)


def differs(want, have, tolerance):
    have = np.asarray(have).reshape(want.shape)
    if tolerance == 0 or want.dtype.kind in "biu":
        return not np.array_equal(want.astype(have.dtype), have)
    finite = np.abs(want[np.isfinite(want)])
    largest = finite.max() if finite.size else 0
    return not np.allclose(want, have, rtol=3 * tolerance, atol=max(1e-6, tolerance * largest), equal_nan=True)


def run_compiler(options, arguments, text=None):
    return subprocess.run([options.build / "tandem-compile", *arguments, "--preset", options.preset], input=text,
                          capture_output=True, text=True, check=False)


def with_choices(options, source, choices):
    """The level `tensor` with choices in place of the models' decisions, or the error."""
    lowered = run_compiler(options, [source, "--emit=tensor"])
    if lowered.returncode != 0:
        return lowered, ""
    given = ", ".join(f'"{name}" = {value} : i64' for name, value in choices.items())
    attributes = f"attributes {{tandem.choices = {{{given}}}, tandem.decisions = []}} {{"
    text = re.sub(r"^( *func\.func @main\(.*) \{$", lambda found: f"{found[1]} {attributes}", lowered.stdout,
                  count=1, flags=re.MULTILINE)
    return lowered, text


def compiled(options, generator, source, program):
    """The compiler's output, and whether contractions go by tiles in it."""
    if not isinstance(generator, Chain):
        return run_compiler(options, [source, "-o", program]), False
    lowered, text = with_choices(options, source, generator.choices())
    if lowered.returncode != 0:
        return lowered, False
    tiled = run_compiler(options, ["-", "--emit=tiled"], text)
    fired = re.search(r'chosen = 1 : i64, name = "online#', tiled.stdout) is not None
    return run_compiler(options, ["-", "-o", program], text), fired


def check(number, options, device, folder, fired):
    """None, or the error."""
    is_chain = options.chains or number % CHAINS == CHAINS - 1
    generator = Chain(number) if is_chain else Generator(number)
    text, tolerances = generator.program()
    inputs = generator.inputs()
    with mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        artifact = stablehlo.serialize_portable_artifact(module, "1.13.0")
        expected = interpreted(module, inputs)
    source, program = folder / f"{number}.mlirbc", folder / f"{number}.elf"
    source.write_bytes(artifact)
    (folder / f"{number}.mlir").write_text(text)
    result, in_tiles = compiled(options, generator, source, program)
    fired.append(in_tiles)
    if result.returncode != 0:
        return "compile: " + result.stderr.strip()[:300]
    try:
        run = device.load(program)(**{f"arg{i}": array for i, array in enumerate(inputs)})
    except Exception as error:  # pylint: disable=broad-except
        return f"run: {error}"[:300]
    for index, (want, tolerance) in enumerate(zip(expected, tolerances)):
        have = run.outputs[f"out{index}"]
        if differs(want, have, tolerance):
            return f"result {index}: {have.ravel()[:8]} for {want.ravel()[:8]}"
    return None


def run_all(options, device, folder, state):
    """The numbers that failed."""
    failed = []

    def one(number):
        fired = []
        problem = check(number, options, device, folder, fired)
        if problem:
            failed.append(number)
            print(f"FAIL {number}: {problem}", flush=True)
        else:
            state.note(number, any(fired))

    for_each("random_programs", options, state, failed, one)
    return failed


def main():
    parser = parser_of(__doc__, 200)
    parser.add_argument("--chains", action="store_true", help="contractions of what others make of contractions only")
    options = parser.parse_args()
    way = "chains" if options.chains else "all"
    started = start("random_programs", options, f"{{compiler}}-{options.preset}-{way}")
    if isinstance(started, int):
        return started
    device, state = started
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or pathlib.Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            failed = run_all(options, device, folder, state)
        except KeyboardInterrupt:
            print(f"random_programs: interrupted, {len(state.passed)} have passed", file=sys.stderr)
            return 130
    numbers = range(options.first, options.first + options.count)
    fired = sum(state.passed.get(number, False) for number in numbers)
    print(f"random_programs: {options.count} programs, {fired} with contractions by tiles, {len(failed)} failed")
    if options.count >= 200 and fired == 0:
        print("FAIL  no contraction goes by tiles")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
