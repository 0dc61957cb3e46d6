// The performance counters as registers, as read by a host or a csr instruction.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/events/counter_values.hpp"

namespace tandem {

// The word of register `number` (isa/registers/registers.def, counters.def), or nullopt when that
// register is not a counter.
std::optional<std::uint32_t> counter_register(const CounterValues& values, std::uint32_t number);

// Whether the register counts bundles by their contents, so that it follows from how often each
// issued.
bool counts_bundles(std::uint32_t number);

}  // namespace tandem
