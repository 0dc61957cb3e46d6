// Fillings of an output that the operation after them need not read.
#include "compiler/contract/attributes.hpp"
#include "compiler/tiled/kernel.hpp"
#include "compiler/views/access.hpp"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::linalg::FillOp;
using mlir::linalg::LinalgOp;

bool touches(mlir::Operation* op, mlir::Value root) {
  return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
    return mlir::isa<mlir::MemRefType>(operand.getType()) && buffer_behind(operand) == root;
  });
}

// The operation that touches the buffer next, if it adds up in it.
LinalgOp next_reader(FillOp fill) {
  const mlir::Value buffer = fill.getOutputs().front();
  const mlir::Value root = buffer_behind(buffer);
  mlir::Operation* next = fill->getNextNode();
  while (next != nullptr && !touches(next, root)) {
    if (next->getNumRegions() != 0 && !mlir::isa<LinalgOp>(next)) return {};
    next = next->getNextNode();
  }
  auto reader = mlir::dyn_cast_or_null<LinalgOp>(next);
  if (!reader || reader.getNumDpsInits() != 1 || reader.getDpsInits().front() != buffer) return {};
  for (const mlir::Value input : reader.getDpsInputs()) {
    if (buffer_behind(input) == root) return {};
  }
  return reader;
}

bool contraction_starts_from_zero(FillOp fill, LinalgOp reader) {
  const mlir::Value number = fill.getInputs().front();
  const bool is_zero = mlir::matchPattern(number, mlir::m_AnyZeroFloat()) ||
                       mlir::matchPattern(number, mlir::m_Zero());
  const auto type = mlir::getElementTypeOrSelf(fill.getOutputs().front().getType());
  const auto element = mlir::getElementTypeOrSelf(reader->getOperand(0).getType());
  return is_zero && (type.isF32() || element.isInteger(8)) &&
         !llvm::is_contained(reader.getStaticLoopRanges(), 0);
}

// The initial value of a sum along the lanes, bit for bit.
bool sum_starts_from_identity(FillOp fill, LinalgOp reader, const Parameters& machine) {
  auto kernel = kernel_of(reader);
  if (mlir::failed(kernel)) return false;
  for (const Loop& loop : kernel->loops) {
    if (loop.size == 0) return false;
  }
  if (!sums_rows_at_once(*kernel, machine)) return false;
  mlir::Operation* last = reader.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const mlir::Value number = fill.getInputs().front();
  llvm::APFloat real(0.0F);
  llvm::APInt integer;
  const bool is_real = mlir::matchPattern(number, mlir::m_ConstantFloat(&real));
  const bool is_integer = mlir::matchPattern(number, mlir::m_ConstantInt(&integer));
  return llvm::TypeSwitch<mlir::Operation*, bool>(last)
      .Case([&](arith::AddFOp) { return is_real && real.isPosZero(); })
      .Case([&](arith::MaximumFOp) { return is_real && real.isInfinity() && real.isNegative(); })
      .Case([&](arith::MinimumFOp) { return is_real && real.isPosInfinity(); })
      .Case([&](arith::AddIOp) { return is_integer && integer.isZero(); })
      .Case([&](arith::MaxSIOp) { return is_integer && integer.isMinSignedValue(); })
      .Case([&](arith::MinSIOp) { return is_integer && integer.isMaxSignedValue(); })
      .Default([](mlir::Operation*) { return false; });
}

}  // namespace

void fold_fills(mlir::Operation* function, const Parameters& machine) {
  llvm::SmallVector<FillOp> fills;
  function->walk([&](FillOp fill) { fills.push_back(fill); });
  for (FillOp fill : fills) {
    LinalgOp reader = next_reader(fill);
    if (!reader) continue;
    const auto kernel = kernel_of(reader);
    if (mlir::failed(kernel)) continue;
    const bool multiplies = is_for_contraction(*kernel);
    if (multiplies ? !contraction_starts_from_zero(fill, reader)
                   : !sum_starts_from_identity(fill, reader, machine)) {
      continue;
    }
    multiplies ? attribute::from_zero.set(reader) : attribute::from_identity.set(reader);
    fill->erase();
  }
}

}  // namespace tandem::compiler
