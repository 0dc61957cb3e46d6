"""`tandem explore --serve`: what it answers, to whom, and that it follows its file.

    python3 tests/cli/explore_serve_test.py TANDEM
"""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

TANDEM = sys.argv.pop(1)
PROGRAM = "        .target nano\n        { s4 = mov 1 }\n        { halt }\n"


class ExploreServer(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "k.s"
        self.file.write_text(PROGRAM)
        self.server = subprocess.Popen([TANDEM, "explore", "k.s", "--serve"], cwd=self.folder, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop)
        assert self.server.stdout is not None
        self.address = self.server.stdout.readline().strip()
        self.port = urllib.parse.urlsplit(self.address).port or 0

    def stop(self) -> None:
        self.server.kill()
        self.server.wait()
        assert self.server.stdout is not None
        self.server.stdout.close()

    def get(self, path: str, method: str = "GET", host: str | None = None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, headers={"Host": host or f"127.0.0.1:{self.port}"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def data_of(self, version: int) -> dict:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if json.loads(self.get("/version")[1]) >= version:
                return json.loads(self.get("/data")[1])
            time.sleep(0.1)
        self.fail(f"version {version} never came")

    def test_silent_connections_keep_nobody_out(self) -> None:
        """More than it keeps: the oldest is let go, and it does not spin."""
        silent = [socket.create_connection(("127.0.0.1", self.port), 10) for _ in range(80)]
        for connection in silent:
            self.addCleanup(connection.close)
        self.assertEqual(self.get("/version")[0], 200)
        silent[-1].sendall(f"GET /version HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        self.assertTrue(silent[-1].recv(100).startswith(b"HTTP/1.1 200"))
        before = self.seconds_used()
        time.sleep(1)
        self.assertLess(self.seconds_used() - before, 0.5)

    def seconds_used(self) -> float:
        fields = pathlib.Path(f"/proc/{self.server.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_it_follows_its_file(self) -> None:
        first = self.data_of(1)
        self.assertEqual(len(first["programs"][0]["bundles"]["rows"]), 2)
        self.file.write_text(PROGRAM.replace("        { halt", "        { s5 = mov 2 }\n        { halt"))
        self.assertEqual(len(self.data_of(2)["programs"][0]["bundles"]["rows"]), 3)
        self.file.write_text(PROGRAM.replace("mov", "mvo"))
        broken = self.data_of(3)
        self.assertIn("k.s:2", broken["error"])
        self.assertTrue(broken["is_old"])
        self.assertEqual(len(broken["programs"][0]["bundles"]["rows"]), 3)
        self.file.write_text(PROGRAM)
        mended = self.data_of(4)
        self.assertEqual(mended["error"], "")
        self.assertNotIn("is_old", mended)

    def test_it_follows_files_that_are_included(self) -> None:
        (self.folder / "part.inc").write_text("        { s5 = mov 3 }\n")
        self.file.write_text(PROGRAM.replace("        { halt", '        .include "part.inc"\n        { halt'))
        self.assertEqual(len(self.data_of(2)["programs"][0]["bundles"]["rows"]), 3)
        (self.folder / "part.inc").write_text("        { s5 = mov 3 }\n        { s6 = mov 3 }\n")
        self.assertEqual(len(self.data_of(3)["programs"][0]["bundles"]["rows"]), 4)

    def test_it_answers_its_own_pages_alone(self) -> None:
        self.assertEqual(self.get("/")[0], 200)
        self.assertEqual(self.get("/../../etc/passwd")[0], 404)
        self.assertEqual(self.get("/data", host="evil.example")[0], 403)
        self.assertEqual(self.get("/data", host=f"evil.example:{self.port}")[0], 403)
        self.assertEqual(self.get("/data", host=f"localhost:{self.port}")[0], 200)
        self.assertEqual(self.get("/data", method="POST")[0], 400)
        with self.assertRaises(OSError):  # other addresses of this machine do not lead here
            socket.create_connection((socket.gethostbyname(socket.gethostname()), self.port), timeout=5).close()
            if socket.gethostbyname(socket.gethostname()).startswith("127."):
                raise OSError("it has no other address")

    def test_connections_that_say_nothing_keep_nobody_waiting(self) -> None:
        idle = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(40)]
        idle[0].sendall(b"GET / HT")
        idle[1].sendall(b"x" * 60000)
        self.assertEqual(self.get("/version")[0], 200)
        for connection in idle:
            connection.close()
        self.assertEqual(self.get("/version")[0], 200)

    def test_a_second_server_on_the_port_is_refused(self) -> None:
        second = subprocess.run([TANDEM, "explore", "k.s", "--serve", "--port", str(self.port)], cwd=self.folder,
                                capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual(second.returncode, 2)
        self.assertIn(str(self.port), second.stderr)

    def test_ctrl_c_ends_it(self) -> None:
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(timeout=20), 0)

    @unittest.skipUnless(shutil.which("chromium"), "no chromium on this machine")
    def test_the_page_draws_itself_again(self) -> None:
        """The file changes all the time: the page shows a later program than the one that it came with."""
        output = (self.folder / "dom.html").open("w")
        self.addCleanup(output.close)
        page = subprocess.Popen(
            ["timeout", "100", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={self.folder}/profile", "--virtual-time-budget=120000", "--dump-dom", self.address],
            stdout=output, stderr=subprocess.DEVNULL)
        number = 2
        while page.poll() is None:
            self.file.write_text(PROGRAM.replace("mov 1", f"mov {number}"))
            number += 1
            time.sleep(0.05)
        document = (self.folder / "dom.html").read_text()
        self.assertIn('data-ready="yes"', document)
        drawn, _, held = document.partition('id="run"')
        shown, came_with = (max(map(int, re.findall(r"s4 = mov (\d+)", part))) for part in (drawn, held))
        self.assertGreater(shown, came_with)


if __name__ == "__main__":
    unittest.main()
