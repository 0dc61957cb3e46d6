// Elementwise fusion with upstream's patterns; what may be fused is decided here.
#include "compiler/passes.hpp"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tandem::compiler {
namespace {

// More operands than this would cut the tiles of VMEM small.
constexpr unsigned operand_limit = 12;

// A producer with one reader moves into it; what only moves data may be done again and again.
// Contractions take their operands from memory.
bool worth_fusing(mlir::OpOperand* operand) {
  mlir::Operation* producer = operand->get().getDefiningOp();
  mlir::Operation* consumer = operand->getOwner();
  if (producer == nullptr || consumer->hasAttr("tandem.precision")) return false;
  if (producer->getNumOperands() + consumer->getNumOperands() > operand_limit) return false;
  return producer->hasOneUse() || producer->getRegion(0).front().getOperations().size() == 1;
}

struct Fuse : mlir::PassWrapper<Fuse, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Fuse)
  llvm::StringRef getArgument() const override { return "tandem-fuse"; }
  llvm::StringRef getDescription() const override {
    return "Fuse elementwise operations into their consumers";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::affine::AffineDialect, mlir::linalg::LinalgDialect,
                    mlir::tensor::TensorDialect>();
  }
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    mlir::linalg::populateElementwiseOpsFusionPatterns(patterns, worth_fusing);
    mlir::linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    mlir::linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    // Long chains take more rounds than the driver's usual ten; each fusion makes the chain
    // shorter.
    mlir::GreedyRewriteConfig config;
    config.setMaxIterations(mlir::GreedyRewriteConfig::kNoLimit);
    if (mlir::failed(mlir::applyPatternsGreedily(getOperation(), std::move(patterns), config))) {
      getOperation().emitError("internal: elementwise fusion came to no end");
      signalPassFailure();
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_fuse_pass() { return std::make_unique<Fuse>(); }

}  // namespace tandem::compiler
