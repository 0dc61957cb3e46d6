// What a machine's name says of its memory.
#pragma once

#include <span>

#include "isa/machine.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem {

void apply_timing(std::span<const TimingChoice> choices, MemoryTimingParameters& memory);

}  // namespace tandem
