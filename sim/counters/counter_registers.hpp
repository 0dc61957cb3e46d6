// The performance counters as registers: what a host or a csr instruction reads.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/events/counter_values.hpp"

namespace tandem {

// The word of register `number` (isa/registers/registers.def, counters.def), or nullopt when that
// register is no counter.
std::optional<std::uint32_t> counter_register(const CounterValues& values, std::uint32_t number);

// Whether the register counts bundles by what they are, which follows from how often each issued.
bool counts_bundles(std::uint32_t number);

}  // namespace tandem
