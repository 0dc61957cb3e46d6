// Reductions that look up words.
#pragma once

#include <cstdint>
#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// A reduction in which each element takes the word of one iteration, or none.
struct LookUp {
  unsigned table = 0;               // the operand with the words
  mlir::Operation* test = nullptr;  // whether this is the iteration
  mlir::Value wanted;               // the number of that iteration, in the body
};

// How an operand changes with the iterations of the reduction loop, which is the operation's first.
enum class OperandOfTurns : std::uint8_t {
  same,
  word,      // one per iteration
  elements,  // different ones per iteration
};

// Whether the body is `turn == f(elements) ? word of the iteration : former value`.
std::optional<LookUp> look_up_of(mlir::linalg::LinalgOp op,
                                 llvm::function_ref<OperandOfTurns(unsigned)> operand);

}  // namespace tandem::compiler
