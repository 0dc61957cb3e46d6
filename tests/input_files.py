#!/usr/bin/env python3
"""Files that are read are opened in one place, which waits for no writer and reads no device.

    tests/input_files.py

In C++ that is `HostFile` (host/host_file.hpp), in the package `tools.input_file`. Other code that opens files is listed
here with its reason.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPP = re.compile(r"ifstream|\bfopen\(|[^.\w]open\(\S+, O_RD|MemoryBuffer::getFile|::parse_file\(|parseSourceFile\w*<[^>]*>\(\"")
PYTHON = re.compile(r"\.read_(?:text|bytes)\(\)?|\bopen\(|np\.load\(|onnx\.load\(|safe_open\(|GGUFReader\(|\.from_file\(")
KNOWN = {
    "host/output_file.cpp": "is written",
    "compiler/tune/cache.cpp": "a file of ours that is locked, no link",
    "python/pjrt/programs/cache_file.cpp": "an entry of the cache: no link, and no waiting",
    "sim/systemc/example/program.cpp": "an example for C++17, which sees nothing of host/",
    "python/tandem/recording.py": "is written",
    "python/tandem/profiling.py": "files that this process has written",
    "python/tandem/partition/automatic.py": "files that XLA has written in a folder of ours",
    "python/tandem/functions.py": "what is no regular file is passed over",
    "python/tandem/onnx/files.py": "checked before",
    "python/tandem/onnx/model.py": "an example in a comment",
    "python/tandem/onnx/__init__.py": "an example in a comment",
    "python/tandem/device.py": "an example in a comment",
}


def main() -> int:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    wrong, seen = [], set()
    for name in names:
        cpp = name.endswith((".cpp", ".hpp")) and not name.startswith(("tests/", "third_party/", "benchmarks/"))
        if not cpp and not (name.startswith("python/tandem/") and name.endswith(".py")):
            continue
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
            if not (CPP if cpp else PYTHON).search(line) or "input_file(" in line:
                continue
            seen.add(name)
            if name not in KNOWN:
                wrong.append(f"{name}:{number}: {line.strip()}")
    wrong += [f"{name}: is in the list of this test, and opens nothing" for name in sorted(KNOWN.keys() - seen)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
