#include "compiler/reader/pretty.hpp"

#include <cstdlib>
#include <vector>

#include "host/process.hpp"

namespace tandem::compiler {
namespace {

constexpr int refused = 4;  // by the parser; a Python without jax prints 3

// The argument is the text's path, or "-" for standard input; the artifact goes to standard output.
constexpr const char* program = R"py(import re, sys
try:
    from jax.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib import _jax
except ImportError:
    sys.exit(3)
with mlir.make_ir_context():
    try:
        if sys.argv[1] == "-":
            module = ir.Module.parse(sys.stdin.buffer.read())
        else:
            module = ir.Module.parseFile(sys.argv[1])
        artifact = _jax.mlir.serialize_portable_artifact(mlir.module_to_bytecode(module), "1.13.0")
    except ir.MLIRError as error:
        for trouble in error.error_diagnostics:
            place = re.search(r'"(.*)":(\d+):(\d+)', str(trouble.location))
            where = ":".join(place.groups()) + ": " if place else ""
            print(where + "error: " + trouble.message, file=sys.stderr)
        sys.exit(4)
    except ValueError as error:
        print(sys.argv[1] + ": error: " + str(error), file=sys.stderr)
        sys.exit(4)
sys.stdout.buffer.write(artifact)
)py";

std::vector<std::string> pythons() {
  std::vector<std::string> found;
  if (const char* asked = std::getenv("TANDEM_JAX_PYTHON"); asked != nullptr && *asked != 0) {
    found.push_back(find_program(asked));
  }
  const std::string beside = beside_this_executable("venv/bin/python");
  if (!beside.empty()) found.push_back(beside);
  found.push_back(find_program("python3"));
  std::erase(found, "");
  return found;
}

}  // namespace

bool needs_python(std::string_view text) {
  if (text.starts_with("ML\xefR")) return false;  // an artifact
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return has("= stablehlo.") || has("= chlo.") || has("\"chlo.");
}

Conversion convert_pretty(const std::string& path, const std::string& text) {
  for (const std::string& python : pythons()) {
    // Isolated: this must not import a module from the current folder or from the user's.
    const Ended ended = run_process({{python, "-I", "-c", program, path}, text});
    if (ended.signal == 0 && ended.status == refused) return {"", ended.errors};
    if (ended.ok() && !ended.output.empty()) return {ended.output, ""};
  }
  return {};
}

}  // namespace tandem::compiler
