#include "compiler/tiled/block_pieces.hpp"

#include <cmath>

#include "compiler/contract/choices.hpp"
#include "compiler/views/residence.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler::blocks {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

constexpr std::int64_t least_beats = 64;  // that arrive and leave; with fewer there is one piece
constexpr std::int64_t overhead = 24;     // cycles per piece
constexpr std::int64_t most_pieces = 8;
constexpr std::int64_t lead = 3;  // pieces that arrive ahead of the current one

// Whether pieces of it are rows of VMEM, as the whole is.
bool is_cut_between_rows(Value view, int dimension, std::int64_t lanes) {
  const mlir::MemRefType type = type_of(view);
  return dimension + 1 < type.getRank() && type.getLayout().isIdentity() &&
         !wastes_pitched(type, lanes);
}

}  // namespace

// Buffers that are cut must be used by the group alone: views of other users' buffers, too, would
// prevent the layout that those users want.
bool Pieces::find_ends(std::int64_t lanes) {
  for (const auto& [view, buffer] : group_->buffers()) {
    if (buffer.dimension < 0 || buffer.is_private) continue;
    if (!is_cut_between_rows(view, buffer.dimension, lanes) || !group_->is_alone_with(view)) {
      return false;
    }
    beats_ += vmem_words_of(type_of(view), lanes) / lanes;
    (buffer.written ? goes_ : comes_).push_back(view);
  }
  return !comes_.empty() || !goes_.empty();
}

// The number of pieces balances the wait for the first one and the last one against the cost per
// piece.
std::int64_t Pieces::rows_of_piece(std::int64_t beats) const {
  const auto wanted = static_cast<std::int64_t>(std::sqrt(beats / overhead));
  const std::int64_t count = std::clamp<std::int64_t>(wanted, 1, most_pieces);
  const auto rows = static_cast<std::int64_t>(llvm::divideCeil(group_->size(), count));
  return static_cast<std::int64_t>(llvm::alignTo(rows, sublanes));
}

std::optional<Pieces> Pieces::find(const Group& group, const Parameters& machine) {
  Pieces pieces(group);
  if (group.contracts() || !mlir::isa<mlir::func::FuncOp>(group.ops().front()->getParentOp()) ||
      !pieces.find_ends(machine.lanes) || pieces.beats_ < least_beats) {
    return std::nullopt;
  }
  llvm::SmallVector<std::int64_t> steps{0};
  for (std::int64_t count = 1; count <= most_pieces; count *= 2) {
    steps.push_back(
        static_cast<std::int64_t>(llvm::alignTo(llvm::divideCeil(group.size(), count), sublanes)));
  }
  const std::int64_t rows = pieces.rows_of_piece(pieces.beats_);
  steps.push_back(rows);
  pieces.step_ = choose(group.ops().front(), DecisionName::blocks_pieces, rows, steps);
  if (pieces.step_ == 0 || pieces.step_ >= group.size()) return std::nullopt;
  return pieces;
}

std::int64_t Pieces::rows_at(std::int64_t start) const {
  return std::min(step_, group_->size() - start);
}

void Pieces::emit(mlir::OpBuilder& builder) const {
  // Whole buffers, of which pieces are views: a buffer of one piece would be reused before the
  // piece has left.
  Rooms rooms;
  for (const Value view : llvm::concat<const Value>(comes_, goes_)) {
    rooms[view] = memref::AllocOp::create(builder, view.getLoc(), with_size(type_of(view), -1, 0));
  }
  const auto piece_of = [&](Value whole, Value view, std::int64_t start) {
    return block_view(builder, whole, group_->buffers().find(view)->second.dimension,
                      builder.getIndexAttr(start), rows_at(start));
  };
  const auto bring = [&](std::int64_t start) {
    if (start >= group_->size()) return;
    for (const Value view : comes_) {
      memref::CopyOp::create(builder, view.getLoc(), piece_of(view, view, start),
                             piece_of(rooms[view], view, start));
    }
  };
  for (std::int64_t i = 0; i < lead; ++i) bring(i * step_);
  for (std::int64_t start = 0; start < group_->size(); start += step_) {
    Rooms pieces;
    for (const auto& [view, room] : rooms) pieces[view] = piece_of(room, view, start);
    const Value first =
        mlir::arith::ConstantIndexOp::create(builder, group_->ops().front()->getLoc(), start);
    compute_block(builder, *group_, pieces, first, rows_at(start));
    for (const Value view : goes_) {
      memref::CopyOp::create(builder, view.getLoc(), pieces[view], piece_of(view, view, start));
    }
    bring(start + lead * step_);
  }
}

}  // namespace tandem::compiler::blocks
