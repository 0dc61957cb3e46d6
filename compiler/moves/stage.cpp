#include "compiler/moves/stage.hpp"

#include <cstdlib>
#include <limits>
#include <numeric>
#include <tuple>

#include "compiler/contract/thresholds.hpp"
#include "compiler/views/machine_costs.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tandem::compiler::moves {
namespace {

constexpr std::int64_t block_cycles = 30;  // to start and to wait, for each of several at once
constexpr std::int64_t most_blocks_at_once = 8;
constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t sparsest = 8;  // words of a row for each wanted one

using Sizes = llvm::SmallVector<std::int64_t>;

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t stride_of(const Dimension& dimension, bool is_target) {
  return is_target ? dimension.target : dimension.source;
}

// The dimensions that step on this side, the smallest stride first.
llvm::SmallVector<unsigned> by_stride(llvm::ArrayRef<Dimension> dimensions, bool is_target) {
  llvm::SmallVector<unsigned> order;
  for (unsigned i = 0; i < dimensions.size(); ++i) {
    if (stride_of(dimensions[i], is_target) != 0) order.push_back(i);
  }
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return std::abs(stride_of(dimensions[a], is_target)) <
           std::abs(stride_of(dimensions[b], is_target));
  });
  return order;
}

// The dimensions of a block that are within a row of the target: the row holds exactly the block's
// words, without gaps. Cutting a dimension leaves gaps, and its neighbours step over them.
llvm::SmallVector<bool> dense_row(llvm::ArrayRef<Dimension> dimensions,
                                  llvm::ArrayRef<std::int64_t> block, llvm::ArrayRef<bool> wanted) {
  llvm::SmallVector<bool> in_row(dimensions.size(), false);
  std::int64_t span = 1;
  for (const unsigned i : by_stride(dimensions, true)) {
    if (!wanted[i] || dimensions[i].target != span) break;
    in_row[i] = true;
    span *= block[i];
  }
  return in_row;
}

// The candidate sets of dimensions within a row: those of the smallest strides.
llvm::SmallVector<Side> choices(llvm::ArrayRef<Dimension> dimensions, bool is_target) {
  llvm::SmallVector<Side> result;
  Side side;
  side.staged = true;
  side.in_row.assign(dimensions.size(), false);
  std::int64_t wanted = 1;
  std::int64_t span = 1;
  for (const unsigned i : by_stride(dimensions, is_target)) {
    const std::int64_t stride = stride_of(dimensions[i], is_target);
    // The written rows are written as a whole.
    if (is_target && stride != span) break;
    span += (dimensions[i].size - 1) * std::abs(stride);
    wanted *= dimensions[i].size;
    if (span > sparsest * wanted) break;
    side.in_row[i] = true;
    result.push_back(side);
  }
  return result;
}

// The box as seen by the copy between the staged and the unstaged side.
Dimensions inner_of(llvm::ArrayRef<Dimension> dimensions, llvm::ArrayRef<std::int64_t> block,
                    const Side& source, const Side& target) {
  Sizes from;
  Sizes to;
  for (const auto [i, dimension] : llvm::enumerate(dimensions)) {
    from.push_back(source.staged ? source.strides[i] : dimension.source);
    to.push_back(target.staged ? target.strides[i] : dimension.target);
  }
  // Outermost first, as dimensions_of has it.
  Sizes sizes(block.rbegin(), block.rend());
  Sizes from_outside(from.rbegin(), from.rend());
  Sizes to_outside(to.rbegin(), to.rend());
  return dimensions_of(sizes, from_outside, to_outside);
}

// The copy between outside and the buffer of a side.
std::int64_t cycles_of_side(llvm::ArrayRef<Dimension> dimensions,
                            llvm::ArrayRef<std::int64_t> block, const Side& side, bool is_target,
                            std::int64_t lanes) {
  if (!side.staged) return 0;
  std::int64_t rows = 1;
  for (const auto [i, dimension] : llvm::enumerate(dimensions)) {
    if (!side.in_row[i] && stride_of(dimension, is_target) != 0) rows *= block[i];
  }
  return rows * ceil_divide(side.span, lanes);
}

// Words for a block, and for all of those that are there at once.
struct Room {
  std::int64_t block = 0;
  std::int64_t all = 0;
  bool at_once = false;
};

class Search {
 public:
  Search(llvm::ArrayRef<Dimension> dimensions, const Outside& source, const Outside& target,
         const Room& room, const Parameters& machine)
      : dimensions_(dimensions),
        source_(source),
        target_(target),
        room_(room.block),
        all_(room.all),
        at_once_(room.at_once),
        machine_(machine),
        lanes_(machine.lanes) {}

