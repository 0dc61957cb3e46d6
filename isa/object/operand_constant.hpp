// Which operands hold a constant that may depend on symbols, and their ranges.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/encoding.hpp"

namespace tandem {

// Smallest and largest number that may be written for the constant of an operand.
struct ConstantRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
ConstantRange constant_range(const Operand& operand);

enum class StoreResult : std::uint8_t { stored, out_of_range, not_multiple };
// Stores a number as the operand's constant. Descriptor offsets are counted in words, a multiple of
// 16.
StoreResult store_constant(const Operand& operand, std::int64_t number, OperandValue& value);

// Gives an operand that may be a register the form of the constant.
void select_constant(const Operand& operand, OperandValue& value);

// Whether the constant of an operand may be left to the linker.
bool is_relocatable(const Operand& operand);
// Index of the operand whose constant a relocation fills in, if the instruction has one.
std::optional<std::size_t> relocatable_operand(const Instruction& row);

}  // namespace tandem
