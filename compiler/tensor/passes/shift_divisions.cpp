// Integer division by a power of two, which JAX writes for //, % and divmod by constants, as
// shifts. The vector units have no division of words: a general one takes about sixty instructions.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/folding/fold.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

// Creates operations on words of the division's type.
struct Words {
  mlir::PatternRewriter& rewriter;
  mlir::Operation* op;

  [[nodiscard]] Value number(const llvm::APInt& value) const {
    return arith::ConstantOp::create(rewriter, op->getLoc(),
                                     rewriter.getIntegerAttr(op->getResult(0).getType(), value));
  }
  [[nodiscard]] Value number(unsigned value) const {
    return number(llvm::APInt(op->getResult(0).getType().getIntOrFloatBitWidth(), value));
  }
  template <typename Op>
  [[nodiscard]] Value make(Value a, Value b) const {
    return Op::create(rewriter, op->getLoc(), a, b);
  }
};

// The dividend, and for negative ones plus the divisor minus one: rounding down is then rounding
// towards zero. The upper bits of a negative number's sign extension are the divisor minus one.
Value biased(const Words& words, Value dividend, unsigned power) {
  const unsigned width = dividend.getType().getIntOrFloatBitWidth();
  const Value signs = words.make<arith::ShRSIOp>(dividend, words.number(width - 1));
  const Value bias = words.make<arith::ShRUIOp>(signs, words.number(width - power));
  return words.make<arith::AddIOp>(dividend, bias);
}

Value quotient(const Words& words, Value dividend, const llvm::APInt& divisor, bool is_signed) {
  if (!is_signed) {
    return words.make<arith::ShRUIOp>(dividend, words.number(divisor.logBase2()));
  }
  const unsigned power = divisor.abs().logBase2();
  const Value result =
      words.make<arith::ShRSIOp>(biased(words, dividend, power), words.number(power));
  return divisor.isNegative() ? words.make<arith::SubIOp>(words.number(0), result) : result;
}

// The rest has the sign of the dividend, whatever that of the divisor.
Value rest(const Words& words, Value dividend, const llvm::APInt& divisor, bool is_signed) {
  if (!is_signed) return words.make<arith::AndIOp>(dividend, words.number(divisor - 1));
  const llvm::APInt magnitude = divisor.abs();
  const Value whole = words.make<arith::AndIOp>(biased(words, dividend, magnitude.logBase2()),
                                                words.number(-magnitude));
  return words.make<arith::SubIOp>(dividend, whole);
}

using Emit = Value (*)(const Words&, Value, const llvm::APInt&, bool);

template <typename Op, Emit emit, bool is_signed>
struct Shift : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(Op op, mlir::PatternRewriter& rewriter) const override {
    llvm::APInt divisor;
    // Division of indices stays: its lowering knows that they are small.
    if (!mlir::isa<mlir::IntegerType>(op.getType()) ||
        !mlir::matchPattern(op.getRhs(), mlir::m_ConstantInt(&divisor))) {
      return mlir::failure();
    }
    // One is upstream's; no result has the magnitude of the smallest number.
    const llvm::APInt magnitude = is_signed ? divisor.abs() : divisor;
    if (!magnitude.isPowerOf2() || magnitude.isOne()) return mlir::failure();
    if (is_signed && divisor.isMinSignedValue()) return mlir::failure();
    rewriter.replaceOp(op, emit(Words{rewriter, op}, op.getLhs(), divisor, is_signed));
    return mlir::success();
  }
};

struct ShiftDivisions : FunctionPass<ShiftDivisions, PassName::shift_divisions> {
  void run() {
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<Shift<arith::DivSIOp, quotient, true>, Shift<arith::DivUIOp, quotient, false>,
                 Shift<arith::RemSIOp, rest, true>, Shift<arith::RemUIOp, rest, false>>(
        &getContext());
    if (mlir::failed(apply_patterns(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_shift_divisions_pass() {
  return std::make_unique<ShiftDivisions>();
}

}  // namespace tandem::compiler
