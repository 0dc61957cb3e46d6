// The step limit of a run.
#pragma once

#include <cstdint>

#include "runtime/device/device_model.hpp"

namespace tandem {

// When to give up on a program by default: bundles on golden, else cycles.
std::uint64_t default_limit(runtime::Model model);
// As requested, or 0 for the default.
std::uint64_t step_limit(std::uint64_t asked, runtime::Model model);

}  // namespace tandem
