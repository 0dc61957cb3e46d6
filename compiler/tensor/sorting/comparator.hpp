// The values that a sort compares, separate from the comparison.
//
// A comparator often works on each of its two elements before it compares: JAX's maps both zeros to
// one and all NaNs to one, and a total order of reals is one of integers computed from their bits.
// All of this depends on one element only, so it is done once, before the sort. The rest of the
// comparator compares *keys*.
#pragma once

#include <memory>
#include <optional>

#include "compiler/tensor/lowering/lowering.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler {

struct SortKey {
  mlir::Value value;  // in the comparator, computed from arguments of one side
  // The operand that the key determines completely, -1 where there is none: its elements can be
  // recomputed from the key's.
  int operand = -1;
  bool is_order_of_bits = false;  // the operand's bits as an integer of the same order; else itself
  // The key is the order of the operand's bits, except that both zeros are the positive one and all
  // NaNs are one. Then `operand` is set although the sign of zeros must be kept separately.
  bool merges_zeros = false;
};

// One key, an integer, decides by one comparison; elements that are neither before nor after each
// other are equal.
struct SimpleOrder {
  std::size_t key = 0;
  mlir::arith::CmpIPredicate before = mlir::arith::CmpIPredicate::slt;  // or sgt, ult, ugt
};

class Comparator {
 public:
  // Of a stablehlo.sort; failure after an error at the operation.
  static mlir::FailureOr<Comparator> of(Lowering& lowering, mlir::Operation* sort);

  [[nodiscard]] llvm::ArrayRef<SortKey> keys() const { return keys_; }
  [[nodiscard]] std::optional<SimpleOrder> simple() const;
  // The field of the operand's elements, where a key determines it completely.
  [[nodiscard]] std::optional<unsigned> key_for(unsigned operand) const;
  [[nodiscard]] std::size_t operands() const { return block_->getNumArguments() / 2; }
  [[nodiscard]] bool looks_at(unsigned operand) const;
  // The keys of an element of each operand; operands that the keys do not use may have none.
  llvm::SmallVector<mlir::Value> keys_of(mlir::OpBuilder& builder, mlir::ValueRange elements);
  // Whether the first comes before the second.
  mlir::Value before(mlir::OpBuilder& builder, mlir::ValueRange first, mlir::ValueRange second);

 private:
  void find_keys();
  void note(mlir::Value leaf);
  [[nodiscard]] int side_of(mlir::Value value) const;
  [[nodiscard]] bool same(mlir::Value a, mlir::Value b) const;
  [[nodiscard]] std::optional<std::size_t> key_of(mlir::Value leaf) const;

  std::unique_ptr<mlir::Block> block_;  // arguments alternate: first, second, of each operand
  mlir::Value result_;
  llvm::DenseMap<mlir::Value, int> sides_;
  llvm::SmallVector<SortKey> keys_;
};

}  // namespace tandem::compiler
