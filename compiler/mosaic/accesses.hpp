// When a kernel's loads and stores may take place.
//
// A kernel's vectors become tensors whose elements are computed where they are needed, from the
// contents of the buffer at that point. So a load whose buffer is written before its last use has
// to make a copy.
#pragma once

#include "compiler/mosaic/module.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tandem::compiler::mosaic {

// Applies to each element by itself, with operands of one shape.
bool is_elementwise(mlir::Operation* op);
// Adds or removes dimensions of size one, keeping the order of elements.
bool only_changes_units(mlir::Operation* op);
bool is_semaphore(mlir::Type type);
// The destination of tpu.enqueue_dma.
mlir::Value copy_target(mlir::Operation* op);
// The argument or allocation behind views.
mlir::Value root_of(mlir::Value memref);

class Accesses {
 public:
  // `shared`: an argument of the kernel that shares its memory with another one, and that one.
  Accesses(mlir::Block& body, const llvm::DenseMap<mlir::Value, mlir::Value>& shared);

  // Whether the loaded memory is overwritten while the load is still needed.
  [[nodiscard]] bool needs_copy(mlir::Operation* load) const { return copied_.contains(load); }

 private:
  struct Access {
    mlir::Operation* op;
    mlir::Value root;
    bool writes;
    bool is_late;  // a load that is done where its value is needed
  };

  void number(mlir::Region& region);
  void find(mlir::Block& body);
  void note(mlir::Operation* op, mlir::Value memref, bool writes, bool is_late = false);
  [[nodiscard]] std::int64_t last_use(mlir::Value value) const;
  [[nodiscard]] std::int64_t place_of(mlir::Operation* user, mlir::Value value) const;
  [[nodiscard]] bool overwritten(const Access& load) const;

  const llvm::DenseMap<mlir::Value, mlir::Value>& shared_;
  std::int64_t clock_ = 0;
  llvm::DenseMap<mlir::Operation*, std::int64_t> begin_;
  llvm::DenseMap<mlir::Operation*, std::int64_t> end_;
  llvm::SmallVector<Access> all_;
  llvm::DenseSet<mlir::Operation*> copied_;
};

}  // namespace tandem::compiler::mosaic
