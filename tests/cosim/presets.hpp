#pragma once

#include <algorithm>
#include <string_view>

#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

// Whether this build contains the RTL of a preset.
inline bool is_built(std::string_view preset) {
  const auto presets = rtl_presets();
  return std::find(presets.begin(), presets.end(), preset) != presets.end();
}

}  // namespace tandem
