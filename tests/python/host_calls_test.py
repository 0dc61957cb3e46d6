"""Programs' calls of the host, compared with those on JAX's CPU: jax.debug, callbacks, checkify."""

import contextlib
import functools
import io
import logging
import os
import subprocess
import sys
import time
import unittest
import warnings

os.environ["JAX_PLATFORMS"] = os.environ.get("JAX_PLATFORMS") or "tandem,cpu"
os.environ["TANDEM_DEBUG_BYTES"] = "1M"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify, io_callback

import needs_compiler  # noqa: F401, skips without a compiler

logging.getLogger("jax").setLevel(logging.CRITICAL)  # failures here are intended
told = []


def note(*arguments, **named):
    for x in jax.tree.leaves((arguments, named)):
        told.append((np.asarray(x).dtype.name, np.shape(x), np.asarray(x).tolist()))


def shown(text, value, **options):
    jax.debug.print(text, value, **options)
    return value


def formats(x):
    jax.debug.print("x {x} sum {s:.2f} {t} {x!r}", x=x, s=x.sum(), t="static", ordered=True)
    jax.debug.print("nothing", ordered=True)
    jax.debug.callback(note)
    return x * 2


def types(*values):
    jax.debug.callback(note, *values, name=values[0])


def scans(xs):
    def body(c, x):
        jax.debug.print("c {} x {}", c, x)
        return c + x, c * x

    return lax.scan(body, 0.0, xs)


def conditions(x):
    return lax.while_loop(lambda c: shown("cond {}", c) < 5, lambda c: shown("body {}", c) + 2, x)


@jax.jit
def inner(x):
    return shown("inner {}", x, ordered=True) * 2


def nests(x):
    def body(i, c):
        c = lax.cond(i % 2 == 0, inner, lambda c: c + 1, c)

        def turn(j, d):
            jax.debug.print("{} {} {}", i, j, d, ordered=True)
            return d + 1

        return lax.fori_loop(0, i, turn, c)

    return lax.fori_loop(0, 4, body, x)


def branches(i, x):
    return lax.switch(i, [lambda x: x, lambda x: shown("one {}", x) * 2, lambda x: shown("two {}", x)], x)


def differentiated(x):
    jax.debug.print("x {}", x, ordered=True)
    return jnp.sin(shown("square {}", x * x, ordered=True))


def side_effects(x):
    io_callback(note, None, x, ordered=True)
    io_callback(note, (), x + 1, ordered=True)
    jax.debug.print("only here {}", jnp.exp(x) > 1, ordered=True)
    for _ in range(2):
        jax.debug.print("twice {}", x, ordered=True)
    return x


def products(x):
    def body(c, _):
        c = c @ x
        jax.debug.callback(note, c.sum(), ordered=True)
        return c, c[0, 0]

    return lax.scan(body, x, length=3)[1]


@functools.partial(jax.jit, donate_argnums=0)
def donates(x):
    jax.debug.print("before {}", x[:3])
    return x.at[0].add(shown("after {}", x[1]))


def eager(x):
    jax.debug.print("eager {} {}", x, 1.5)
    jax.debug.callback(note, x)
    jax.debug.print("ordered {}", x.sum(), ordered=True)


def outcome(function, *arguments):
    """The results, the output and the recorded calls."""
    told.clear()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = function(*arguments)
        jax.effects_barrier()
    return jax.tree.map(lambda leaf: np.asarray(leaf).tolist(), result), printed.getvalue(), list(told)


def both(function, *arguments):
    """The outcome on Tandem and on the CPU."""
    here = outcome(function, *jax.device_put(arguments, jax.devices("tandem")[0]))
    with jax.default_device(jax.devices("cpu")[0]):
        return here, outcome(function, *jax.device_put(arguments, jax.devices("cpu")[0]))


