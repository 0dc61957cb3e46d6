// Runs a launch to completion with a limit and a progress line, and reports how it ended.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/device/device_model.hpp"
#include "runtime/models/result_text.hpp"

namespace tandem {

// `model` is what the runner is of. The progress line appears after two seconds, on a terminal
// only.
RunResult drive(Runner& runner, runtime::Model model, std::uint64_t limit);
// The same in a worker process, without an audience: no progress line, and no seconds.
RunResult drive_unseen(Runner& runner, runtime::Model model, std::uint64_t limit);

nlohmann::json result_json(const Runner& runner, const RunResult& result, const Image& image);
// 0 after a halt, else 1.
int exit_status(const RunResult& result);

}  // namespace tandem
