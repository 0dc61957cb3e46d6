"""The process around the devices: its end during a run, Ctrl-C, fork, a compiler that fails. Each case is an
interpreter of its own. The compiler is the assembler with a program that ignores what JAX asks for: enough for runs
that take long or trap.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TANDEM = os.environ["TANDEM_EXECUTABLE"]

LONG = """
        .tensor arg0, f32, [4], in
        .tensor out0, f32, [4], out
        s4 = mov 2000000000
loop:   { s4 = sub s4, 1 ; p1 = gt.s32 s4, 1 }
        { @p1 br loop }
        trap 7
"""
TRAP = """
        .tensor arg0, f32, [4], in
        .tensor out0, f32, [4], out
        trap 7
"""
COPY = f"""
        .include "{ROOT}/benchmarks/common/common.inc"
        .tensor arg0, f32, [4], in
        .tensor out0, f32, [4], out
        .smem
        .align 16
setup:  .space 16
move:   .space 16
args:   .space 2 * argument_words
        .text
        fetch_arguments setup, args, 2
        descriptor move, in_hbm, in_hbm, 1
        tensor_address move, copy_source, args, 0
        tensor_address move, copy_target, args, 1
        store_word move + copy_length, 16
        copy_and_wait move, f1
        halt
"""
START = "import jax, numpy as np; x = jax.device_put(np.ones(4, np.float32)); f = jax.jit(lambda x: x + 1)\n"


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def compiler(self, program):
        """The path of a compiler that makes this program of everything."""
        folder = pathlib.Path(self.folder.name)
        (folder / "program.s").write_text(program)
        script = folder / "compiler"
        script.write_text(f'#!/bin/sh\nexec "{TANDEM}" asm "{folder}/program.s" -o "$3" --preset "$5"\n')
        script.chmod(0o755)
        return str(script)

    def start(self, code, compiler, **variables):
        environment = dict(os.environ, JAX_PLATFORMS="tandem", TANDEM_COMPILER=compiler,
                           **{"TANDEM_CACHE_BYTES": "0", **variables})
        return subprocess.Popen([sys.executable, "-c", START + textwrap.dedent(code)],
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def finish(self, process, seconds=60):
        try:
            out, error = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail(f"still running after {seconds} s: {process.communicate()}")
        return process.returncode, out, error

    def test_a_trap_is_an_exception_with_the_report(self):
        code, _, error = self.finish(self.start("f(x).block_until_ready()", self.compiler(TRAP)))
        self.assertEqual(code, 1, error)
        self.assertIn("JaxRuntimeError: INTERNAL", error)
        self.assertIn("trap", error)
        self.assertIn("TANDEM_SAVE", error)

    def test_a_failed_run_is_saved_and_repeated_without_python(self):
        folder = self.folder.name + "/saved"
        process = self.start("f(x).block_until_ready()", self.compiler(TRAP), TANDEM_SAVE=folder)
        _, _, error = self.finish(process)
        line = next(line for line in error.splitlines() if line.startswith("  tandem run"))
        saved = pathlib.Path(next(pathlib.Path(folder).iterdir()))
        self.assertEqual(sorted(p.name for p in saved.iterdir()), ["arg0.npy", "program.elf"])
        np.testing.assert_array_equal(np.load(saved / "arg0.npy"), np.ones(4, np.float32))
        again = subprocess.run([TANDEM, *line.split()[1:]], capture_output=True, text=True,
                               check=False)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn("trap", again.stderr)

    def test_a_cache_that_cannot_be_written_changes_nothing(self):
        for cache in ("/dev/null/cache", "/proc/cache"):
            process = self.start("print(np.asarray(f(x)))", self.compiler(COPY), TANDEM_CACHE=cache,
                                 TANDEM_CACHE_BYTES="1M")
            code, out, error = self.finish(process)
            self.assertEqual((code, out), (0, "[1. 1. 1. 1.]\n"), error)

    def test_processes_share_a_cache(self):
        compiler = self.compiler(COPY)
        variables = {"TANDEM_CACHE": self.folder.name + "/cache", "TANDEM_CACHE_BYTES": "1M"}
        code = "print(np.asarray(f(x)))"
        processes = [self.start(code, compiler, **variables) for _ in range(3)]
        for process in processes:
            self.assertEqual(self.finish(process)[:2], (0, "[1. 1. 1. 1.]\n"))
        kept = list(pathlib.Path(variables["TANDEM_CACHE"]).iterdir())
        self.assertEqual(len(kept), 1)
        # Found there: the program that the compiler would need is gone.
        (pathlib.Path(self.folder.name) / "program.s").unlink()
        self.assertEqual(self.finish(self.start(code, compiler, **variables))[:2],
                         (0, "[1. 1. 1. 1.]\n"))
        # Damaged: as if it were not there, so the compiler is missed.
        kept[0].write_bytes(kept[0].read_bytes()[:-1])
        self.assertEqual(self.finish(self.start(code, compiler, **variables))[0], 1)

    def test_the_interpreter_ends_during_a_run(self):
        start = time.monotonic()
        code, out, error = self.finish(self.start("y = f(x); print('started')", self.compiler(LONG)))
        self.assertEqual((code, out), (0, "started\n"), error)
        self.assertLess(time.monotonic() - start, 30)

    def test_interrupting_a_run_raises_keyboard_interrupt(self):
        program = """
            import signal
            f.lower(x).compile()
            signal.signal(signal.SIGINT, signal.default_int_handler)  # as asyncio.run does at its end
            y = f(x)
            print("waiting", flush=True)
            try:
                y.block_until_ready()
            except KeyboardInterrupt:
                print("interrupted")
            print(np.asarray(x))
        """
        process = self.start(program, self.compiler(LONG))
        self.assertEqual(process.stdout.readline(), "waiting\n")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        code, out, error = self.finish(process)
        self.assertEqual((code, out), (0, "interrupted\n[1. 1. 1. 1.]\n"), error)

    def test_a_forked_child_is_refused_a_new_function_and_ends(self):
        program = """
            import os, sys
            for ends in (os._exit, sys.exit):
                child = os.fork()
                if child == 0:
                    try:
                        np.asarray(jax.jit(lambda x: x + 5)(np.ones(3, np.float32)))
                    except Exception as error:
                        print("child:", "FAILED_PRECONDITION" in str(error), flush=True)
                    ends(7)
                print("parent:", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            print(np.asarray(x).sum())
        """
        code, out, error = self.finish(self.start(program, self.compiler(LONG)))
        self.assertEqual((code, out), (0, 2 * "child: True\nparent: 7\n" + "4.0\n"), error)

    def test_spawned_processes_and_those_of_a_server_have_devices_of_their_own(self):
        program = """
            import multiprocessing
            for way in ("spawn", "forkserver"):
                with multiprocessing.get_context(way).Pool(1) as pool:
                    print(way, pool.apply(eval, ("__import__('jax').device_put(__import__('numpy').ones(3)).shape",)))
        """
        code, out, error = self.finish(self.start(program, self.compiler(LONG)))
        self.assertEqual((code, out), (0, "spawn (3,)\nforkserver (3,)\n"), error)

    def test_a_forked_child_is_refused(self):
        program = """
            import os
            child = os.fork()
            if child == 0:
                try:
                    jax.device_put(np.ones(3, np.float32)).block_until_ready()
                except Exception as error:
                    print("child:", "spawn" in str(error), flush=True)
                os._exit(0)
            print("parent:", os.waitpid(child, 0)[1], np.asarray(x).sum())
        """
        code, out, error = self.finish(self.start(program, self.compiler(LONG)))
        self.assertEqual((code, out), (0, "child: True\nparent: 0 4.0\n"), error)

    def test_a_killed_compiler_is_an_exception_and_leaves_no_zombie(self):
        script = pathlib.Path(self.folder.name) / "killed"
        script.write_text("#!/bin/sh\nkill -9 $$\n")
        script.chmod(0o755)
        program = """
            import os
            try:
                f(x)
            except jax.errors.JaxRuntimeError as error:
                print("signal 9" in str(error))
            try:
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                print("no children")
        """
        code, out, error = self.finish(self.start(program, str(script)))
        self.assertEqual((code, out), (0, "True\nno children\n"), error)

    def test_a_full_disk_is_an_exception_and_room_makes_it_work(self):
        program = """
            import resource
            def room(size):
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            room(0)
            try:
                f(x)
            except jax.errors.JaxRuntimeError as error:
                print("refused")
            room(resource.RLIM_INFINITY)
            print(np.asarray(f(x)))
        """
        process = self.start(program, self.compiler(COPY), TMPDIR=self.folder.name)
        code, out, error = self.finish(process)
        self.assertEqual((code, out), (0, "refused\n[1. 1. 1. 1.]\n"), error)
        self.assertEqual([p.name for p in pathlib.Path(self.folder.name).glob("tandem-*")], [])

    def test_a_compiler_without_room_is_an_exception(self):
        compiler = pathlib.Path(self.compiler(COPY))
        compiler.write_text(compiler.read_text().replace("exec", "ulimit -f 0\nexec"))
        program = """
            try:
                f(x)
            except jax.errors.JaxRuntimeError as error:
                print("refused")
            print(np.asarray(x))
        """
        code, out, error = self.finish(self.start(program, str(compiler)))
        self.assertEqual((code, out), (0, "refused\n[1. 1. 1. 1.]\n"), error)

    # The program is larger than the cache may write; the compiler has room.
    def test_a_cache_that_fills_the_disk_changes_nothing(self):
        large = COPY.replace("        .text", "        .data\n        .space 50000, 1\n        .text")
        compiler = pathlib.Path(self.compiler(large))
        compiler.write_text(compiler.read_text().replace("exec", "ulimit -S -f unlimited\nexec"))
        cache = pathlib.Path(self.folder.name, "cache")
        program = """
            import resource
            resource.setrlimit(resource.RLIMIT_FSIZE, (30000, resource.RLIM_INFINITY))
            print(np.asarray(f(x)))
        """
        process = self.start(program, str(compiler), TANDEM_CACHE=str(cache),
                             TANDEM_CACHE_BYTES="1M")
        code, out, error = self.finish(process)
        self.assertEqual((code, out), (0, "[1. 1. 1. 1.]\n"), error)
        self.assertEqual(list(cache.iterdir()), [])

    def test_interrupting_a_compilation_ends_the_compiler(self):
        script = pathlib.Path(self.folder.name) / "slow"
        script.write_text("#!/bin/sh\necho started >&2\nexec sleep 600\n")
        script.chmod(0o755)
        program = """
            import os, signal, time
            signal.signal(signal.SIGINT, signal.default_int_handler)
            print("compiling", flush=True)
            try:
                f(x)
            except KeyboardInterrupt:
                print("interrupted")
            # JAX compiles on a thread of its own and lets go of it; that one ends the compiler.
            for _ in range(200):
                try:
                    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                except ChildProcessError:
                    print("no children")
                    break
                time.sleep(0.05)
        """
        process = self.start(program, str(script))
        self.assertEqual(process.stdout.readline(), "compiling\n")
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        code, out, error = self.finish(process)
        self.assertEqual((code, out), (0, "interrupted\nno children\n"), error)

    def slow_compiler(self):
        """One that starts another process, which prints its number and sleeps."""
        script = pathlib.Path(self.folder.name) / "slow"
        told = pathlib.Path(self.folder.name) / "number"
        script.write_text(f"#!/bin/sh\nsh -c 'echo $$ >{told}; exec sleep 600' &\nwait\n")
        script.chmod(0o755)
        return str(script), told

    def number_in(self, told):
        for _ in range(600):
            if told.exists() and told.read_text().endswith("\n"):
                return int(told.read_text())
            time.sleep(0.1)
        self.fail("the compiler was not started")

    def lives(self, process):
        """Until it has had ten seconds to end."""
        for _ in range(100):
            try:
                state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                return False
            if state == "Z":
                return False
            time.sleep(0.1)
        return True

    def test_the_compiler_ends_with_python_however_that_ends(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                compiler = pathlib.Path(self.folder.name, "plain")
                told = pathlib.Path(self.folder.name, f"number{number}")
                compiler.write_text(f"#!/bin/sh\necho $$ >{told}\nexec sleep 600\n")
                compiler.chmod(0o755)
                process = self.start("f(x)", str(compiler), TMPDIR=self.folder.name)
                child = self.number_in(told)
                process.send_signal(number)
                self.assertEqual(self.finish(process)[0], -number)
                self.assertFalse(self.lives(child))
                self.assertEqual(list(pathlib.Path(self.folder.name).glob("tandem-*")), [])

    def test_ctrl_c_ends_what_the_compiler_has_started(self):
        compiler, told = self.slow_compiler()
        program = """
            import signal
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                f(x)
            except KeyboardInterrupt:
                print("interrupted")
        """
        process = self.start(program, compiler)
        child = self.number_in(told)
        process.send_signal(signal.SIGINT)
        code, out, error = self.finish(process)
        self.assertEqual((code, out), (0, "interrupted\n"), error)
        self.assertFalse(self.lives(child))

    def test_ctrl_c_in_a_transfer_ends_the_run_behind_it(self):
        program = """
            import os, signal
            program = f.lower(x).compile()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            large = [jax.device_put(np.asfortranarray(np.ones((3000, 3000), np.float32)))
                     for _ in range(8)]
            y = program(x)
            try:
                os.kill(os.getpid(), signal.SIGINT)
                y.block_until_ready()
            except KeyboardInterrupt:
                print("interrupted", large[-1].is_ready())
            try:
                y.block_until_ready()
            except (jax.errors.JaxRuntimeError, KeyboardInterrupt):
                print("cancelled")
            print(np.asarray(x), np.asarray(large[-1]).sum() == 9e6)
        """
        code, out, error = self.finish(self.start(program, self.compiler(LONG)))
        self.assertEqual(code, 0, error)
        self.assertEqual(out.splitlines()[1:], ["cancelled", "[1. 1. 1. 1.] True"], error)

    def test_programs_are_compiled_where_children_are_ignored(self):
        program = """
            import signal
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            print(np.asarray(f(x)))
        """
        code, out, error = self.finish(self.start(program, self.compiler(COPY)))
        self.assertEqual((code, out), (0, "[1. 1. 1. 1.]\n"), error)

    def test_a_failure_is_told_where_children_are_ignored(self):
        program = """
            import signal
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            try:
                f(x)
            except jax.errors.JaxRuntimeError as error:
                print("E001" in str(error) or "error" in str(error))
        """
        code, out, error = self.finish(self.start(program, self.compiler("  s99 = mov 1\n")))
        self.assertEqual((code, out), (0, "True\n"), error)

    def test_a_folder_where_a_cache_entry_should_be_changes_nothing(self):
        cache = pathlib.Path(self.folder.name, "cache")
        code = "print(np.asarray(f(x)))"
        for _ in range(2):
            process = self.start(code, self.compiler(COPY), TANDEM_CACHE=str(cache),
                                 TANDEM_CACHE_BYTES="1M")
            result, out, error = self.finish(process)
            self.assertEqual((result, out), (0, "[1. 1. 1. 1.]\n"), error)
            entry = next(cache.iterdir())
            if entry.is_file():
                entry.unlink()
                entry.mkdir()
        self.assertTrue(entry.is_dir())

    def test_slips_in_names_are_refused(self):
        process = self.start("", self.compiler(COPY), TANDEM_PRESSET="nano")
        code, _, error = self.finish(process)
        self.assertNotEqual(code, 0)
        self.assertIn("did you mean `TANDEM_PRESET`?", error)
        program = """
            try:
                jax.jit(lambda x: x + 1, compiler_options={"quick": True})(x)
            except jax.errors.JaxRuntimeError as error:
                print("quick" in str(error))
        """
        code, out, error = self.finish(self.start(program, self.compiler(COPY)))
        self.assertEqual((code, out), (0, "True\n"), error)

    def test_an_array_that_is_donated_is_refused_a_second_time_in_one_call(self):
        program = """
            g = jax.jit(lambda x, y: x + y, donate_argnums=0)
            try:
                g(x, x)
            except RuntimeError as error:
                print("donate(a)" in str(error), x.is_deleted())
        """
        text = """
        .tensor arg0, f32, [4], in
        .tensor arg1, f32, [4], in
        .tensor out0, f32, [4], out, shares arg0
        halt
"""
        code, out, error = self.finish(self.start(program, self.compiler(text)))
        self.assertEqual((code, out), (0, "True False\n"), error)


if __name__ == "__main__":
    unittest.main()
