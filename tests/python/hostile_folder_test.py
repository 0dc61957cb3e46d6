"""Every tool is run in a folder full of names that it might look for: nothing there is run, imported,
loaded or included.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import needs_compiler  # noqa: F401

BUILD = pathlib.Path(os.environ["TANDEM_EXECUTABLE"]).parent
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SEEN = "seen"

PROGRAM = """
        .include "{common}"
        halt
"""
PRETTY = """module @jit_f {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %sum = stablehlo.add %x, %x : tensor<4xf32>
    return %sum : tensor<4xf32>
  }
}
"""
# The function's text includes other files.
IN_PYTHON = """
import os, sys
os.chdir(sys.argv[1])
import jax, jax.numpy as jnp, tandem
softmax = tandem.function("softmax", outputs=lambda x: x)
x = jnp.ones((32, 32))
f = jax.jit(lambda x: softmax(jnp.tanh(x @ x)))
f(x).block_until_ready()
assert tandem.cycles(f, x) > 0
assert tandem.explain(f, x).cycles > 0
tandem.report(f, x, path=sys.argv[2])
mesh = jax.make_mesh((2,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
split = jax.device_put(x, jax.NamedSharding(mesh, jax.P("i")))
jax.jit(lambda x: x + 3)(split).block_until_ready()
"""

MODULES = ["re", "os", "io", "json", "types", "typing", "pathlib", "random", "string", "numpy", "jax",
           "jaxlib", "ml_dtypes", "argparse", "tempfile", "struct", "sitecustomize", "usercustomize", "encodings", "tandem", "site"]
PROGRAMS = ["tandem", "tandem-compile", "tandem-opt", "python", "python3", "sh", "cat", "clang", "ld",
            "bin/tandem", "bin/tandem-compile", "venv/bin/python"]
LIBRARIES = ["libtandem_runtime.so", "libtandem_rtl_nano.so", "libtandem_rtl_small.so",
             "libtandem_lockstep.so", "libMLIR.so.22", "libLLVM.so.22", "libfmt.so.9", "libelf.so.1",
             "libmd.so.0", "libdeflate.so.0", "pjrt_plugin_tandem.so"]


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name, "here")
        cls.elsewhere = pathlib.Path(folder.name, "elsewhere")
        cls.folder.mkdir()
        cls.elsewhere.mkdir()
        seen = cls.elsewhere / SEEN
        for name in MODULES:
            (cls.folder / f"{name}.py").write_text(f"open({str(seen)!r}, 'a').write('{name}.py ')\n")
        for name in PROGRAMS:
            path = cls.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!/bin/sh\necho {name} >>{seen}\nexit 1\n")
            path.chmod(0o755)
        library = cls.library(seen)
        for name in LIBRARIES:
            for place in (cls.folder, cls.folder / "lib"):
                place.mkdir(exist_ok=True)
                (place / name).write_bytes(library)
        for place in (cls.folder, cls.folder / "share/tandem/kernels"):
            place.mkdir(parents=True, exist_ok=True)
            for text in (ROOT / "kernels").glob("*.*"):
                if text.suffix in (".s", ".inc"):
                    (place / text.name).write_text("        .error \"of the current folder\"\n")
        (cls.elsewhere / "program.s").write_text(
            PROGRAM.format(common=ROOT / "benchmarks/common/common.inc"))
        (cls.folder / "pretty.mlir").write_text(PRETTY)

    @classmethod
    def library(cls, seen):
        """A library that reports that it was loaded; one that cannot be loaded without a C compiler."""
        source = cls.elsewhere / "library.c"
        source.write_text("#include <stdio.h>\n__attribute__((constructor)) static void loaded(void) {"
                          f'FILE* f = fopen("{seen}", "a"); fputs("a library\\n", f); fclose(f); }}\n')
        target = cls.elsewhere / "library.so"
        try:
            subprocess.run(["cc", "-shared", "-fPIC", source, "-o", target], check=True,
                           capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return b"no library"
        return target.read_bytes()

    def run_here(self, *command, status=0):
        environment = dict(os.environ, PATH=f":.:{BUILD}:/usr/bin:/bin", TMPDIR=str(self.elsewhere))
        for name in ("TANDEM_EXECUTABLE", "TANDEM_COMPILER", "PYTHONPATH"):
            environment.pop(name, None)
        done = subprocess.run([str(word) for word in command], cwd=self.folder, env=environment,
                              capture_output=True, text=True, check=False, timeout=200)
        self.assertEqual(done.returncode, status, done.stderr)
        seen = self.elsewhere / SEEN
        self.assertFalse(seen.exists(), seen.read_text() if seen.exists() else "")
        return done.stdout

    def test_commands(self):
        tandem = BUILD / "tandem"
        program = self.elsewhere / "program.s"
        elf = self.elsewhere / "program.elf"
        self.run_here(tandem, "asm", program, "-o", elf)
        self.run_here(tandem, "dis", elf)
        for model in ("golden", "cycle"):
            self.run_here(tandem, "run", elf, "--on", model)
        self.run_here(tandem, "report", elf, "-o", self.elsewhere / "page.html")
        self.run_here(tandem, "lockstep", elf)
        self.run_here(tandem, "run", elf, "--on", "rtl")

    def test_the_compiler(self):
        for command in ([BUILD / "tandem", "compile"], [BUILD / "tandem-compile"]):
            self.run_here(*command, "pretty.mlir", "-o", self.elsewhere / "pretty.elf")
            self.run_here(*command, "pretty.mlir", "--stats")
        self.run_here(BUILD / "tandem-compile", "pretty.mlir", "--tune", "--tuning-cache",
                      self.elsewhere / "choices")

    def test_the_package_and_the_plugin(self):
        script = self.elsewhere / "script.py"
        script.write_text(IN_PYTHON)
        os.environ["JAX_PLATFORMS"] = "tandem"
        os.environ["TANDEM_DEVICES"] = "2"
        self.run_here(sys.executable, script, self.folder, self.elsewhere / "report.html")


if __name__ == "__main__":
    unittest.main()
