#include "compiler/contract/versions.hpp"

#include <fmt/format.h>

#include "isa/version.hpp"
#include "llvm/Config/llvm-config.h"

namespace tandem::compiler {

std::string producer() {
  return fmt::format("tandem-compile {}, MLIR {}", version, LLVM_VERSION_STRING);
}

std::string versions() { return fmt::format("{}, isa {:08x}", producer(), encoding_digest()); }

}  // namespace tandem::compiler
