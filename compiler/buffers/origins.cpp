#include "compiler/buffers/origins.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
namespace scf = mlir::scf;
using mlir::Value;
using Values = llvm::SmallVector<Value>;

// The origin of a loop-carried buffer, or of a loop's result: before the first iteration or after
// one.
Values carried(scf::ForOp loop, unsigned number) {
  return {loop.getInitArgs()[number], loop.getYieldedValues()[number]};
}

bool sources_of_argument(mlir::BlockArgument argument, Values& sources) {
  mlir::Operation* parent = argument.getOwner()->getParentOp();
  if (mlir::isa<mlir::func::FuncOp>(parent)) return true;
  if (auto loop = mlir::dyn_cast<scf::ForOp>(parent)) {
    sources = carried(loop, argument.getArgNumber() - loop.getNumInductionVars());
    return true;
  }
  if (auto loop = mlir::dyn_cast<scf::WhileOp>(parent)) {
    const unsigned number = argument.getArgNumber();
    if (argument.getOwner() == loop.getBeforeBody()) {
      sources = {loop.getInits()[number], loop.getYieldOp().getOperand(number)};
    } else {
      sources = {loop.getConditionOp().getArgs()[number]};
    }
    return true;
  }
  return false;
}

// The buffers that the value may be, one step back: none for an argument or a constant. False:
// nothing is known.
bool sources_of(Value value, Values& sources) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
    return sources_of_argument(argument, sources);
  }
  mlir::Operation* op = value.getDefiningOp();
  const unsigned number = mlir::cast<mlir::OpResult>(value).getResultNumber();
  if (auto view = mlir::dyn_cast<mlir::ViewLikeOpInterface>(op)) {
    sources = {view.getViewSource()};
  } else if (mlir::isa<memref::ExtractStridedMetadataOp, mlir::UnrealizedConversionCastOp>(op)) {
    sources = {op->getOperand(0)};
  } else if (auto choice = mlir::dyn_cast<mlir::arith::SelectOp>(op)) {
    sources = {choice.getTrueValue(), choice.getFalseValue()};
  } else if (auto branch = mlir::dyn_cast<scf::IfOp>(op)) {
    sources = {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  } else if (auto loop = mlir::dyn_cast<scf::ForOp>(op)) {
    sources = carried(loop, number);
  } else if (auto loop = mlir::dyn_cast<scf::WhileOp>(op)) {
    sources = {loop.getConditionOp().getArgs()[number]};
  } else {
    return mlir::isa<memref::GetGlobalOp>(op);  // constants
  }
  return true;
}

}  // namespace

const Origins::Answer& Origins::of(Value buffer) {
  const auto found = known_.find(buffer);
  if (found != known_.end()) return found->second;
  Answer answer;
  llvm::SmallSetVector<Value, 8> reached;
  reached.insert(buffer);
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const Value value = reached[next];
    if (auto* alloc = value.getDefiningOp(); mlir::isa_and_nonnull<memref::AllocOp>(alloc)) {
      answer.allocations.insert(alloc);
      continue;
    }
    Values sources;
    if (!sources_of(value, sources)) {
      answer.unknown = value;
    } else if (sources.empty()) {
      answer.others.insert(value);
    }
    reached.insert(sources.begin(), sources.end());
  }
  return known_.try_emplace(buffer, std::move(answer)).first->second;
}

}  // namespace tandem::compiler
