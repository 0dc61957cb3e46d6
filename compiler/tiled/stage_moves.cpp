// Copies of scattered words go through VMEM (compiler/moves/stage.hpp), block by block.
#include "compiler/contract/attributes.hpp"
#include "compiler/moves/stage.hpp"
#include "compiler/tiled/kernel.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/machine_costs.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::OpFoldResult;
using mlir::Value;
using moves::Dimension;
using moves::Side;

// The position of a view, as far as its type and its offset show.
moves::Outside outside_of(Value view, std::int64_t lanes) {
  moves::Outside outside;
  outside.in_vmem = lies_in_vmem(view);
  if (!outside.in_vmem) return outside;
  Sizes strides;
  std::int64_t offset = 0;
  const auto type = mlir::cast<mlir::MemRefType>(view.getType());
  if (mlir::failed(type.getStridesAndOffset(strides, offset))) return outside;
  if (!mlir::ShapedType::isDynamic(offset)) {
    outside.lane = offset % lanes;
    return outside;
  }
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  if (!cast) return outside;
  const auto words = mlir::dyn_cast<Value>(cast.getMixedOffsets().front());
  if (words) outside.lane = remainder_of(words, lanes).value_or(-1);
  return outside;
}

// The box of a copy, as far as its types show. Nothing where strides are unknown, or nothing moves.
struct Move {
  moves::Dimensions dimensions;
  moves::Outside source;
  moves::Outside target;
};

std::optional<Move> move_of(memref::CopyOp copy, std::int64_t lanes) {
  const auto shape = mlir::cast<mlir::MemRefType>(copy.getSource().getType()).getShape();
  const Sizes from = strides_of(copy.getSource());
  const Sizes to = strides_of(copy.getTarget());
  if (from.size() != shape.size() || to.size() != shape.size() || llvm::is_contained(shape, 0)) {
    return std::nullopt;
  }
  return Move{moves::dimensions_of(shape, from, to), outside_of(copy.getSource(), lanes),
              outside_of(copy.getTarget(), lanes)};
}

bool pays_in_registers(const Move& move, const Parameters& machine) {
  if (move.source.lane < 0 || move.target.lane < 0) return false;
  const auto plan = moves::plan_of(move.dimensions, move.source.lane, move.target.lane, machine);
  return plan &&
         plan->cycles <= copy_latency + moves::cycles_of_copy(move.dimensions, machine.lanes);
}

class StagedCopy {
 public:
  StagedCopy(memref::CopyOp copy, llvm::ArrayRef<Dimension> dimensions,
             const moves::Staging& staging, std::int64_t lanes)
      : copy_(copy),
        loc_(copy.getLoc()),
        dimensions_(dimensions),
        staging_(staging),
        lanes_(lanes) {}

  // The copies into the buffers and out of them.
  llvm::SmallVector<memref::CopyOp> run() {
    mlir::OpBuilder builder(copy_);
    llvm::SmallVector<OpFoldResult> start(dimensions_.size(), builder.getIndexAttr(0));
    llvm::SmallVector<std::int64_t> extent(staging_.block);
    if (staging_.at_once) {
      at_once(builder, start, extent);
    } else {
      make_room(builder, staging_.source, 1, from_);
      make_room(builder, staging_.target, 1, to_);
      loops(builder, dimensions_.size(), start, extent);
    }
    copy_.erase();
    return outer_;
  }

 private:
  struct Views {
    Sizes sizes;
    Sizes outside;
    Sizes inside;
  };

  void make_room(mlir::OpBuilder& builder, const Side& side, std::int64_t blocks, Value& room) {
    if (!side.staged) return;
    const auto type = mlir::cast<mlir::MemRefType>(copy_.getSource().getType());
    room = vmem_buffer(builder, loc_, blocks * side.words, type.getElementType());
  }

  // Blocks along one dimension, all of which come in before the first one is moved.
  void at_once(mlir::OpBuilder& builder, llvm::SmallVector<OpFoldResult>& start,
               llvm::SmallVector<std::int64_t>& extent) {
    std::size_t cut = 0;
    while (staging_.block[cut] == dimensions_[cut].size) ++cut;
    const std::int64_t size = dimensions_[cut].size;
    const std::int64_t step = staging_.block[cut];
    // One buffer: copies of one block may not have ended when the next one is moved.
    const std::int64_t blocks = (size + step - 1) / step;
    make_room(builder, staging_.source, blocks, from_);
    make_room(builder, staging_.target, blocks, to_);
    for (const bool moves : {false, true}) {
      for (std::int64_t number = 0; number < blocks; ++number) {
        start[cut] = builder.getIndexAttr(number * step);
        extent[cut] = std::min(step, size - number * step);
        from_first_ = number * staging_.source.words;
        to_first_ = number * staging_.target.words;
        moves ? move(builder, start, extent) : bring(builder, start, extent);
      }
    }
  }

  // The outermost dimension is the last one.
  void loops(mlir::OpBuilder& builder, std::size_t left, llvm::SmallVector<OpFoldResult>& start,
             llvm::SmallVector<std::int64_t>& extent) {
    if (left == 0) return block(builder, start, extent);
    const std::size_t i = left - 1;
    in_steps(builder, loc_, dimensions_[i].size, staging_.block[i],
             [&](mlir::OpBuilder& nested, OpFoldResult first, std::int64_t count) {
               start[i] = first;
               extent[i] = count;
               loops(nested, left - 1, start, extent);
             });
  }

