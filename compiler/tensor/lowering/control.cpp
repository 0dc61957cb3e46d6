// Loops and branches. Loop-carried values are updated in place: each iteration ends with copies
// onto its initial values, and bufferization finds out which of these are real copies.
#include "compiler/tensor/lowering/handlers.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace scf = mlir::scf;

// Values that every iteration passes on unchanged are no state of the loop: for example all weights
// of a model.
llvm::SmallVector<bool> changing(mlir::Operation* op) {
  mlir::Block& body = op->getRegion(1).front();
  llvm::SmallVector<bool> result;
  for (const auto [argument, yielded] : llvm::zip(body.getArguments(), body.back().getOperands())) {
    result.push_back(argument != yielded);
  }
  return result;
}

void map_arguments(Lowering& lowering, mlir::Block& block, const Values& initial,
                   llvm::ArrayRef<bool> carried, mlir::ValueRange arguments) {
  std::size_t next = 0;
  for (const auto [index, argument] : llvm::enumerate(block.getArguments())) {
    lowering.map.map(argument, carried[index] ? arguments[next++] : initial[index]);
  }
}

// A buffer with a fixed place: upstream moves an empty tensor to the final destination of its
// contents, a different one for each branch.
mlir::Value room_for(mlir::OpBuilder& builder, mlir::Location loc, mlir::Type type) {
  return mlir::bufferization::AllocTensorOp::create(
      builder, loc, mlir::cast<mlir::RankedTensorType>(type), mlir::ValueRange{});
}

mlir::Value copied(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value from,
                   mlir::Value onto) {
  return mlir::linalg::CopyOp::create(builder, loc, from, onto).getResult(0);
}

// Parts of the loop's state must be read before any of it is overwritten.
mlir::Value kept(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value) {
  mlir::Operation* op = value.getDefiningOp();
  const bool views =
      op == nullptr || mlir::isa<mlir::tensor::TensorDialect, scf::SCFDialect>(op->getDialect());
  return views ? copied(builder, loc, value, room_for(builder, loc, value.getType())) : value;
}

// Whether the value is the iteration's initial one, with slices written into it: it stays in place.
bool updates(mlir::Value value, mlir::Value argument) {
  while (auto slice = value.getDefiningOp<mlir::tensor::InsertSliceOp>()) value = slice.getDest();
  return value == argument;
}

mlir::LogicalResult fill_condition(Lowering& lowering, mlir::Operation* op, scf::WhileOp loop,
                                   const Values& initial, llvm::ArrayRef<bool> carried) {
  mlir::OpBuilder::InsertionGuard guard(lowering.builder);
  mlir::Block* block = loop.getBeforeBody();
  lowering.builder.setInsertionPointToStart(block);
  map_arguments(lowering, op->getRegion(0).front(), initial, carried, block->getArguments());
  const auto results = lowering.lower_block(op->getRegion(0).front());
  if (mlir::failed(results)) return mlir::failure();
  const mlir::Value go_on = scalar_of(lowering.builder, op->getLoc(), results->front());
  scf::ConditionOp::create(lowering.builder, op->getLoc(), go_on, block->getArguments());
  return mlir::success();
}

mlir::LogicalResult fill_body(Lowering& lowering, mlir::Operation* op, scf::WhileOp loop,
                              const Values& initial, llvm::ArrayRef<bool> carried) {
  mlir::OpBuilder::InsertionGuard guard(lowering.builder);
  mlir::Block* block = loop.getAfterBody();
  lowering.builder.setInsertionPointToStart(block);
  map_arguments(lowering, op->getRegion(1).front(), initial, carried, block->getArguments());
  const auto results = lowering.lower_block(op->getRegion(1).front());
  if (mlir::failed(results)) return mlir::failure();
  Values values;
  for (const auto [index, value] : llvm::enumerate(*results)) {
    if (!carried[index]) continue;
    const bool stays = updates(value, block->getArgument(values.size()));
    values.push_back(stays ? value : kept(lowering.builder, op->getLoc(), value));
  }
  Values next;
  for (const mlir::Value value : values) {
    next.push_back(copied(lowering.builder, op->getLoc(), value, block->getArgument(next.size())));
  }
  scf::YieldOp::create(lowering.builder, op->getLoc(), next);
  return mlir::success();
}

