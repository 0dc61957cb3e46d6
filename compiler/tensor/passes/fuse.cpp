// Elementwise fusion with upstream's patterns; this file decides what may be fused.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/folding/fold.hpp"
#include "compiler/tensor/reshaped.hpp"
#include "llvm/ADT/SmallBitVector.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tandem::compiler {
namespace {

// Operands that are parts of different tensors: more of them would make the tiles in VMEM small.
constexpr std::size_t tensor_limit = 12;
// All operands: the taps of a convolution are parts of two tensors. Values in flight need
// registers.
constexpr unsigned operand_limit = 54;

using mlir::linalg::GenericOp;

bool only_moves(GenericOp op) { return op.getBody()->getOperations().size() == 1; }

// Scalar constants are folded into the body, and the operand disappears.
bool may_go(mlir::Value operand) {
  mlir::Operation* op = operand.getDefiningOp();
  return op != nullptr &&
         (mlir::isa<mlir::linalg::FillOp>(op) || op->hasTrait<mlir::OpTrait::ConstantLike>());
}

// The loops whose extent an operand with this map determines.
void note_loops(mlir::AffineMap map, llvm::SmallBitVector& known) {
  for (const mlir::AffineExpr expression : map.getResults()) {
    if (const auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(expression)) {
      known.set(loop.getPosition());
    }
  }
}

// Whether every loop of the consumer still has an operand that determines its extent.
bool keeps_extents(GenericOp producer, GenericOp consumer, mlir::OpOperand* operand) {
  llvm::SmallBitVector known(consumer.getNumLoops());
  for (mlir::OpOperand& other : consumer->getOpOperands()) {
    const bool stays = consumer.isDpsInit(&other) || !may_go(other.get());
    if (&other != operand && stays) note_loops(consumer.getMatchingIndexingMap(&other), known);
  }
  const mlir::AffineMap made = producer.getIndexingMapsArray().back();
  if (!made.isPermutation()) return known.all();
  const mlir::AffineMap through =
      mlir::inversePermutation(made).compose(consumer.getMatchingIndexingMap(operand));
  for (mlir::OpOperand* input : producer.getDpsInputOperands()) {
    if (may_go(input->get())) continue;
    note_loops(producer.getMatchingIndexingMap(input).compose(through), known);
  }
  return known.all();
}

// Whether the body adds to the initial values of its results. Upstream treats a generic with only
// parallel loops as elementwise, and in a consumer with more loops the body would add in each of
// them.
bool adds_to_inits(GenericOp op) {
  return llvm::any_of(op.getRegionOutputArgs(),
                      [](mlir::BlockArgument init) { return !init.use_empty(); });
}

// The tensor that a value is a part of, or has the words of.
mlir::Value whole_of(mlir::Value value) {
  for (;;) {
    auto slice = value.getDefiningOp<mlir::tensor::ExtractSliceOp>();
    const mlir::Value source = slice ? slice.getSource() : source_of_reshape(value.getDefiningOp());
    if (!source) return value;
    value = source;
  }
}

// Whether one operation may have the operands of both.
bool has_room(GenericOp producer, GenericOp consumer) {
  if (producer->getNumOperands() + consumer->getNumOperands() > operand_limit) return false;
  llvm::SmallDenseSet<mlir::Value, 16> wholes;
  for (const GenericOp op : {producer, consumer}) {
    for (const mlir::Value operand : op->getOperands()) wholes.insert(whole_of(operand));
  }
  return wholes.size() <= tensor_limit;
}

// A producer with one reader moves into it. Contractions take their operands from memory.
bool worth_fusing(mlir::OpOperand* operand) {
  auto producer = operand->get().getDefiningOp<GenericOp>();
  auto consumer = mlir::dyn_cast<GenericOp>(operand->getOwner());
  if (!producer || !consumer || attribute::precision.is_on(consumer)) return false;
  // Its meaning is recognized by its form.
  if (attribute::weave.is_on(producer) || attribute::weave.is_on(consumer)) return false;
  if (adds_to_inits(producer)) return false;
  return has_room(producer, consumer) && producer->hasOneUse() &&
         keeps_extents(producer, consumer, operand);
}

// Pure data movement is duplicated for each reader; equal operations are merged after the fusion.
// (Upstream would return the producer's result together with the consumer's, which is wrong where
// the consumer reduces.)
void one_for_each_reader(mlir::Operation* function) {
  llvm::SmallVector<GenericOp> movers;
  function->walk([&](GenericOp op) {
    if (only_moves(op) && op->getNumResults() == 1) movers.push_back(op);
  });
  for (GenericOp op : llvm::reverse(movers)) {
    const llvm::SmallVector<mlir::OpOperand*> uses(
        llvm::make_pointer_range(op.getResult(0).getUses()));
    for (mlir::OpOperand* use : llvm::drop_begin(uses, uses.empty() ? 0 : 1)) {
      if (!mlir::isa<GenericOp>(use->getOwner())) continue;
      mlir::OpBuilder builder(op);
      use->set(builder.clone(*op)->getResult(0));
    }
  }
}

// A body that yields a number, whatever it reads, fills its result; and a number may go into every
// reader.
struct FillWithNumber : mlir::OpRewritePattern<GenericOp> {
  using mlir::OpRewritePattern<GenericOp>::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(GenericOp op,
                                      mlir::PatternRewriter& rewriter) const override {
    if (op.getNumDpsInits() != 1 || op->getNumResults() != 1 ||
        op.getNumParallelLoops() != op.getNumLoops() ||
        !op.getIndexingMapsArray().back().isPermutation()) {
      return mlir::failure();
    }
    mlir::Attribute number;
    const mlir::Value yielded = op.getBody()->getTerminator()->getOperand(0);
    if (!mlir::matchPattern(yielded, mlir::m_Constant(&number))) return mlir::failure();
    const mlir::Value scalar =
        mlir::arith::ConstantOp::create(rewriter, op.getLoc(), mlir::cast<mlir::TypedAttr>(number));
    rewriter.replaceOpWithNewOp<mlir::linalg::FillOp>(op, scalar, op.getDpsInits().front());
    return mlir::success();
  }
};

struct Fuse : FunctionPass<Fuse, PassName::fuse> {
  void run() {
    one_for_each_reader(getOperation());
    mlir::RewritePatternSet patterns(&getContext());
    mlir::linalg::populateElementwiseOpsFusionPatterns(patterns, worth_fusing);
    mlir::linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    patterns.add<FillWithNumber>(&getContext());
    mlir::linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    // Long chains take more rounds than the driver's usual ten; each fusion makes the chain
    // shorter.
    mlir::GreedyRewriteConfig config;
    config.setMaxIterations(mlir::GreedyRewriteConfig::kNoLimit);
    if (mlir::failed(apply_patterns(getOperation(), std::move(patterns), config))) {
      getOperation().emitError("internal: elementwise fusion came to no end");
      signalPassFailure();
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_fuse_pass() { return std::make_unique<Fuse>(); }

}  // namespace tandem::compiler
