#include "compiler/tiled/row_stream.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/machine_costs.hpp"
#include "compiler/views/residence.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler::blocks {
namespace {

namespace arith = mlir::arith;
namespace memref = mlir::memref;
namespace scf = mlir::scf;
using mlir::OpFoldResult;
using mlir::Value;
using mlir::linalg::LinalgOp;

constexpr std::int64_t least_beats = 64;  // of a copy, below which its start-up matters

bool is_word(mlir::Type type) { return type.isF32() || type.isInteger(32); }

// Whether it sums, if at all, like the cross-lane unit: over values that the body computes from the
// inputs.
bool sums_along_lanes(LinalgOp op) {
  if (op.getIteratorTypesArray()[1] == mlir::utils::IteratorType::parallel) return true;
  const mlir::Operation* last = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return op.getBlock()->getArguments().back().hasOneUse() &&
         mlir::isa_and_nonnull<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp,
                               arith::MaxSIOp, arith::MinSIOp>(last);
}

// Whether the operation is one on rows with the columns as the second loop, or the beginning of a
// sum; and each operand is words.
bool is_on_rows(LinalgOp op) {
  if (mlir::isa<mlir::linalg::FillOp>(op) && op.getNumLoops() == 1) return true;
  if (op.getNumLoops() != 2 || attribute::precision.is_on(op) || op.getNumDpsInits() != 1 ||
      !sums_along_lanes(op)) {
    return false;
  }
  return llvm::all_of(op->getOpOperands(), [&](mlir::OpOperand& operand) {
    const auto type = mlir::dyn_cast<mlir::MemRefType>(operand.get().getType());
    if (!type) return true;
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    const bool in_order =
        map.isProjectedPermutation() && (map.getNumResults() < 2 || map.isIdentity());
    return is_word(type.getElementType()) && in_order;
  });
}

}  // namespace

std::optional<RowStream> RowStream::find(const Group& group, const Parameters& machine) {
  const std::int64_t lanes = machine.lanes;
  std::int64_t columns = 0;
  for (LinalgOp op : group.ops()) {
    if (!is_on_rows(op) || group.loop_of(op) != 0) return std::nullopt;
    if (op.getNumLoops() == 2) columns = std::max(columns, op.getStaticLoopRanges()[1]);
  }
  const std::int64_t chunks = (columns + lanes - 1) / lanes;
  const auto count =
      llvm::count_if(group.ops(), [](LinalgOp op) { return !mlir::isa<mlir::linalg::FillOp>(op); });
  if (threshold::written_chunks(chunks) || columns < lanes) return std::nullopt;
  RowStream stream(group);
  stream.step_ = sublanes;
  while (stream.step_ * chunks < least_beats &&
         !threshold::written_groups(2 * stream.step_ / sublanes * chunks * count) &&
         group.size() % (2 * stream.step_) == 0) {
    stream.step_ *= 2;
  }
  if (group.size() % stream.step_ != 0) return std::nullopt;
  stream.blocks_ = group.size() / stream.step_;
  std::int64_t words = 0;
  bool comes = false;
  bool goes = false;
  for (const auto& [view, buffer] : group.buffers()) {
    if (!is_streamed(buffer)) continue;
    const mlir::MemRefType room = with_size(type_of(view), 0, rooms * stream.step_);
    const bool both = buffer.read_first && buffer.written;
    if (buffer.dimension != 0 || room.getRank() != 2 || room.getShape()[1] != columns || both ||
        wastes_pitched(room, lanes)) {
      return std::nullopt;
    }
    words += vmem_words_of(room, lanes);
    comes = comes || buffer.read_first;
    goes = goes || buffer.written;
  }
  const bool fits = words <= resident_words(machine) / 2;
  if (!fits || !comes || !goes || !threshold::stream_blocks(stream.blocks_)) return std::nullopt;
  return stream;
}

// Where the block's part of its ring begins.
OpFoldResult RowStream::room_of(mlir::OpBuilder& builder, OpFoldResult block) const {
  const mlir::Location loc = group_->ops().front()->getLoc();
  if (const auto known = mlir::getConstantIntValue(block)) {
    return builder.getIndexAttr(*known % rooms * step_);
  }
  const Value room = arith::AndIOp::create(builder, loc, mlir::cast<Value>(block),
                                           arith::ConstantIndexOp::create(builder, loc, rooms - 1));
  return times(builder, loc, room, step_);
}

