// Reductions that look up words.
#pragma once

#include <cstdint>
#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// A reduction in which each element takes the word of one turn, or none.
struct LookUp {
  unsigned table = 0;               // the operand that has the words
  mlir::Operation* test = nullptr;  // whether the turn is the one
  mlir::Value wanted;               // the number of that turn, in the body
};

// What an operand has from turn to turn of the reducing loop, the operation's first.
enum class OperandOfTurns : std::uint8_t {
  same,
  word,      // one for each turn
  elements,  // for each turn others
};

// Whether the body is `turn == f(elements) ? word of the turn : what was there`.
std::optional<LookUp> look_up_of(mlir::linalg::LinalgOp op,
                                 llvm::function_ref<OperandOfTurns(unsigned)> operand);

}  // namespace tandem::compiler
