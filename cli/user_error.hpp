// A mistake of the user's (usage or input): printed as it is, exit status 2.
#pragma once

#include <string>

namespace tandem {

struct UserError {
  std::string message{};
  bool diagnostics = false;  // starts with file:line:column: print nothing before it
};

// Exit statuses of the command.
inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;  // the program trapped, raced, differed or met a limit
inline constexpr int exit_usage = 2;   // bad usage or bad input

}  // namespace tandem
