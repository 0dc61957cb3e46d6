"""The worked example of docs/architecture.md: `andn` is added to a copy of the tree in five edits.

    replay.py <repository> <scratch folder> [--build <compiler>]

All five together pass every check, and each one left out fails one that names it. Without --build
the check is scripts/check-instructions alone; with it, the copy is generated, built and run.
"""
import pathlib
import shutil
import subprocess
import sys

ROW = 'INSTRUCTION(andn, 0x12, "andn", scalar, scalar, OPS(sd, sa, sbi), "d = a & ~b, bit by bit.")\n'
MEANING = "void andn(Core& core, const MicroOp& op) { set(core, op, a(core, op) & ~b(core, op)); }\n"
CASE = "      tpu_pkg::OP_ANDN: result_o = a_i & ~b_i;\n"
PROGRAM = """# andn: registers and constants in both slots, predicates, and into s0.
# expect: s4 = 0xf0f00000
# expect: s5 = 0x0000ff00
# expect: s6 = 0xf0f00000
# expect: s7 = 0x0000000f
# expect: s8 = 0
# expect: s0 = 0
        { s1 = mov 0xf0f0f0f0 ; s2 = mov 0x0000ffff }
        { sa: s4 = andn s1, s2 ; sb: s5 = andn s2, 0x000000ff }
        { sa: s6 = andn s1, 0xffff ; sb: s0 = andn s1, s2 }
        p1 = eq s0, 0
        { sa: @p1 s7 = andn s2, -16 ; sb: @!p1 s8 = andn s1, s2 }
        halt
"""
CHANGE = "- `andn`: a and the complement of b, in the scalar slots.\n"


def behind(path, line, text):
    """Inserts text after the first line of the file with this beginning."""
    lines = path.read_text().splitlines(keepends=True)
    at = next(i for i, other in enumerate(lines) if other.startswith(line))
    path.write_text("".join(lines[: at + 1]) + text + "".join(lines[at + 1 :]))


# The edits, in the order of docs/architecture.md, each with what scripts/check-instructions says
# where it alone is forgotten.
EDITS = {
    "row": (
        lambda root: behind(root / "isa/instructions.def", "INSTRUCTION(sel,", ROW),
        "OP_ANDN: rtl/ has a case, isa/instructions.def has no row",
    ),
    "meaning": (
        lambda root: behind(root / "isa/golden/operations/scalar.cpp", "void bit_not(", MEANING),
        "andn: no function execute::andn in isa/golden/",
    ),
    "case": (
        lambda root: behind(root / "rtl/scalar/tpu_salu.sv", "      tpu_pkg::OP_BIT_NOT:", CASE),
        "andn: no case in rtl/ names tpu_pkg::OP_ANDN",
    ),
    "program": (
        lambda root: (root / "tests/programs/scalar/andn.s").write_text(PROGRAM),
        "andn: no directed program in tests/programs/ tries it",
    ),
    "changelog": (
        lambda root: behind(root / "CHANGELOG.md", "### Added", "\n" + CHANGE),
        "andn: CHANGELOG.md does not mention it",
    ),
}


def files_of(repository):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=repository, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def copy_tree(repository, to, wanted):
    shutil.rmtree(to, ignore_errors=True)
    for name in files_of(repository):
        if not name.startswith(wanted) or not (repository / name).is_file():
            continue
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(repository / name, to / name)


def said(root):
    result = subprocess.run([root / "scripts/check-instructions", root], capture_output=True, text=True)
    return result.returncode, result.stdout.splitlines()


def quick(repository, scratch):
    root = scratch / "tree"
    for left_out in [None, *EDITS]:
        copy_tree(repository, root,
                  ("isa/", "rtl/", "tests/programs/", "scripts/check-instructions", "CHANGELOG.md"))
        for name, (edit, _) in EDITS.items():
            if name != left_out:
                edit(root)
        expected = [] if left_out is None else [EDITS[left_out][1]]
        status, lines = said(root)
        if lines != expected or (status == 0) != (not expected):
            sys.exit(f"left out: {left_out}\nexpected: {expected}\nsaid: {lines}")


def take_over(fresh, root):
    """Makes the tree like the fresh one. Files that are as they were keep their time, so that only
    what depends on the others is built again."""
    names = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
    for path in [path for path in root.rglob("*") if path.is_file()]:
        name = path.relative_to(root)
        if name.parts[0] != "build" and name not in names:
            path.unlink()
    for name in names:
        old = root / name
        if not old.exists() or old.read_bytes() != (fresh / name).read_bytes():
            old.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(fresh / name, old)


def builds(root, compiler):
    """Generates, builds and runs the copy; the output of the first command that fails, or None."""
    build = root / "build"
    executable = build / "test_programs"
    commands = [
        ["cmake", "-S", root, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
         "-DTANDEM_TESTS=ON", "-DTANDEM_PRESETS=nano", "-DTANDEM_WAVE_PRESETS="],
        ["cmake", "--build", build, "--target", "tandem_emit"],
        [build / "tandem_emit", root],
        ["cmake", "--build", build, "--target", "test_programs", "lint_rtl"],
        [executable, "directed scalar/*"],
        [executable, "directed programs execute every instruction*"],
        [root / "scripts/check-instructions"],
    ]
    for command in commands:
        result = subprocess.run(command, cwd=root, capture_output=True, text=True)
        if result.returncode != 0:
            return result.stdout + result.stderr
    return None


def thorough(repository, scratch, compiler):
    root = scratch / "built"
    for left_out in [None, *EDITS]:
        copy_tree(repository, scratch / "fresh", ("",))
        for name, (edit, _) in EDITS.items():
            if name != left_out:
                edit(scratch / "fresh")
        take_over(scratch / "fresh", root)
        output = builds(root, compiler)
        if (output is None) != (left_out is None):
            sys.exit(f"left out: {left_out}\n{output}")
        if output is not None and "andn" not in output.lower():
            sys.exit(f"left out: {left_out}: nothing names andn\n{output}")


def main():
    repository, scratch = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    scratch.mkdir(parents=True, exist_ok=True)
    quick(repository, scratch)
    if len(sys.argv) == 5 and sys.argv[3] == "--build":
        thorough(repository, scratch, sys.argv[4])


if __name__ == "__main__":
    main()
