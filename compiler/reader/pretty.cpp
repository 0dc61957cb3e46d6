#include "compiler/reader/pretty.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "compiler/reader/read.hpp"
#include "host/process.hpp"

namespace tandem::compiler {
namespace {

constexpr std::uint64_t memory = std::uint64_t{8} << 30U;  // bytes, as a compilation has by default
constexpr int refused = 4;  // by the parser; a Python without jax prints 3

// The arguments are the text's path, or "-" for standard input, and the seconds and bytes of memory
// that reading it may take; the artifact goes to standard output.
constexpr const char* program = R"py(import re, resource, sys
try:
    from jax.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib import _jax
except ImportError:
    sys.exit(3)
used = resource.getrusage(resource.RUSAGE_SELF)
last = int(used.ru_utime + used.ru_stime) + 1 + int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (last, last + 5))
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[3]), int(sys.argv[3])))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
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

Conversion convert_pretty(const std::string& path, const std::string& text, unsigned most_seconds) {
  const unsigned seconds = std::min(most_seconds, reading_seconds(text.size()));
  for (const std::string& python : pythons()) {
    // Isolated: this must not import a module from the current folder or from the user's.
    const Ended ended = run_process(
        {{python, "-I", "-c", program, path, std::to_string(seconds), std::to_string(memory)},
         text});
    if (ended.signal == SIGXCPU) return {"", unreadable(path, text.size(), seconds)};
    if (ended.signal == 0 && ended.status == refused) return {"", ended.errors};
    if (ended.ok() && !ended.output.empty()) return {ended.output, ""};
  }
  return {};
}

}  // namespace tandem::compiler
