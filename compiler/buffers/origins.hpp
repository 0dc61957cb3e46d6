// Which allocations a buffer may be: through views, loops, branches and selections.
//
// Written for the check of placements, apart from compiler/views/access.hpp on purpose: a mistake
// there would be shared by the placement and its check.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

class Origins {
 public:
  struct Answer {
    llvm::SmallSetVector<mlir::Operation*, 2> allocations;  // memref.alloc; not those of arguments
    llvm::SmallSetVector<mlir::Value, 2> others;            // arguments of the function, constants
    mlir::Value unknown;  // a possible origin about which nothing is known, or null
  };

  // The value has memref type.
  const Answer& of(mlir::Value buffer);

 private:
  llvm::DenseMap<mlir::Value, Answer> known_;
};

}  // namespace tandem::compiler
