#include "compiler/tensor/words_of_argument.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/views/packed_rows.hpp"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

// The argument of packed elements that the value is, or of which it is a conversion; null where it
// is none.
mlir::BlockArgument packed_argument(Value value) {
  const auto type = mlir::cast<mlir::MemRefType>(value.getType());
  const auto space = mlir::dyn_cast_or_null<mlir::StringAttr>(type.getMemorySpace());
  if (!space || space != "packed" || type.getRank() == 0) return {};
  if (auto cast = value.getDefiningOp<mlir::UnrealizedConversionCastOp>()) {
    value = cast.getOperand(0);
  }
  return mlir::dyn_cast<mlir::BlockArgument>(value);
}

// The only copy of the buffer, where its only other user is `other`.
memref::CopyOp only_copy(Value buffer, mlir::Operation* other) {
  memref::CopyOp copy;
  for (mlir::Operation* user : buffer.getUsers()) {
    if (user == other) continue;
    if (copy || !mlir::isa<memref::CopyOp>(user)) return {};
    copy = mlir::cast<memref::CopyOp>(user);
  }
  return copy;
}

std::optional<EdgeCopy> edge(memref::CopyOp copy, Value packed) {
  const mlir::BlockArgument argument = packed_argument(packed);
  if (!argument) return std::nullopt;
  return EdgeCopy{argument, copy};
}

}  // namespace

void bind_as_words(mlir::func::FuncOp function, mlir::BlockArgument argument) {
  const auto type = mlir::cast<mlir::MemRefType>(argument.getType());
  if (!type.getMemorySpace()) return;
  mlir::OpBuilder builder(argument.getContext());
  const unsigned number = argument.getArgNumber();
  if (!attribute::shape.get(function, number)) {
    attribute::shape.set(function, number, type.getShape());
  }
  llvm::SmallVector<std::int64_t> shape(type.getShape());
  shape.back() = words_of_row(shape.back(), type.getElementType());
  argument.setType(mlir::MemRefType::get(shape, builder.getI32Type()));
  for (mlir::OpOperand& use : llvm::make_early_inc_range(argument.getUses())) {
    if (!mlir::isa<memref::CopyOp>(use.getOwner())) continue;
    builder.setInsertionPoint(use.getOwner());
    use.set(
        mlir::UnrealizedConversionCastOp::create(builder, argument.getLoc(), type, Value(argument))
            .getResult(0));
  }
  function.setType(
      builder.getFunctionType(function.getBody().getArgumentTypes(), function.getResultTypes()));
}

std::optional<EdgeCopy> packed_read(mlir::bufferization::ToTensorOp read) {
  if (!read.getBuffer().getDefiningOp<memref::AllocOp>()) return std::nullopt;
  memref::CopyOp copy = only_copy(read.getBuffer(), read);
  if (!copy || copy.getTarget() != read.getBuffer()) return std::nullopt;
  return edge(copy, copy.getSource());
}

std::optional<EdgeCopy> packed_write(mlir::bufferization::MaterializeInDestinationOp write) {
  if (!write.getDest().getDefiningOp<memref::AllocOp>()) return std::nullopt;
  memref::CopyOp copy = only_copy(write.getDest(), write);
  if (!copy || copy.getSource() != write.getDest()) return std::nullopt;
  return edge(copy, copy.getTarget());
}

std::optional<EdgeCopy> packed_write(mlir::bufferization::ToBufferOp taken) {
  memref::CopyOp copy = only_copy(taken.getResult(), nullptr);
  if (!copy || copy.getSource() != taken.getResult()) return std::nullopt;
  return edge(copy, copy.getTarget());
}

}  // namespace tandem::compiler
