// The performance counters of a machine (isa/counters.def): where its cycles went.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/runner.hpp"

namespace tandem {

struct Counter {
  std::string_view name;  // of isa/counters.def
  std::string_view meaning;
  std::uint64_t value = 0;
};

struct Counters {
  std::uint64_t cycles = 0;  // between start and the end; the causes add up to it
  std::vector<Counter> causes;
  std::vector<Counter> events;
};

// Empty vectors on a model without a machine.
Counters read_counters(const Runner& runner);
// A table: causes with their share of the cycles, then events.
std::string counters_text(const Counters& counters);

}  // namespace tandem
