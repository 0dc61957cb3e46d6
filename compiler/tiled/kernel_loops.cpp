// The loops of a kernel, and their order.
#include "compiler/tiled/kernel.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

// A loop whose index the body uses must not be merged.
bool is_numbered(mlir::linalg::LinalgOp op, int loop) {
  return llvm::any_of(op.getBlock()->getOps<mlir::linalg::IndexOp>(),
                      [&](auto index) { return static_cast<int>(index.getDim()) == loop; });
}

bool can_merge(const Loop& outer, const Loop& inner) {
  if (outer.reduces != inner.reduces) return false;
  for (const auto [out, in] : llvm::zip(outer.strides, inner.strides)) {
    if (out != in * inner.size) return false;
  }
  return true;
}

void merge(Kernel& kernel, bool keeps_last) {
  llvm::SmallVector<Loop>& loops = kernel.loops;
  llvm::SmallVector<Loop> merged;
  for (const auto [index, loop] : llvm::enumerate(loops)) {
    const bool keeps = (keeps_last && index + 1 == loops.size()) ||
                       is_numbered(kernel.op, loop.source) ||
                       (!merged.empty() && is_numbered(kernel.op, merged.back().source));
    if (!merged.empty() && !keeps && can_merge(merged.back(), loop)) {
      const std::int64_t size = merged.back().size * loop.size;
      merged.back() = loop;
      merged.back().size = size;
      merged.back().source = -1;
    } else {
      merged.push_back(loop);
    }
  }
  loops = merged;
}

}  // namespace

mlir::FailureOr<Kernel> kernel_of(mlir::linalg::LinalgOp op) {
  Kernel kernel{op, {}, {}, static_cast<unsigned>(op.getNumDpsInputs()), false};
  const Sizes ranges = op.getStaticLoopRanges();
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const bool is_buffer = mlir::isa<mlir::MemRefType>(operand.get().getType());
    const auto access = is_buffer ? access_of(operand.get(), op.getMatchingIndexingMap(&operand))
                                  : Access{operand.get(), 0, Sizes(ranges.size(), 0)};
    if (mlir::failed(access)) {
      return op->emitError("internal: operand ")
             << operand.getOperandNumber() << " is not linear in the loops";
    }
    kernel.operands.push_back(*access);
    if (op.isDpsInit(&operand)) {
      kernel.reads_output = kernel.reads_output || op.payloadUsesValueFromOperand(&operand);
    }
  }
  const auto iterators = op.getIteratorTypesArray();
  for (const auto [index, size] : llvm::enumerate(ranges)) {
    Loop loop{size,
              iterators[index] == mlir::utils::IteratorType::reduction,
              {},
              static_cast<int>(index)};
    for (const Access& access : kernel.operands) loop.strides.push_back(access.strides[index]);
    if (size != 1 || is_numbered(op, static_cast<int>(index))) kernel.loops.push_back(loop);
  }
  // Parallel loops in the order of the first output in memory.
  llvm::stable_sort(kernel.loops, [&](const Loop& a, const Loop& b) {
    if (a.reduces != b.reduces) return b.reduces;
    return std::abs(a.strides[kernel.inputs]) > std::abs(b.strides[kernel.inputs]) && !a.reduces;
  });
  // In VMEM the innermost dimension is within a row: it stays a loop of its own.
  const bool in_rows = llvm::any_of(
      kernel.operands, [](const Access& operand) { return lies_in_vmem(operand.buffer); });
  merge(kernel, in_rows);
  return kernel;
}

void merge_rows(Kernel& kernel) { merge(kernel, false); }

void in_steps(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t size, std::int64_t step,
              Step body, bool unrolls) {
  const std::int64_t whole = size / step;
  if (whole == 1 || unrolls) {
    for (std::int64_t i = 0; i < whole; ++i) body(builder, builder.getIndexAttr(i * step), step);
  } else if (whole > 1) {
    const auto constant = [&](std::int64_t value) -> mlir::Value {
      return mlir::arith::ConstantIndexOp::create(builder, loc, value);
    };
    mlir::scf::ForOp::create(
        builder, loc, constant(0), constant(whole * step), constant(step), mlir::ValueRange{},
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::Value index, mlir::ValueRange) {
          body(nested, index, step);
          mlir::scf::YieldOp::create(nested, at);
        });
  }
  if (size % step != 0) body(builder, builder.getIndexAttr(whole * step), size % step);
}

}  // namespace tandem::compiler
