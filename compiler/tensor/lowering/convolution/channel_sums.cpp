#include "compiler/tensor/lowering/convolution/channel_sums.hpp"

#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler::convolution {
namespace {

namespace arith = mlir::arith;

constexpr std::size_t together = 25;  // pairs in an operation: a window of 5 x 5

}  // namespace

ChannelSums::ChannelSums(mlir::OpBuilder& builder, const Convolution& convolution)
    : builder_(builder), c_(convolution), type_(type_of_sums(convolution)) {}

mlir::Value ChannelSums::multiplied(mlir::OpBuilder& nested, mlir::Location at,
                                    mlir::ValueRange factors) {
  Values wide;
  for (const auto [number, factor] : llvm::enumerate(factors.take_front(2))) {
    const mlir::Type original = mlir::getElementTypeOrSelf(c_.op->getOperand(number).getType());
    wide.push_back(
        widened(nested, at, factor, type_, original.isUnsignedInteger() || original.isInteger(1)));
  }
  if (mlir::isa<mlir::FloatType>(type_)) {
    return arith::MulFOp::create(nested, at, wide[0], wide[1]);
  }
  return arith::MulIOp::create(nested, at, wide[0], wide[1]);
}

mlir::Value ChannelSums::added(mlir::OpBuilder& nested, mlir::Location at, mlir::Value one,
                               mlir::Value other) {
  if (mlir::isa<mlir::FloatType>(type_)) return arith::AddFOp::create(nested, at, one, other);
  return arith::AddIOp::create(nested, at, one, other);
}

// Adds to the former contents.
mlir::Value ChannelSums::of_some(mlir::RankedTensorType type, llvm::ArrayRef<mlir::Value> inputs,
                                 mlir::AffineMap input_map, mlir::AffineMap kernel_map,
                                 mlir::Value before) {
  const mlir::Location loc = c_.op->getLoc();
  llvm::SmallVector<mlir::AffineMap> maps;
  for (std::size_t i = 0; i < inputs.size(); i += 2) maps.append({input_map, kernel_map});
  maps.push_back(builder_.getMultiDimIdentityMap(type.getRank()));
  const llvm::SmallVector<mlir::utils::IteratorType> iterators(type.getRank(),
                                                               mlir::utils::IteratorType::parallel);
  const mlir::Value into = before ? before : empty_tensor(builder_, loc, type);
  return mlir::linalg::GenericOp::create(
             builder_, loc, mlir::TypeRange{type}, inputs, mlir::ValueRange{into}, maps, iterators,
             [&](mlir::OpBuilder& nested, mlir::Location where, mlir::ValueRange elements) {
               mlir::Value sum = before ? elements.back() : mlir::Value();
               for (std::size_t i = 0; i < inputs.size(); i += 2) {
                 const mlir::Value one = multiplied(nested, where, elements.drop_front(i));
                 sum = sum ? added(nested, where, sum, one) : one;
               }
               mlir::linalg::YieldOp::create(nested, where, sum);
             })
      .getResult(0);
}

mlir::Value ChannelSums::of_pairs(llvm::ArrayRef<std::int64_t> shape,
                                  llvm::ArrayRef<mlir::Value> inputs, mlir::AffineMap input_map,
                                  mlir::AffineMap kernel_map) {
  const auto type = mlir::RankedTensorType::get(shape, type_);
  mlir::Value sum;
  while (!inputs.empty()) {
    const std::size_t count = std::min(inputs.size(), 2 * together);
    sum = of_some(type, inputs.take_front(count), input_map, kernel_map, sum);
    inputs = inputs.drop_front(count);
  }
  return sum;
}

}  // namespace tandem::compiler::convolution
