// Where the program stands, as an editor's call stack: the line of its next bundle, and the lines
// of the macros or functions that led to it.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/debug/session.hpp"

namespace tandem::debug::dap {

// `stackFrames` and `totalFrames`: from `start` on, at most `levels` (0: all) of them.
nlohmann::json stack(const Session& session, std::int64_t start, std::int64_t levels,
                     std::int64_t first_line);

}  // namespace tandem::debug::dap
