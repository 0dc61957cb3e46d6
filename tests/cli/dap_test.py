#!/usr/bin/env python3
"""An editor debugs a program: `tandem debug --dap` in the Debug Adapter Protocol's own words.

    tests/cli/dap_test.py TANDEM
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

TANDEM = pathlib.Path(sys.argv.pop(1)).resolve()
PROGRAM = """        .target nano
        .arguments
        .tensor x, f32, [n], in
        .tensor y, f32, [n], out
        .macro  bump
        s4 = add s4, 1
        .endm
start:  s5 = mov 3
loop:   bump
        p1 = lt.s32 s4, s5
        @p1 br loop
        halt
"""
LOOP, TEST, BRANCH, HALT = 9, 10, 11, 12  # lines
TRAPS = "        .target nano\n        s1 = sld [5000]\n        halt\n"


def npy(values):
    """A file of NumPy's format 1.0 (numpy.lib.format) with one row of fp32."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}".ljust(117) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values)


class Editor:
    """Sends requests, and keeps events until somebody asks for them."""

    def __init__(self):
        self.child = subprocess.Popen([TANDEM, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sent = 0
        self.events = []
        self.watch = threading.Timer(30, self.child.kill)  # so that what is never answered fails
        self.watch.start()

    def write(self, body):
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.child.stdin.flush()

    def read(self):
        length = 0
        while (line := self.child.stdout.readline()) != b"\r\n":
            assert line, "the adapter has ended"
            name, _, value = line.decode().partition(":")
            assert name == "Content-Length", line
            length = int(value)
        return json.loads(self.child.stdout.read(length))

    def send(self, command, **arguments):
        self.sent += 1
        self.write(json.dumps({"seq": self.sent, "type": "request", "command": command,
                               "arguments": arguments}).encode())
        return self.sent

    def response(self, number):
        while (message := self.read())["type"] == "event" or message["request_seq"] < number:
            self.events.append(message)
        assert message["request_seq"] == number, message
        return message

    def ask(self, command, **arguments):
        response = self.response(self.send(command, **arguments))
        assert response["success"], response
        return response.get("body", {})

    def refused(self, command, **arguments):
        response = self.response(self.send(command, **arguments))
        assert not response["success"], response
        return response["message"]

    def event(self, name):
        """The next of that name; what was said before it is left out, but for other stops."""
        while True:
            message = self.events.pop(0) if self.events else self.read()
            if message.get("event") == name:
                return message.get("body", {})
            assert message["type"] == "response" or message["event"] in ("output", "initialized"), message

    def where(self):
        frames = self.ask("stackTrace", threadId=1)["stackFrames"]
        return frames[-1]["line"], [frame["name"] for frame in frames]

    def value(self, expression):
        return self.ask("evaluate", expression=expression, context="watch")["result"]

    def end(self):
        self.watch.cancel()
        self.child.kill()
        self.child.communicate()

    def close(self):
        self.ask("disconnect")
        assert self.child.communicate(timeout=20)[0] == b""
        return self.child.returncode


class Dap(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        (self.folder / "k.s").write_text(PROGRAM)
        (self.folder / "traps.s").write_text(TRAPS)
        (self.folder / "x.npy").write_bytes(npy([0, 0.5, 1, 1.5, 2]))
        self.editor = Editor()
        self.addCleanup(self.editor.end)

    def launch(self, breakpoints=(), program="k.s", first_line=True, **more):
        capabilities = self.editor.ask("initialize", adapterID="tandem", linesStartAt1=first_line)
        self.assertTrue(capabilities["supportsStepBack"])
        inputs = {"x": "x.npy"} if program == "k.s" else {}
        self.editor.ask("launch", program=program, cwd=str(self.folder), inputs=inputs, **more)
        self.editor.event("initialized")
        made = self.editor.ask("setBreakpoints", source={"path": str(self.folder / program)},
                               breakpoints=list(breakpoints))["breakpoints"]
        self.editor.ask("configurationDone")
        return made

    def stop_after(self, command, reason, **arguments):
        self.editor.ask(command, threadId=1, **arguments)
        stopped = self.editor.event("stopped")
        self.assertEqual((stopped["reason"], stopped["threadId"]), (reason, 1), stopped)
        return stopped

    def test_a_program_is_walked_through_forwards_and_backwards(self):
        made = self.launch([{"line": BRANCH, "condition": "s4 == 2"}])
        self.assertEqual([(one["verified"], one["line"]) for one in made], [(True, BRANCH)])
        self.assertEqual(self.editor.event("stopped")["reason"], "entry")
        self.assertEqual(self.editor.ask("threads")["threads"], [{"id": 1, "name": "tandem"}])
        self.assertEqual(self.editor.where(), (8, ["start"]))

        stopped = self.stop_after("continue", "breakpoint")
        self.assertEqual(stopped["hitBreakpointIds"], [made[0]["id"]])
        self.assertEqual((self.editor.where()[0], self.editor.value("s4")), (BRANCH, "2"))
        self.stop_after("stepBack", "step")
        self.assertEqual(self.editor.where()[0], TEST)
        self.stop_after("stepBack", "step")
        self.assertEqual((self.editor.where(), self.editor.value("s4")),
                         ((LOOP, ["loop", f"called at line {LOOP}"]), "1"))
        self.stop_after("next", "step")
        self.assertEqual((self.editor.where()[0], self.editor.value("s4")), (TEST, "2"))
        self.stop_after("reverseContinue", "step")
        self.assertEqual((self.editor.where()[0], self.editor.value("s4")), (8, "0"))
        self.stop_after("stepIn", "step", granularity="instruction")
        self.assertEqual(self.editor.where()[0], LOOP)
        self.assertEqual(self.editor.close(), 0)

    def test_the_end_can_be_looked_at_before_the_program_is_over(self):
        self.launch(stopOnEntry=False)
        self.assertIn("halted", self.editor.event("stopped")["description"])
        self.stop_after("stepBack", "step")
        self.assertEqual(self.editor.value("s4"), "3")
        self.stop_after("continue", "step")
        self.editor.ask("continue", threadId=1)
        self.editor.event("terminated")
        self.assertEqual(self.editor.close(), 0)

    def test_registers_and_tensors_are_shown(self):
        self.launch()
        self.editor.event("stopped")
        scopes = {scope["name"]: scope["variablesReference"]
                  for scope in self.editor.ask("scopes", frameId=1)["scopes"]}
        self.assertEqual(set(scopes), {"Tensors", "Scalars", "Predicates", "Flags", "Vectors"})
        self.stop_after("next", "step")
        below = lambda reference, **more: self.editor.ask("variables", variablesReference=reference, **more)["variables"]
        scalars = {variable["name"]: variable["value"] for variable in below(scopes["Scalars"])}
        self.assertEqual((len(scalars), scalars["s5"], scalars["s4"]), (32, "3", "0"))
        tensors = {variable["name"]: variable for variable in below(scopes["Tensors"])}
        self.assertEqual(tensors["x"]["value"], "0.0 0.5 1.0 1.5 2.0")
        self.assertEqual(tensors["x"]["indexedVariables"], 5)
        some = below(tensors["x"]["variablesReference"], filter="indexed", start=1, count=2)
        self.assertEqual([(one["name"], one["evaluateName"], one["value"]) for one in some],
                         [("[1]", "x[1]", "0.5"), ("[2]", "x[2]", "1.0")])
        vectors = below(scopes["Vectors"])
        self.assertEqual(len(vectors), 64)
        self.assertEqual(below(vectors[3]["variablesReference"])[2]["value"], "? ? ? ? ? ? ? ?")
        self.assertEqual(below(99), [])

    def test_the_console_takes_the_debuggers_commands(self):
        self.launch()
        self.editor.event("stopped")
        said = self.editor.ask("evaluate", expression="until loop", context="repl")
        self.assertIn("pc 1 <loop>", said["result"])
        self.assertEqual(self.editor.event("stopped")["reason"], "goto")
        self.assertIn("watch s4", self.editor.ask("evaluate", expression="watch s4", context="repl")["result"])
        self.stop_after("continue", "breakpoint")
        self.assertEqual(self.editor.value("s4"), "1")
        self.assertIn("no command", self.editor.refused("evaluate", expression="fly", context="repl"))

    def test_a_trap_is_an_exception_and_can_be_undone(self):
        self.launch(program="traps.s", args=["--on", "cycle"], stopOnEntry=False)
        stopped = self.editor.event("stopped")
        self.assertEqual(stopped["reason"], "exception")
        self.assertIn("address_range", stopped["text"])
        self.assertTrue(self.editor.value("cycle").isdigit())
        self.stop_after("stepBack", "step")

    def test_a_run_without_end_is_paused(self):
        (self.folder / "traps.s").write_text("        .target nano\nloop:   br loop\n")
        self.launch(program="traps.s")
        self.editor.event("stopped")
        self.editor.ask("continue", threadId=1)
        self.editor.send("pause", threadId=1)
        self.assertEqual(self.editor.event("stopped")["reason"], "pause")
        # Whenever it comes: here perhaps before the run begins.
        for _ in range(20):
            self.editor.send("continue", threadId=1)
            self.editor.send("pause", threadId=1)
            self.assertEqual(self.editor.event("stopped")["reason"], "pause")
        self.editor.send("continue", threadId=1)
        self.assertEqual(self.editor.close(), 0)

    def test_breakpoints_that_cannot_be_are_told_and_lines_count_as_the_editor_does(self):
        made = self.launch([{"line": LOOP - 1}, {"line": TEST - 1, "condition": "s4 =="}], first_line=False)
        self.assertEqual((made[0]["verified"], made[0]["line"]), (True, LOOP - 1))
        self.assertFalse(made[1]["verified"])
        other = self.editor.ask("setBreakpoints", source={"path": "/elsewhere/o.s"}, breakpoints=[{"line": 1}])
        self.assertIn("not made of /elsewhere/o.s", other["breakpoints"][0]["message"])
        self.assertEqual(self.editor.event("stopped")["reason"], "entry")
        self.assertEqual(self.editor.where()[0], 7)
        self.editor.ask("setBreakpoints", source={"path": str(self.folder / "k.s")}, breakpoints=[])
        self.editor.ask("continue", threadId=1)
        self.assertIn("halted", self.editor.event("stopped")["description"])

    def test_what_cannot_be_launched_or_is_no_request_is_refused(self):
        self.editor.ask("initialize")
        self.assertIn("no program is launched", self.editor.refused("stackTrace", threadId=1))
        self.assertIn("no request `fly`", self.editor.refused("fly"))
        self.assertIn("no `program`", self.editor.refused("launch"))
        where = {"cwd": str(self.folder)}
        self.assertIn("needs data", self.editor.refused("launch", program="k.s", **where))
        self.assertIn("no option --fly", self.editor.refused("launch", program="k.s", args=["--fly"], **where))
        self.assertIn("nothing.s", self.editor.refused("launch", program="nothing.s", **where))
        (self.folder / "bad.s").write_text("        s1 = mov\n")
        self.assertIn("bad.s:1:", self.editor.refused("launch", program="bad.s", **where))
        self.assertEqual(self.editor.close(), 0)

    def test_bytes_that_are_no_message_end_the_dialogue(self):
        deep = b'{"command": "launch", "arguments": {"a": ' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}}"
        for bad in (b"Content-Length: x\r\n\r\n", b"\r\n", b"Content-Length: 99999999999\r\n\r\n",
                    b"Content-Length: %d\r\n\r\n" % len(deep) + deep,
                    b"Content-Length: 2\r\n\r\n[]", b"Content-Length: 9\r\n\r\n{}"):
            done = subprocess.run([TANDEM, "debug", "--dap"], input=bad, capture_output=True, timeout=20)
            self.assertEqual((done.returncode, done.stdout), (2, b""), bad[:60])
            self.assertIn(b"no message of the debug adapter protocol", done.stderr)


if __name__ == "__main__":
    unittest.main()
