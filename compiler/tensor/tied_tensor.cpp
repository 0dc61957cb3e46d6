#include "compiler/tensor/tied_tensor.hpp"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tandem::compiler {

mlir::Value tied_tensor(mlir::OpResult result) {
  mlir::Operation* op = result.getOwner();
  if (auto style = mlir::dyn_cast<mlir::DestinationStyleOpInterface>(op)) {
    return style.getTiedOpOperand(result)->get();
  }
  // Its condition passes on the iteration's initial values, in the same order.
  if (auto loop = mlir::dyn_cast<mlir::scf::WhileOp>(op)) {
    return result.getResultNumber() < loop.getInits().size()
               ? loop.getInits()[result.getResultNumber()]
               : mlir::Value();
  }
  if (auto loop = mlir::dyn_cast<mlir::LoopLikeOpInterface>(op)) {
    mlir::OpOperand* start = loop.getTiedLoopInit(result);
    return start != nullptr ? start->get() : mlir::Value();
  }
  const bool views = mlir::isa<mlir::tensor::CollapseShapeOp, mlir::tensor::ExpandShapeOp,
                               mlir::tensor::ExtractSliceOp, mlir::tensor::CastOp>(op);
  return views ? op->getOperand(0) : mlir::Value();
}

}  // namespace tandem::compiler
