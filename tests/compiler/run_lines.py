#!/usr/bin/env python3
"""Runs the `// RUN:` lines of one file as lit does: %s is the file, commands go to the shell.

  run_lines.py FILE --path FOLDER...     folders of tandem-opt, tandem-compile and FileCheck
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--path", nargs="+", default=[])
    options = parser.parse_args()
    text = options.file.read_text()
    commands = re.findall(r"// RUN: (.*)", text)
    if not commands or not any(word in text for word in ("// CHECK", "CHECK-", "// expected-")):
        sys.exit(f"{options.file}: no RUN line, or nothing checked")
    environment = dict(os.environ)
    environment["PATH"] = os.pathsep.join([*options.path, environment["PATH"]])
    for command in commands:
        command = command.replace("%s", shlex.quote(str(options.file)))
        ran = subprocess.run(["bash", "-o", "pipefail", "-c", command], env=environment,
                             capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            sys.exit(f"{command}\nfailed with {ran.returncode}\n{ran.stdout}{ran.stderr}")


if __name__ == "__main__":
    main()
