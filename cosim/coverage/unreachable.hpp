// Unreachable bins, by rules over the tables: each gives the reason, or "" for a bin that can be
// reached. If a program hits a bin that a rule excludes, the rule is wrong.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/encoding.hpp"
#include "isa/registers/registers.hpp"
#include "isa/state/trap.hpp"

namespace tandem {

std::string_view unreachable_operand(const Instruction& row, const Operand& operand,
                                     std::uint32_t number);
std::string_view unreachable_predicate(std::uint32_t number, bool negate, bool holds);
std::string_view unreachable_hazard(Latency from, Slot slot);
std::string_view unreachable_trap(TrapCause cause, Slot slot);
std::string_view unreachable_stall(StallCause cause);
std::string_view unreachable_copies(const Instruction& row);

}  // namespace tandem
