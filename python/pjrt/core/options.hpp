// The user's choices about the devices: plugin options, and the environment for options that are
// not given.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "python/pjrt/core/pjrt_header.hpp"
#include "runtime/device/device.hpp"

namespace tandem::pjrt {

struct ClientOptions {
  runtime::DeviceOptions device;
  std::uint32_t devices = 1;
  std::string compiler;            // path of tandem-compile; "": found beside the plugin
  std::string partitioner;         // path of the partitioner for several devices; "": there is none
  std::string partitioner_python;  // interpreter that runs it; "": it starts by itself
  // Choices that a search has found best (tandem-compile --tune); "": the cost models decide.
  std::string tuning_cache;
  std::string cache;  // folder of compiled programs; "": the user's cache folder
  std::uint64_t cache_bytes = std::uint64_t{512} << 20U;  // 0: nothing is kept on disk
  std::uint64_t debug_bytes = std::uint64_t{16} << 20U;   // of HBM for messages to the host
  std::string save;  // folder for programs and inputs of runs that failed; "": not saved
};

// Names of the variables in the environment that are read for options.
std::vector<std::string_view> option_variables();

using Environment = std::function<const char*(const char* name)>;

// Throws Failure, which names the option and its valid values.
ClientOptions client_options(std::span<const PJRT_NamedValue> given,
                             const Environment& environment);

}  // namespace tandem::pjrt
