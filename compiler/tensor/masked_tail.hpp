// The part after the position at which a mask ends: the tail.
//
// A mask that compares the index along a dimension with a number known at run time (position <=
// limit) is off from there on. Elements that a selection sets to minus infinity there are zero
// after the exponential of softmax, and do not affect its maxima, its sums, or the products with
// its weights.
#pragma once

#include <optional>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// In the body of `where`: the comparison that is constant, on or off, from some index on.
struct MaskEnd {
  mlir::linalg::GenericOp where;
  mlir::arith::CmpIOp comparison;
  mlir::Value limit;      // in the body; of numbers and operands without dimensions, or an index
  bool inclusive = true;  // it ends after index <= limit, else index < limit
  unsigned loop = 0;      // of the operation in question
  std::optional<unsigned> limit_loop = {};  // the other one whose index the limit is: a causal mask

  // The operand that is the limit itself; null where the limit is computed from operands.
  [[nodiscard]] mlir::Value limit_operand() const;
  // Whether both are off from the same index on.
  [[nodiscard]] bool ends_with(const MaskEnd& other) const;
};

// A selection in an operation's body that gives one value for everything after the end of a mask.
struct MaskedSelection {
  MaskEnd mask;
  mlir::Value behind;
};

// The ends of the selection's condition: none, one, or, where it compares two indices, one along
// each.
llvm::SmallVector<MaskedSelection, 2> masked_selections(mlir::linalg::GenericOp op,
                                                        mlir::arith::SelectOp select);

// The number at the end of the mask, outside the operation that compares.
mlir::Value limit_outside(mlir::OpBuilder& builder, const MaskEnd& mask);

bool is_minus_infinity(mlir::Value value);  // as a constant

// The value of all elements in a tail. Not more than `anything` where the whole row is NaN.
enum class Tail {
  anything,
  minus_infinity,
  zero,
  // If the caller allows it, values that act like minus infinity if the row's maximum is larger by
  // `margin_of_low`: a finite constant, and that minus the maximum.
  low,
  low_less_maximum
};
// The exponential of less than the negative of this is zero, also with base 2.
inline constexpr double margin_of_low = 160;

// The largest of the finite constants that are treated as minus infinity, and the rows' maxima.
struct LowTails {
  std::optional<double> constant;
  llvm::DenseSet<mlir::Value> maxima;
};

// Facts about an operation's operands.
struct TailOperands {
  LowTails* low = nullptr;                  // null: only minus infinity counts
  llvm::DenseMap<mlir::Value, Tail> tails;  // tensors with the dimension
  llvm::DenseSet<mlir::Value>
      of_rows;  // maxima and sums of values with such a tail, and values derived from them
};

// The tail of the operation's result. The result of an operation that sums is `zero` where its tail
// changes nothing.
Tail tail_of_result(mlir::linalg::GenericOp op, const MaskEnd& mask, bool sums,
                    const TailOperands& operands);

}  // namespace tandem::compiler
