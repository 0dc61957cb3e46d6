// `tandem run --chips N`: a program on the chips of a group.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/run/options/launch_options.hpp"
#include "cli/run/snapshot_options.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

// Options that groups do not support yet: throws UserError if one is given, with its name; and the
// same for the options that such commands share.
void refuse_of_group(bool is_given, std::string_view name);
void check_group(const LaunchOptions& launch, const SnapshotOptions& snapshot);

// Runs it to completion, writes the outputs and reports how it ended; returns the command's exit
// status. "{chip}" in the name of a file is the number of the chip.
int run_group(const LaunchOptions& options, const runtime::DeviceOptions& device,
              std::uint32_t chips);

}  // namespace tandem
