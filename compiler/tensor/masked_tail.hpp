// What lies behind the position at which a mask ends: the tail.
//
// A mask that compares the index along a dimension with a number known while the program runs
// (position <= limit) is off from there on. What a selection makes minus infinity there is zero
// behind the exponential of softmax, and neither its maxima, nor its sums, nor the products with
// its weights see it.
#pragma once

#include <optional>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// Of `where`'s body: the comparison that is one thing, on or off, from some index on.
struct MaskEnd {
  mlir::linalg::GenericOp where;
  mlir::arith::CmpIOp comparison;
  mlir::Value limit;      // in the body; of numbers and operands without dimensions, or an index
  bool inclusive = true;  // it ends behind index <= limit, else index < limit
  unsigned loop = 0;      // of the operation that was asked about
  std::optional<unsigned> limit_loop = {};  // the other one whose index the limit is: a causal mask

  // The operand that is the limit as it is; null where the limit is made of operands.
  [[nodiscard]] mlir::Value limit_operand() const;
  // Whether both are off from the same index on.
  [[nodiscard]] bool ends_with(const MaskEnd& other) const;
};

// A selection in an operation's body, of which all that lies behind the end of a mask is one value.
struct MaskedSelection {
  MaskEnd mask;
  mlir::Value behind;
};

// The ends that the selection's condition has: none, one, or, where it compares two indices, one
// along each.
llvm::SmallVector<MaskedSelection, 2> masked_selections(mlir::linalg::GenericOp op,
                                                        mlir::arith::SelectOp select);

// The number at the end of the mask, outside of the operation that compares.
mlir::Value limit_outside(mlir::OpBuilder& builder, const MaskEnd& mask);

bool is_minus_infinity(mlir::Value value);  // as a constant

// What all elements in a tail are. Not more than `anything` where the whole row is NaN.
enum class Tail {
  anything,
  minus_infinity,
  zero,
  // Where the caller allows it, what is as good as minus infinity if the row's maximum is larger by
  // `margin_of_low`: a finite constant, and that less the maximum.
  low,
  low_less_maximum
};
// The exponential of less than minus this is zero, with base 2 as well.
inline constexpr double margin_of_low = 160;

// The largest of the finite constants that are taken for minus infinity, and the rows' maxima.
struct LowTails {
  std::optional<double> constant;
  llvm::DenseSet<mlir::Value> maxima;
};

// What is known of an operation's operands.
struct TailOperands {
  LowTails* low = nullptr;                  // null: only minus infinity counts
  llvm::DenseMap<mlir::Value, Tail> tails;  // tensors along the dimension
  llvm::DenseSet<mlir::Value>
      of_rows;  // maxima and sums of what has such a tail, and what they make
};

// What the operation's body makes of it. The result of one that sums is `zero` where its tail
// changes nothing.
Tail tail_of_result(mlir::linalg::GenericOp op, const MaskEnd& mask, bool sums,
                    const TailOperands& operands);

}  // namespace tandem::compiler
