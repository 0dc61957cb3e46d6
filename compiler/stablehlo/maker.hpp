// Makes StableHLO's operations in place of another one.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

mlir::RankedTensorType with_element(mlir::Type type, mlir::Type element);

inline mlir::RankedTensorType type_of(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}
inline llvm::SmallVector<std::int64_t> shape_of(mlir::Value value) {
  return llvm::SmallVector<std::int64_t>(type_of(value).getShape());
}

// New operations are inserted before the operation and have its line.
class Maker {
 public:
  explicit Maker(mlir::Operation* op) : builder_(op), loc_(op->getLoc()) {}
  // At the builder's position.
  Maker(mlir::Location loc, const mlir::OpBuilder& builder) : builder_(builder), loc_(loc) {}

  mlir::Value make(llvm::StringRef name, mlir::ValueRange operands, mlir::Type type,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  // On operands of one type, with a result of it.
  mlir::Value on(llvm::StringRef name, mlir::ValueRange operands);
  mlir::Value compare(llvm::StringRef direction, mlir::Value a, mlir::Value b);
  mlir::Value convert(mlir::Value value, mlir::Type element);
  // A bitcast.
  mlir::Value bits(mlir::Value value, mlir::Type element);
  mlir::Value constant(mlir::RankedTensorType type, mlir::DenseElementsAttr value);
  // The same number in all elements; for integers the lowest bits.
  mlir::Value all(mlir::Type type, double number);
  mlir::Value choose(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<std::int64_t> shape);
  // Elements `from` to `to` of a dimension.
  mlir::Value part(mlir::Value value, std::int64_t dimension, std::int64_t from, std::int64_t to);
  mlir::Value concatenate(mlir::ValueRange values, std::int64_t dimension);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<std::int64_t> permutation);
  mlir::Value reverse(mlir::Value value, std::int64_t dimension);
  // The last dimensions of the result are those of the value.
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<std::int64_t> shape);

  mlir::OpBuilder& builder() { return builder_; }
  [[nodiscard]] mlir::Location loc() const { return loc_; }

 private:
  mlir::OpBuilder builder_;
  mlir::Location loc_;
};

}  // namespace tandem::compiler
