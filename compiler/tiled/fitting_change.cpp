#include "compiler/tiled/fitting_change.hpp"

#include "compiler/contract/thresholds.hpp"
#include "compiler/views/placement.hpp"
#include "mlir/IR/OwningOpRef.h"

namespace tandem::compiler {

void change_if_it_fits(mlir::func::FuncOp function, const Parameters& machine,
                       llvm::function_ref<bool(mlir::func::FuncOp)> change) {
  mlir::OwningOpRef<mlir::func::FuncOp> trial = function.clone();
  if (!change(*trial)) return;
  if (threshold::early_copies(place_in_vmem(*trial, machine).words, machine)) return;
  function.getBody().takeBody(trial->getBody());
}

}  // namespace tandem::compiler