class HostCalls(unittest.TestCase):
    def compare(self, function, *arguments):
        here, cpu = both(function, *arguments)
        self.assertEqual(repr(here), repr(cpu))
        self.assertTrue(here[1] or here[2])

    def test_the_same_is_told_as_on_the_cpu(self):
        for function, arguments in (
                (formats, (jnp.arange(5.0),)), (scans, (jnp.arange(6.0),)), (conditions, (0,)), (nests, (1.0,)),
                (jax.vmap(lambda x: shown("v {}", x) + 1), (jnp.arange(3.0),)), (jax.grad(differentiated), (0.5,)),
                (side_effects, (jnp.ones(2),)), (products, (jnp.eye(64),))):
            with self.subTest(getattr(function, "__name__", "transformed")):
                self.compare(jax.jit(function), *arguments)
        with self.subTest("eager"):
            self.compare(eager, jnp.arange(3))

    def test_only_the_branch_that_is_taken_tells(self):
        for i in range(3):
            here, cpu = both(jax.jit(branches), i, 3.0)
            self.assertEqual(here, cpu)

    def test_every_type_and_shape_arrives_as_it_is(self):
        reals = np.array([1.5, -0.0, np.nan, np.inf, 65504.0])
        whole = np.array([0, 1, 100])
        self.compare(jax.jit(types), *(reals.astype(t) for t in (np.float32, jnp.bfloat16, np.float16)),
                     *(whole.astype(t) for t in ("int8", "uint8", "int16", "uint16", "int32", "uint32")),
                     np.array([1 - 2j, complex(np.inf, np.nan)], np.complex64), np.array([], np.complex64),
                     whole[:2].astype(jnp.int4), np.array([-7, 7], jnp.int4), np.array([15], jnp.uint4),
                     reals[:3].astype(jnp.float8_e4m3fn), np.array([-448.0, 2.0**-9], jnp.float8_e4m3fn),
                     np.array([-100], np.int8), np.uint32(0xffffffff), np.array([True, False]),
                     np.zeros((0, 3), np.float32), np.ones((2, 3, 4, 5), np.float32), np.float32(7),
                     np.arange(30_000, dtype=np.float32).reshape(100, 300))

    def test_one_program_after_the_other_in_order(self):
        def several(x):
            for _ in range(3):
                x = donates(x)
            return x

        self.compare(several, np.arange(1000, dtype=np.float32))

    def test_checks_become_values(self):
        def checked(x, i):
            checkify.check(i < 3, "i is {i}", i=i)
            return jnp.log(x)[i] / (i - 1)

        check = jax.jit(checkify.checkify(checked, errors=checkify.all_checks))
        for x, i, error in ((1.0, 0, None), (-1.0, 0, "nan generated"), (1.0, 1, "division by zero"),
                            (1.0, 2, None), (1.0, 3, "i is 3")):
            said = check(jnp.full(3, x), i)[0].get()
            self.assertTrue(said is None if error is None else error in said, (x, i, said))
        self.assertEqual(jax.jit(lambda x: (checkify.debug_check(x > 9, "no"), x)[1])(2.0), 2.0)

    def test_a_function_that_fails_fails_the_run_and_what_is_made_of_it(self):
        def fails(x):
            raise ValueError(f"no {x}")

        x = jax.jit(lambda x: (jax.debug.callback(fails, x, ordered=True), x)[1])(2.0)
        for wait in ((x + 1).block_until_ready, lambda: np.asarray(x), jax.effects_barrier):
            with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "(?s)INTERNAL: error calling callback.*no 2.0"):
                wait()
        self.assertEqual(outcome(jax.jit(inner), 1.0), (2.0, "inner 1.0\n", []))

    def test_what_finds_no_room_is_counted(self):
        @jax.jit
        def tells(n):
            def body(i, x):
                jax.debug.callback(lambda *_: told.append("large"), jnp.zeros(300_000) + i)
                jax.debug.callback(note, x)
                return x + 1

            return lax.fori_loop(0, n, body, jnp.zeros(10_000))

        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            result, _, notes = outcome(tells, 30)
        self.assertEqual(result[0], 30)
        self.assertEqual([value[0] for _, _, value in notes], list(range(26)))
        self.assertIn("34 of the calls", str(warned[-1].message))
        self.assertIn("TANDEM_DEBUG_BYTES", str(warned[-1].message))

    def test_a_long_run_tells_on_its_way_and_may_be_ended_by_what_it_tells(self):
        def stop(i):
            told.append((int(i), time.monotonic()))
            if i >= 3 << 14:
                raise RuntimeError("enough")

        @jax.jit
        def endless(x):
            def turn(i):
                lax.cond(i & 0x3fff == 0, lambda: jax.debug.callback(stop, i), lambda: None)
                return (i + 1) & 0xffff

            return lax.while_loop(lambda i: i >= 0, turn, x)

        told.clear()
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "enough"):
            endless(0).block_until_ready()
        self.assertEqual([i for i, _ in told[:4]], [0, 1 << 14, 2 << 14, 3 << 14])
        self.assertLess(told[0][1], told[3][1])

    def test_a_result_that_an_untaken_branch_needs(self):
        def fails(x):
            raise ValueError(f"negative: {x}")

        @jax.jit
        def guarded(x):
            return 2 * lax.cond(x < 0, lambda: jax.pure_callback(fails, x, x), lambda: x)

        self.assertEqual(guarded(1.0), 2.0)
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "negative: -1.0"):
            guarded(-1.0).block_until_ready()
        needed = jax.jit(lambda x: lax.cond(x < 0, lambda: jax.pure_callback(abs, x, x), lambda: x))
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "unimplemented: jax.pure_callback on Tandem"):
            needed(-1.0).block_until_ready()

    def test_checks_of_equinox_raise_what_they_raise_elsewhere(self):
        import equinox

        @jax.vmap
        def root(x):
            return jnp.sqrt(equinox.error_if(x, x < 0, "negative"))

        self.assertEqual(equinox.filter_jit(root)(jnp.array([4.0, 9.0])).tolist(), [2.0, 3.0])
        with self.assertRaisesRegex(RuntimeError, "equinox.EquinoxRuntimeError: negative"):
            equinox.filter_jit(root)(jnp.array([4.0, -9.0]))

    def test_functions_may_run_programs_that_tell_something(self):
        def starts(x):
            told.append(float(jax.jit(inner)(jax.device_put(np.asarray(x), jax.devices("tandem")[0]))))

        _, printed, notes = outcome(jax.jit(lambda x: (jax.debug.callback(starts, x), x)[1]), 3.0)
        self.assertEqual((printed, notes), ("inner 3.0\n", [6.0]))


