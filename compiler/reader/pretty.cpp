#include "compiler/reader/pretty.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "compiler/measure/process.hpp"

namespace tandem::compiler {
namespace {

constexpr int refused = 4;  // by the parser; a Python without jax says 3

// Arguments: the text's path or "-", a file with the text, the artifact to write.
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
            module = ir.Module.parse(open(sys.argv[2]).read())
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
open(sys.argv[3], "wb").write(artifact)
)py";

std::vector<std::string> pythons() {
  std::vector<std::string> found;
  if (const char* asked = std::getenv("TANDEM_JAX_PYTHON"); asked != nullptr && *asked != 0) {
    found.emplace_back(asked);
  }
  const std::string beside = beside_this_executable("venv/bin/python");
  if (!beside.empty()) found.push_back(beside);
  found.emplace_back("python3");
  return found;
}

}  // namespace

bool needs_python(std::string_view text) {
  if (text.starts_with("ML\xefR")) return false;  // an artifact
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return has("= stablehlo.") || has("= chlo.") || has("\"chlo.");
}

Conversion convert_pretty(const std::string& path, const std::string& text) {
  const WorkFolder folder;
  if (folder.path().empty() || !write_file(folder.file("text"), text)) return {};
  const std::string artifact = folder.file("artifact");
  for (const std::string& python : pythons()) {
    const Ended ended =
        run_process({python, "-c", program, path, folder.file("text"), artifact}, folder.path());
    if (ended.status == refused) return {"", ended.errors};
    Conversion done;
    if (ended.status == 0 && read_file(artifact, done.artifact)) return done;
  }
  return {};
}

}  // namespace tandem::compiler
