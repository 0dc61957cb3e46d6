// The resources that an operation takes in the rows of a modulo schedule.
#pragma once

#include <cstdint>

#include "isa/analysis/unit_time.hpp"

namespace tandem::schedule {

// A slot in its own row, and a unit for a number of rows starting with its own.
struct Need {
  Group group = Group::scalar;
  Unit unit = Unit::none;
  std::uint32_t cycles = 1;
};

inline Need need_of(const Operation& operation, const Effects& effects) {
  return {instruction(operation.op).group, unit_of(effects), unit_cycles(effects, operation)};
}

}  // namespace tandem::schedule
