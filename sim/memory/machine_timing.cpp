#include "sim/memory/machine_timing.hpp"

#include <array>

namespace tandem {
namespace {

// In the order of machine_timings().
constexpr std::array members{
#define MACHINE_TIMING(name, member, least, most, meaning) &MemoryTimingParameters::member,
#include "isa/machine_timing.def"
#undef MACHINE_TIMING
};

}  // namespace

std::uint32_t timing_value(const MemoryTimingParameters& memory, std::size_t row) {
  return memory.*members.at(row);
}

void apply_timing(std::span<const TimingChoice> choices, MemoryTimingParameters& memory) {
  for (const TimingChoice& choice : choices) memory.*members.at(choice.row) = choice.value;
}

}  // namespace tandem