ALONE = """
import jax, jax.numpy as jnp, pickle, sys
from jax.experimental import serialize_executable
f = jax.jit(lambda x: (jax.debug.print("x {:.1f} {}", x, jnp.arange(2) + x), x)[1])
jax.debug.print("eager {}", jnp.arange(2))
if sys.argv[1:]:
    program = serialize_executable.deserialize_and_load(*pickle.load(open(sys.argv[1], "rb")))
    try:
        program(1.0)
    except jax.errors.JaxRuntimeError as error:
        print(str(error)[:70])
else:
    program = f.lower(1.0).compile()
    pickle.dump(serialize_executable.serialize(program), sys.stdout.buffer)
    sys.stdout.flush()
    program(1.0)
"""


# A loop that never ends on NaNs, after a branch that needs a result of the host.
NEEDED = """
import jax, jax.numpy as jnp
from jax import lax

@jax.jit
def program(x):
    y = lax.cond(x[0] < 0, lambda: jax.pure_callback(abs, x, x), lambda: x)
    return lax.while_loop(lambda y: ~(y[0] >= 3), lambda y: y + 1, y)

for x in 1, -1, 2:
    try:
        print(program(jnp.full(3, float(x))))
    except jax.errors.JaxRuntimeError as error:
        print(type(error).__name__, error)
"""


class OnEveryModel(unittest.TestCase):
    def test_a_run_ends_where_it_needs_what_the_host_gives(self):
        environment = {**os.environ, "TANDEM_MODEL": "lockstep", "TANDEM_PRESET": "nano"}
        said = subprocess.run([sys.executable, "-c", NEEDED], capture_output=True, text=True, env=environment,
                              timeout=240).stdout
        self.assertRegex(said, r"^\[3. 3. 3.\]\nJaxRuntimeError UNIMPLEMENTED: unimplemented: jax.pure_callback on "
                               r"Tandem: its result is needed[^\n]*\n\[3. 3. 3.\]\n$")


class WithoutACpu(unittest.TestCase):
    def run_alone(self, *arguments):
        environment = {**os.environ, "JAX_PLATFORMS": "tandem"}
        return subprocess.run([sys.executable, "-c", ALONE, *arguments], capture_output=True, check=True,
                              env=environment).stdout

    def test_programs_tell_and_other_processes_refuse_them(self):
        import tempfile

        said = self.run_alone()
        self.assertTrue(said.startswith(b"eager [0 1]\n"), said[:40])
        self.assertTrue(said.endswith(b"x 1.0 [1. 2.]\n"), said[-40:])  # it was not waited for
        with tempfile.NamedTemporaryFile() as file:
            file.write(said.removeprefix(b"eager [0 1]\n").removesuffix(b"x 1.0 [1. 2.]\n"))
            file.flush()
            self.assertIn(b"FAILED_PRECONDITION: the program calls functions of the host",
                          self.run_alone(file.name))


if __name__ == "__main__":
    unittest.main()
