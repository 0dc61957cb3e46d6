#!/usr/bin/env python3
"""Launches by threads that donate, read, delete and compile, under interrupts and with a corrupted cache: each result
is the CPU's, or an error that gives the reason.

    build/venv/bin/python tests/python/soak.py [--launches 100000] [--slice 5000] [--threads 6] [--seed N] [--store FILE]

Each slice is a process of its own with a seed of its own. With --store it adds a line of JSON to FILE when it has ended,
and slices that are there already are not run again: a soak that was stopped goes on. Prints what became of how many, and
fails for a result that is wrong, an error of another kind, a thread that hangs, or memory of the host that grows.
"""

import argparse
import collections
import contextlib
import itertools
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

os.environ["JAX_PLATFORMS"] = "tandem,cpu"
FOLDER = tempfile.TemporaryDirectory()
os.environ["TANDEM_CACHE"] = FOLDER.name + "/cache"
os.environ["TANDEM_CACHE_BYTES"] = "64K"  # entries come and go

import jax
import jax.numpy as jnp
import numpy as np

SIZE = 96
PROGRAMS = (lambda x: x * 3 + 1, lambda x: x ^ (x >> 1), lambda x: jnp.flip(x) - x, lambda x: jnp.cumsum(x),
            lambda x: jnp.sort(x), lambda x: jnp.where(x > 7, x, -x), lambda x: x.reshape(8, 12).T.reshape(-1),
            lambda x: jax.lax.fori_loop(0, 3, lambda i, y: y * 2 + i, x))
# Programs that differ by a number: more than the plugin remembers (core/recent.hpp), so that its cache is asked again and again.
OTHERS = 96
OTHER_EACH = 25  # launches
# Allowed errors of a launch: its run was ended, or its array taken.
INTERRUPTED = ("interrupt", "cancel", "CANCELLED", "ABORTED")
TAKEN = ("deleted", "donated")
MOST_GROWTH = 256  # MiB
PATIENCE = 120  # seconds in which something happens


