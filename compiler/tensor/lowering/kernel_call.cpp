// A custom call of a kernel: linear assembly that a user wrote. Its operands and results are dense
// buffers in HBM, an element a word; its rows of VMEM are one more buffer. The text travels on the
// declaration of a function, one a call, and is put into the program at the level of assembly.
#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

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

Value widened(Lowering& lowering, mlir::Location loc, Value value, bool is_unsigned) {
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

// What the call says beside its operands, checked.
struct Kernel {
  mlir::StringAttr text;
  mlir::StringAttr preset;
  std::int64_t vmem_words = 0;
  std::int64_t smem_words = 0;
};

mlir::FailureOr<Kernel> kernel_of(mlir::Operation* op) {
  auto config = op->getAttrOfType<mlir::DictionaryAttr>("backend_config");
  // So JAX writes it down for versions of StableHLO that had strings only.
  if (!config) config = op->getAttrOfType<mlir::DictionaryAttr>("mhlo.backend_config");
  Kernel kernel;
  if (config) {
    kernel.text = config.getAs<mlir::StringAttr>("text");
    kernel.preset = config.getAs<mlir::StringAttr>("preset");
  }
  const auto number = [&](llvm::StringRef name) -> std::int64_t {
    const auto value = config ? config.getAs<mlir::IntegerAttr>(name) : mlir::IntegerAttr();
    return value && value.getInt() >= 0 ? value.getInt() : -1;
  };
  kernel.vmem_words = number("vmem_words");
  kernel.smem_words = number("smem_words");
  if (!kernel.text || !kernel.preset || kernel.vmem_words < 0 || kernel.smem_words < 0) {
    return op->emitError(
        "a kernel has a configuration with a function, or with text, preset, vmem_words and "
        "smem_words");
  }
  return kernel;
}

// A function without a body that stands for the kernel.
mlir::func::FuncOp declaration(mlir::OpBuilder& builder, mlir::Operation* op, const Kernel& kernel,
                               mlir::ValueRange operands) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<mlir::ModuleOp>();
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  std::string name;
  for (unsigned i = 0; name.empty() || module.lookupSymbol(name); ++i) {
    name = "kernel_" + std::to_string(i);
  }
  auto function = mlir::func::FuncOp::create(
      builder, op->getLoc(), name, builder.getFunctionType(mlir::TypeRange(operands), {}));
  function.setPrivate();
  attribute::kernel.set(function, kernel.text);
  attribute::preset.set(function, kernel.preset);
  attribute::smem_words.set(function, kernel.smem_words);
  attribute::inputs.set(function, op->getNumOperands());
  return function;
}

}  // namespace

mlir::FailureOr<Values> lower_custom_call(Lowering& lowering, mlir::Operation* op) {
  const llvm::StringRef target = text(op, "call_target_name");
  // It keeps a value from being dropped before it gets here.
  if (target == "dce_sink" && op->getNumResults() == 0) return Values{};
  if (target == "tandem_log") return lower_log_write(lowering, op);
  if (target == "tandem_stop") return lower_log_stop(lowering, op);
  if (target == "tpu_custom_call") return lower_pallas_call(lowering, op);
  if (target != "tandem.kernel") {
    return op->emitError("unimplemented: stablehlo.custom_call @") << target;
  }
  if (attribute::call.is_on(op)) return lower_function_call(lowering, op);
  const auto kernel = kernel_of(op);
  if (mlir::failed(kernel)) return mlir::failure();
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  Values operands;
  for (const Value old : op->getOperands()) {
    const bool is_unsigned = mlir::getElementTypeOrSelf(old).isUnsignedInteger();
    const Value words = widened(lowering, loc, lowering.map.lookup(old), is_unsigned);
    operands.push_back(input_buffer(builder, loc, words));
  }
  for (const mlir::Type type : op->getResultTypes()) {
    const mlir::MemRefType words = words_of(word_type(plain_tensor(type)));
    operands.push_back(memref::AllocOp::create(builder, loc, words));
  }
  operands.push_back(memref::AllocOp::create(
      builder, loc,
      mlir::MemRefType::get({std::max<std::int64_t>(1, kernel->vmem_words)}, builder.getI32Type(),
                            mlir::MemRefLayoutAttrInterface(), builder.getStringAttr("vmem"))));
  auto function = declaration(builder, op, *kernel, operands);
  mlir::func::CallOp::create(builder, loc, function, operands);
  Values results;
  for (const auto [index, type] : llvm::enumerate(op->getResultTypes())) {
    const mlir::RankedTensorType wanted = plain_tensor(type);
    const Value words = mlir::bufferization::ToTensorOp::create(
        builder, loc, word_type(wanted), operands[op->getNumOperands() + index], /*restrict=*/true);
    results.push_back(narrowed(lowering, loc, words, wanted));
  }
  return results;
}

}  // namespace tandem::compiler
