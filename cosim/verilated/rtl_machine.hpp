// The Verilated machines that this build contains.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "runtime/models/machine.hpp"

namespace tandem {

// The presets whose RTL this build contains.
std::vector<std::string_view> rtl_presets();
// Those of which it contains an RTL that can write waveforms; that one runs slower.
std::vector<std::string_view> wave_presets();
// The RTL of a preset, or nullptr when this build does not contain it. Throws LaunchError when a
// waveform is requested for a preset that writes none in this build, or cannot be created.
std::unique_ptr<Machine> make_rtl_machine(const Parameters& parameters,
                                          const MachineOptions& options);

}  // namespace tandem
