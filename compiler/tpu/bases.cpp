#include "compiler/tpu/bases.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/smem_layout.hpp"
#include "llvm/ADT/MapVector.h"

namespace tandem::compiler {
namespace {

// Registers that programs with loops can spare.
constexpr std::size_t most_in_loops = 4;

bool calls(mlir::func::FuncOp function) {
  return function.walk([](mlir::func::CallOp) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

std::optional<std::int64_t> word_read(mlir::Operation* op) {
  const Instruction* row = instruction_of(op);
  if (row == nullptr || row->mnemonic != "sld" || !op->hasAttr("absolute")) return std::nullopt;
  return op->getAttrOfType<mlir::IntegerAttr>("address").getInt();
}

// Whether control flow precedes the operation, or what it is part of: its value would wait in a
// register for long.
bool comes_late(mlir::func::FuncOp function, mlir::Operation* use) {
  mlir::Operation* at = function.getBody().front().findAncestorOpInBlock(*use);
  while ((at = at->getPrevNode()) != nullptr) {
    if (at->getNumRegions() != 0) return true;
  }
  return false;
}

}  // namespace

void make_bases_in_place(mlir::func::FuncOp function) {
  const auto tensors = attribute::tensors.get(function);
  if (!tensors || calls(function)) return;
  const auto count = static_cast<std::int64_t>(tensors.size());
  // By tensor.
  llvm::MapVector<std::int64_t, llvm::SmallVector<mlir::Operation*>> reads;
  function.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
    const std::int64_t word = word_read(op).value_or(-1);
    const std::int64_t tensor = word / argument_words;
    if (tensor < count && word == SmemLayout::base_of(tensor)) reads[tensor].push_back(op);
  });
  unsigned in_loops = 0;
  for (const auto& [tensor, ops] : reads) {
    mlir::Operation* first = ops.front();
    if (comes_late(function, first)) continue;
    const bool is_in_loop = first->getParentOp() != function;
    if (is_in_loop && ++in_loops > most_in_loops) continue;
    mlir::Operation* place = function.getBody().front().findAncestorOpInBlock(*first);
    if (place != first) first->moveBefore(place);
    for (mlir::Operation* read : llvm::drop_begin(ops)) {
      read->replaceAllUsesWith(first);
      read->erase();
    }
  }
}

bool reads_word(mlir::func::FuncOp function, std::int64_t word) {
  const auto result = function.walk([&](mlir::Operation* op) {
    return word_read(op) == word ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return result.wasInterrupted();
}

}  // namespace tandem::compiler
