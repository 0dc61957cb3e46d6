// Sums are always f32. So the dot algorithm's operand types decide: how many of a number's 24 bits
// must take part. If no number of passes matches, the next larger one is used.
#include "compiler/tensor/lowering/precision.hpp"

#include "compiler/tensor/lowering/lowering.hpp"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {
namespace {

mlir::Type type_in(mlir::Operation* op, llvm::StringRef name) {
  const auto attribute = op->getAttrOfType<mlir::TypeAttr>(name);
  if (!attribute || mlir::isa<mlir::NoneType>(attribute.getValue())) return {};
  return attribute.getValue();
}

bool is_real(mlir::Type type) {
  return type.isF32() || type.isBF16() || type.isF16() || type.isTF32();
}

// bf16 has 8 bits, tf32 and f16 have 11, and three passes take 16.
llvm::StringRef passes(mlir::Type operands, std::int64_t operations) {
  if (operands.isBF16() && operations <= 1) return "DEFAULT";
  if (operands.isBF16() && operations <= 3) return "HIGH";
  if (operands.isTF32() && operations <= 1) return "HIGH";
  return "HIGHEST";
}

llvm::StringRef stricter(llvm::StringRef a, llvm::StringRef b) {
  for (const llvm::StringRef name : {"HIGHEST", "HIGH"}) {
    if (a == name || b == name) return name;
  }
  return "DEFAULT";
}

llvm::StringRef asked_for_operands(mlir::Operation* op) {
  llvm::StringRef precision = "DEFAULT";
  const auto config = op->getAttrOfType<mlir::ArrayAttr>("precision_config");
  if (!config) return precision;
  for (const auto entry : config.getAsRange<mlir::StringAttr>()) {
    precision = stricter(precision, entry.getValue());
  }
  return precision;
}

}  // namespace

mlir::FailureOr<llvm::StringRef> precision_of(mlir::Operation* op) {
  const mlir::Type left = type_in(op, "lhs_precision_type");
  const mlir::Type right = type_in(op, "rhs_precision_type");
  const mlir::Type sums = type_in(op, "accumulation_type");
  if (!left || !right || !sums) {
    if (const llvm::StringRef spelled = text(op, "algorithm"); !spelled.empty()) {
      return op->emitError("unimplemented: stablehlo.dot_general with the algorithm ") << spelled;
    }
    return asked_for_operands(op);
  }
  const auto operations = integer(op, "num_primitive_operations");
  if (mlir::failed(operations)) return mlir::failure();
  if (!is_real(left) || !is_real(right) || !is_real(sums)) {
    return op->emitError("unimplemented: stablehlo.dot_general with an algorithm of operands ")
           << left << " and " << right << " and sums of " << sums;
  }
  return stricter(passes(left, *operations), passes(right, *operations));
}

}  // namespace tandem::compiler
