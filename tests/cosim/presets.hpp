#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

// Whether this build contains the RTL of a preset.
inline bool is_built(std::string_view preset) {
  const auto presets = rtl_presets();
  return std::find(presets.begin(), presets.end(), preset) != presets.end();
}

// The same for a test that cannot run without it, with a message.
inline bool needs_rtl(std::string_view preset) {
  if (is_built(preset)) return true;
  WARN("SKIPPED: this build has no RTL of preset " << std::string(preset) << " (TANDEM_PRESETS)");
  return false;
}

}  // namespace tandem
