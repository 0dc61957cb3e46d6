#include "compiler/tensor/lowering/kernel_buffers.hpp"

#include "compiler/contract/attributes.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

namespace arith = mlir::arith;
namespace memref = mlir::memref;
using mlir::Value;

mlir::MemRefType words_of(mlir::RankedTensorType type) {
  return mlir::MemRefType::get(type.getShape(), type.getElementType());
}

Value input_buffer(mlir::OpBuilder& builder, mlir::Location loc, Value tensor) {
  const auto type = mlir::cast<mlir::RankedTensorType>(tensor.getType());
  const Value buffer = memref::AllocOp::create(builder, loc, words_of(type));
  mlir::bufferization::MaterializeInDestinationOp::create(builder, loc, mlir::Type(), tensor,
                                                          buffer,
                                                          /*restrict=*/true, /*writable=*/true);
  return buffer;
}

// The same elements as words: reals as fp32, integers with 32 bits.
mlir::RankedTensorType word_type(mlir::RankedTensorType type) {
  const mlir::Type element = type.getElementType();
  mlir::Builder builder(type.getContext());
  const mlir::Type word =
      mlir::isa<mlir::FloatType>(element) ? mlir::Type(builder.getF32Type()) : builder.getI32Type();
  return mlir::RankedTensorType::get(type.getShape(), word);
}

Value as_words(Lowering& lowering, mlir::Location loc, Value value, bool is_unsigned) {
  const auto from = mlir::cast<mlir::RankedTensorType>(value.getType());
  const mlir::RankedTensorType type = word_type(from);
  if (type == from) return value;
  const mlir::Type word = type.getElementType();
  const bool zeros = is_unsigned || from.getElementType().isInteger(1);
  return parallel_generic(
      lowering.builder, loc, type, value,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
        if (word.isF32()) return arith::ExtFOp::create(nested, at, word, elements[0]);
        if (zeros) return arith::ExtUIOp::create(nested, at, word, elements[0]);
        return arith::ExtSIOp::create(nested, at, word, elements[0]);
      });
}

Value word_buffer(mlir::OpBuilder& builder, mlir::Location loc,
                  llvm::ArrayRef<std::uint32_t> words) {
  const auto type =
      mlir::RankedTensorType::get({static_cast<std::int64_t>(words.size())}, builder.getI32Type());
  const llvm::SmallVector<std::int32_t> signed_words(words.begin(), words.end());
  const Value constant = arith::ConstantOp::create(
      builder, loc, mlir::DenseElementsAttr::get(type, llvm::ArrayRef(signed_words)));
  return input_buffer(builder, loc, constant);
}

Value kernel_rows(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t words) {
  const auto type =
      mlir::MemRefType::get({std::max<std::int64_t>(1, words)}, builder.getI32Type(),
                            mlir::MemRefLayoutAttrInterface(), builder.getStringAttr("vmem"));
  return memref::AllocOp::create(builder, loc, type);
}

mlir::func::FuncOp declare_kernel(mlir::OpBuilder& builder, mlir::Location loc,
                                  mlir::ValueRange operands, std::int64_t inputs,
                                  const KernelText& kernel) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<mlir::ModuleOp>();
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  std::string name;
  for (unsigned i = 0; name.empty() || module.lookupSymbol(name); ++i) {
    name = "kernel_" + std::to_string(i);
  }
  auto function = mlir::func::FuncOp::create(
      builder, loc, name, builder.getFunctionType(mlir::TypeRange(operands), {}));
  function.setPrivate();
  attribute::kernel.set(function, kernel.text);
  attribute::preset.set(function, kernel.preset);
  attribute::smem_words.set(function, kernel.smem_words);
  attribute::inputs.set(function, inputs);
  return function;
}

}  // namespace tandem::compiler