// One branch: its results copied onto the buffers for them.
mlir::LogicalResult fill_branch(Lowering& lowering, mlir::Region& region, mlir::Block* block,
                                const Values& room) {
  mlir::OpBuilder::InsertionGuard guard(lowering.builder);
  lowering.builder.setInsertionPointToEnd(block);
  const auto results = lowering.lower_block(region.front());
  if (mlir::failed(results)) return mlir::failure();
  const mlir::Location loc = region.getLoc();
  Values copies;
  for (const auto [value, onto] : llvm::zip(*results, room)) {
    copies.push_back(copied(lowering.builder, loc, value, onto));
  }
  scf::YieldOp::create(lowering.builder, loc, copies);
  return mlir::success();
}

Values result_room(Lowering& lowering, mlir::Operation* op) {
  Values room;
  for (const mlir::Type type : op->getResultTypes()) {
    room.push_back(room_for(lowering.builder, op->getLoc(), plain_tensor(type)));
  }
  return room;
}

}  // namespace

mlir::FailureOr<Values> lower_while(Lowering& lowering, mlir::Operation* op) {
  if (op->getNumRegions() != 2 || op->getRegion(0).empty() || op->getRegion(1).empty()) {
    return op->emitError("a loop without condition or body");
  }
  const Values initial = lowering.mapped(op->getOperands());
  const llvm::SmallVector<bool> carried = changing(op);
  Values state;
  for (const auto [value, is_carried] : llvm::zip(initial, carried)) {
    if (is_carried) state.push_back(value);
  }
  const mlir::ValueRange range(state);
  const llvm::SmallVector<mlir::Location> locations(state.size(), op->getLoc());
  auto loop = scf::WhileOp::create(lowering.builder, op->getLoc(), range.getTypes(), state);
  loop.getBefore().emplaceBlock().addArguments(range.getTypes(), locations);
  loop.getAfter().emplaceBlock().addArguments(range.getTypes(), locations);
  if (mlir::failed(fill_condition(lowering, op, loop, initial, carried)) ||
      mlir::failed(fill_body(lowering, op, loop, initial, carried))) {
    return mlir::failure();
  }
  Values results = initial;
  std::size_t next = 0;
  for (const auto [index, is_carried] : llvm::enumerate(carried)) {
    if (is_carried) results[index] = loop.getResult(next++);
  }
  return results;
}

mlir::FailureOr<Values> lower_case(Lowering& lowering, mlir::Operation* op) {
  if (op->getNumRegions() == 0) return op->emitError("no branches");
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const mlir::Value number = scalar_of(builder, loc, lowering.map.lookup(op->getOperand(0)));
  const mlir::Value index =
      mlir::arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
  const Values room = result_room(lowering, op);
  const auto last = static_cast<std::int64_t>(op->getNumRegions()) - 1;
  const auto cases = llvm::to_vector(llvm::seq<std::int64_t>(0, last));
  // Every index without a branch, negative ones too, takes the last.
  auto choice = scf::IndexSwitchOp::create(builder, loc, mlir::ValueRange(room).getTypes(), index,
                                           cases, static_cast<unsigned>(last));
  for (std::int64_t i = 0; i <= last; ++i) {
    mlir::Region& into = i == last ? choice.getDefaultRegion() : choice.getCaseRegions()[i];
    if (mlir::failed(fill_branch(lowering, op->getRegion(i), &into.emplaceBlock(), room))) {
      return mlir::failure();
    }
  }
  return Values(choice.getResults());
}

mlir::FailureOr<Values> lower_if(Lowering& lowering, mlir::Operation* op) {
  if (op->getNumRegions() != 2) return op->emitError("an if has two branches");
  const mlir::Value condition =
      scalar_of(lowering.builder, op->getLoc(), lowering.map.lookup(op->getOperand(0)));
  const Values room = result_room(lowering, op);
  auto choice = scf::IfOp::create(lowering.builder, op->getLoc(), mlir::ValueRange(room).getTypes(),
                                  condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  if (mlir::failed(fill_branch(lowering, op->getRegion(0), choice.thenBlock(), room)) ||
      mlir::failed(fill_branch(lowering, op->getRegion(1), choice.elseBlock(), room))) {
    return mlir::failure();
  }
  return Values(choice.getResults());
}

}  // namespace tandem::compiler
