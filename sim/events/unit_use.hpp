// The units that an operation keeps busy from its issue on: for timelines and traces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/encoding.hpp"

namespace tandem {

enum class BusyUnit : std::uint8_t { load, store, push, multiply, read, eup, xlu };
inline constexpr std::size_t busy_unit_count = 7;

struct UnitUse {
  BusyUnit unit{};
  std::uint32_t cycles = 0;  // until the unit takes the next operation; rows that are masked off
                             // may make a load or store shorter
};

// Nothing for scalar and vector ALU operations, whose units are free in the next cycle, and for
// copies and flags.
std::optional<UnitUse> unit_use(const Operation& operation);

}  // namespace tandem
