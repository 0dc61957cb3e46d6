#!/usr/bin/env python3
"""Contents of programs and caches with changed bytes: each ends in a result or in an error.

    tests/fuzz/mutations.py [--build FOLDER] [--seconds N] [--seed N] [target]...

N seconds each of these targets (default: all):

  bytecode     stored artifacts, through tandem-compile
  levels       the text of each level, given back to tandem-compile
  executables  serialized executables, as they are and with a digest that is right, run where they are taken
  cache        entries of the cache of compiled programs, the same

The compiler must end with status 0 or 2 and in time. Executables and entries whose digest is wrong must never be
used; of those whose digest is right, which only their owner can make, the process must survive. What fails is kept as
a file in FOLDER/mutations. libFuzzer (scripts/fuzz) does not reach these: MLIR is not built with its counters.
"""

import argparse
import contextlib
import hashlib
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests/compiler/cycles"
SMALL = ("eight_lines", "softmax_64x256", "rms_norm_32x256", "scan_16")
LEVELS = ("stablehlo", "tensor", "tiled", "buffers", "tpu", "asm", "vliw")
FOUND = 3  # the status of a target with failures; 1 is that of an exception
LIMIT = 60  # seconds of a compilation: its limits are 5 of processor time
ENDLESS = 5  # seconds of a changed program
INTERESTING = (b"\0", b"\xff", b"\x7f", b"\x80")
NUMBERS = ("0", "-1", "1", "2", "7", "99", "4294967296", "9223372036854775807", "-9223372036854775808", "0x7fc00000")


