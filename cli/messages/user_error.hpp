// The exception for user errors, and the exit statuses of the command.
#pragma once

#include "host/user_error.hpp"

namespace tandem {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;  // the program trapped, raced, differed or met a limit
inline constexpr int exit_usage = 2;   // bad usage or bad input

}  // namespace tandem
