// A program gives the same numbers whether the compiler knows its operands or not. Upstream folds
// with subnormals, by the host's libraries, and here and there wrong (atan2 of two zeros). So an
// operation on constants is left to the machine wherever the two may differ by more than the
// documented error of the machine's functions.
#include "compiler/folding/fold.hpp"

#include <cstdlib>

#include "llvm/ADT/StringSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/FoldUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tandem::compiler {
namespace {

using mlir::Attribute;
using mlir::Operation;

// How far a folded result may be trusted.
enum class Trust : std::uint8_t {
  bits,      // moves bits, or is about integers
  rounding,  // exact or rounded to nearest: as the machine, but for subnormals and NaNs
  function,  // within a few units in the last place, special cases aside
};

Trust trust_of(Operation* op) {
  static const llvm::StringSet<> bits{"arith.bitcast", "arith.constant", "arith.select",
                                      "arith.negf",    "math.absf",      "math.copysign"};
  static const llvm::StringSet<> rounding{
      "arith.addf",     "arith.subf",   "arith.mulf",   "arith.maximumf",
      "arith.minimumf", "arith.cmpf",   "arith.extf",   "arith.truncf",
      "arith.sitofp",   "arith.uitofp", "arith.fptosi", "arith.fptoui",
      "math.floor",     "math.ceil",    "math.round",   "math.roundeven"};
  const llvm::StringRef name = op->getName().getStringRef();
  const bool computes = name.starts_with("arith.") || name.starts_with("math.");
  const auto is_real = [](mlir::Type type) {
    return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
  };
  if (!computes || bits.contains(name) ||
      (llvm::none_of(op->getOperandTypes(), is_real) &&
       llvm::none_of(op->getResultTypes(), is_real))) {
    return Trust::bits;
  }
  return rounding.contains(name) ? Trust::rounding : Trust::function;
}

// A value counts as subnormal if it is below the normal range of fp32 or of its own type.
bool is_subnormal(const llvm::APFloat& value) {
  if (value.isDenormal()) return true;
  llvm::APFloat wide = value;
  bool loses = false;
  wide.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return wide.isDenormal();
}

bool is_trusted(const llvm::APFloat& value, Trust trust) {
  if (trust == Trust::rounding) return !value.isNaN() && !is_subnormal(value);
  constexpr int far = 64;  // from there on, intermediate values may leave the range
  return value.isFiniteNonZero() && std::abs(ilogb(value)) <= far;
}

bool is_trusted(Attribute constant, Trust trust) {
  if (const auto number = mlir::dyn_cast_or_null<mlir::FloatAttr>(constant)) {
    return is_trusted(number.getValue(), trust);
  }
  if (const auto several = mlir::dyn_cast_or_null<mlir::DenseFPElementsAttr>(constant)) {
    return llvm::all_of(several.getValues<llvm::APFloat>(),
                        [&](const llvm::APFloat& value) { return is_trusted(value, trust); });
  }
  return true;
}

struct Fold : mlir::RewritePattern {
  Fold(mlir::MLIRContext* context, mlir::OperationFolder& constants)
      : RewritePattern(MatchAnyOpTypeTag(), highest, context), constants_(constants) {}

  mlir::LogicalResult matchAndRewrite(Operation* op,
                                      mlir::PatternRewriter& rewriter) const override {
    if (op->hasTrait<mlir::OpTrait::ConstantLike>()) return mlir::failure();
    llvm::SmallVector<Attribute> operands(op->getNumOperands());
    for (const auto [operand, constant] : llvm::zip(op->getOperands(), operands)) {
      mlir::matchPattern(operand, mlir::m_Constant(&constant));
    }
    llvm::SmallVector<mlir::OpFoldResult> results;
    rewriter.startOpModification(op);
    if (mlir::failed(op->fold(operands, results))) {
      rewriter.cancelOpModification(op);
      return mlir::failure();
    }
    if (results.empty()) {  // changed in place
      rewriter.finalizeOpModification(op);
      return mlir::success();
    }
    rewriter.cancelOpModification(op);
    return replace(op, operands, results, rewriter);
  }

 private:
  static constexpr unsigned short highest = 60000;

  mlir::LogicalResult replace(Operation* op, llvm::ArrayRef<Attribute> operands,
                              llvm::ArrayRef<mlir::OpFoldResult> results,
                              mlir::PatternRewriter& rewriter) const {
    const Trust trust = trust_of(op);
    const auto doubted = [&](Attribute constant) {
      return trust != Trust::bits && !is_trusted(constant, trust);
    };
    // The machine has flushed an operand that is passed through.
    const bool knows_all = llvm::all_of(operands, [](Attribute known) { return known != nullptr; });
    if (knows_all && llvm::any_of(operands, doubted)) return mlir::failure();
    llvm::SmallVector<mlir::Value> values;
    for (const auto [result, type] : llvm::zip(results, op->getResultTypes())) {
      if (const auto value = mlir::dyn_cast<mlir::Value>(result)) {
        values.push_back(value);
        continue;
      }
      const auto constant = mlir::cast<Attribute>(result);
      if (doubted(constant) || llvm::any_of(operands, doubted)) return mlir::failure();
      const mlir::Value made =
          constants_.getOrCreateConstant(op->getBlock(), op->getDialect(), constant, type);
      if (!made) return mlir::failure();
      values.push_back(made);
    }
    rewriter.replaceOp(op, values);
    return mlir::success();
  }

  mlir::OperationFolder& constants_;
};

// Constants that the driver drops can no longer be shared.
struct Forgetting : mlir::RewriterBase::Listener {
  explicit Forgetting(mlir::OperationFolder& constants) : constants(constants) {}
  void notifyOperationErased(Operation* op) override { constants.notifyRemoval(op); }
  mlir::OperationFolder& constants;
};

}  // namespace

mlir::LogicalResult apply_patterns(Operation* op, mlir::RewritePatternSet&& patterns,
                                   mlir::GreedyRewriteConfig config) {
  mlir::OperationFolder constants(op->getContext());
  Forgetting forgetting(constants);
  patterns.add<Fold>(op->getContext(), constants);
  config.enableFolding(false).setListener(&forgetting);
  return mlir::applyPatternsGreedily(op, std::move(patterns), config);
}

}  // namespace tandem::compiler
