// A directed program in lockstep: RTL, golden and cycle-exact model, every bundle, its time and the
// final state; the verdict is the one its header expects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/models/machine.hpp"
#include "tests/programs/directed.hpp"

namespace tandem::directed {

// An empty string when the run agrees and ends as expected. The build has the preset's RTL.
std::string disagreement_in_lockstep(const std::string& path, const Parameters& preset,
                                     const MachineOptions& machine);

// Memories that hold copies back: far away, few bursts at once, both. Everything that waits for
// them fills up.
std::vector<MachineOptions> slow_memories();
// As near as can be: the first bundles come in the first cycles.
MachineOptions fast_memory();
// Requests take up to 37 cycles more, at random by the seed; the RTL's hidden state has it too.
MachineOptions jittery_memory(std::uint32_t seed);

}  // namespace tandem::directed
