"""python -m tandem.partition --partitions 4 [--free 0101...] < artifact > partitioned

Reads a portable artifact of StableHLO, and writes the format of pieces.py. `--free`: a digit for each result, 1 if any
sharding will do. Exit status 1 and a line on standard error, as a compiler's, where the program cannot be partitioned.
"""

import argparse
import os
import pathlib
import signal
import sys
import traceback

# Also as a script: the folder of this file holds no modules for others to find.
if __package__ in (None, ""):
    sys.path[0] = str(pathlib.Path(__file__).absolute().parents[2])

_FAILED = 3  # by a mistake of ours, or because it was killed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tandem.partition", description="The program of one device of several.")
    parser.add_argument("--partitions", type=int, required=True, help="how many devices there are")
    parser.add_argument("--free", default="", help="a digit for each result: 1 where any sharding will do")
    parser.add_argument("--automatic", action="store_true", help="XLA's partitioner also for what needs none")
    return parser.parse_args()


def main() -> int:
    arguments = _arguments()
    output = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # XLA may write anywhere
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    try:
        from tandem.partition import modules, pieces, whole
    except Exception:
        traceback.print_exc()
        return _FAILED
    free = [digit == "1" for digit in arguments.free]
    try:
        made = whole.partition(sys.stdin.buffer.read(), arguments.partitions, free, not arguments.automatic)
    except modules.Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    except Exception:
        traceback.print_exc()
        return _FAILED
    with os.fdopen(output, "wb") as file:
        file.write(pieces.to_bytes(made))
    return 0


def _end(_signal: int, _frame: object) -> None:
    raise SystemExit(_FAILED)  # folders are removed on the way out


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    try:
        status = main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 2
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # XLA's threads are not worth waiting for
