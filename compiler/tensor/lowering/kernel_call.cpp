// A custom call of a kernel: linear assembly that a user wrote. Its operands and results are dense
// buffers in HBM, one element per word; its rows of VMEM are one more buffer. The text is on the
// declaration of a function, one per call, and is put into the program at the level of assembly.
#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/kernel_buffers.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

// The attributes of the call, checked.
struct Kernel {
  mlir::StringAttr text;
  mlir::StringAttr preset;
  std::int64_t vmem_words = 0;
  std::int64_t smem_words = 0;
};

mlir::FailureOr<Kernel> kernel_of(mlir::Operation* op) {
  auto config = op->getAttrOfType<mlir::DictionaryAttr>("backend_config");
  // JAX writes it this way for versions of StableHLO that had only strings.
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

}  // namespace

mlir::FailureOr<Values> lower_custom_call(Lowering& lowering, mlir::Operation* op) {
  const llvm::StringRef target = text(op, "call_target_name");
  // It prevents a value from being dropped before this point.
  if (target == "dce_sink" && op->getNumResults() == 0) return Values{};
  if (target == "tandem_log") return lower_log_write(lowering, op);
  if (target == "tandem_stop") return lower_log_stop(lowering, op);
  if (target == "tandem_exchange") return lower_exchange(lowering, op);
  if (target == "tandem_ring") return lower_ring(lowering, op);
  if (target == "tandem_step") return lower_step(lowering, op);
  if (target == "tandem_window") return lower_window(lowering, op);
  if (target == "tandem_put") return lower_put(lowering, op);
  if (target == "tandem_landing") return lower_landing(lowering, op);
  if (target == "tandem_chip") return lower_chip(lowering, op);
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
    const Value words = as_words(lowering, loc, lowering.map.lookup(old), is_unsigned);
    operands.push_back(input_buffer(builder, loc, words));
  }
  for (const mlir::Type type : op->getResultTypes()) {
    const mlir::MemRefType words = words_of(word_type(plain_tensor(type)));
    operands.push_back(memref::AllocOp::create(builder, loc, words));
  }
  operands.push_back(kernel_rows(builder, loc, kernel->vmem_words));
  auto function =
      declare_kernel(builder, loc, operands, op->getNumOperands(),
                     {kernel->text.getValue(), kernel->preset.getValue(), kernel->smem_words});
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
