// Operands of operations: text to the fields of isa/encoding.hpp, by OperandKind.
#pragma once

#include <array>

#include "assembler/context.hpp"
#include "assembler/expressions/value.hpp"
#include "assembler/text/lexer.hpp"
#include "assembler/text/register_name.hpp"
#include "isa/encoding.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::assembly {

// A constant of the operation that depends on symbols; its field is zero until resolved.
struct PendingConstant {
  bool used = false;
  Value value;
  Span where;
};

// The virtual register that each operand names; the predicate's is last.
using VirtualRegisters = std::array<schedule::VirtualId, max_operands + 1>;
inline constexpr VirtualRegisters no_virtuals = schedule::no_virtuals();

// Reads a positional operand. False when an error was reported. `virtual_id` is set when it is or
// contains a virtual register.
bool parse_operand(Context& context, Lexer& lexer, const Operand& operand, OperandValue& value,
                   PendingConstant& pending, schedule::VirtualId& virtual_id);
// Reads the value after `name=` of an attribute.
bool parse_attribute(Context& context, Lexer& lexer, const Operand& operand, OperandValue& value,
                     schedule::VirtualId& virtual_id);

// `v[10 + \c].lo`: a register of the files s, p, v and m with a number that is known here.
bool at_computed_register(const Lexer& lexer);
// Takes one; false when an error was reported. Precondition: at_computed_register().
bool take_computed_register(Context& context, Lexer& lexer, NamedRegister& name);
// From after the letter of one, moves past the rest without checking it.
void skip_computed_register(Lexer& lexer);

// How an operand is written, for messages: "a scalar register s0..s31".
std::string_view operand_form(const Operand& operand);

}  // namespace tandem::assembly