  std::optional<Staging> run() {
    llvm::SmallVector<Side> sources = choices(dimensions_, false);
    llvm::SmallVector<Side> targets = choices(dimensions_, true);
    if (source_.in_vmem && source_.lane >= 0) sources.emplace_back();
    if (target_.in_vmem && target_.lane >= 0) targets.emplace_back();
    for (const Side& source : sources) {
      for (const Side& target : targets) {
        if (source.staged || target.staged) attempt(source, target);
      }
    }
    return best_;
  }

 private:
  void attempt(const Side& source, const Side& target) {
    Staging staging;
    if (!choose_block(source, target, staging.block)) return;
    staging.source = side_of(dimensions_, staging.block, source, false, lanes_);
    staging.target = side_of(dimensions_, staging.block, target, true, lanes_);
    staging.at_once = at_once_;
    auto moved = cycles_of_moves(staging.block, source, target);
    if (moved && at_once_) moved = std::max(*moved, cycles_of_last(staging));
    if (!moved || moved == impossible) return;
    const std::int64_t copies = (source.staged ? 1 : 0) + (target.staged ? 1 : 0);
    staging.cycles = cycles_of_blocks(staging, *moved) + copies * copy_latency;
    if (!best_ || staging.cycles < best_->cycles) best_ = std::move(staging);
  }

  // In registers, for a block of these sizes.
  [[nodiscard]] std::optional<std::int64_t> cycles_of_moves(llvm::ArrayRef<std::int64_t> block,
                                                            const Side& source,
                                                            const Side& target) const {
    const Side from = side_of(dimensions_, block, source, false, lanes_);
    const Side to = side_of(dimensions_, block, target, true, lanes_);
    const std::int64_t from_lane = from.staged ? from.first % lanes_ : source_.lane;
    const std::int64_t to_lane = to.staged ? 0 : target_.lane;
    const auto plan = plan_of(inner_of(dimensions_, block, from, to), from_lane, to_lane, machine_);
    return plan ? std::optional(plan->cycles) : std::nullopt;
  }

  // The same for the last of several blocks that are there at once; `impossible` where they cannot
  // be, or the last one is no work for registers.
  [[nodiscard]] std::int64_t cycles_of_last(const Staging& staging) const {
    Sizes last(staging.block);
    std::int64_t blocks = 1;
    for (const auto [dimension, size] : llvm::zip(dimensions_, last)) {
      const std::int64_t count = ceil_divide(dimension.size, size);
      if (count == 1) continue;
      const bool is_second = blocks > 1;
      const bool keeps_lanes = (staging.source.staged || size * dimension.source % lanes_ == 0) &&
                               (staging.target.staged || size * dimension.target % lanes_ == 0);
      if (is_second || !keeps_lanes) return impossible;
      blocks = count;
      size = dimension.size - (count - 1) * size;
    }
    const bool fits = blocks > 1 && blocks <= most_blocks_at_once &&
                      blocks * (staging.source.words + staging.target.words) <= all_;
    if (!fits) return impossible;
    return cycles_of_moves(last, staging.source, staging.target).value_or(impossible);
  }

  [[nodiscard]] std::int64_t cycles_of_blocks(const Staging& staging, std::int64_t moved) const {
    std::int64_t blocks = 1;
    for (const auto [dimension, size] : llvm::zip(dimensions_, staging.block)) {
      blocks *= ceil_divide(dimension.size, size);
    }
    const auto of_side = [&](const Side& side, bool is_target) {
      return cycles_of_side(dimensions_, staging.block, side, is_target, lanes_);
    };
    const std::int64_t in = of_side(staging.source, false);
    const std::int64_t out = of_side(staging.target, true);
    if (!staging.at_once) return blocks * (in + moved + out);
    return in + blocks * (std::max({in, moved, out}) + block_cycles) + out;
  }

  [[nodiscard]] std::int64_t words(const Side& source, const Side& target,
                                   llvm::ArrayRef<std::int64_t> block) const {
    return side_of(dimensions_, block, source, false, lanes_).words +
           side_of(dimensions_, block, target, true, lanes_).words;
  }

