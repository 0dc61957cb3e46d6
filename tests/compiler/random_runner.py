"""Runs random programs by number: passed ones are remembered, failed ones can be repeated alone.

A program is an object made from its number, with

  inputs      NumPy arrays
  function    what JAX traces
  donated     numbers of the inputs whose memory results may take, if it has that
  expected()  the right results, by other means than the compiler
  differs(index, want, have)   whether a result is wrong
  text()      what a reader should see of it

Its class says with `aims` whether it is made from a decision of the compiler, too, and from sizes around all
of them (decisions.py).
"""

import argparse
import hashlib
import random
import pathlib
import sys
import warnings

import decisions

# Arguments are donated even if no result can take their memory.
warnings.filterwarnings("ignore", message="Some donated buffers were not usable")

PROGRESS = 100  # programs between two lines that tell how far it is


def compiler_key(build):
    """Changes with the compiler."""
    return hashlib.sha256((build / "tandem-compile").read_bytes()).hexdigest()[:16]


class State:
    """The programs that have passed, of this compiler and these options, each with a note (0 or 1).

    A line of the file: key, number, note, "passed". What a kill left of a line is none.
    """

    def __init__(self, key, path):
        self.key, self.path, self.passed = key, path, {}
        if path is None:
            return
        if path.exists():
            for line in path.read_text(errors="replace").splitlines():
                match line.split():
                    case [self.key, number, ("0" | "1") as note, "passed"] if number.isdigit():
                        self.passed[int(number)] = note == "1"
        with path.open("a") as file:
            file.write("\n")  # after a torn line

    def note(self, number, note=False):
        self.passed[number] = note
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(f"{self.key} {number} {int(note)} passed\n")


def check(program, device, compiler, preset, taken, keep):
    """None, or what is wrong. `keep` gets the artifact, `taken` the compiler's decisions."""
    import jax
    from tandem import jax_tools
    traced = jax.jit(program.function, donate_argnums=getattr(program, "donated", ()))
    artifact, inputs = jax_tools.artifact_and_inputs(traced, tuple(program.inputs))
    keep(artifact)
    try:
        program_bytes, rows = decisions.compiled(compiler, artifact, preset)
        taken.add(rows)
        run = device.load(program_bytes)(**inputs)
    except Exception as error:  # pylint: disable=broad-except
        return f"{type(error).__name__}: {error}"[:400]
    for index, want in enumerate(program.expected()):
        have = run.outputs[f"out{index}"]
        if program.differs(index, want, have):
            return f"result {index}: {have.ravel()[:8]} for {want.ravel()[:8]}"
    return None


class Run:
    def __init__(self, options, make, device, state):
        self.options, self.make, self.device, self.state = options, make, device, state
        self.failed = []
        self.compiler = options.build / "tandem-compile"
        self.taken = decisions.Decisions(self.compiler, options.preset)

    def focus_of(self, number):
        """The decision that a program aims at: for every other program, one with an untaken path."""
        if self.options.focus or number % 2 == 0:
            return self.options.focus
        never = sorted({name for name, _ in self.taken.never()})
        return random.Random(number).choice(never) if never else None

    def one(self, number):
        focus = self.focus_of(number) if self.make.aims else None
        sizes = self.taken.sizes() if self.make.aims else {}
        program = self.make(number, focus, sizes) if self.make.aims else self.make(number)
        folder = self.options.keep

        def keep(artifact):
            if folder:
                (folder / f"{number}.mlirbc").write_bytes(artifact)
                (folder / f"{number}.txt").write_text(program.text() + "\n")

        problem = check(program, self.device, self.compiler, self.options.preset, self.taken, keep)
        if problem:
            self.failed.append(number)
            again = f" --focus {focus}" if focus else ""
            print(f"FAIL {number}{again}: {problem}\n{program.text()}", flush=True)
        else:
            self.state.note(number)


def for_each(name, options, state, failed, one):
    """`one(number)` for all that have not passed yet, with progress. `failed` grows meanwhile."""
    for done, number in enumerate(range(options.first, options.first + options.count), 1):
        if number not in state.passed:
            one(number)
        if done % PROGRESS == 0 and done < options.count:
            print(f"{name}: {done} of {options.count}, {len(failed)} failed", flush=True)


def parser_of(text, count):
    """The options that all commands with random programs have."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--build", type=pathlib.Path, default=root / "build")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--preset", default="small")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--state", type=pathlib.Path, help="what has passed already; grows")
    return parser


def start(name, options, key):
    """A device and the passed programs under the key, or an exit status."""
    sys.path.insert(0, str(options.build / "package"))
    try:
        import tandem
        device = tandem.Device(options.preset)
    except ImportError as problem:
        print(f"{name}: skipped, {problem}")
        return 77
    try:
        return device, State(key.format(compiler=compiler_key(options.build)), options.state)
    except OSError as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return 2


def main(name, text, make, count):
    """The command `name`: its exit status. `make` gives the program of a number."""
    parser = parser_of(text, count)
    parser.add_argument("--focus", help="a decision (compiler/contract/thresholds.def) that programs aim at")
    options = parser.parse_args()
    started = start(name, options, f"{name}-{{compiler}}-{options.preset}")
    if isinstance(started, int):
        return started
    device, state = started
    run = Run(options, make, device, state)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    try:
        for_each(name, options, state, run.failed, run.one)
    except KeyboardInterrupt:
        print(f"{name}: interrupted, {len(state.passed)} have passed", file=sys.stderr)
        return 130
    print(f"{name}: {options.count} programs, {len(run.failed)} failed")
    print(run.taken.text())
    return 1 if run.failed else 0
