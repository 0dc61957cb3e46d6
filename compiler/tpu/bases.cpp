#include "compiler/tpu/bases.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/smem_layout.hpp"

namespace tandem::compiler {
namespace {

using mlir::Value;

bool is_straight(mlir::func::FuncOp function) {
  return llvm::all_of(function.getBody().front(), [](mlir::Operation& op) {
    return op.getNumRegions() == 0 && !mlir::isa<mlir::func::CallOp>(op);
  });
}

std::optional<std::int64_t> word_read(mlir::Operation* op) {
  const Instruction* row = instruction_of(op);
  if (row == nullptr || row->mnemonic != "sld" || !op->hasAttr("absolute")) return std::nullopt;
  return op->getAttrOfType<mlir::IntegerAttr>("address").getInt();
}

// From the 64 bits of the byte address in the argument block.
Value make_base(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t entry) {
  const auto load = [&](std::int64_t word) {
    return machine(
        builder, loc, "sld", {},
        {flag_attribute(builder, "absolute"), number_attribute(builder, "address", word)});
  };
  const Value low = machine(builder, loc, "shr", load(entry), number_attribute(builder, "b", 2));
  const Value high =
      machine(builder, loc, "shl", load(entry + 1), number_attribute(builder, "b", 30));
  return machine(builder, loc, "or", {low, high});
}

}  // namespace

void make_bases_in_place(mlir::func::FuncOp function) {
  const auto tensors = attribute::tensors.get(function);
  if (!tensors || !is_straight(function)) return;
  const auto count = static_cast<std::int64_t>(tensors.size());
  const SmemLayout layout(count);
  llvm::SmallVector<Value> bases(tensors.size());
  for (mlir::Operation& op : llvm::make_early_inc_range(function.getBody().front())) {
    const std::int64_t tensor = word_read(&op).value_or(-1) - layout.bases;
    if (tensor < 0 || tensor >= count) continue;
    Value& base = bases[static_cast<std::size_t>(tensor)];
    mlir::OpBuilder builder(&op);
    if (!base) base = make_base(builder, op.getLoc(), layout.arguments + 16 * tensor);
    op.getResult(0).replaceAllUsesWith(base);
    op.erase();
  }
}

bool reads_word(mlir::func::FuncOp function, std::int64_t word) {
  const auto result = function.walk([&](mlir::Operation* op) {
    return word_read(op) == word ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return result.wasInterrupted();
}

}  // namespace tandem::compiler
