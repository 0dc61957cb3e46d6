// Which loops become dimensions of the tiles, how large those are, which unit does them, and what
// is used where it lies.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/tiled/contraction/contraction.hpp"
#include "compiler/views/machine_costs.hpp"

namespace tandem::compiler::contraction {

// Whether each row of `across` begins at a row of VMEM and holds `along` densely.
bool Contraction::is_in_place(Operand operand, const Loop& along, const Loop& across) const {
  const Access& access = kernel_.operands[operand];
  const auto apart = [&](const Loop& loop) { return loop.strides[operand] % lanes_ == 0; };
  const std::int64_t most = stride_reach * lanes_;
  return begins_at_row(access, lanes_) && (along.strides[operand] == 1 || along.size == 1) &&
         (across.size == 1 || (apart(across) && std::abs(across.strides[operand]) <= most)) &&
         apart(halves_) && llvm::all_of(outer_, apart) && llvm::all_of(other_depth_, apart);
}

void Contraction::classify() {
  const auto take = [](Loop& chosen, llvm::SmallVector<Loop>& rest, const Loop& loop) {
    if (chosen.strides == Sizes{0, 0, 0} && chosen.size == 1) {
      chosen = loop;
    } else if (loop.size > chosen.size) {
      rest.push_back(chosen);
      chosen = loop;
    } else {
      rest.push_back(loop);
    }
  };
  const auto number = attribute::halves.get(kernel_.op);
  for (const Loop& loop : kernel_.loops) {
    if (number && loop.source == number.getInt()) {
      halves_ = loop;
      continue;
    }
    const bool in_left = loop.strides[left] != 0;
    const bool in_right = loop.strides[right] != 0;
    if (loop.reduces) {
      take(depth_, other_depth_, loop);
    } else if (in_left && in_right) {
      outer_.push_back(loop);
    } else if (in_right) {
      take(columns_, outer_, loop);
    } else {
      take(rows_, outer_, loop);
    }
  }
}

void Contraction::find_operands() {
  in_place_[left] = is_in_place(left, depth_, rows_);
  in_place_[right] = is_in_place(right, columns_, depth_);
  // Pushes that turn weights have no form for bytes.
  if (!in_place_[right] && !has_bytes() && is_in_place(right, depth_, columns_)) {
    in_place_[right] = right_by_columns_ = true;
  }
}

void Contraction::choose_rows_and_depth() {
  constexpr std::int64_t most_rows = 256;  // half of the accumulators
  const std::int64_t words = machine_.vmem_words() / 3;
  row_step_ = std::min({rows_.size, most_rows, std::max<std::int64_t>(8, words / (4 * lanes_))});
  llvm::SmallVector<std::int64_t> steps;
  for (std::int64_t step = row_step_; step > 8; step = (step / 2 + 7) / 8 * 8)
    steps.push_back(step);
  row_step_ = choose(kernel_.op, "contraction.rows", row_step_, steps);
  const std::int64_t chunk_rows = (in_place_[left] ? 0 : row_step_ * halves(left)) +
                                  (in_place_[right] ? 0 : lanes_ * halves(right));
  const std::int64_t room =
      chunk_rows == 0 ? chunks() : std::max<std::int64_t>(1, words / (chunk_rows * lanes_));
  depth_step_ = std::min(chunks(), room) * lanes_;
}

// Sums of several steps start from zeros that are made in a tile apart.
void Contraction::find_result() {
  in_place_[result] = single_step() && is_in_place(result, columns_, rows_);
}

// The vector units take a register of weights a cycle and row, the push port needs four; rounding
// to bf16, which that port does on the way, is half an operation more. Weights must be by rows, and
// sums of several steps are the matrix unit's.
void Contraction::choose_unit() {
  const bool is_able = !has_bytes() && in_place_[right] && !right_by_columns_ && in_place_[result];
  const bool is_few = rows_.size <= most_rows_on_vectors;
  constexpr std::int64_t most_rows = 4;  // whose sums registers hold
  const bool may_choose = is_able && rows_.size <= most_rows;
  on_vectors_ = may_choose && choose(kernel_.op, "contraction.vectors", is_few, {0, 1}) != 0;
}

void Contraction::choose_columns() {
  constexpr std::int64_t few = 32;  // multiplies of eight rows
  unrolls_ = (rows_.size + sublanes - 1) / sublanes * chunks() * halves_.size * column_tiles() *
                 products() <=
             few;
  column_step_ = lanes_;
  if (on_vectors_) {
    column_step_ = column_tiles() * lanes_;
    // A loop of two turns costs its way in and out, which is text after other text.
    constexpr std::int64_t few_loads = 64;
    std::int64_t loads = (depth_.size + sublanes - 1) / sublanes * halves_.size *
                         (column_step_ / lanes_ + rows_.size);
    for (const Loop& loop : outer_) loads *= loop.size;
    repeats_ = loads <= few_loads;
  } else if (in_place_[right] && in_place_[result] && single_step()) {
    column_step_ = tiles_of_turn() * lanes_;
  }
}

// Several tiles of columns in a turn: their multiplies run while the results of others are on their
// way. All of them in a loop of two sets of accumulators (tpu/contraction/order.cpp), where the way
// in and out of each turn would count: pushes, latencies, reads.
std::int64_t Contraction::tiles_of_turn() const {
  constexpr std::int64_t enough = 64;  // multiplies that are written out
  const std::int64_t groups = (row_step_ + sublanes - 1) / sublanes;
  const std::int64_t taken = accumulators_of(row_step_);
  // The first chunk of the depth, the last, and a turn of the loop over those between.
  const std::int64_t written = std::min<std::int64_t>(chunks(), 3);
  const std::int64_t tiles = std::min<std::int64_t>(
      accumulators / taken, enough / (groups * written * halves_.size * products()));
  const std::int64_t all = column_tiles();
  const std::int64_t most = std::min(all, std::int64_t{accumulators} / taken);
  llvm::SmallVector<std::int64_t> counts;
  for (std::int64_t count = 1; count <= most; count *= 2) counts.push_back(count);
  std::int64_t by_model = std::min(std::max<std::int64_t>(1, tiles), most);
  const std::int64_t way = lanes_ / sublanes * 4 + 40 + 2 * groups;
  const std::int64_t work = by_model * groups * sublanes * chunks() * halves_.size * products();
  if (most < all && 2 <= most) {
    counts.push_back(all);
    if (16 * way > work) by_model = all;
  }
  return choose(kernel_.op, "contraction.columns", by_model, counts);
}

}  // namespace tandem::compiler::contraction
