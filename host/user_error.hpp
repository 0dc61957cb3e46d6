// A mistake of the user's (usage or input): printed as it is, exit status 2.
#pragma once

#include <string>

namespace tandem {

struct UserError {
  std::string message{};
  bool diagnostics = false;  // starts with file:line:column: print nothing before it
};

}  // namespace tandem