def changed_bytes(data, rng):
    """One to five places changed, cut, repeated, or given another number."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(data))
        kind = rng.randrange(6)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at:at + 1] = rng.choice(INTERESTING)
        elif kind == 2:
            del data[at:at + rng.randrange(1, 40)]
        elif kind == 3:
            data[at:at] = data[at:at + rng.randrange(1, 40)]
        elif kind == 4:
            data[at:at + 8] = rng.choice((2**64 - 1, 2**63, 2**32, 0, 1)).to_bytes(8, "little")
        else:
            del data[at:]
        data = data or bytearray(1)
    return bytes(data)


def changed_text(text, rng):
    """Numbers, words and lines of the text changed for others of it."""
    for _ in range(rng.choice((1, 1, 1, 3))):
        lines = text.split("\n")
        at = rng.randrange(len(lines))
        kind = rng.randrange(5)
        if kind == 0:
            lines[at] = lines[rng.randrange(len(lines))]
        elif kind == 1:
            del lines[at]
        else:
            pattern = r"-?\d+" if kind < 4 else r"%?[A-Za-z_.]\w*"
            found = list(re.finditer(pattern, lines[at]))
            if not found:
                continue
            place = rng.choice(found)
            others = re.findall(pattern, rng.choice(lines)) or list(NUMBERS)
            new = rng.choice(NUMBERS) if kind == 2 else rng.choice(others)
            lines[at] = lines[at][:place.start()] + new + lines[at][place.end():]
        text = "\n".join(lines)
    return text


class Compiler:
    """Gives the compiler files, and reports its failures."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = folder
        self.counts = {}

    def run(self, data, *options):
        source = self.folder / "input"
        source.write_bytes(data)
        begin = time.monotonic()
        try:
            done = subprocess.run([self.build / "tandem-compile", source, "-o", self.folder / "out.elf", "--time-limit",
                                   "5", "--memory-limit", "4096", *options], capture_output=True, check=False,
                                  timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return f"it goes on after {LIMIT} seconds"
        said = done.stderr.decode(errors="backslashreplace")
        kind = "compiled" if done.returncode == 0 else "stopped" if "the compiler stopped" in said else "refused"
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if done.returncode not in (0, 2):
            return f"status {done.returncode}: {said[:300]}"
        if done.returncode == 2 and "error" not in said:
            return f"no error is said: {said[:300]}"
        if re.search("[\x00-\x08\x0b-\x1f\x7f]", said):
            return f"control characters in {said[:300]!r}"
        return f"it took {time.monotonic() - begin:.0f} seconds" if time.monotonic() - begin > LIMIT / 2 else None

    def level(self, source, level):
        done = subprocess.run([self.build / "tandem-compile", source, f"--emit={level}"], capture_output=True, check=True)
        return done.stdout.decode()


def bytecode(compiler, rng):
    sources = [path.read_bytes() for path in sorted(PROGRAMS.glob("*.mlirbc")) if path.stem in SMALL]
    while True:
        data = changed_bytes(rng.choice(sources), rng)
        yield data, compiler.run(data)


def levels(compiler, rng):
    sources = [path for path in sorted(PROGRAMS.glob("*.mlirbc")) if path.stem in SMALL]
    texts = {}
    while True:
        source, level = rng.choice(sources), rng.choice(LEVELS)
        if (source, level) not in texts:
            texts[source, level] = compiler.level(source, level)
        data = changed_text(texts[source, level], rng).encode()
        yield data, compiler.run(data, "--from", level)


class Plugin:
    """JAX on the plugin, in this process: the parent observes its end."""

    def __init__(self):
        os.environ.update(JAX_PLATFORMS="tandem")
        import jax
        import jax.numpy as jnp
        import numpy as np
        from jax._src import xla_bridge
        from jaxlib import _jax

        self.np, self.jax = np, jax
        self.backend = xla_bridge.get_backend("tandem")
        self.devices = _jax.DeviceList(tuple(self.backend.local_devices()[:1]))
        self.x = jnp.arange(64.0)
        self.function = lambda x: (jnp.sin(x) @ x, x.sum())
        self.compiled = jax.jit(self.function).lower(self.x).compile()
        self.right = [np.asarray(value) for value in self.compiled(self.x)]

    def same(self, values):
        return len(values) == 2 and all(self.np.array_equal(a, b) for a, b in zip(values, self.right))


@contextlib.contextmanager
def ended_by_ctrl_c(seconds):
    """A changed program may run forever: its user would press Ctrl-C, which ends it."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        timer.cancel()


def executables(plugin, rng):
    raw = bytes(plugin.compiled.runtime_executable().serialize())
    begin = raw.index(b"TNDMEX")  # jaxlib's own come before it
    content = begin + 8 + 32  # after what it is, and its digest
    while True:
        sealed = rng.random() < 0.7
        ours = content if sealed else begin  # jaxlib ends the process on changed bytes of its own
        data = changed_bytes(raw[ours:], rng)
        data = (data + raw)[:len(raw) - ours]  # of the same length: jaxlib stores the length
        if sealed:
            data = hashlib.sha256(data).digest() + data
        data = raw[:begin + 8 if sealed else begin] + data
        yield data, None  # noted before it is tried
        problem = None
        try:
            values = []
            with ended_by_ctrl_c(ENDLESS):
                loaded = plugin.backend.deserialize_executable(data, plugin.devices)
                values = [plugin.np.asarray(value) for value in loaded.execute([plugin.x])]
            if not sealed and data != raw and not plugin.same(values):
                problem = "another result with a digest that is wrong"
        except (plugin.jax.errors.JaxRuntimeError, ValueError, TypeError, RuntimeError):
            pass
        yield data, problem


def sealed_entry(raw, rng):
    """Another binary under the same key, with sizes and digest that are right (compile_cache.cpp)."""
    end = 56 + int.from_bytes(raw[8:16], "little")
    elf = changed_bytes(raw[end:], rng)
    head = raw[:16] + len(elf).to_bytes(8, "little")
    return head + hashlib.sha256(head + raw[56:end] + elf).digest() + raw[56:end] + elf


def cache(plugin, rng):
    folder = pathlib.Path(os.environ["TANDEM_CACHE"])
    while True:
        plugin.jax.clear_caches()
        entries = [path for path in folder.iterdir() if re.fullmatch("[0-9a-f]{64}", path.name)]
        data, sealed = b"", rng.random() < 0.5
        for path in entries:
            raw = path.read_bytes()
            data = sealed_entry(raw, rng) if sealed else changed_bytes(raw, rng)
            yield data, None
            path.write_bytes(data)
        try:
            values = []
            with ended_by_ctrl_c(ENDLESS):
                values = [plugin.np.asarray(value) for value in plugin.jax.jit(plugin.function)(plugin.x)]
            yield data, None if sealed or plugin.same(values) else "another result by a changed entry"
        except plugin.jax.errors.JaxRuntimeError as error:
            yield data, None if sealed else f"an error by a changed entry: {error}"
        for path in entries:  # it would be changed on and on, and its sizes would mean nothing
            path.unlink(missing_ok=True)


TARGETS = {"bytecode": (bytecode, False), "levels": (levels, False), "executables": (executables, True),
           "cache": (cache, True)}


def work(target, build, seconds, seed):
    """One target in this process; its last input is kept in a file. The number of failures."""
    make, in_plugin = TARGETS[target]
    kept = build / "mutations"
    kept.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TANDEM_CACHE"] = folder + "/cache"
        subject = Plugin() if in_plugin else Compiler(build, pathlib.Path(folder))
        end, tries, failures = time.monotonic() + seconds, 0, 0
        for data, problem in make(subject, random.Random(seed)):
            (kept / f"{target}.last").write_bytes(data)
            tries += 1
            if problem is not None:
                failures += 1
                name = kept / f"{target}-{hashlib.sha256(data).hexdigest()[:12]}"
                name.write_bytes(data)
                print(f"FAIL  {name}: {problem}", flush=True)
            if time.monotonic() > end:
                break
        print(f"{target}: {tries} inputs, {failures} failures {getattr(subject, 'counts', '')}", flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []])
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    if options.here:
        return FOUND if work(options.targets[0], options.build, options.seconds, seed) else 0
    failed = 0
    for target in options.targets or TARGETS:
        python = options.build / "venv/bin/python"
        if TARGETS[target][1] and not python.exists():
            print(f"{target}: skipped, there is no {python}")
            continue
        print(f"{target}: seed {seed}", flush=True)
        said = options.build / f"mutations-{target}.log"  # jaxlib prints a lot
        with said.open("w", encoding="utf-8") as log:
            done = subprocess.run([python if python.exists() else sys.executable, __file__, "--here", "--build",
                               options.build.resolve(), "--seconds", str(options.seconds), "--seed", str(seed), target],
                                  stderr=log, check=False)
        if done.returncode not in (0, FOUND):
            print(f"FAIL  {target}: the process ended with {done.returncode}; its last input is "
                  f"{options.build}/mutations/{target}.last, its last words:")
            print("\n".join(said.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]), flush=True)
        failed += done.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
