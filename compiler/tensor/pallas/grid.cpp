#include "compiler/tensor/pallas/grid.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler::pallas {
namespace {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

// The number of the grid's indices that a value depends on, from the outermost. The branches and
// bodies of an operation use values that are none of its operands.
std::size_t depth_of(Value value, std::size_t grid) {
  std::size_t depth = 0;
  llvm::DenseSet<Value> seen;
  llvm::SmallVector<Value> open{value};
  while (!open.empty()) {
    const Value next = open.pop_back_val();
    if (!seen.insert(next).second) continue;
    if (Operation* op = next.getDefiningOp()) {
      op->walk([&](Operation* inner) { llvm::append_range(open, inner->getOperands()); });
      continue;
    }
    const auto argument = mlir::cast<mlir::BlockArgument>(next);
    const bool is_index = mosaic::name_of(argument.getOwner()->getParentOp()) == "func.func" &&
                          argument.getArgNumber() < grid;
    if (is_index) depth = std::max<std::size_t>(depth, argument.getArgNumber() + 1);
  }
  return depth;
}

// Whether the value differs between iterations of the loop at this depth, all others unchanged.
bool steps_with(Value value, std::size_t depth, std::size_t grid) {
  if (const auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
    return argument.getArgNumber() + 1 == depth;
  }
  Operation* op = value.getDefiningOp();
  const llvm::StringRef name = mosaic::name_of(op);
  if (name != "arith.addi" && name != "arith.subi" && name != "arith.muli") return false;
  const Value left = op->getOperand(0);
  const Value right = op->getOperand(1);
  const auto is_still = [&](Value other) { return depth_of(other, grid) < depth; };
  if (name == "arith.muli") {
    const auto factor = mosaic::constant_of(right);
    return steps_with(left, depth, grid) && factor && *factor != 0;
  }
  return (steps_with(left, depth, grid) && is_still(right)) ||
         (steps_with(right, depth, grid) && is_still(left));
}

}  // namespace

void Grid::add_window(const mosaic::Window& window, Value far, Value near, bool comes, bool goes) {
  Window made{&window, far, near, comes, goes, 0, false};
  const mlir::OperandRange places = window.transform->getTerminator()->getOperands();
  for (const Value index : places) {
    made.depth = std::max(made.depth, depth_of(index, loops_.size()));
  }
  made.steps = llvm::any_of(
      places, [&](Value index) { return steps_with(index, made.depth, loops_.size()); });
  windows_.push_back(made);
}

