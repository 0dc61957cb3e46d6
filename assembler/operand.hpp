// Operands of operations: text to the fields of isa/encoding.hpp, by OperandKind.
#pragma once

#include "assembler/context.hpp"
#include "assembler/lexer.hpp"
#include "assembler/value.hpp"
#include "isa/encoding.hpp"

namespace tandem::assembly {

// A constant of the operation that depends on symbols; its field is zero until resolved.
struct PendingConstant {
  bool used = false;
  Value value;
  Span where;
};

// Reads a positional operand. False when it was reported.
bool parse_operand(Context& context, Lexer& lexer, const Operand& operand, OperandValue& value,
                   PendingConstant& pending);
// Reads what follows `name=` of an attribute.
bool parse_attribute(Context& context, Lexer& lexer, const Operand& operand, OperandValue& value);

// How an operand is written, for messages: "a scalar register s0..s31".
std::string_view operand_form(const Operand& operand);

}  // namespace tandem::assembly
