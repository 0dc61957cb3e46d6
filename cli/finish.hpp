// The end of `run` and `lockstep`: tensors out, verdict printed, exit status.
#pragma once

#include "cli/drive.hpp"
#include "cli/launch_options.hpp"

namespace tandem {

int finish_run(const LaunchOptions& options, const PreparedLaunch& prepared, const Runner& runner,
               const DriveResult& result);

}  // namespace tandem
