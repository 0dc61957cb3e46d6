// Sums over places of a window of an input times a number per channel.
#pragma once

#include "compiler/tensor/lowering/convolution/convolution.hpp"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler::convolution {

class ChannelSums {
 public:
  ChannelSums(mlir::OpBuilder& builder, const Convolution& convolution);

  // fp32, or words.
  [[nodiscard]] mlir::Type type() const { return type_; }

  // The product of two elements of the convolution's operands, as numbers of `type`.
  mlir::Value multiplied(mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange factors);
  mlir::Value added(mlir::OpBuilder& nested, mlir::Location at, mlir::Value one, mlir::Value other);

  // A tensor of this shape: the sum over `inputs`, pairs of an input and a kernel, in its loops, a
  // few pairs per operation. The maps are those of an input and of a kernel.
  mlir::Value of_pairs(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<mlir::Value> inputs,
                       mlir::AffineMap input_map, mlir::AffineMap kernel_map);

 private:
  mlir::Value of_some(mlir::RankedTensorType type, llvm::ArrayRef<mlir::Value> inputs,
                      mlir::AffineMap input_map, mlir::AffineMap kernel_map, mlir::Value before);

  mlir::OpBuilder& builder_;
  const Convolution& c_;
  mlir::Type type_;
};

}  // namespace tandem::compiler::convolution
