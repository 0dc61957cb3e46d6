#include "compiler/contract/pass.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace tandem::compiler {
namespace {

struct Row {
  llvm::StringLiteral name;
  llvm::StringLiteral sentence;
};

constexpr Row rows[] = {
#define PASS(NAME, SCOPE, GIVEN, LEVEL, SENTENCE) {#NAME, SENTENCE},
#include "compiler/contract/passes.def"
#undef PASS
};

// C++ names with dashes, as options have them.
std::array<std::string, std::size(rows)> make_arguments() {
  std::array<std::string, std::size(rows)> arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i] = "tandem-" + rows[i].name.str();
    std::replace(arguments[i].begin(), arguments[i].end(), '_', '-');
  }
  return arguments;
}

}  // namespace

llvm::StringRef pass_argument(PassName pass) {
  static const auto arguments = make_arguments();
  return arguments[static_cast<std::size_t>(pass)];
}

llvm::StringRef pass_sentence(PassName pass) {
  return rows[static_cast<std::size_t>(pass)].sentence;
}

}  // namespace tandem::compiler
