// Which tensors may be kept as halves: one of the even, one of the odd elements of each row; or, of
// s8, as quarters. All statements on halves hold for them, too.
//
// A word of packed memory holds two bf16 of a row. Taken as words, its low halves are the even
// elements and its high halves the odd ones, and nothing has to move between lanes as long as
// everything along that dimension is done in halves, too. So dimensions and loops that belong
// together form classes: the last dimension of a tensor and every loop over it. A class is kept in
// halves when it contains a packed tensor and everything else in it can be split.
//
// A contraction whose columns only its weights could have in halves (its result is fp32, say) may
// still take these packed: its result is interleaved from its halves, and its class ends there.
// Only where the result is no larger than the weights, which would be unpacked.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// A tensor that is read from a packed argument, or written to one.
struct Boundary {
  mlir::BlockArgument argument;
  mlir::memref::CopyOp copy;
};
// The packed argument of which this tensor is a copy, with one element per word.
std::optional<Boundary> packed_source(mlir::Value tensor);
std::optional<Boundary> packed_target(mlir::bufferization::MaterializeInDestinationOp op);

// The packed s8 from which the fp32 or bf16 weights of a contraction are converted; null for other
// operands. They are exact in bf16, so nothing is lost where they stay bytes until they are
// multiplied.
mlir::Value widened_bytes(mlir::OpOperand& operand);

class PackedClasses {
 public:
  explicit PackedClasses(mlir::func::FuncOp function);

  [[nodiscard]] bool in_halves(mlir::Value tensor) const { return parts(tensor) > 1; }
  // The loops of the operation that are split in halves.
  [[nodiscard]] llvm::SmallVector<unsigned> halved_loops(mlir::linalg::GenericOp op) const;
  [[nodiscard]] bool is_halved(mlir::linalg::GenericOp op, unsigned loop) const {
    return parts(op, loop) > 1;
  }
  // The number of parts of the loop or tensor: 2, or 4; 1: it is not split.
  [[nodiscard]] int parts(mlir::linalg::GenericOp op, unsigned loop) const;
  [[nodiscard]] int parts(mlir::Value tensor) const;
  // Whether the result is interleaved from its even and its odd columns.
  [[nodiscard]] bool is_woven(mlir::linalg::GenericOp op) const { return woven_.contains(op); }

 private:
  using Loop = std::pair<mlir::Operation*, unsigned>;
  struct Node {
    std::size_t parent = 0;
    bool bad = false;
    int packed = 0;  // elements in a word of its packed tensor
  };
  void pack(std::size_t node, int parts);

  std::size_t node(mlir::Value tensor);
  std::size_t node(mlir::linalg::GenericOp op, unsigned loop);
  [[nodiscard]] std::size_t root(std::size_t node) const;
  void join(std::size_t a, std::size_t b);
  [[nodiscard]] bool is_good(std::size_t node) const { return parts(node) > 1; }
  [[nodiscard]] int parts(std::size_t node) const;
  void refuse(std::size_t node) { nodes_[root(node)].bad = true; }
  void refuse(mlir::Value tensor);
  void visit(mlir::Operation* op);
  void visit(mlir::linalg::GenericOp op);
  void visit_operand(mlir::linalg::GenericOp op, mlir::OpOperand& operand);
  void check(mlir::linalg::GenericOp op);
  void find_classes(mlir::func::FuncOp function);
  [[nodiscard]] bool pays_to_weave(mlir::linalg::GenericOp op) const;

  std::vector<Node> nodes_;
  llvm::DenseMap<mlir::Value, std::size_t> tensors_;
  llvm::DenseMap<Loop, std::size_t> loops_;
  llvm::SmallPtrSet<mlir::Operation*, 4> woven_;
};

// The combining operation at the end of a reduction's body and what it adds to the sum; nulls where
// the body is of another form.
struct Combination {
  mlir::Operation* last = nullptr;
  mlir::Value added;
};
Combination combination_of(mlir::linalg::GenericOp op);

}  // namespace tandem::compiler
