#include "cli/files/compiler_path.hpp"

#include <cstdlib>

#include "host/child.hpp"
#include "host/installed.hpp"

namespace tandem {

std::string compiler_path() {
  if (const char* asked = std::getenv("TANDEM_COMPILER"); asked != nullptr && *asked != 0) {
    const std::string found = find_program(asked);
    return found.empty() ? asked : found;
  }
  return executable_beside("tandem-compile");
}

}  // namespace tandem
