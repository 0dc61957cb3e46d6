// Branches and loops of a kernel. Vectors that they yield have buffers of their own, onto which
// each branch or iteration copies.
#include "compiler/tensor/pallas/translation.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler::pallas {
namespace {

namespace scf = mlir::scf;

bool is_tensor(Value value) { return mlir::isa<mlir::RankedTensorType>(value.getType()); }

Value room_for(Translation& translation, mlir::Location loc, mlir::Type type) {
  return mlir::bufferization::AllocTensorOp::create(
      translation.builder, loc, mlir::cast<mlir::RankedTensorType>(type), mlir::ValueRange{});
}

Value copied(Translation& translation, mlir::Location loc, Value from, Value onto) {
  return mlir::linalg::CopyOp::create(translation.builder, loc, from, onto).getResult(0);
}

// The corresponding type for a result; null after an error.
mlir::Type type_of(Translation& translation, Operation* op, mlir::Type foreign) {
  const mlir::RankedTensorType type = translation.tensor(op, foreign);
  if (!type) return {};
  const bool is_scalar =
      !mlir::isa<mlir::VectorType>(foreign) && !mlir::isa<mlir::FloatType>(type.getElementType());
  return is_scalar ? type.getElementType() : mlir::Type(type);
}

// Values of a loop in memory of their own, which the iterations overwrite.
Values state_of(Translation& translation, mlir::Location loc, mlir::ValueRange initial) {
  return llvm::map_to_vector(initial, [&](Value value) {
    return is_tensor(value)
               ? copied(translation, loc, value, room_for(translation, loc, value.getType()))
               : value;
  });
}

// The values of the next iteration: all are read before any is overwritten.
Values handed_on(Translation& translation, mlir::Location loc, const Values& values,
                 mlir::ValueRange onto) {
  Values kept = state_of(translation, loc, values);
  for (const auto [value, old] : llvm::zip(kept, onto)) {
    if (is_tensor(value)) value = copied(translation, loc, value, old);
  }
  return kept;
}

mlir::LogicalResult fill_branch(Translation& translation, mlir::Location loc, mlir::Region& from,
                                mlir::Block* into, const Values& room) {
  const mlir::OpBuilder::InsertionGuard guard(translation.builder);
  translation.builder.setInsertionPointToEnd(into);
  mlir::FailureOr<Values> results = Values{};
  if (!from.empty()) results = translation.block(from.front());
  if (mlir::failed(results)) return mlir::failure();
  for (const auto [value, onto] : llvm::zip_equal(*results, room)) {
    if (onto) value = copied(translation, loc, value, onto);
  }
  scf::YieldOp::create(translation.builder, loc, *results);
  return mlir::success();
}

}  // namespace

mlir::FailureOr<Values> choice(Translation& translation, Operation* op) {
  const mlir::Location loc = translation.location(op);
  llvm::SmallVector<mlir::Type> types;
  Values room;
  for (const mlir::Type foreign : op->getResultTypes()) {
    types.push_back(type_of(translation, op, foreign));
    if (!types.back()) return mlir::failure();
    const bool is_vector = mlir::isa<mlir::RankedTensorType>(types.back());
    room.push_back(is_vector ? room_for(translation, loc, types.back()) : Value());
  }
  auto made = scf::IfOp::create(translation.builder, loc, types, translation.get(op->getOperand(0)),
                                /*addThenBlock=*/true,
                                /*addElseBlock=*/true);
  if (mlir::failed(fill_branch(translation, loc, op->getRegion(0), made.thenBlock(), room)) ||
      mlir::failed(fill_branch(translation, loc, op->getRegion(1), made.elseBlock(), room))) {
    return mlir::failure();
  }
  return Values(made.getResults());
}

mlir::FailureOr<Values> counted_loop(Translation& translation, Operation* op) {
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  mlir::Block& from = op->getRegion(0).front();
  const auto bound = [&](unsigned operand) {
    return mlir::getValueOrCreateConstantIndexOp(builder, loc,
                                                 translation.index(op->getOperand(operand)));
  };
  const Values initial =
      state_of(translation, loc, translation.get(op->getOperands().drop_front(3)));
  auto made = scf::ForOp::create(builder, loc, bound(0), bound(1), bound(2), initial);
  const mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  Value number = made.getInductionVar();
  if (!from.getArgument(0).getType().isIndex()) {
    number = mlir::arith::IndexCastOp::create(builder, loc, builder.getI32Type(), number);
  }
  translation.set(from.getArgument(0), number);
  for (const auto [foreign, ours] :
       llvm::zip(from.getArguments().drop_front(1), made.getRegionIterArgs())) {
    translation.set(foreign, ours);
  }
  const auto results = translation.block(from);
  if (mlir::failed(results)) return mlir::failure();
  if (!results->empty() || !made.getBody()->mightHaveTerminator()) {
    scf::YieldOp::create(builder, loc,
                         handed_on(translation, loc, *results, made.getRegionIterArgs()));
  }
  return Values(made.getResults());
}

mlir::FailureOr<Values> loop(Translation& translation, Operation* op) {
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  const Values initial = state_of(translation, loc, translation.get(op->getOperands()));
  const mlir::ValueRange range(initial);
  auto made = scf::WhileOp::create(builder, loc, range.getTypes(), initial);
  const llvm::SmallVector<mlir::Location> places(initial.size(), loc);
  mlir::Block& before = made.getBefore().emplaceBlock();
  mlir::Block& after = made.getAfter().emplaceBlock();
  before.addArguments(range.getTypes(), places);
  after.addArguments(range.getTypes(), places);
  const auto enter = [&](mlir::Block& from, mlir::Block& into) {
    builder.setInsertionPointToStart(&into);
    for (const auto [foreign, ours] : llvm::zip_equal(from.getArguments(), into.getArguments())) {
      translation.set(foreign, ours);
    }
    return translation.block(from);
  };
  const mlir::OpBuilder::InsertionGuard guard(builder);
  const auto condition = enter(op->getRegion(0).front(), before);
  if (mlir::failed(condition)) return mlir::failure();
  for (const auto [handed, argument] :
       llvm::zip(llvm::drop_begin(*condition), before.getArguments())) {
    if (handed == argument) continue;
    return translation.error(op) << "unimplemented: a loop whose condition hands on other values "
                                    "than it is given, in a Pallas kernel";
  }
  scf::ConditionOp::create(builder, loc, condition->front(), before.getArguments());
  const auto results = enter(op->getRegion(1).front(), after);
  if (mlir::failed(results)) return mlir::failure();
  scf::YieldOp::create(builder, loc, handed_on(translation, loc, *results, after.getArguments()));
  return Values(made.getResults());
}

}  // namespace tandem::compiler::pallas