  // Cuts dimensions until the block fits: those outside of rows first, then the largest; by whole
  // tiles of lanes where it is larger than one. Of blocks that are there at once, the one that is
  // cut already goes before the largest, and rows are cut by whole tiles only.
  bool choose_block(const Side& source, const Side& target, Sizes& block) const {
    for (const Dimension& dimension : dimensions_) block.push_back(dimension.size);
    const auto is_outside = [&](unsigned i) {
      return !(source.staged && source.in_row[i]) && !(target.staged && target.in_row[i]);
    };
    const auto unit_of = [&](unsigned i, std::int64_t next) -> std::int64_t {
      if (at_once_ && !is_outside(i) && block[i] > lanes_) return lanes_;
      return next > lanes_ ? lanes_ : next > 8 ? 8 : 1;
    };
    const auto worth = [&](unsigned i) {
      const bool is_cut =
          at_once_ && block[i] < dimensions_[i].size && (is_outside(i) || block[i] > lanes_);
      return std::tuple(is_outside(i), is_cut, block[i]);
    };
    while (words(source, target, block) > room_) {
      int chosen = -1;
      for (unsigned i = 0; i < block.size(); ++i) {
        const bool matters = (source.staged && dimensions_[i].source != 0) ||
                             (target.staged && dimensions_[i].target != 0);
        if (block[i] == 1 || !matters) continue;
        if (chosen < 0 || worth(i) > worth(static_cast<unsigned>(chosen))) {
          chosen = static_cast<int>(i);
        }
      }
      if (chosen < 0) return false;
      const auto at = static_cast<unsigned>(chosen);
      const std::int64_t whole = dimensions_[at].size;
      std::int64_t next = ceil_divide(whole, ceil_divide(whole, block[at]) * 2);
      const std::int64_t unit = unit_of(at, next);
      next = ceil_divide(next, unit) * unit;
      block[at] = next < block[at] ? next : block[at] / 2;
    }
    return true;
  }

  llvm::ArrayRef<Dimension> dimensions_;
  const Outside& source_;
  const Outside& target_;
  std::int64_t room_;
  std::int64_t all_;
  bool at_once_;
  const Parameters& machine_;
  std::int64_t lanes_;
  std::optional<Staging> best_;
};

}  // namespace

Side side_of(llvm::ArrayRef<Dimension> dimensions, llvm::ArrayRef<std::int64_t> block,
             const Side& like, bool is_target, std::int64_t lanes) {
  Side side = like;
  if (!side.staged) return side;
  if (is_target) side.in_row = dense_row(dimensions, block, like.in_row);
  side.span = 1;
  side.first = 0;
  side.strides.assign(dimensions.size(), 0);
  for (const auto [i, dimension] : llvm::enumerate(dimensions)) {
    if (!side.in_row[i]) continue;
    const std::int64_t stride = stride_of(dimension, is_target);
    const std::int64_t reach = (block[i] - 1) * std::abs(stride);
    side.span += reach;
    if (stride < 0) side.first += reach;
    side.strides[i] = stride;
  }
  // Rows that are an odd number of VMEM rows apart are in different banks.
  const std::int64_t rows = ceil_divide(side.span, lanes);
  std::int64_t stride = (rows | 1) * lanes;
  for (const auto [i, dimension] : llvm::enumerate(dimensions)) {
    if (side.in_row[i] || stride_of(dimension, is_target) == 0) continue;
    side.strides[i] = stride;
    stride *= block[i];
  }
  side.words = stride;
  return side;
}

std::optional<Staging> staging_of(llvm::ArrayRef<Dimension> dimensions, const Outside& source,
                                  const Outside& target, std::int64_t room,
                                  const Parameters& machine) {
  const auto lanes = static_cast<std::int64_t>(machine.lanes);
  std::int64_t words = 1;
  for (const Dimension& dimension : dimensions) words *= dimension.size;
  const std::int64_t direct = cycles_of_copy(dimensions, lanes);
  if (!threshold::staged_move(words)) return std::nullopt;
  if (direct < 3 * ceil_divide(words, lanes)) return std::nullopt;
  const std::int64_t all = room;
  // Small enough that some can come in while others go out.
  constexpr std::int64_t blocks = 4;
  constexpr std::int64_t large = 128;  // vectors
  if (words > large * machine.vector_words()) room = std::min(room, 2 * words / blocks);
  auto best = Search(dimensions, source, target, {room, room, false}, machine).run();
  // An operand in VMEM is waited for as a whole: its reader overlaps better with fewer moves.
  for (std::int64_t parts = 2; !target.in_vmem && parts <= most_blocks_at_once; ++parts) {
    const Room part{std::min(room, ceil_divide(2 * words, parts)), all, true};
    auto found = Search(dimensions, source, target, part, machine).run();
    if (found && (!best || found->cycles < best->cycles)) best = std::move(found);
  }
  if (!best || best->cycles * 4 > (direct + copy_latency) * 3) return std::nullopt;
  return best;
}

}  // namespace tandem::compiler::moves
