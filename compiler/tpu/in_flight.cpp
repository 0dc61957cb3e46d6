#include "compiler/tpu/in_flight.hpp"

#include "compiler/tpu/dialect.hpp"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

mlir::NamedAttribute number(mlir::OpBuilder& builder, llvm::StringRef name, std::int64_t value) {
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
}

// Whether two buffers have memory in common: the plan gives the same to buffers whose lives do not
// meet.
bool share_memory(Value a, Value b) {
  if (a == b) return true;
  auto left = a.getDefiningOp<memref::AllocOp>();
  auto right = b.getDefiningOp<memref::AllocOp>();
  if (!left || !right || left.getType().getMemorySpace() != right.getType().getMemorySpace()) {
    return false;
  }
  const auto first = [](memref::AllocOp alloc) {
    return alloc->getAttrOfType<mlir::IntegerAttr>("tandem.address").getInt();
  };
  return first(left) < first(right) + right.getType().getNumElements() &&
         first(right) < first(left) + left.getType().getNumElements();
}

bool touches(llvm::ArrayRef<Value> buffers, Value buffer) {
  return llvm::any_of(buffers,
                      [&](Value other) { return share_memory(buffer_behind(other), buffer); });
}

}  // namespace

Value buffer_behind(Value view) {
  while (mlir::Operation* op = view.getDefiningOp()) {
    if (!mlir::isa<mlir::ViewLikeOpInterface, mlir::UnrealizedConversionCastOp>(op)) break;
    view = op->getOperand(0);
  }
  return view;
}

void InFlight::wait(mlir::OpBuilder& builder, mlir::Location loc, int flag, std::int64_t count) {
  machine(builder, loc, "wait", {}, {number(builder, "flag", flag), number(builder, "n", count)});
}

void InFlight::reset(mlir::OpBuilder& builder, mlir::Location loc, int flag) {
  machine(builder, loc, "fset", {}, {number(builder, "flag", flag), number(builder, "n", 0)});
}

void InFlight::wait_for(mlir::OpBuilder& builder, mlir::Location loc, Block& block, int flag,
                        std::int64_t number) {
  if (number <= block.waited) return;
  wait(builder, loc, flag, number);
  block.waited = number;
  llvm::erase_if(block.copies, [&](const Copy& copy) { return copy.number <= number; });
}

void InFlight::enter_block() { blocks_.emplace_back(); }

void InFlight::leave_block(mlir::OpBuilder& builder, mlir::Location loc) {
  Block& block = blocks_.back();
  const int flag = flag_of(blocks_.size() - 1);
  wait_for(builder, loc, block, flag, block.started);
  if (block.started > 0) reset(builder, loc, flag);
  blocks_.pop_back();
}

void InFlight::settle(mlir::OpBuilder& builder, mlir::Location loc, llvm::ArrayRef<Value> reads,
                      llvm::ArrayRef<Value> writes) {
  for (const auto [depth, block] : llvm::enumerate(blocks_)) {
    std::int64_t needed = 0;
    for (const Copy& copy : block.copies) {
      const bool conflicts = touches(reads, copy.target) || touches(writes, copy.target) ||
                             touches(writes, copy.source);
      if (conflicts) needed = std::max(needed, copy.number);
    }
    wait_for(builder, loc, block, flag_of(depth), needed);
  }
}

int InFlight::start(mlir::OpBuilder& builder, mlir::Location loc, memref::CopyOp copy,
                    std::int64_t count) {
  Block& block = blocks_.back();
  const int flag = flag_of(blocks_.size() - 1);
  if (block.started + count > most) {
    wait_for(builder, loc, block, flag, block.started);
    reset(builder, loc, flag);
    block.started = 0;
    block.waited = 0;
  }
  block.started += count;
  block.copies.push_back(
      {block.started, buffer_behind(copy.getSource()), buffer_behind(copy.getTarget())});
  return flag;
}

}  // namespace tandem::compiler
