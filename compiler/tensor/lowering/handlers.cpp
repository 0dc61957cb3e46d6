#include "compiler/tensor/lowering/handlers.hpp"

#include "llvm/ADT/StringMap.h"

namespace tandem::compiler {

Handler find_handler(llvm::StringRef name) {
  static const llvm::StringMap<Handler> table{
#define HANDLER(OPERATION, HANDLER_NAME) {"stablehlo." #OPERATION, lower_##HANDLER_NAME},
#include "compiler/tensor/lowering/handlers.def"
#undef HANDLER
  };
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

mlir::FailureOr<Values> lower_forwarding(Lowering& lowering, mlir::Operation* op) {
  return lowering.mapped(op->getOperands());
}

// Programs already execute everything in order.
mlir::FailureOr<Values> lower_token(Lowering& lowering, mlir::Operation* op) {
  if (op->getNumResults() != 1) return op->emitError() << op->getName() << ": it has one result";
  return Values{
      empty_tensor(lowering.builder, op->getLoc(), plain_tensor(op->getResult(0).getType()))};
}

}  // namespace tandem::compiler
