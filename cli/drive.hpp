// Runs a launch to its end with a limit and a progress line, and tells how it ended.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "runtime/models/result_text.hpp"

namespace tandem {

// `model` is what the runner was made for. The progress line appears after two seconds, on a
// terminal only.
RunResult drive(Runner& runner, std::string_view model, std::uint64_t limit);

nlohmann::json result_json(const Runner& runner, const RunResult& result, const Image& image);
// 0 after a halt, else 1.
int exit_status(const RunResult& result);

}  // namespace tandem
