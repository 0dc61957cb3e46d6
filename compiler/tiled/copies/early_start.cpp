#include "compiler/tiled/copies/early_start.hpp"

#include "compiler/views/access.hpp"
#include "llvm/ADT/SmallPtrSet.h"

namespace tandem::compiler {

using mlir::Operation;
using mlir::Value;

std::optional<EarlyStart> early_start(mlir::memref::CopyOp copy,
                                      llvm::function_ref<Crossing(Operation*)> crossing) {
  llvm::SmallPtrSet<Operation*, 8> needed;
  const auto need = [&](Operation* op) {
    for (const Value operand : op->getOperands()) {
      if (Operation* made_by = operand.getDefiningOp()) needed.insert(made_by);
    }
  };
  need(copy);
  EarlyStart start{copy, nullptr, {}};
  std::size_t moves = 0;  // of these, the part after the start
  for (Operation* op = copy->getPrevNode(); op != nullptr; op = op->getPrevNode()) {
    if (needed.contains(op)) {
      if (!is_free(op)) break;
      need(op);
      start.moves.push_back(op);
      continue;
    }
    if (is_free(op)) continue;
    const Crossing how = crossing(op);
    if (how == Crossing::refused) break;
    if (how == Crossing::passed) continue;
    start.before = op;
    moves = start.moves.size();
    if (how == Crossing::last) break;
  }
  if (start.before == nullptr) return std::nullopt;
  start.moves.truncate(moves);
  return start;
}

void move(const EarlyStart& start) {
  for (Operation* op : llvm::reverse(start.moves)) op->moveBefore(start.before);
  mlir::memref::CopyOp(start.copy)->moveBefore(start.before);
}

bool comes_from_hbm(mlir::memref::CopyOp copy) {
  return !lies_in_vmem(buffer_behind(copy.getSource())) &&
         lies_in_vmem(buffer_behind(copy.getTarget()));
}

bool goes_to_hbm(mlir::memref::CopyOp copy) {
  return lies_in_vmem(buffer_behind(copy.getSource())) &&
         !lies_in_vmem(buffer_behind(copy.getTarget()));
}

}  // namespace tandem::compiler
