#include "compiler/tpu/kernel_call.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/touches.hpp"
#include "isa/machine.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {
namespace {

// What a kernel may read and write in HBM: its inputs, and its results. Nothing if one of them may
// be one of several buffers, so that nobody can tell.
llvm::SmallVector<Touch> given_buffers(llvm::ArrayRef<BufferId> buffers, std::int64_t inputs) {
  llvm::SmallVector<Touch> given;
  for (const auto [index, id] : llvm::enumerate(buffers)) {
    if (id == no_buffer) return {};
    given.push_back({id, static_cast<std::int64_t>(index) < inputs ? no_buffer : id});
  }
  return given;
}

}  // namespace

mlir::LogicalResult lower_kernel_call(mlir::OpBuilder& builder, Memory& memory,
                                      const Parameters& machine, mlir::func::CallOp call) {
  auto module = call->getParentOfType<mlir::ModuleOp>();
  auto function = module.lookupSymbol<mlir::func::FuncOp>(call.getCallee());
  if (!function || !attribute::kernel.is_on(function)) {
    return call.emitError("internal: a call of what is no kernel");
  }
  const llvm::StringRef preset = attribute::preset.get(function).getValue();
  const Parameters* const built_for = find_machine({preset.data(), preset.size()}).machine;
  if (!preset.empty() && (built_for == nullptr || built_for->name != machine.name)) {
    return call.emitError("this kernel is for preset ")
           << preset << ", the program for " << llvm::StringRef(machine.name);
  }
  // The kernel has copies of its own: nothing that it may touch is in flight.
  const llvm::SmallVector<mlir::Value> buffers(call.getOperands());
  llvm::SmallVector<mlir::Value> touched;
  for (const mlir::Value buffer : buffers) {
    if (mlir::isa<mlir::MemRefType>(buffer.getType())) touched.push_back(buffer);
  }
  memory.in_flight().settle(builder, call.getLoc(), touched, touched);
  // A call of a function may overwrite every vector register.
  if (attribute::function.is_on(function)) memory.kept_rows().clear();
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<BufferId> in_hbm;
  for (const mlir::Value buffer : llvm::ArrayRef(buffers).drop_back()) {
    if (!mlir::isa<mlir::MemRefType>(buffer.getType())) {  // a number
      operands.push_back(buffer);
      continue;
    }
    const auto place = memory.place_of(buffer);
    if (mlir::failed(place)) return mlir::failure();
    in_hbm.push_back(place->buffer);
    operands.push_back(memory.address(builder, call.getLoc(), *place, builder.getIndexAttr(0)));
  }
  const auto row = memory.row_of(builder, buffers.back());
  if (mlir::failed(row)) return mlir::failure();
  operands.push_back(mlir::arith::ConstantIndexOp::create(builder, call.getLoc(), row->fixed));
  const auto inputs = attribute::inputs.get(function);
  const mlir::Location loc = with_touch(call.getLoc(), {row->buffer, row->buffer},
                                        given_buffers(in_hbm, inputs ? inputs.getInt() : 0));
  mlir::func::CallOp::create(builder, loc, call.getCallee(), mlir::TypeRange{}, operands);
  function.setType(builder.getFunctionType(mlir::TypeRange(mlir::ValueRange(operands)), {}));
  return mlir::success();
}

}  // namespace tandem::compiler
