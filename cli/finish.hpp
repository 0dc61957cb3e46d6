// The end of `run` and `lockstep`: tensors out, verdict printed, exit status.
#pragma once

#include "cli/drive.hpp"
#include "cli/launch_options.hpp"
#include "cli/run_readers.hpp"

namespace tandem {

// `files`: what else was written, as TraceFiles::finish() gives it.
int finish_run(const LaunchOptions& options, const PreparedLaunch& prepared, const Runner& runner,
               const DriveResult& result, const RunReaders& readers,
               const nlohmann::json& files = nlohmann::json::object());

}  // namespace tandem
