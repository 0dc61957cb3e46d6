// Sentences of the manual that depend on kinds (of operands, of latency), not on instructions.
#pragma once

#include <string>
#include <string_view>

#include "isa/encoding.hpp"

namespace tandem::emit {

std::string_view manual_introduction();
std::string_view operand_chapter();
std::string latency_chapter();

// The contents of an operand's `extra` field, with the legal codes.
std::string extra_meaning(const Operand& operand);
// "d = add a, b" with the spelling of each kind.
std::string syntax_text(const Instruction& row);
// Causes of a trap beyond encoding and conflict, or "none".
std::string traps_text(const Instruction& row);
std::string latency_text(const Instruction& row);
// A legal value for the example; `place` makes registers differ.
OperandValue example_value(const Operand& operand, unsigned place);

}  // namespace tandem::emit
