#include "compiler/tpu/same_instruction.hpp"

#include "compiler/tpu/dialect.hpp"

namespace tandem::compiler {

bool only_computes(mlir::Operation* op) {
  const Instruction* row = instruction_of(op);
  if (row == nullptr || op->getNumResults() != 1) return false;
  return row->group == Group::valu || row->group == Group::cross;
}

unsigned SameInstruction::getHashValue(const mlir::Operation* key) {
  auto* op = const_cast<mlir::Operation*>(key);
  const auto operands = op->getOperands();
  return static_cast<unsigned>(
      llvm::hash_combine(op->getName().getAsOpaquePointer(), op->getAttrDictionary(),
                         llvm::hash_combine_range(operands.begin(), operands.end())));
}

bool SameInstruction::isEqual(const mlir::Operation* left, const mlir::Operation* right) {
  auto* a = const_cast<mlir::Operation*>(left);
  auto* b = const_cast<mlir::Operation*>(right);
  if (a == b) return true;
  const auto special = [](mlir::Operation* op) {
    return op == getEmptyKey() || op == getTombstoneKey();
  };
  return !special(a) && !special(b) && a->getName() == b->getName() &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         llvm::equal(a->getOperands(), b->getOperands());
}

bool are_equal(mlir::Value a, mlir::Value b) {
  if (a == b) return true;
  return a && b && a.getDefiningOp() != nullptr && b.getDefiningOp() != nullptr &&
         only_computes(a.getDefiningOp()) &&
         SameInstruction::isEqual(a.getDefiningOp(), b.getDefiningOp());
}

}  // namespace tandem::compiler
