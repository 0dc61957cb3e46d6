#include "compiler/tiled/exchange_calls.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/views/access.hpp"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

// Those with the buffer or a view of it as an operand.
int exchanges_of(mlir::Value buffer) {
  int exchanges = 0;
  for (mlir::Operation* user : buffer.getUsers()) {
    if (mlir::isa<mlir::ViewLikeOpInterface>(user)) exchanges += exchanges_of(user->getResult(0));
    auto call = mlir::dyn_cast<mlir::func::CallOp>(user);
    if (call && exchange_of(call)) ++exchanges;
  }
  return exchanges;
}

}  // namespace

mlir::func::FuncOp exchange_of(mlir::func::CallOp call) {
  auto callee =
      call->getParentOfType<mlir::ModuleOp>().lookupSymbol<mlir::func::FuncOp>(call.getCallee());
  return callee && attribute::exchange.is_on(callee) ? callee : mlir::func::FuncOp();
}

bool comes_in_steps(mlir::Value view) { return exchanges_of(buffer_behind(view)) > 1; }

}  // namespace tandem::compiler
