// The result of a launch from how its run ended.
#pragma once

#include "runtime/device/device.hpp"
#include "runtime/models/result_text.hpp"

namespace tandem::runtime {

LaunchResult result_of(const Runner& runner, const RunResult& run, const Image& image);

}  // namespace tandem::runtime
