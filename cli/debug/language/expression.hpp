// The little language of conditions and of `print`: numbers, registers, elements of memories and
// tensors, arithmetic and comparisons as in C.
//
//   s3 == 7 && smem[12] > 4          v3[0][5].bf16 < 0.5          pc == loop + 2
//   vmem[s10:s10 + 8]                x[0:2, :4].hex               bundle > 1000000
//
// A type after a dot (f32, bf16, lo, hi, s32, u32, s8, hex) selects the interpretation of bits.
// Whole numbers are 64 bits wide; with a real operand the arithmetic is real.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/debug/language/number.hpp"
#include "cli/debug/language/selection.hpp"
#include "isa/launch/launch.hpp"

namespace tandem::debug {

enum class Operator : std::uint8_t {
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  negate,  // unary from here on
  logical_not,
  bit_not,
};

// The meaning of a name without a place in the state.
enum class Variable : std::uint8_t { pc, bundle, cycle };

struct Expression;
using ExpressionPointer = std::shared_ptr<const Expression>;

// One index: `[i]`, or with `range` `[low:high]`, either of which may be absent.
struct Index {
  bool range = false;
  ExpressionPointer low;
  ExpressionPointer high;
};

struct Expression {
  enum class Kind : std::uint8_t { number, variable, part, operation };
  Kind kind = Kind::number;
  Number number{};                 // number
  Variable variable{};             // variable
  Selection whole;                 // part: the register, memory or tensor that is indexed
  std::vector<Index> indices;      // part
  std::optional<NumberType> type;  // part: after the dot
  Operator operation{};            // operation
  ExpressionPointer left;          // operation; a unary one has only this
  ExpressionPointer right;
};

// Throws UserError, with the position of the error. Names are looked up in the launch immediately;
// those with several definitions in the text have their meaning at bundle `pc`.
ExpressionPointer parse_expression(std::string_view text, const Launch& launch, std::uint32_t pc);

}  // namespace tandem::debug
