// Bins that nothing can reach, by rules over the tables: each gives the reason, or "" for a bin
// that can be reached. What a rule excuses and a program hits after all is an error in the rule.
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
