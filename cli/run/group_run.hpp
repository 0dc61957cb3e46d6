// `tandem run --chips N`: a program on the chips of a group.
#pragma once

#include <cstdint>

#include "cli/run/launch_options.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

// Runs it to its end, writes the outputs and tells how it ended; the command's exit status.
// "{chip}" in the name of a file is the number of the chip.
int run_group(const LaunchOptions& options, const runtime::DeviceOptions& device,
              std::uint32_t chips);

}  // namespace tandem
