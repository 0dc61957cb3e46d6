// Changes for speed that lengthen the lifetimes of buffers.
#pragma once

#include "isa/parameters.hpp"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

// Makes the change in a copy of the function, which replaces the function if its buffers fit VMEM
// and is dropped otherwise. `change` returns whether it has changed anything.
void change_if_it_fits(mlir::func::FuncOp function, const Parameters& machine,
                       llvm::function_ref<bool(mlir::func::FuncOp)> change);

}  // namespace tandem::compiler
