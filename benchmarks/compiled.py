#!/usr/bin/env python3
"""How close compiled JAX programs come to their roofs, and how long they take to compile.

  build/venv/bin/python benchmarks/compiled.py [--build FOLDER] [NAME...]

Compiles the programs below, written in the ordinary way, runs them on the cycle-exact model with random inputs (the
story Llama: with its weights) and writes benchmarks/compiled.md. A roof counts useful work only: rows that the matrix
unit must multiply (for causal attention, those that its mask leaves), or beats that must come from memory. Needs JAX.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "compiler"), str(ROOT / "examples")]

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

import cycle_programs as programs  # noqa: E402
import cycles  # noqa: E402
import jax_check  # noqa: E402
import story_llama  # noqa: E402

RESULTS = pathlib.Path(__file__).with_suffix(".md")
LANES = {"small": 16, "full": 128}


def reals(*sizes):
    return programs.zeros(*sizes)


def halves(*sizes):
    return programs.zeros(*sizes, dtype=jnp.bfloat16)


def multiplied(*products):
    """Cycles of the matrix unit for products of (rows, depth, columns)."""
    return lambda lanes: sum(rows * -(-depth // lanes) * -(-columns // lanes) for rows, depth, columns in products)


def brought(words):
    return lambda lanes: words // lanes


def residual_network(x, parameters):
    """ResNet-18 as it is for images of 32 x 32, batch norm by the batch."""
    convolved = lambda x, w, stride: lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def normed(x, scale, shift):
        mean = x.mean((0, 1, 2))
        return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean((0, 1, 2)) + 1e-5) * scale + shift

    x = jax.nn.relu(normed(convolved(x, parameters["in"][0], 1), *parameters["in"][1:]))
    for block in parameters["blocks"]:
        stride = 1 if x.shape[-1] == block[0][0].shape[-1] else 2
        y = jax.nn.relu(normed(convolved(x, block[0][0], stride), *block[0][1:]))
        y = normed(convolved(y, block[1][0], 1), *block[1][1:])
        x = jax.nn.relu(y + (normed(convolved(x, block[2][0], stride), *block[2][1:]) if len(block) > 2 else x))
    return x.mean((1, 2)) @ parameters["out"]


def residual_parameters():
    step = lambda size, before, after: (reals(size, size, before, after), reals(after), reals(after))
    blocks = []
    before = 64
    for after in (64, 64, 128, 128, 256, 256, 512, 512):
        blocks.append([step(3, before, after), step(3, after, after)])
        if before != after:
            blocks[-1].append(step(1, before, after))
        before = after
    return {"in": step(3, 3, 64), "blocks": blocks, "out": reals(512, 10)}


EIGHT_LINES = (programs.eight_lines, reals(1024, 1024), reals(1024, 1024), reals(1024, 512))
EIGHT_ROOF = multiplied((1024, 1024, 1024), (1024, 1024, 512))
SQUARE = reals(1024, 1024)
ROW = reals(1024)
MLP = (programs.gelu_mlp, halves(1024, 1024), halves(1024, 4096), halves(4096, 1024))
HEADS = reals(8, 1024, 64)
# Causal: 1024 rows with 512.5 keys each on average, twice.
ATTENTION_ROOF = multiplied(*[(1025 * 4, 64, 128)] * 16)
# By name and preset: the function and its arguments, its roof or nothing, the bar in percent.
PROGRAMS = {
    ("eight lines, 1024 x 1024 x 1024 x 512", "small"): (EIGHT_LINES, EIGHT_ROOF, 85),
    ("eight lines, 1024 x 1024 x 1024 x 512", "full"): (EIGHT_LINES, EIGHT_ROOF, 85),
    ("x @ w bf16, 512 cubed", "small"): ((programs.matmul, halves(512, 512), halves(512, 512)),
                                         multiplied((512, 512, 512)), 96),
    ("x @ w bf16, 2048 cubed", "full"): ((programs.matmul, halves(2048, 2048), halves(2048, 2048)),
                                         multiplied((2048, 2048, 2048)), 94),
    ("softmax, 1024 x 1024", "small"): ((programs.softmax, SQUARE), brought(1024 * 1024), 85),
    ("softmax, 1024 x 1024", "full"): ((programs.softmax, SQUARE), brought(1024 * 1024), 70),
    ("RMSNorm, 1024 x 1024", "small"): ((programs.rms_norm, SQUARE, ROW), brought(1024 * 1024), 85),
    ("RMSNorm, 1024 x 1024", "full"): ((programs.rms_norm, SQUARE, ROW), brought(1024 * 1024), 70),
    ("LayerNorm, 1024 x 1024", "small"): ((programs.layer_norm, SQUARE, ROW, ROW), brought(1024 * 1024), 85),
    ("LayerNorm, 1024 x 1024", "full"): ((programs.layer_norm, SQUARE, ROW, ROW), brought(1024 * 1024), 70),
    ("GELU MLP bf16, 1024 x 1024 x 4096", "small"): (MLP, multiplied((1024, 1024, 4096), (1024, 4096, 1024)), 93),
    ("GELU MLP bf16, 1024 x 1024 x 4096", "full"): (MLP, multiplied((1024, 1024, 4096), (1024, 4096, 1024)), 85),
    ("attention, causal, 8 x 1024 x 64", "small"): ((programs.attention, HEADS, HEADS, HEADS), ATTENTION_ROOF, 60),
    ("ResNet-18, 1 x 32 x 32", "small"): ((residual_network, reals(1, 32, 32, 3), residual_parameters()), None, None),
}


STORY_TOKENS = 48
STORY_BAR = 8250  # cycles a token: the time of the program bundled by hand when the bar was set


def compiled(build, preset, folder, function, arguments):
    """The artifact, and how long it takes to compile."""
    artifact = folder / "program.mlirbc"
    artifact.write_bytes(jax_check.artifact(function, arguments))
    before = time.monotonic()
    subprocess.run([build / "tandem-compile", artifact, "-o", folder / "program.elf", "--preset", preset], check=True)
    return artifact, time.monotonic() - before


def story(build, preset, folder):
    """The line of the story Llama, told with its own weights."""
    shape, parameters = story_llama.load(story_llama.MODEL / "stories.bin")
    arrays = [np.asarray(array) for array in jax.tree.leaves(parameters)]

    def fill(path, _element, _shape):
        np.save(path, jax_check.npy_type(arrays[int(path.stem.removeprefix("arg"))]))

    artifact, seconds = compiled(build, preset, folder, lambda given: story_llama.tell(shape, given, STORY_TOKENS),
                                 (parameters,))
    took, bundles, read, written = cycles.measure(build, "program", preset, folder, artifact, fill)
    each = f"{took / STORY_TOKENS:,.0f}"
    each = each if took <= STORY_BAR * STORY_TOKENS else f"**{each}**"
    return f"| {preset} | {each} | {STORY_BAR:,} | {bundles:,} | {read:,} | {written:,} | {seconds:.2f} |"


SMALL_EIGHT = (programs.eight_lines, reals(16, 64), reals(64, 64), reals(64, 32))
SMALL_EIGHT_BARS = {"small": (1150, 280), "full": (750, 120)}  # cycles, bundles


def small_eight(build, preset, folder):
    """The line of the eight-line program at sizes that fit everywhere."""
    function, *arguments = SMALL_EIGHT
    artifact, seconds = compiled(build, preset, folder, function, arguments)
    took, bundles, read, written = cycles.measure(build, "program", preset, folder, artifact)
    bars = SMALL_EIGHT_BARS[preset]
    figures = [f"{have:,}" if have <= bar else f"**{have:,}**" for have, bar in zip((took, bundles), bars)]
    return (f"| {preset} | {figures[0]} | {bars[0]:,} | {figures[1]} | {bars[1]} | {read:,} | {written:,} "
            f"| {seconds:.2f} |")


def row_of(build, name, preset, folder):
    (function, *arguments), roof, bar = PROGRAMS[name, preset]
    artifact, seconds = compiled(build, preset, folder, function, arguments)
    took, bundles, read, written = cycles.measure(build, "program", preset, folder, artifact)
    least = roof(LANES[preset]) if roof else None
    share = f"{100 * least / took:.1f}%" if least else ""
    if least and 100 * least < bar * took:
        share = f"**{share}**"
    cells = [name, preset, f"{took:,}", f"{least:,}" if least else "", share, f"{bar}%" if bar else "",
             f"{bundles:,}", f"{read:,}", f"{written:,}", f"{seconds:.2f}"]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("names", nargs="*", help="programs whose names contain one of these; writes nothing")
    options = parser.parse_args()
    lines = ["# Compiled programs and their roofs", "",
             "Written by `build/venv/bin/python benchmarks/compiled.py`; do not edit. Cycles of the cycle-exact model; a roof is what",
             "useful work alone takes of the unit that bounds it: rows of the matrix unit, beats from memory. **Bold** misses its",
             "bar. Compile time: two shared cores.", "",
             "| program | preset | cycles | roof | share | bar | bundles | bytes read | bytes written | compiled in s |",
             "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for name, preset in PROGRAMS:
        if options.names and not any(part in name for part in options.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            lines.append(row_of(options.build.resolve(), name, preset, pathlib.Path(folder)))
        print(lines[-1], flush=True)
    if not options.names:
        lines += ["", "## The eight lines at 16 x 64 x 64 x 32", "", "From start to halt; bars are at most.", "",
                  "| preset | cycles | bar | bundles | bar | bytes read | bytes written | compiled in s |",
                  "|---|---:|---:|---:|---:|---:|---:|---:|"]
        for preset in SMALL_EIGHT_BARS:
            with tempfile.TemporaryDirectory() as folder:
                lines.append(small_eight(options.build.resolve(), preset, pathlib.Path(folder)))
        with tempfile.TemporaryDirectory() as folder:
            lines += ["", "## The story Llama", "",
                      f"`examples/story_llama.py`: one launch with its `while_loop`, {STORY_TOKENS} tokens, set-up included; the bar is at most.", "",
                      "| preset | cycles a token | bar | bundles | bytes read | bytes written | compiled in s |",
                      "|---|---:|---:|---:|---:|---:|---:|", story(options.build.resolve(), "small", pathlib.Path(folder))]
        print(lines[-1])
        RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
