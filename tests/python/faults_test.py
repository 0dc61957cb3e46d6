"""Failures around real programs: no room, unusual homes, a compiler killed in its middle, many threads, arrays that are
gone. Each is an exception with a clear message, and later work succeeds. Skipped where the compiler is not built."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

os.environ["JAX_PLATFORMS"] = "tandem"
os.environ["TANDEM_HBM"] = "512M"
CACHE = tempfile.TemporaryDirectory()
os.environ["TANDEM_CACHE"] = CACHE.name

import jax
import jax.numpy as jnp
import numpy as np
from jax.errors import JaxRuntimeError

import needs_compiler  # noqa: F401, skips without a compiler


def elsewhere(code, **variables):
    """A program in a process of its own; None removes a variable."""
    environment = {name: value for name, value in {**os.environ, **variables}.items()
                   if value is not None}
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=environment, text=True,
                          capture_output=True, check=False, timeout=120)


class Room(unittest.TestCase):
    def refused(self, function, words):
        with self.assertRaisesRegex(JaxRuntimeError, f"RESOURCE_EXHAUSTED.*{words}"):
            jax.block_until_ready(function())
        np.testing.assert_array_equal(jnp.ones(4) + 1, np.full(4, 2))

    def test_a_program_beyond_all_memory_is_refused_with_its_bytes(self):
        self.refused(lambda: jnp.zeros(1 << 40), "4398046511108 bytes of HBM, there are 536870912")
        self.refused(lambda: jnp.ones((70000, 70000)), "19600000004 bytes of HBM, there are 536870912")

    def test_temporaries_count(self):
        self.refused(lambda: jax.jit(lambda x: jnp.sum(jnp.outer(x, x) @ jnp.outer(x + 1, x)))(
            jnp.ones(40000)), r"faults_test\.py:\d+:\d+: error: no room: arguments, results and temporaries take \d+ "
                     "bytes of HBM, there are 536870912")

    def test_an_array_beyond_this_memory_is_refused_with_its_shape(self):
        self.refused(lambda: jax.jit(jnp.outer)(jnp.ones(20000), jnp.ones(20000)),
                     "take 1600160000 bytes of HBM, there are 536870912")
        self.refused(lambda: jax.device_put(np.zeros(1 << 28, np.int32)), "268435456 elements")

    def test_what_is_let_go_makes_room(self):
        kept = []

        def fill():
            while True:
                kept.append(jax.device_put(np.ones(16 << 20, np.float32)).block_until_ready())

        self.refused(fill, "no room for 67108864 bytes in HBM")
        self.assertGreater(len(kept), 2)
        kept.pop()
        kept.append(jax.device_put(np.ones(16 << 20, np.float32)).block_until_ready())

    def test_hbm_is_no_more_than_programs_reach(self):
        ran = elsewhere("import jax; jax.devices()", TANDEM_HBM="17G")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("a number from 1048576 to 17179869184", ran.stderr)


class Compiling(unittest.TestCase):
    # Not a script that kills itself: the compiler proper, at work on a program that takes a while.
    def test_a_compiler_killed_in_its_middle_is_an_exception_and_the_next_one_works(self):
        code = """
            import jax, jax.numpy as jnp, numpy as np, os, pathlib, signal, threading, time
            def children():
                for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
                    try:
                        number, _, rest = entry.read_text().partition(" (")
                    except OSError:
                        continue
                    name, _, fields = rest.rpartition(") ")
                    if fields.split()[1] == str(os.getpid()):
                        yield int(number), name
            def kill():
                while not (found := [pid for pid, name in children() if name == "tandem-compile"]):
                    time.sleep(0.002)
                os.kill(found[0], signal.SIGKILL)
            threading.Thread(target=kill, daemon=True).start()
            x = jax.device_put(np.array([[1, 2], [3, 4]], np.float32))
            def f(x):
                for i in range(60):
                    x = jnp.sin(x) @ x
                return x
            try:
                jax.jit(f)(x)
            except jax.errors.JaxRuntimeError as error:
                print("signal 9" in str(error))
            print(jax.jit(lambda x: x + 1)(x).tolist(), list(children()))
        """
        with tempfile.TemporaryDirectory() as folder:
            ran = elsewhere(code, TANDEM_CACHE=f"{folder}/cache", TMPDIR=folder)
            self.assertEqual(ran.stdout, "True\n[[2.0, 3.0], [4.0, 5.0]] []\n", ran.stderr)
            self.assertEqual(list(pathlib.Path(folder).glob("tandem-*")), [])

    def test_a_home_that_is_not_there_changes_nothing(self):
        code = "import jax; print(jax.jit(lambda x: x * 3)(jax.numpy.arange(3)).tolist())"
        for home in (None, "/nonexistent", "/etc/passwd"):
            ran = elsewhere(code, HOME=home, XDG_CACHE_HOME=None, TANDEM_CACHE=None)
            self.assertEqual((ran.returncode, ran.stdout), (0, "[0, 3, 6]\n"), ran.stderr)

    def test_a_cache_that_is_read_only_is_read(self):
        code = "import jax; print(jax.jit(lambda x: x * 3 + 2)(jax.numpy.arange(3)).tolist())"
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(elsewhere(code, TANDEM_CACHE=folder).stdout, "[2, 5, 8]\n")
            files = {path: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
            self.assertNotEqual(files, {})
            os.chmod(folder, 0o500)
            ran = elsewhere(code, TANDEM_CACHE=folder)
            os.chmod(folder, 0o700)
            self.assertEqual(ran.stdout, "[2, 5, 8]\n", ran.stderr)

    def test_a_damaged_cache_file_is_not_there(self):
        code = "import jax; print(jax.jit(lambda x: x * 5 + 2)(jax.numpy.arange(3)).tolist())"
        with tempfile.TemporaryDirectory() as folder:
            elsewhere(code, TANDEM_CACHE=folder)
            for change in (lambda b: b[:-1], lambda b: b"", lambda b: b[:len(b) // 2] + b"?" +
                           b[len(b) // 2 + 1:], lambda b: b + b"x", lambda b: b"\xff" * 40 + b[40:]):
                for path in pathlib.Path(folder).iterdir():
                    path.write_bytes(change(path.read_bytes()))
                ran = elsewhere(code, TANDEM_CACHE=folder)
                self.assertEqual((ran.returncode, ran.stdout), (0, "[2, 7, 12]\n"), ran.stderr)

    def test_64_threads_compile_and_run_at_once(self):
        count = 64
        together = threading.Barrier(count)
        shared = jax.jit(lambda x: x * 2 + 1)
        got = [None] * count

        def work(i):
            x = jax.device_put(np.full(33, i, np.float32))
            together.wait()
            # One program of all threads, and one of every eight of them.
            got[i] = np.asarray(shared(x)), np.asarray(jax.jit(lambda x: x * (i % 8) - 1)(x))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i, (both, own) in enumerate(got):
            np.testing.assert_array_equal(both, np.full(33, 2 * i + 1))
            np.testing.assert_array_equal(own, np.full(33, i * (i % 8) - 1))


class Arrays(unittest.TestCase):
    def test_arrays_that_are_gone_say_so(self):
        deleted = jnp.arange(4.0)
        deleted.delete()
        donated = jnp.ones(8)
        y = jax.jit(lambda a, b: a + b, donate_argnums=0)(donated, jnp.ones(8))
        np.testing.assert_array_equal(y, np.full(8, 2))
        for array in (deleted, donated):
            for use in (np.asarray, lambda x: x + 1, jax.jit(jnp.sin),
                        lambda x: x.block_until_ready()):
                with self.assertRaisesRegex(RuntimeError, "deleted"):
                    use(array)

    def test_an_array_donated_and_used_in_one_call_is_right(self):
        x = jnp.ones(8)
        try:
            a, b = jax.jit(lambda a, b: (a + b, b * 3), donate_argnums=0)(x, x)
        except JaxRuntimeError as error:
            self.assertIn("donated", str(error))
        else:
            np.testing.assert_array_equal(a, np.full(8, 2))
            np.testing.assert_array_equal(b, np.full(8, 3))

    def test_a_nan_in_the_middle_is_found_where_jax_looks_for_it(self):
        with jax.debug_nans(True), self.assertRaisesRegex(FloatingPointError, "nan.*log"):
            jax.jit(lambda x: jnp.log(x) * 2)(jnp.array(-1.0))
        self.assertTrue(np.isnan(jax.jit(lambda x: jnp.log(x) * 2)(jnp.array(-1.0))))

    def test_interrupting_compiled_loops_leaves_the_device_as_it_was(self):
        code = """
            import jax, jax.numpy as jnp, os, signal, threading
            f = jax.jit(lambda x: jax.lax.while_loop(
                lambda s: s[1] >= 0, lambda s: (jnp.sin(s[0]), (s[1] + 1) % 1000), (x, 0))[0])
            f.lower(jnp.ones(4)).compile()
            for _ in range(2):
                threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
                try:
                    print(f(jnp.ones(4)))
                except KeyboardInterrupt:
                    print("interrupted")
            y = f(jnp.ones(4))
            print("left", flush=True)
            raise SystemExit(3)  # during the run
        """
        ran = elsewhere(code)
        self.assertEqual((ran.returncode, ran.stdout), (3, "interrupted\ninterrupted\nleft\n"), ran.stderr)

    def test_a_child_forked_from_a_run_that_tells_its_host_ends(self):
        code = """
            import jax, jax.numpy as jnp, os, sys, time
            told = []
            def f(x):
                jax.debug.callback(lambda: told.append(1))
                return jax.lax.while_loop(lambda s: s[1] >= 0, lambda s: (jnp.sin(s[0]), (s[1] + 1) % 1000), (x, 0))[0]
            y = jax.jit(f)(jnp.ones(4))
            while not told:
                time.sleep(0.01)
            child = os.fork()
            if child == 0:
                sys.exit(7)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            os._exit(0)
        """
        ran = elsewhere(code)
        self.assertEqual((ran.returncode, ran.stdout), (0, "7\n"), ran.stderr)

    def test_a_supervisor_ends_a_run(self):
        code = """
            import jax, jax.numpy as jnp, os, signal, threading
            f = jax.jit(lambda x: jax.lax.while_loop(lambda s: s[0] >= 0, lambda s: s + 0, x))
            threading.Timer(3, os.kill, (os.getpid(), signal.SIGTERM)).start()
            f(jnp.ones(4)).block_until_ready()
        """
        self.assertEqual(elsewhere(code).returncode, -signal.SIGTERM)


if __name__ == "__main__":
    unittest.main()