mlir::LogicalResult Grid::nest(std::size_t depth) {
  for (const Window& window : windows_) {
    if (window.comes && window.depth == depth && mlir::failed(copy(window, true))) {
      return mlir::failure();
    }
  }
  if (depth == loops_.size()) {
    for (const auto [argument, index] : llvm::zip(module_.body->getArguments(), indices_)) {
      translation_.set(argument, index);
    }
    if (mlir::failed(translation_.block(*module_.body))) return mlir::failure();
  } else {
    const mlir::Location loc = call_->getLoc();
    auto loop = scf::ForOp::create(builder_, loc, index_constant(builder_, loc, 0),
                                   loops_[depth].bound, index_constant(builder_, loc, 1));
    const mlir::OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToStart(loop.getBody());
    indices_.push_back(
        arith::IndexCastOp::create(builder_, loc, builder_.getI32Type(), loop.getInductionVar()));
    if (mlir::failed(nest(depth + 1))) return mlir::failure();
    indices_.pop_back();
  }
  for (const Window& window : windows_) {
    if (window.goes && window.depth == depth && mlir::failed(copy(window, false))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

// The indices of the block in this iteration. Those of inner loops do not count.
mlir::FailureOr<Values> Grid::place(const Window& window, mlir::ValueRange indices) {
  mlir::Block& transform = *window.said->transform;
  const mlir::Location loc = call_->getLoc();
  for (const mlir::BlockArgument argument : transform.getArguments()) {
    const unsigned number = argument.getArgNumber();
    if (number < indices.size()) {
      translation_.set(argument, indices[number]);
    } else if (number < loops_.size()) {
      translation_.set(argument, arith::ConstantIntOp::create(builder_, loc, 0, 32));
    } else {
      translation_.set(argument, translation_.get(module_.body->getArgument(number)));
    }
  }
  return translation_.block(transform);
}

mlir::FailureOr<Value> Grid::part(const Window& window, mlir::ValueRange indices) {
  const auto block = place(window, indices);
  if (mlir::failed(block)) return mlir::failure();
  const mlir::Location loc = call_->getLoc();
  const auto shape = mlir::cast<mlir::MemRefType>(window.far.getType()).getShape();
  llvm::SmallVector<mlir::OpFoldResult> begin;
  for (const auto [index, size, extent] : llvm::zip_equal(*block, window.said->block, shape)) {
    if (size == extent) {
      begin.push_back(builder_.getIndexAttr(0));
      continue;
    }
    const Value number = arith::IndexCastOp::create(builder_, loc, builder_.getIndexType(), index);
    begin.push_back(
        arith::MulIOp::create(builder_, loc, number, index_constant(builder_, loc, size))
            .getResult());
  }
  return part_of(translation_, loc, window.far, begin, window.said->block, window.said->block);
}

// Whether the block differs from that of the previous iteration, or of the next one.
mlir::FailureOr<Value> Grid::is_due(const Window& window, bool comes) {
  const mlir::Location loc = call_->getLoc();
  const Value index = indices_[window.depth - 1];
  const auto number = [&](std::int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder_, loc, value, 32);
  };
  const Value bound = arith::IndexCastOp::create(builder_, loc, builder_.getI32Type(),
                                                 loops_[window.depth - 1].bound);
  const Value last = arith::SubIOp::create(builder_, loc, bound, number(1));
  const Value end = comes ? number(0) : last;
  Value due = arith::CmpIOp::create(builder_, loc, arith::CmpIPredicate::eq, index, end);
  Values other(llvm::ArrayRef(indices_).take_front(window.depth));
  if (comes) {
    const Value before = arith::SubIOp::create(builder_, loc, index, number(1));
    other.back() = arith::MaxSIOp::create(builder_, loc, before, number(0));
  } else {
    const Value behind = arith::AddIOp::create(builder_, loc, index, number(1));
    other.back() = arith::MinSIOp::create(builder_, loc, behind, last);
  }
  const auto here = place(window, llvm::ArrayRef(indices_).take_front(window.depth));
  if (mlir::failed(here)) return mlir::failure();
  const auto there = place(window, other);
  if (mlir::failed(there)) return mlir::failure();
  for (const auto [one, two] : llvm::zip_equal(*here, *there)) {
    const Value differs = arith::CmpIOp::create(builder_, loc, arith::CmpIPredicate::ne, one, two);
    due = arith::OrIOp::create(builder_, loc, due, differs);
  }
  return due;
}

mlir::LogicalResult Grid::copy(const Window& window, bool comes) {
  const mlir::Location loc = call_->getLoc();
  const mlir::OpBuilder::InsertionGuard guard(builder_);
  if (window.depth > 0 && !window.steps) {
    const auto due = is_due(window, comes);
    if (mlir::failed(due)) return mlir::failure();
    auto choice = scf::IfOp::create(builder_, loc, *due, /*withElseRegion=*/false);
    builder_.setInsertionPointToStart(choice.thenBlock());
  }
  const auto far = part(window, llvm::ArrayRef(indices_).take_front(window.depth));
  if (mlir::failed(far)) return mlir::failure();
  mlir::memref::CopyOp::create(builder_, loc, comes ? *far : window.near,
                               comes ? window.near : *far);
  return mlir::success();
}

}  // namespace tandem::compiler::pallas
