#include "compiler/tensor/sorting/keys.hpp"

#include "compiler/tensor/tensor_type.hpp"
#include "llvm/ADT/APInt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

namespace arith = mlir::arith;
namespace linalg = mlir::linalg;
using Iterator = mlir::utils::IteratorType;
using mlir::Value;

Values key_tensors(Lowering& lowering, mlir::Location loc, Comparator& comparator,
                   const Values& inputs) {
  mlir::OpBuilder& builder = lowering.builder;
  const auto shape = tensor_type_of(inputs.front()).getShape();
  const auto count = static_cast<unsigned>(shape.size());
  llvm::SmallVector<mlir::Type> types;
  Values rooms;
  for (const SortKey& key : comparator.keys()) {
    types.push_back(mlir::RankedTensorType::get(shape, key.value.getType()));
    rooms.push_back(empty_tensor(builder, loc, mlir::cast<mlir::RankedTensorType>(types.back())));
  }
  const llvm::SmallVector<mlir::AffineMap> maps(inputs.size() + rooms.size(),
                                                builder.getMultiDimIdentityMap(count));
  const llvm::SmallVector<Iterator> iterators(count, Iterator::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, types, inputs, rooms, maps, iterators,
      [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) {
        linalg::YieldOp::create(b, at, comparator.keys_of(b, elements.take_front(inputs.size())));
      });
  return Values(generic.getResults());
}

bool counts_elements(Value operand, unsigned dimension) {
  mlir::Operation* op = operand.getDefiningOp();
  const auto type = mlir::cast<mlir::RankedTensorType>(operand.getType());
  if (op == nullptr || op->getName().getStringRef() != "stablehlo.iota") return false;
  const auto along = op->getAttrOfType<mlir::IntegerAttr>("iota_dimension");
  return along && along.getInt() == static_cast<std::int64_t>(dimension) &&
         plain_element(type.getElementType()).isInteger(32);
}

// The sign inverts all other bits of a negative real; the inverse does the same.
Value real_of_order(mlir::OpBuilder& builder, mlir::Location loc, Value bits, mlir::Type type) {
  const mlir::Type own = bits.getType();
  const unsigned width = own.getIntOrFloatBitWidth();
  const std::int64_t rest = llvm::APInt::getSignedMaxValue(width).getSExtValue();
  const Value sign = arith::ShRSIOp::create(
      builder, loc, bits, mlir::arith::ConstantIntOp::create(builder, loc, own, width - 1));
  const Value mask = arith::AndIOp::create(
      builder, loc, sign, mlir::arith::ConstantIntOp::create(builder, loc, own, rest));
  return arith::BitcastOp::create(builder, loc, type,
                                  arith::XOrIOp::create(builder, loc, bits, mask));
}

}  // namespace tandem::compiler
