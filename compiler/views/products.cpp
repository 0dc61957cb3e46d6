#include "compiler/views/products.hpp"

#include "compiler/contract/attributes.hpp"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {

bool is_exact(mlir::Operation* contraction, unsigned operand) {
  const auto& part_of_words = operand == 0 ? attribute::left : attribute::right;
  const mlir::Type type = mlir::getElementTypeOrSelf(contraction->getOperand(operand).getType());
  return part_of_words.is_on(contraction) || (!type.isF32() && !type.isF16());
}

bool rounds_operands(mlir::Operation* contraction) {
  return attribute::precision.get(contraction).getValue() == "DEFAULT" &&
         !(is_exact(contraction, 0) && is_exact(contraction, 1));
}

llvm::SmallVector<Pass> passes_of(mlir::Operation* contraction) {
  const auto precision = attribute::precision.get(contraction).getValue();
  llvm::SmallVector<Pass> passes{{0, 1}};
  if (precision == "HIGHEST") passes = {{0, 3}, {1, 2}, {2, 1}};
  if (precision == "HIGH") passes = {{0, 2}, {1, 1}};
  if (is_exact(contraction, 1)) passes.resize(1);
  for (Pass& pass : passes) {
    if (is_exact(contraction, 0)) pass.left_parts = 1;
  }
  return passes;
}

std::int64_t products_of(mlir::Operation* contraction) {
  std::int64_t products = 0;
  for (const Pass& pass : passes_of(contraction)) products += pass.left_parts;
  return products;
}

}  // namespace tandem::compiler
