// `custom_call @tandem_log`: words into the program's log, at a position that the program computes
// (stablehlo/log_calls.cpp). `custom_call @tandem_stop`: the run ends there, by a trap, when the
// log is whole; it is a kernel with the log as an operand, so that copies to the log stay before
// it.
#include <array>
#include <string>

#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "isa/launch/log.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace memref = mlir::memref;
using mlir::Value;

// The argument of @main that is the log, or null.
Value log_of(mlir::OpBuilder& builder) {
  mlir::Operation* parent = builder.getBlock()->getParentOp();
  auto function = mlir::dyn_cast<mlir::func::FuncOp>(parent);
  if (!function) function = parent->getParentOfType<mlir::func::FuncOp>();
  for (unsigned i = function.getNumArguments(); i-- > 0;) {
    const auto name = attribute::name.get(function, i);
    if (name && name.getValue() == llvm::StringRef(log_tensor)) return function.getArgument(i);
  }
  return {};
}

bool are_words(mlir::ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
    return type.getRank() == 1 && type.getElementType().isInteger(32);
  });
}

// A declaration for the kernel; one for all calls.
mlir::func::FuncOp stop_function(mlir::OpBuilder& builder, mlir::Location loc,
                                 mlir::ValueRange operands) {
  constexpr llvm::StringLiteral name = "log_stop";
  auto module = builder.getBlock()->getParentOp()->getParentOfType<mlir::ModuleOp>();
  if (auto known = module.lookupSymbol<mlir::func::FuncOp>(name)) return known;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto function = mlir::func::FuncOp::create(
      builder, loc, name, builder.getFunctionType(mlir::TypeRange(operands), {}));
  function.setPrivate();
  attribute::kernel.set(function, "trap " + std::to_string(log_stop_code) + "\n");
  attribute::preset.set(function, "");
  attribute::smem_words.set(function, 0);
  attribute::inputs.set(function, 0);
  attribute::stop.set(function);
  return function;
}

}  // namespace

mlir::FailureOr<Values> lower_log_stop(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const Value log = log_of(builder);
  if (!log || op->getNumOperands() != 0 || op->getNumResults() != 0) {
    return op->emitError("the end of a run has no operands, in a program with a log");
  }
  const Value room = memref::AllocOp::create(
      builder, loc,
      mlir::MemRefType::get({1}, builder.getI32Type(), mlir::MemRefLayoutAttrInterface(),
                            builder.getStringAttr("vmem")));
  const std::array<Value, 2> operands{log, room};
  mlir::func::CallOp::create(builder, loc, stop_function(builder, loc, operands), operands);
  return Values{};
}

mlir::FailureOr<Values> lower_log_write(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const Value log = log_of(builder);
  const Values operands = lowering.mapped(op->getOperands());
  if (!log || operands.empty() || op->getNumResults() != 0 ||
      !are_words(mlir::ValueRange(operands).drop_front())) {
    return op->emitError("a write to the log takes a place and words, in a program with a log");
  }
  Value at = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        scalar_of(builder, loc, operands.front()));
  for (const Value piece : llvm::drop_begin(operands)) {
    const std::int64_t words = mlir::cast<mlir::RankedTensorType>(piece.getType()).getDimSize(0);
    const Value place =
        memref::SubViewOp::create(builder, loc, log, {mlir::OpFoldResult(at)},
                                  {builder.getIndexAttr(words)}, {builder.getIndexAttr(1)});
    mlir::bufferization::MaterializeInDestinationOp::create(builder, loc, mlir::Type(), piece,
                                                            place, /*restrict=*/true,
                                                            /*writable=*/true);
    at = arith::AddIOp::create(builder, loc, at, index_constant(builder, loc, words));
  }
  return Values{};
}

}  // namespace tandem::compiler