  OpFoldResult place(mlir::OpBuilder& builder, llvm::ArrayRef<OpFoldResult> start, bool is_target,
                     std::int64_t fixed) {
    OpFoldResult result = builder.getIndexAttr(fixed);
    for (const auto [first, dimension] : llvm::zip(start, dimensions_)) {
      const std::int64_t stride = is_target ? dimension.target : dimension.source;
      if (stride != 0) result = add(builder, loc_, result, times(builder, loc_, first, stride));
    }
    return result;
  }

  // The contents of a copy between outside and a buffer: rows, and the dimensions around them.
  Views rows_of(const Side& side, bool is_target, llvm::ArrayRef<std::int64_t> extent) {
    Views views;
    for (std::size_t i = dimensions_.size(); i-- > 0;) {
      const std::int64_t stride = is_target ? dimensions_[i].target : dimensions_[i].source;
      if (side.in_row[i] || stride == 0) continue;
      views.sizes.push_back(extent[i]);
      views.outside.push_back(stride);
      views.inside.push_back(side.strides[i]);
    }
    views.sizes.push_back(side.span);
    views.outside.push_back(1);
    views.inside.push_back(1);
    return views;
  }

  // The view of one side for the moves in registers.
  Value inner_view(mlir::OpBuilder& builder, const Side& side, Value room, Value outside,
                   bool is_target, llvm::ArrayRef<OpFoldResult> start,
                   llvm::ArrayRef<std::int64_t> extent) {
    Sizes sizes;
    Sizes strides;
    for (std::size_t i = dimensions_.size(); i-- > 0;) {
      sizes.push_back(extent[i]);
      strides.push_back(side.staged ? side.strides[i]
                        : is_target ? dimensions_[i].target
                                    : dimensions_[i].source);
    }
    if (!side.staged) {
      return strided_view(builder, loc_, outside, place(builder, start, is_target, 0), sizes,
                          strides);
    }
    const std::int64_t first = side.first + (is_target ? to_first_ : from_first_);
    return strided_view(builder, loc_, room, builder.getIndexAttr(first), sizes, strides);
  }

  void block(mlir::OpBuilder& builder, llvm::ArrayRef<OpFoldResult> start,
             llvm::ArrayRef<std::int64_t> extent) {
    bring(builder, start, extent);
    move(builder, start, extent);
  }

  void bring(mlir::OpBuilder& builder, llvm::ArrayRef<OpFoldResult> start,
             llvm::ArrayRef<std::int64_t> extent) {
    const Side source = moves::side_of(dimensions_, extent, staging_.source, false, lanes_);
    if (!source.staged) return;
    const Views views = rows_of(source, false, extent);
    const Value outside =
        strided_view(builder, loc_, copy_.getSource(), place(builder, start, false, -source.first),
                     views.sizes, views.outside);
    const Value inside = strided_view(builder, loc_, from_, builder.getIndexAttr(from_first_),
                                      views.sizes, views.inside);
    outer_.push_back(memref::CopyOp::create(builder, loc_, outside, inside));
  }

  // In registers, and out.
  void move(mlir::OpBuilder& builder, llvm::ArrayRef<OpFoldResult> start,
            llvm::ArrayRef<std::int64_t> extent) {
    const Side source = moves::side_of(dimensions_, extent, staging_.source, false, lanes_);
    const Side target = moves::side_of(dimensions_, extent, staging_.target, true, lanes_);
    auto inner = memref::CopyOp::create(
        builder, loc_, inner_view(builder, source, from_, copy_.getSource(), false, start, extent),
        inner_view(builder, target, to_, copy_.getTarget(), true, start, extent));
    attribute::in_registers.set(inner);
    if (target.staged) {
      const Views views = rows_of(target, true, extent);
      const Value inside = strided_view(builder, loc_, to_, builder.getIndexAttr(to_first_),
                                        views.sizes, views.inside);
      const Value outside =
          strided_view(builder, loc_, copy_.getTarget(), place(builder, start, true, 0),
                       views.sizes, views.outside);
      outer_.push_back(memref::CopyOp::create(builder, loc_, inside, outside));
    }
  }

  memref::CopyOp copy_;
  mlir::Location loc_;
  llvm::ArrayRef<Dimension> dimensions_;
  const moves::Staging& staging_;
  std::int64_t lanes_;
  Value from_;
  Value to_;
  std::int64_t from_first_ = 0;  // of the block, in words of the buffer
  std::int64_t to_first_ = 0;
  llvm::SmallVector<memref::CopyOp> outer_;
};

}  // namespace

void stage_moves(mlir::Operation* function, const Parameters& machine) {
  llvm::SmallVector<memref::CopyOp> all;
  function->walk([&](memref::CopyOp copy) {
    // The loop of a stream counts its copies: each stays one.
    const bool is_counted = attribute::stream.is_on(copy) || attribute::stream_ends.is_on(copy);
    if (!is_counted) all.push_back(copy);
  });
  const auto lanes = static_cast<std::int64_t>(machine.lanes);
  const std::int64_t room = machine.vmem_words() / 8;
  // The engine is not used by a marked copy: there is nothing to wait for and nothing to split.
  for (memref::CopyOp copy : all) {
    const auto move = move_of(copy, lanes);
    if (!move) continue;
    if (pays_in_registers(*move, machine)) {
      attribute::in_registers.set(copy);
      continue;
    }
    const auto staging =
        moves::staging_of(move->dimensions, move->source, move->target, room, machine);
    if (!staging) continue;
    for (memref::CopyOp outer : StagedCopy(copy, move->dimensions, *staging, lanes).run()) {
      const auto part = move_of(outer, lanes);
      if (part && pays_in_registers(*part, machine)) attribute::in_registers.set(outer);
    }
  }
}

}  // namespace tandem::compiler
