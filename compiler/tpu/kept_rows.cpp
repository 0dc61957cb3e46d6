#include "compiler/tpu/kept_rows.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/views/access.hpp"
#include "isa/parameters.hpp"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

void KeptRows::keep(std::int64_t word, mlir::Value value) {
  constexpr std::size_t most = 8;  // registers
  forget_words(word, word + static_cast<std::int64_t>(sublanes));
  if (rows_.size() == most) rows_.erase(rows_.begin());
  rows_.push_back({word, value});
}

mlir::Value KeptRows::find(std::int64_t word) const {
  const auto found = llvm::find_if(rows_, [&](const Row& row) { return row.word == word; });
  return found == rows_.end() ? mlir::Value() : found->value;
}

void KeptRows::forget(mlir::Value buffer) {
  auto alloc = buffer_behind(buffer).getDefiningOp<mlir::memref::AllocOp>();
  if (!alloc) return;  // HBM
  const auto address = attribute::address.get(alloc);
  if (!address) return clear();
  const std::int64_t first = address.getInt();
  const std::int64_t end = first + alloc.getType().getNumElements();
  forget_words(first, end);
}

void KeptRows::forget_words(std::int64_t first, std::int64_t end) {
  llvm::erase_if(rows_, [&](const Row& row) {
    return row.word < end && first < row.word + static_cast<std::int64_t>(sublanes);
  });
}

}  // namespace tandem::compiler