def resident():
    """MiB."""
    return int(pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


class Soak:
    def __init__(self, options):
        self.options = options
        self.left = options.launches
        self.lock = threading.Lock()
        self.counts = collections.Counter()
        self.wrong = []
        self.ended = threading.Event()
        cpu = jax.devices("cpu")[0]
        self.inputs = [np.random.default_rng(n).integers(-99, 99, SIZE, np.int32) for n in range(8)]
        self.answers = [[np.asarray(jax.jit(program)(jax.device_put(x, cpu))) for x in self.inputs]
                        for program in PROGRAMS]
        self.make_functions()

    def make_functions(self):
        """New ones are compiled, or found in the cache."""
        self.functions = [jax.jit(lambda x, program=program: program(x)) for program in PROGRAMS]
        self.donating = [jax.jit(lambda x, program=program: program(x), donate_argnums=0) for program in PROGRAMS]
        self.others = [jax.jit(lambda x, number=number: x * 5 + number) for number in range(OTHERS)]

    def take(self, number):
        with self.lock:
            self.left -= number
            return self.left + number > 0

    def note(self, what):
        with self.lock:
            self.counts[what] += 1

    def compare(self, what, value, wanted):
        if np.array_equal(np.asarray(value), wanted):
            self.note(what)
            return True
        with self.lock:
            self.wrong.append(f"{what}: {np.asarray(value)[:6]}, not {wanted[:6]}")
        return False

    def attempt(self, what, call, wanted, may_be_taken=False):
        """Whether there is a result."""
        try:
            return self.compare(what, call(), wanted)
        except (RuntimeError, ValueError) as error:
            said = str(error)
            if any(word in said for word in INTERRUPTED):
                self.note(what + " interrupted")
            elif may_be_taken and any(word in said for word in TAKEN):
                self.note(what + " taken")
            else:
                with self.lock:
                    self.wrong.append(f"{what}: {type(error).__name__} {said[:300]}")
        return False

    def one(self, rng):
        number, item = rng.randrange(len(PROGRAMS)), rng.randrange(len(self.inputs))
        wanted, x = self.answers[number][item], self.inputs[item]
        function, donating = self.functions[number], self.donating[number]
        if rng.randrange(OTHER_EACH) == 0:
            other = rng.randrange(OTHERS)
            self.attempt("other", lambda: self.others[other](x), x * np.int32(5) + np.int32(other))
            return
        kind = rng.randrange(6)
        if kind < 2:
            self.attempt("run", lambda: function(x), wanted)
        elif kind == 2:  # several that wait for each other
            def chain():
                array = jax.device_put(x)
                results = [function(array) for _ in range(5)]
                array.delete()
                return results[rng.randrange(5)]
            self.attempt("queue", chain, wanted)
        elif kind == 3:
            self.attempt("donation", lambda: donating(jax.device_put(x)), wanted)
        elif kind == 4:
            self.race(donating, x, wanted)
        else:
            def given():
                array = jax.device_put(x)
                result = function(array)
                del array
                return result
            self.attempt("deleted", given, wanted)

    def race(self, donating, x, wanted):
        """One array, given away by two and read by a third."""
        try:
            array = jax.device_put(x)
        except RuntimeError:
            return
        begin, won = threading.Barrier(3), []

        def when_all_are_there(what, call, answer):
            begin.wait()
            if self.attempt(what, call, answer, may_be_taken=True) and what == "race":
                won.append(what)

        threads = [threading.Thread(target=when_all_are_there, args=("race", lambda: donating(array), wanted)),
                   threading.Thread(target=when_all_are_there, args=("race", lambda: donating(array), wanted))]
        for thread in threads:
            thread.start()
        when_all_are_there("reader", lambda: np.array(array), x)
        for thread in threads:
            thread.join()
        if len(won) > 1:
            with self.lock:
                self.wrong.append("two were given the same array")

    def work(self, seed):
        rng = random.Random(seed)
        while self.take(1):
            self.one(rng)

    def spoil(self, rng):
        """The cache: entries truncated, changed, removed, replaced by folders; and functions recompiled."""
        folder = pathlib.Path(os.environ["TANDEM_CACHE"])
        while not self.ended.wait(rng.uniform(0.05, 0.3)):
            entries = [path for path in folder.glob("*")] if folder.is_dir() else []
            try:
                kind = rng.randrange(6)
                path = rng.choice(entries) if entries else folder / "none"
                if kind == 0:
                    path.unlink()
                elif kind == 1:
                    path.write_bytes(path.read_bytes()[:rng.randrange(100)])
                elif kind == 2:
                    data = bytearray(path.read_bytes())
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
                    path.write_bytes(data)
                elif kind == 3:
                    name = path.name
                    path.unlink()
                    (folder / name).mkdir()
                elif kind == 4 and path.is_dir():
                    path.rmdir()
                else:
                    self.make_functions()
            except OSError:
                pass

    def interrupt(self, rng):
        while not self.ended.wait(rng.uniform(0.2, 1.0)):
            os.kill(os.getpid(), signal.SIGINT)

    def run(self):
        """The main thread only waits: Python's signals are its own."""
        before = resident()
        seed = self.options.seed
        workers = [threading.Thread(target=self.work, args=(f"{seed} {n}",)) for n in range(self.options.threads)]
        others = [threading.Thread(target=self.spoil, args=(random.Random(f"{seed} cache"),)),
                  threading.Thread(target=self.interrupt, args=(random.Random(f"{seed} signals"),))]
        for thread in workers + others:
            thread.daemon = True
            thread.start()
        seen, since, interrupts = self.left, time.monotonic(), 0
        while any(thread.is_alive() for thread in workers):
            try:
                x = self.inputs[0]
                self.attempt("main", lambda: self.functions[0](x), self.answers[0][0])
                time.sleep(0.02)
                if self.left != seen:
                    seen, since = self.left, time.monotonic()
                if time.monotonic() - since > PATIENCE:
                    self.wrong.append(f"nothing happens for {PATIENCE} s, {self.left} launches are left")
                    break
            except KeyboardInterrupt:
                interrupts += 1
        self.ended.set()
        while any(thread.is_alive() for thread in others):
            try:
                for thread in others:
                    thread.join()
            except KeyboardInterrupt:
                interrupts += 1
        self.counts["interrupts of Python"] = interrupts
        self.compare("afterwards", self.functions[1](self.inputs[1]), self.answers[1][1])
        growth = resident() - before
        if growth > MOST_GROWTH:
            self.wrong.append(f"{growth} MiB more than at the beginning")
        return growth


def slice_of(options):
    """One slice, in this process. Ends it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    begin = time.monotonic()
    soak = Soak(options)
    growth = soak.run()
    print(json.dumps({"seed": options.seed, "launches": options.launches, "seconds": round(time.monotonic() - begin), "growth": growth,
                      "counts": dict(sorted(soak.counts.items())), "wrong": soak.wrong[:20]}))
    sys.stdout.flush()
    os._exit(1 if soak.wrong else 0)  # a thread that hangs would keep the interpreter


def known(store):
    """The output of slices; a line that was cut off when its writer was killed is ignored."""
    found = []
    if store is not None and store.exists():
        for line in store.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                found.append(json.loads(line))
    return found


def note(store, one):
    with store.open("a+", encoding="utf-8") as file:
        file.seek(max(0, store.stat().st_size - 1))
        file.write(("" if file.read(1) in ("", "\n") else "\n") + json.dumps(one) + "\n")


def run_slice(seed, launches, threads):
    words = [sys.executable, __file__, "--one", "--seed", str(seed), "--launches", str(launches), "--threads", str(threads)]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "TMPDIR": folder}) as process:  # a killed process does not clean up
        try:
            output, errors = process.communicate()
        except BaseException:
            process.kill()  # it takes Ctrl-C for its own
            raise
    last = output.strip().splitlines()[-1:] or [""]
    if last[0].startswith("{"):
        return json.loads(last[0])
    return {"seed": seed, "launches": 0, "seconds": 0, "growth": 0, "counts": {},
            "wrong": [f"ended with status {process.returncode}: {errors[-3000:]}"]}


def slices(options):
    """All requested ones; known results count."""
    done = known(options.store)
    seeds = itertools.count(options.seed)
    while (launches := sum(one["launches"] for one in done)) < options.launches:
        seed = next(seed for seed in seeds if all(seed != one["seed"] for one in done))
        one = run_slice(seed, min(options.slice, options.launches - launches), options.threads)
        done.append(one)
        if options.store is not None:
            note(options.store, one)
        print(f"seed {seed}: {launches + one['launches']} of {options.launches} launches, {one['seconds']} s, {one['growth']} MiB more, "
              f"{len(one['wrong'])} wrong", flush=True)
        if one["launches"] == 0:
            break
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--launches", type=int, default=100_000)
    parser.add_argument("--slice", type=int, default=5_000)
    parser.add_argument("--threads", type=int, default=6)
    parser.add_argument("--seed", type=int, default=None, help="of the first slice; default: another one each time, with --store 1")
    parser.add_argument("--store", type=pathlib.Path, help="where slices are noted")
    parser.add_argument("--one", action="store_true", help="one slice, in this process")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = 1 if options.store else random.randrange(1 << 32)
    if options.one:
        slice_of(options)
    done = slices(options)
    total = collections.Counter()
    for one in done:
        total.update(one["counts"])
    print(f"{sum(one['launches'] for one in done)} launches, {sum(one['seconds'] for one in done)} s: {dict(sorted(total.items()))}")
    wrong = [f"seed {one['seed']}: {line}" for one in done for line in one["wrong"]]
    for line in wrong:
        print("WRONG ", line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
