// @main becomes a function without results: every argument and every result is a buffer that the
// launch binds. What is packed in HBM (several elements a word) has the space "packed" and is
// copied into buffers of one element a word, and back.
#include "compiler/passes.hpp"
#include "compiler/tensor/lowering.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::bufferization::MaterializeInDestinationOp;
using mlir::bufferization::ToTensorOp;
using mlir::func::FuncOp;

// The name of the element type in `.tensor`.
std::string element_text(mlir::Type element) {
  if (element.isF32()) return "f32";
  if (element.isBF16()) return "bf16";
  if (element.isInteger(1)) return "i1";
  const auto integer = mlir::cast<mlir::IntegerType>(element);
  return (integer.isUnsigned() ? "u" : "s") + std::to_string(integer.getWidth());
}

mlir::MemRefType buffer_type(mlir::Type type, bool packed) {
  const mlir::RankedTensorType tensor = plain_tensor(type);
  const mlir::Attribute space =
      packed ? mlir::StringAttr::get(type.getContext(), "packed") : mlir::Attribute();
  return mlir::MemRefType::get(tensor.getShape(), tensor.getElementType(),
                               mlir::MemRefLayoutAttrInterface(), space);
}

mlir::MemRefType boundary_type(mlir::Type type) {
  const mlir::Type element = mlir::cast<mlir::RankedTensorType>(type).getElementType();
  return buffer_type(type, element.getIntOrFloatBitWidth() != 32);
}

void describe(FuncOp function, unsigned index, const std::string& name, mlir::Type type,
              llvm::StringRef direction) {
  mlir::Builder builder(function.getContext());
  const mlir::Type element = mlir::cast<mlir::RankedTensorType>(type).getElementType();
  function.setArgAttr(index, "tandem.name", builder.getStringAttr(name));
  function.setArgAttr(index, "tandem.type", builder.getStringAttr(element_text(element)));
  function.setArgAttr(index, "tandem.direction", builder.getStringAttr(direction));
}

FuncOp declare(FuncOp from, mlir::OpBuilder& builder) {
  llvm::SmallVector<mlir::Type> types;
  for (const mlir::Type type : from.getArgumentTypes()) types.push_back(boundary_type(type));
  for (const mlir::Type type : from.getResultTypes()) types.push_back(boundary_type(type));
  auto function =
      FuncOp::create(builder, from.getLoc(), "main", builder.getFunctionType(types, {}));
  unsigned index = 0;
  for (const auto [number, type] : llvm::enumerate(from.getArgumentTypes())) {
    describe(function, index++, "arg" + std::to_string(number), type, "in");
  }
  for (const auto [number, type] : llvm::enumerate(from.getResultTypes())) {
    describe(function, index++, "out" + std::to_string(number), type, "out");
  }
  return function;
}

mlir::Value read_argument(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer,
                          mlir::Type type) {
  mlir::Value source = buffer;
  if (mlir::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace()) {
    source = mlir::memref::AllocOp::create(builder, loc, buffer_type(type, false));
    mlir::memref::CopyOp::create(builder, loc, buffer, source);
  }
  return ToTensorOp::create(builder, loc, plain_tensor(type), source, /*restrict=*/true);
}

void write_result(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                  mlir::Value buffer, mlir::Type type) {
  const bool packed =
      static_cast<bool>(mlir::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace());
  mlir::Value target = buffer;
  if (packed) {
    target = mlir::memref::AllocOp::create(builder, loc, buffer_type(type, false));
  }
  MaterializeInDestinationOp::create(builder, loc, mlir::Type(), value, target,
                                     /*restrict=*/true, /*writable=*/true);
  if (packed) mlir::memref::CopyOp::create(builder, loc, target, buffer);
}

mlir::LogicalResult lower_main(FuncOp from, mlir::OpBuilder& builder) {
  FuncOp function = declare(from, builder);
  mlir::Block* entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Lowering lowering(builder);
  const unsigned inputs = from.getNumArguments();
  for (const auto [index, argument] : llvm::enumerate(from.getArguments())) {
    lowering.map.map(argument, read_argument(builder, from.getLoc(), entry->getArgument(index),
                                             argument.getType()));
  }
  const auto results = lowering.lower_block(from.getBody().front());
  if (mlir::failed(results)) return mlir::failure();
  for (const auto [index, value] : llvm::enumerate(*results)) {
    write_result(builder, from.getLoc(), value, entry->getArgument(inputs + index),
                 from.getResultTypes()[index]);
  }
  mlir::func::ReturnOp::create(builder, from.getLoc());
  return mlir::success();
}

struct LowerToTensor : mlir::PassWrapper<LowerToTensor, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToTensor)
  llvm::StringRef getArgument() const override { return "tandem-lower-to-tensor"; }
  llvm::StringRef getDescription() const override {
    return "Translate StableHLO to linalg on tensors";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry
        .insert<mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect,
                mlir::linalg::LinalgDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect,
                mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  }
  void runOnOperation() override {
    auto from = getOperation().lookupSymbol<FuncOp>("main");
    mlir::OpBuilder builder(from);
    from.setName("tandem.stablehlo.main");
    if (mlir::failed(lower_main(from, builder))) return signalPassFailure();
    llvm::SmallVector<FuncOp> old;
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      if (function.getName() != "main" && !function->hasAttr("tandem.kernel"))
        old.push_back(function);
    }
    for (FuncOp function : old) function->erase();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_lower_to_tensor_pass() {
  return std::make_unique<LowerToTensor>();
}

}  // namespace tandem::compiler