llvm::SmallVector<memref::CopyOp> RowStream::copies(mlir::OpBuilder& builder, OpFoldResult block,
                                                    bool in) const {
  llvm::SmallVector<memref::CopyOp> all;
  const OpFoldResult room = room_of(builder, block);
  const OpFoldResult row = times(builder, group_->ops().front()->getLoc(), block, step_);
  for (const auto& [view, buffer] : group_->buffers()) {
    if (!is_streamed(buffer) || (in ? !buffer.read_first : !buffer.written)) continue;
    const Value far = block_view(builder, view, 0, row, step_);
    const Value near = block_view(builder, rings_.lookup(view), 0, room, step_);
    all.push_back(memref::CopyOp::create(builder, view.getLoc(), in ? far : near, in ? near : far));
  }
  return all;
}

void RowStream::start(mlir::OpBuilder& builder, OpFoldResult block, bool in) const {
  for (memref::CopyOp copy : copies(builder, block, in)) {
    attribute::stream.set(copy, in ? "in" : "out");
  }
}

void RowStream::compute(mlir::OpBuilder& builder, Value block) {
  const mlir::Location loc = group_->ops().front()->getLoc();
  const OpFoldResult room = room_of(builder, block);
  const Value row = mlir::cast<Value>(times(builder, loc, block, step_));
  llvm::DenseMap<Value, Value> near = brought_;
  for (const auto& [view, buffer] : group_->buffers()) {
    if (is_streamed(buffer)) {
      near[view] = block_view(builder, rings_.lookup(view), 0, room, step_);
    } else if (buffer.is_private) {
      near[view] = memref::AllocOp::create(builder, view.getLoc(),
                                           with_size(type_of(view), buffer.dimension, step_));
    }
  }
  for (LinalgOp op : group_->ops()) {
    mlir::IRMapping map;
    for (const Value operand : op->getOperands()) {
      if (const Value other = near.lookup(operand)) map.map(operand, other);
    }
    clone_on_block(builder, op, 0, map, row);
  }
}

void RowStream::turn(mlir::OpBuilder& builder, mlir::Location loc, Value block) {
  const auto where = [&](arith::CmpIPredicate holds, Value value, std::int64_t bound,
                         std::int64_t distance, bool in) {
    const Value limit = arith::ConstantIndexOp::create(builder, loc, bound);
    const Value condition = arith::CmpIOp::create(builder, loc, holds, value, limit);
    scf::IfOp::create(builder, loc, condition, [&](mlir::OpBuilder& nested, mlir::Location at) {
      start(nested, add(nested, at, block, nested.getIndexAttr(distance)), in);
      scf::YieldOp::create(nested, at);
    });
  };
  where(arith::CmpIPredicate::slt, block, blocks_ - lead, lead, true);
  where(arith::CmpIPredicate::sge, block, behind, -behind, false);
  compute(builder, block);
}

void RowStream::emit(mlir::OpBuilder& builder) {
  const mlir::Location loc = group_->ops().front()->getLoc();
  std::int64_t coming = 0;
  std::int64_t going = 0;
  for (const auto& [view, buffer] : group_->buffers()) {
    if (is_streamed(buffer)) {
      rings_[view] = memref::AllocOp::create(builder, view.getLoc(),
                                             with_size(type_of(view), 0, rooms * step_));
      coming += buffer.read_first ? 1 : 0;
      going += buffer.written ? 1 : 0;
    } else if (buffer.dimension < 0 && view.getDefiningOp<memref::SubViewOp>()) {
      brought_[view] = memref::AllocOp::create(builder, loc, with_size(type_of(view), -1, 0));
      memref::CopyOp::create(builder, loc, view, brought_[view]);
    }
  }
  for (std::int64_t i = 0; i < lead; ++i) start(builder, builder.getIndexAttr(i), true);
  const auto constant = [&](std::int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto loop = scf::ForOp::create(
      builder, loc, constant(0), constant(blocks_), constant(1), mlir::ValueRange{},
      [&](mlir::OpBuilder& nested, mlir::Location at, Value block, mlir::ValueRange) {
        turn(nested, at, block);
        scf::YieldOp::create(nested, at);
      });
  // The count that an iteration waits for: `coming` times its number plus one; `going` times its
  // number minus the ring's blocks, plus one.
  attribute::stream_counts.set(loop, llvm::ArrayRef<std::int64_t>{coming, going, rooms});
  attribute::copies_apart.set(loop, behind);
  // The last ones belong to the block around the loop, like all other copies; those of the loop end
  // before.
  memref::CopyOp last;
  for (std::int64_t i = blocks_ - behind; i < blocks_; ++i) {
    last = copies(builder, builder.getIndexAttr(i), false).back();
  }
  attribute::stream_ends.set(last, (blocks_ - behind) * going);
}

}  // namespace tandem::compiler::blocks
