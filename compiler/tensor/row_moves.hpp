// The tensors of small elements that may be words: tensors whose rows are only moved unchanged, by
// slices, reshapes, loops and branches, from packed memory or to it.
//
// Tensors that are moved to each other form a class. Computations on elements of a member unpack
// them from its words, and computed members are packed into words. A class is kept in words where
// this converts fewer elements than its memory holds.
#pragma once

#include "compiler/tensor/words_of_argument.hpp"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {

class RowMoves {
 public:
  explicit RowMoves(mlir::func::FuncOp function);

  // Whether the tensor's class is better in words.
  [[nodiscard]] bool in_words(mlir::Value tensor) const;
  // All operations that may start a class of their own, in the order of the program.
  struct Tensor {
    mlir::Value value;
    bool is_computed = false;                   // of elements
    llvm::SmallVector<mlir::OpOperand*> reads;  // by operations that compute with elements
    llvm::SmallVector<mlir::OpOperand*> rooms;  // operands that only provide memory for this tensor
  };
  [[nodiscard]] llvm::SmallVector<Tensor> tensors() const;

 private:
  struct Node {
    std::size_t parent = 0;
    Tensor tensor;
    std::int64_t edges = 0;  // elements of memory that would be converted
    std::int64_t inner = 0;  // elements that would be converted in words
    bool bad = false;
    llvm::SmallVector<mlir::BlockArgument> sources;  // that are written
    llvm::SmallVector<mlir::BlockArgument> targets;  // that are donated
  };

  void visit(mlir::Operation* op);
  void visit_edge(mlir::Operation* op);
  void visit_loop(mlir::scf::ForOp loop);
  void visit_loop(mlir::scf::WhileOp loop);
  std::size_t node(mlir::Value tensor);
  [[nodiscard]] std::size_t root(std::size_t node) const;
  void join(mlir::Value a, mlir::Value b);
  // The operand becomes the tensor, or a part of it.
  void join(mlir::OpOperand& operand, mlir::Value tensor);
  void edge(mlir::Value tensor);
  void read_and_made(mlir::Operation* op);
  void count();

  std::vector<Node> nodes_;
  llvm::DenseMap<mlir::Value, std::size_t> numbers_;
};

// Whether a slice of `whole` begins and ends at a word in the last dimension, without gaps.
bool takes_whole_words(mlir::OffsetSizeAndStrideOpInterface slice, mlir::RankedTensorType whole);

// Moves rows in words where the classes allow it (move_rows_in_words.cpp).
void move_rows_in_words(mlir::func::FuncOp function);

}  // namespace tandem::compiler
