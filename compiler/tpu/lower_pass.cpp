// buffers -> tpu: no memory references are left, only addresses, and @main has no arguments; what
// it was called with stands in its attribute `tandem.tensors`.
#include "compiler/passes.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/memory.hpp"
#include "compiler/tpu/tiles.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::func::FuncOp;

mlir::Attribute tensor_entry(FuncOp function, unsigned index) {
  mlir::Builder builder(function.getContext());
  const auto type = mlir::cast<mlir::MemRefType>(function.getArgument(index).getType());
  mlir::NamedAttrList entry;
  for (const llvm::StringRef name : {"name", "type", "direction"}) {
    entry.set(name, function.getArgAttr(index, ("tandem." + name).str()));
  }
  if (const mlir::Attribute shares = function.getArgAttr(index, "tandem.shares")) {
    entry.set("shares", shares);
  }
  entry.set("shape", builder.getDenseI64ArrayAttr(type.getShape()));
  return entry.getDictionary(function.getContext());
}

// A scalar from memory counts as itself whatever its type in arith is; predicates are made of it.
void replace_scalar(mlir::OpBuilder& builder, memref::LoadOp load, mlir::Value scalar) {
  const mlir::Type type = load.getType();
  mlir::Value value = scalar;
  if (type.isInteger(1)) {
    value = machine(builder, load.getLoc(), "ne", scalar,
                    builder.getNamedAttr("b", builder.getI64IntegerAttr(0)));
  } else if (type.isInteger(32) || type.isInteger(16) || type.isInteger(8)) {
    value = mlir::arith::IndexCastOp::create(builder, load.getLoc(), type, scalar);
  } else {
    // Bodies on vectors take the bits of a real as they are.
    value =
        mlir::UnrealizedConversionCastOp::create(builder, load.getLoc(), type, scalar).getResult(0);
  }
  load.replaceAllUsesWith(value);
}

class FunctionLowering {
 public:
  FunctionLowering(FuncOp function, const Parameters& machine)
      : function_(function), machine_(machine), memory_(function, machine) {}

  mlir::LogicalResult run() {
    llvm::SmallVector<mlir::Operation*> all;
    function_.walk([&](mlir::Operation* op) {
      const bool views = mlir::isa<mlir::UnrealizedConversionCastOp>(op) &&
                         mlir::isa<mlir::MemRefType>(op->getResult(0).getType());
      if (views ||
          mlir::isa<memref::MemRefDialect, mlir::linalg::LinalgDialect>(op->getDialect())) {
        if (!mlir::isa<mlir::linalg::LinalgOp>(op->getParentOp())) all.push_back(op);
      }
    });
    for (mlir::Operation* op : all) {
      if (mlir::failed(lower(op))) return mlir::failure();
    }
    for (mlir::Operation* op : llvm::reverse(all)) op->erase();
    return finish();
  }

 private:
  mlir::LogicalResult lower(mlir::Operation* op) {
    mlir::OpBuilder builder(op);
    if (auto copy = mlir::dyn_cast<memref::CopyOp>(op)) return memory_.lower_copy(builder, copy);
    if (auto tile = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
      if (op->hasAttr("tandem.precision")) {
        return lower_contraction(builder, memory_, machine_, tile);
      }
      if (op->hasAttr("tandem.rows")) return lower_rows(builder, memory_, machine_, tile);
      return lower_tile(builder, memory_, machine_, tile);
    }
    if (auto load = mlir::dyn_cast<memref::LoadOp>(op)) {
      const auto scalar = memory_.lower_load(builder, load);
      if (mlir::succeeded(scalar)) replace_scalar(builder, load, *scalar);
      return mlir::failure(mlir::failed(scalar));
    }
    if (auto metadata = mlir::dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
      const mlir::Value offset = memory_.offset_value(builder, op->getLoc(), metadata.getSource());
      if (!offset) return mlir::failure();
      metadata.getOffset().replaceAllUsesWith(offset);
      return mlir::success();
    }
    if (mlir::isa<memref::AllocOp, memref::DeallocOp, memref::GetGlobalOp,
                  memref::ReinterpretCastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
                  memref::CastOp, mlir::UnrealizedConversionCastOp>(op)) {
      return mlir::success();  // found again from what uses them
    }
    return op->emitError("unimplemented: ") << op->getName() << " on the machine";
  }

  mlir::LogicalResult finish() {
    // Scalars of other types than index have done their service in the tiles' bodies.
    llvm::SmallVector<mlir::Operation*> casts;
    function_.walk([&](mlir::UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    for (mlir::Operation* cast : llvm::reverse(casts)) {
      if (!cast->use_empty()) {
        cast->replaceAllUsesWith(cast->getOperands());
      }
      cast->erase();
    }
    mlir::Builder builder(function_.getContext());
    llvm::SmallVector<mlir::Attribute> tensors;
    for (unsigned i = 0; i < function_.getNumArguments(); ++i) {
      tensors.push_back(tensor_entry(function_, i));
    }
    function_->setAttr("tandem.tensors", builder.getArrayAttr(tensors));
    function_.removeArgAttrsAttr();
    function_.getBody().front().eraseArguments(0, function_.getNumArguments());
    function_.setType(builder.getFunctionType({}, {}));
    return mlir::success();
  }

  FuncOp function_;
  const Parameters& machine_;
  Memory memory_;
};

struct LowerToTpu : mlir::PassWrapper<LowerToTpu, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToTpu)
  explicit LowerToTpu(const Parameters& machine) : machine(machine) {}
  llvm::StringRef getArgument() const override { return "tandem-lower-to-tpu"; }
  llvm::StringRef getDescription() const override {
    return "Translate copies and operations on tiles to instructions";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::scf::SCFDialect>();
  }
  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<FuncOp>("main");
    if (!function || mlir::failed(FunctionLowering(function, machine).run())) signalPassFailure();
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_lower_to_tpu_pass(const Parameters& machine) {
  return std::make_unique<LowerToTpu>(machine);
}

}  // namespace tandem::compiler
