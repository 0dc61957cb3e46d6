#include "compiler/tpu/rows/row_ops.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/views/access.hpp"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler::rows {
namespace {

namespace arith = mlir::arith;

mlir::memref::AllocOp root_of(Value buffer) {
  mlir::Operation* op = buffer.getDefiningOp();
  while (op != nullptr && !mlir::isa<mlir::memref::AllocOp>(op)) {
    op = op->getNumOperands() == 0 ? nullptr : op->getOperand(0).getDefiningOp();
  }
  return mlir::dyn_cast_or_null<mlir::memref::AllocOp>(op);
}

// Whether both are in different allocations without common memory.
bool lie_apart(mlir::memref::AllocOp a, mlir::memref::AllocOp b) {
  return a && b && !share_words(a, b);
}

}  // namespace

bool may_overlap(const RowOperand& a, const RowOperand& b) {
  if (lie_apart(a.root, b.root)) return false;
  if (a.spot.row.moved != b.spot.row.moved || a.spot.pitch < 0 || b.spot.pitch < 0) return true;
  return a.spot.row.fixed < b.spot.row.fixed + b.extent &&
         b.spot.row.fixed < a.spot.row.fixed + a.extent;
}

Combiner combiner_of(mlir::Operation* op) {
  constexpr std::int64_t infinity = 0x7f800000;
  return llvm::TypeSwitch<mlir::Operation*, Combiner>(op)
      .Case([](arith::AddFOp) {
        return Combiner{"vadd.f32", "lsum.f32", 0};
      })
      .Case([](arith::MaximumFOp) {
        return Combiner{"vmax.f32", "lmax.f32", 0xff800000};
      })
      .Case([](arith::MinimumFOp) {
        return Combiner{"vmin.f32", "lmin.f32", infinity};
      })
      .Case([](arith::AddIOp) {
        return Combiner{"vadd.s32", "lsum.s32", 0};
      })
      .Case([](arith::MaxSIOp) {
        return Combiner{"vmax.s32", "lmax.s32", 0x80000000};
      })
      .Default([](mlir::Operation*) {
        return Combiner{"vmin.s32", "lmin.s32", 0x7fffffff};
      });
}

mlir::FailureOr<RowOp> describe(mlir::OpBuilder& builder, Memory& memory, std::int64_t lanes,
                                mlir::linalg::LinalgOp op) {
  const auto ranges = op.getStaticLoopRanges();
  RowOp result{op, {}, static_cast<unsigned>(op.getNumDpsInputs()), ranges[0], ranges[1]};
  result.scans = attribute::scan.is_on(op);
  result.from_end = result.scans && attribute::scan.get(op) == "down";
  result.sums = op.getIteratorTypesArray()[1] == mlir::utils::IteratorType::reduction;
  for (mlir::OpOperand& use : op->getOpOperands()) {
    const auto type = mlir::cast<mlir::MemRefType>(use.get().getType());
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t ignored = 0;
    std::int64_t lane = 0;
    const auto row = memory.row_of(builder, use.get(), &lane);
    if (mlir::failed(row) || mlir::failed(type.getStridesAndOffset(strides, ignored))) {
      return mlir::failure();
    }
    const mlir::AffineMap map = op.getMatchingIndexingMap(&use);
    RowOperand operand{{*row, lane, 0, Kind::full},
                       1,
                       root_of(use.get()),
                       op.payloadUsesValueFromOperand(&use),
                       op.isDpsInit(&use)};
    const std::int64_t chunks = (lane + result.columns + lanes - 1) / lanes;
    if (map.getNumResults() == 2) {
      operand.spot.pitch = strides.front() / lanes;
      operand.extent = std::abs(operand.spot.pitch) * (result.rows - 1) + chunks;
    } else if (map.isFunctionOfDim(0)) {
      if (lane != 0) return op.emitError("internal: values of rows that are not at a row of VMEM");
      operand.spot.kind = Kind::row;
      operand.extent = (result.rows + lanes - 1) / lanes;
    } else {
      operand.spot.kind = Kind::column;
      operand.extent = chunks;
    }
    result.operands.push_back(operand);
  }
  return result;
}

bool go_together(const RowOp& before, const RowOp& after, bool& meet) {
  meet = false;
  for (const RowOperand& a : before.operands) {
    for (const RowOperand& b : after.operands) {
      if ((!a.is_output && !b.is_output) || !may_overlap(a, b)) continue;
      if (!(a.spot == b.spot) || a.spot.kind == Kind::column) return false;
      meet = true;
    }
  }
  return true;
}

bool reads_sum_of(const RowOp& before, const RowOp& after) {
  if (!before.sums) return false;
  return llvm::any_of(after.operands, [&](const RowOperand& operand) {
    return operand.spot == before.operands.back().spot;
  });
}

}  // namespace tandem::compiler::rows
