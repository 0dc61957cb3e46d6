"""The machine from Python without JAX."""

import os
import signal
import sys
import threading
import time
import unittest

import numpy as np

import tandem

SCALE = "benchmarks/tutorial/scale.s"  # y = 2 x + 1


class WithoutJax(unittest.TestCase):
    def test_importing_the_package_does_not_import_jax(self):
        import subprocess

        code = "import sys, tandem; tandem.Device; print('jax' in sys.modules)"
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(out.stdout, "False\n")

    def test_a_program_runs_on_every_model(self):
        x = np.linspace(-3, 3, 100, dtype=np.float32)
        cycles = set()
        for model in ("golden", "cycle", "rtl", "lockstep"):
            run = tandem.Device(model=model).load(SCALE)(x=x)
            np.testing.assert_array_equal(run.outputs["y"], 2 * x + 1)
            self.assertGreater(run.bundles, 0)
            if model == "golden":
                self.assertIsNone(run.cycles)
            else:
                cycles.add(run.cycles)
        self.assertEqual(len(cycles), 1)

    def test_results_show_themselves_in_notebooks(self):
        run = tandem.Device(model="cycle").load(SCALE)(x=np.ones(64, np.float32))
        page = run._repr_html_()
        self.assertIn(f"{run.cycles:,} cycles", page)
        self.assertIn("<td style=\"text-align:left\">y</td>", page)
        self.assertIn("[3., 3., 3.", page)

    def test_what_is_there_is_listed(self):
        self.assertLessEqual({"Device", "explain", "profile", "kernel", "__version__"}, set(dir(tandem)))
        self.assertNotIn("_WHERE", dir(tandem))
        for name in dir(tandem):
            if name not in ("compile", "cycles", "explain", "profile", "report"):  # these need JAX
                self.assertIsNotNone(getattr(tandem, name))

    def test_sizes_are_made_of_other_sizes(self):
        from tandem.assembly import Program, halt, tensor

        with Program("small") as program:
            tensor("x", "f32", ["n", "m"], "in")
            tensor("y", "f32", ["n - 4", "2 * m"], "out")
            halt()
        loaded = tandem.Device().load(program.assemble())
        self.assertEqual(loaded(x=np.ones((6, 3), np.float32)).outputs["y"].shape, (2, 6))
        with self.assertRaisesRegex(ValueError, "size of `y`: `n - 4` is -1 where n = 3"):
            loaded(x=np.ones((3, 3), np.float32))
        with Program("small") as program:
            tensor("y", "f32", ["rows - 4"], "out")
            halt()
        with self.assertRaisesRegex(ValueError, r"device_test.py:\d+: .*`rows` is not defined"):
            program.assemble()

    def test_counters_add_up(self):
        run = tandem.Device(model="cycle").load(SCALE)(x=np.ones(64, np.float32))
        self.assertEqual(sum(run.counters["causes"].values()), run.counters["cycles"])

    def test_threads_may_share_a_device(self):
        device = tandem.Device()
        program = device.load(SCALE)
        wrong = []

        def calls(number):
            for turn in range(30):
                x = np.full(100 + number, 7 * number + turn, np.float32)
                own = program if turn % 2 else device.load(SCALE)
                if not np.array_equal(own(x=x).outputs["y"], 2 * x + 1) or device.memory["used"] < 0:
                    wrong.append((number, turn))

        threads = [threading.Thread(target=calls, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_handler_of_signals_does_not_wait_for_its_own_thread(self):
        device = tandem.Device()
        program = device.load(tandem.assemble("loop: br loop\n"))
        said = []

        def handler(number, frame):
            try:
                device.memory
            except RuntimeError as error:
                said.append(str(error))
            raise InterruptedError

        before = signal.signal(signal.SIGALRM, handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with self.assertRaises(InterruptedError):
                program()
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertRegex(said[0], "in use by this thread")
        self.assertGreater(device.memory["capacity"], 0)

    def test_a_fork_while_a_thread_is_in_a_device_is_told(self):
        device = tandem.Device()
        loop = device.load(tandem.assemble("loop: br loop\n"))
        program = device.load(SCALE)
        forever = threading.Thread(target=lambda: self.assertRaises(tandem.RunError, loop, limit=100_000_000))
        forever.start()
        time.sleep(0.3)
        child = os.fork()
        if child == 0:  # has none of its parent's threads
            signal.alarm(10)
            try:
                program(x=np.ones(3, np.float32))
            except RuntimeError as error:
                os._exit(0 if "forked" in str(error) else 2)
            os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        forever.join()
        np.testing.assert_array_equal(program(x=np.ones(3, np.float32)).outputs["y"], np.full(3, 3))

    def test_wrong_inputs_are_refused(self):
        program = tandem.Device().load(SCALE)
        with self.assertRaisesRegex(TypeError, "missing inputs: x"):
            program()
        with self.assertRaisesRegex(TypeError, "no inputs z"):
            program(x=np.ones(3), z=1)
        with self.assertRaisesRegex(ValueError, "`x`"):
            program(x=np.ones((3, 3)))

    def test_mistakes_in_a_text_are_told_with_their_lines(self):
        with self.assertRaisesRegex(ValueError, "mine.s:2:.*unknown mnemonic"):
            tandem.assemble("  halt\n  s1 = muvv 3\n", name="mine.s")

    def test_a_trap_is_an_error_with_a_report(self):
        program = tandem.Device().load(tandem.assemble("  trap 7\n", name="mine.s", preset="small"))
        with self.assertRaises(tandem.RunError) as raised:
            program()
        self.assertEqual(raised.exception.outcome, "trapped")
        self.assertIn("mine.s:1", raised.exception.report)

    def test_devices_that_cannot_be_are_refused(self):
        with self.assertRaisesRegex(ValueError, "golden, cycle, rtl or lockstep"):
            tandem.Device(model="fast")
        with self.assertRaises(RuntimeError):
            tandem.Device(preset="huge")
        with self.assertRaisesRegex(AttributeError, "nothing"):
            tandem.nothing

    def test_ctrl_c_ends_a_run(self):
        text = "  s4 = mov 2000000000\nl: { s4 = sub s4, 1 ; p1 = gt.s32 s4, 1 }\n  { @p1 br l }\n  halt\n"
        program = tandem.Device().load(tandem.assemble(text, preset="small"))
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
        with self.assertRaises(KeyboardInterrupt):
            program()


class MachinesOfOtherSizes(unittest.TestCase):
    WIDE = "lanes=32,vmem=2MiB,smem=64KiB,icache=1024"

    def test_a_device_has_the_sizes_that_it_is_asked_for(self):
        x = np.linspace(-3, 3, 100, dtype=np.float32)
        for model in ("golden", "cycle"):
            device = tandem.Device("lanes=32,vmem=2MiB", model)
            self.assertEqual(device.preset, self.WIDE)
            np.testing.assert_array_equal(device.load(SCALE)(x=x).outputs["y"], 2 * x + 1)

    def test_a_program_in_python_has_its_sizes(self):
        from tandem.assembly import Program, halt, mov, s, sizes_of

        self.assertEqual(sizes_of("small").lanes, 16)
        self.assertEqual((sizes_of("lanes=32,vmem=2MiB").lanes, sizes_of("lanes=32,vmem=2MiB").vmem_rows), (32, 16384))
        with Program("lanes=32,vmem=2MiB") as program:
            mov(sizes_of(program.preset).lanes, to=s[1])
            halt()
        elf = program.assemble()
        tandem.Device(self.WIDE).load(elf)()
        with self.assertRaisesRegex(RuntimeError, "lanes 32.*lanes 64"):
            tandem.Device("edge").load(elf)

    def test_a_machine_that_there_is_not_is_refused(self):
        from tandem.assembly import sizes_of

        with self.assertRaisesRegex(ValueError, "lanes is a power of two from 8 to 128, not '12'"):
            sizes_of("lanes=12")
        with self.assertRaisesRegex(RuntimeError, "no machine 'huge'"):
            tandem.Device("huge")


if __name__ == "__main__":
    unittest.main()
