// The memory timing in a machine's name.
#pragma once

#include <cstddef>
#include <span>

#include "isa/machine.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem {

// Of a row of machine_timings().
std::uint32_t timing_value(const MemoryTimingParameters& memory, std::size_t row);
void apply_timing(std::span<const TimingChoice> choices, MemoryTimingParameters& memory);

}  // namespace tandem
