// How values and operands are spelled.
#pragma once

#include <optional>
#include <string>

#include "compiler/tpu/dialect.hpp"

namespace tandem::compiler {

// s, p, v or m.
char register_file(mlir::Type type);
// The value of a constant, as a word.
std::optional<std::int64_t> constant_word(mlir::Value value);
// The negation of a predicate or mask by its name: "!p1" of "p1", and "p1" of "!p1".
std::string negation(const std::string& name);
// One operand of an instruction; "" where it is omitted. `name` is its register, if any.
std::string operand_text(const GivenOperand& given, const std::string& name);
// An operation that moves one register to another of the same file.
std::string move_text(const std::string& to, const std::string& from);

}  // namespace tandem::compiler
