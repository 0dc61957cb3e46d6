#include "compiler/tensor/halves.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

namespace arith = mlir::arith;
using mlir::Value;

mlir::RankedTensorType part_type(mlir::Type type, int parts, mlir::Type element) {
  const auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  llvm::SmallVector<std::int64_t> shape(tensor.getShape());
  shape.back() /= parts;
  return mlir::RankedTensorType::get(shape, element ? element : tensor.getElementType());
}

namespace {

// This many bits of the word from the one of this number on.
Value bits_of(mlir::OpBuilder& builder, mlir::Location loc, Value word, int first, unsigned width) {
  if (first != 0) {
    const Value shift = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(first));
    word = arith::ShRUIOp::create(builder, loc, word, shift);
  }
  return arith::TruncIOp::create(builder, loc, builder.getIntegerType(width), word);
}

}  // namespace

Value half_of(mlir::OpBuilder& builder, mlir::Location loc, Value word, int half) {
  const Value bits = bits_of(builder, loc, word, 16 * half, 16);
  return arith::BitcastOp::create(builder, loc, builder.getBF16Type(), bits);
}

Value byte_of(mlir::OpBuilder& builder, mlir::Location loc, Value word, int quarter) {
  return bits_of(builder, loc, word, 8 * quarter, 8);
}

Value word_of(mlir::OpBuilder& builder, mlir::Location loc, Value low, Value high) {
  const auto bits = [&](Value half) -> Value {
    const Value narrow = arith::BitcastOp::create(builder, loc, builder.getI16Type(), half);
    return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), narrow);
  };
  const Value shift = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(16));
  const Value upper = arith::ShLIOp::create(builder, loc, bits(high), shift);
  return arith::OrIOp::create(builder, loc, bits(low), upper);
}

void drop_unread(mlir::func::FuncOp function) {
  llvm::SmallVector<mlir::bufferization::ToTensorOp> reads;
  function.walk([&](mlir::bufferization::ToTensorOp op) { reads.push_back(op); });
  for (mlir::bufferization::ToTensorOp read : reads) {
    auto room = read.getBuffer().getDefiningOp<mlir::memref::AllocOp>();
    if (!read->use_empty() || !room) continue;
    read->erase();
    const llvm::SmallVector<mlir::Operation*> users(room->getUsers());
    if (users.size() != 1 || !mlir::isa<mlir::memref::CopyOp>(users.front())) continue;
    users.front()->erase();
    room->erase();
  }
}

}  // namespace tandem::compiler
