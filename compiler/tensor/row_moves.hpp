// Which tensors of small elements may be words: tensors whose rows are only moved as they are, by
// slices, reshapes, loops and branches, from packed memory or to it.
//
// Tensors that are moved to each other form a class. What computes with elements of one takes them
// out of the words of that tensor, and what makes one of elements is put into words. A class goes
// in words where that changes fewer elements than all that its memory holds.
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
  // All that a class of its own may be made of, in the order of the program.
  struct Tensor {
    mlir::Value value;
    bool is_computed = false;                   // of elements
    llvm::SmallVector<mlir::OpOperand*> reads;  // by what computes with elements
    llvm::SmallVector<mlir::OpOperand*> rooms;  // operands that are but room for this tensor
  };
  [[nodiscard]] llvm::SmallVector<Tensor> tensors() const;

 private:
  struct Node {
    std::size_t parent = 0;
    Tensor tensor;
    std::int64_t edges = 0;  // elements of memory that would be changed
    std::int64_t inner = 0;  // elements that would be changed in words
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

// Whether a slice of `whole` begins and ends with a word in the last dimension, and takes all
// elements between.
bool takes_whole_words(mlir::OffsetSizeAndStrideOpInterface slice, mlir::RankedTensorType whole);

// Moves rows in words where the classes say so (move_rows_in_words.cpp).
void move_rows_in_words(mlir::func::FuncOp function);

}  // namespace tandem::compiler
