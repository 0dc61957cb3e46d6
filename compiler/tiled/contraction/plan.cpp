// Which loops become dimensions of the tiles, the tile sizes, the unit, and which operands are used
// in place.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/sizes/tiles.hpp"
#include "compiler/tiled/contraction/contraction.hpp"
#include "compiler/views/machine_costs.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler::contraction {

using mlir::Value;

// Whether each row of `across` begins at a row of VMEM and holds `along` densely.
bool Contraction::is_in_place(Operand operand, const Loop& along, const Loop& across) const {
  const Access& access = kernel_.operands[operand];
  const auto apart = [&](const Loop& loop) { return loop.strides[operand] % lanes_ == 0; };
  const std::int64_t most = stride_reach * lanes_;
  return begins_at_row(access, lanes_) && (along.strides[operand] == 1 || along.size == 1) &&
         (across.size == 1 || (apart(across) && std::abs(across.strides[operand]) <= most)) &&
         apart(halves_) && llvm::all_of(outer_, apart) && llvm::all_of(other_depth_, apart);
}

// Where the operand begins in its buffer in VMEM; none where that is not known.
std::optional<std::int64_t> begin_of(const Access& access) {
  Sizes strides;
  std::int64_t first = 0;
  const auto type = mlir::cast<mlir::MemRefType>(access.buffer.getType());
  if (!lies_in_vmem(access.buffer) || mlir::failed(type.getStridesAndOffset(strides, first)) ||
      mlir::ShapedType::isDynamic(first)) {
    return std::nullopt;
  }
  return first + access.offset;
}

// The lane at which rows of the operand begin in each iteration of the loops around; none where a
// row is not in one row of VMEM.
std::optional<Sizes> Contraction::lanes_of(Operand operand, const Loop& along,
                                           const Loop& across) const {
  const auto begin = begin_of(kernel_.operands[operand]);
  const std::int64_t apart = across.strides[operand];
  const bool reaches = apart % lanes_ == 0 && std::abs(apart) <= stride_reach * lanes_;
  if (!begin || along.strides[operand] != 1 || (across.size > 1 && !reaches)) return std::nullopt;
  Sizes lanes{*begin};
  for (const Loop& loop : outer_) {
    Sizes more;
    for (const std::int64_t lane : lanes) {
      for (std::int64_t i = 0; i < loop.size; ++i) more.push_back(lane + i * loop.strides[operand]);
    }
    lanes = more;
  }
  for (std::int64_t& lane : lanes) {
    lane = (lane % lanes_ + lanes_) % lanes_;
    if (lane + along.size > lanes_) return std::nullopt;
  }
  return lanes;
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
  // Pushes that transpose weights have no form for bytes.
  if (!in_place_[right] && !has_bytes()) {
    in_place_[right] = is_in_place(right, depth_, columns_);
    // Tiles keep their layout in memory, in runs as long as rows of the unit.
    const bool lies_by_columns = depth_.strides[right] == 1 && columns_.strides[right] != 1;
    right_by_columns_ = in_place_[right] || (lies_by_columns && depth_.size > 1);
  }
  // Sums over a second loop stay in the accumulators, too, where it needs no copies.
  if (in_place_[left] && in_place_[right] && halves_.size == 1 && other_depth_.size() == 1) {
    halves_ = other_depth_.pop_back_val();
  }
  const bool result_fits = is_in_place(result, columns_, rows_);
  if (!in_place_[left] || !in_place_[right] || !result_fits) find_lanes();
}

bool Contraction::may_begin_in_lanes() const {
  std::int64_t turns = 1;
  for (const Loop& loop : outer_) turns *= loop.size;
  return halves_.size == 1 && other_depth_.empty() && !has_bytes() &&
         !attribute::left.get(kernel_.op) && !attribute::right.get(kernel_.op) &&
         attribute::from_zero.is_on(kernel_.op) && threshold::rows_by_columns(rows_.size) &&
         turns * multiplies() <= sizes::written_multiplies(machine_);
}

// Operands in the middle of rows of VMEM, in loops that are unrolled: each lane is a constant.
void Contraction::find_lanes() {
  if (!may_begin_in_lanes()) return;
  const auto of_left = lanes_of(left, depth_, rows_);
  const auto of_result = lanes_of(result, columns_, rows_);
  const bool left_fits = is_in_place(left, depth_, rows_);
  if (depth_.strides[right] == 1 && of_left && is_in_place(result, columns_, rows_)) {
    if (lanes_of(right, depth_, columns_) != of_left &&
        !shift_weights(left, depth_.size, columns_)) {
      return;
    }
    in_place_[left] = right_by_columns_ = true;
  } else if (columns_.strides[right] == 1 && of_result && (left_fits || chunks() == 1)) {
    const auto of_right = lanes_of(right, columns_, depth_);
    const bool is_at_rows = llvm::all_of(*of_result, [](std::int64_t lane) { return lane == 0; });
    if (is_at_rows && of_right == of_result) return;
    if (of_right != of_result && !shift_weights(result, columns_.size, depth_)) return;
    right_by_columns_ = false;
  } else {
    return;
  }
  in_lanes_ = in_place_[right] = true;
}

// Brings weights of this width, for all iterations, to the lanes of the other operand. False where
// no strides do it.
bool Contraction::shift_weights(Operand like, std::int64_t width, Loop& across) {
  Access& access = kernel_.operands[right];
  const std::int64_t lane = begin_of(kernel_.operands[like]).value_or(0) % lanes_;
  if (!begin_of(access)) return false;
  Sizes sizes;
  Sizes from;
  Sizes to;
  std::int64_t words = across.size * lanes_;
  std::int64_t end = lane + width;
  for (const Loop& loop : outer_) {
    const std::int64_t apart = loop.strides[like] % lanes_;
    if (apart < 0) return false;
    sizes.push_back(loop.size);
    from.push_back(loop.strides[right]);
    to.push_back(apart != 0 || loop.strides[right] == 0 ? apart : words);
    if (to.back() == words) words *= loop.size;
    end += (loop.size - 1) * apart;
  }
  if (end > lanes_) return false;
  for (const auto [index, loop] : llvm::enumerate(outer_)) loop.strides[right] = to[index];
  sizes.append({across.size, width});
  from.append({across.strides[right], 1});
  to.append({lanes_, 1});
  mlir::OpBuilder builder(kernel_.op);
  const auto type = mlir::cast<mlir::MemRefType>(access.buffer.getType());
  const Value room = vmem_buffer(builder, loc_, {words / lanes_, lanes_}, type.getElementType());
  mlir::memref::CopyOp::create(
      builder, loc_,
      strided_view(builder, loc_, access.buffer, builder.getIndexAttr(access.offset), sizes, from),
      strided_view(builder, loc_, room, builder.getIndexAttr(lane), sizes, to));
  access.buffer = room;
  access.offset = lane;
  across.strides[right] = lanes_;
  return true;
}

std::int64_t Contraction::multiplies() const {
  return (rows_.size + sublanes - 1) / sublanes * chunks() * halves_.size * column_tiles() *
         products();
}

void Contraction::choose_rows_and_depth() {
  const auto size = sizes::product_rows(
      machine_, {rows_.size, chunks() * halves(left), !in_place_[left], !in_place_[right]});
  row_step_ = choose(kernel_.op, DecisionName::contraction_rows, size.by_model, size.candidates);
  const std::int64_t chunk_rows = (in_place_[left] ? 0 : padded_rows() * halves(left)) +
                                  (in_place_[right] ? 0 : lanes_ * halves(right));
  std::int64_t steps = sizes::product_chunks(machine_, chunks(), chunk_rows);
  // A load reaches the columns of such a tile.
  if (!in_place_[right] && right_by_columns_) steps = std::min(steps, stride_reach - 1);
  depth_step_ = steps * lanes_;
}

// Sums of several steps start from zeros that are made in a separate tile.
void Contraction::find_result() {
  in_place_[result] = in_lanes_ || (single_step() && is_in_place(result, columns_, rows_));
}

// The vector units take a register of weights a cycle and row, the push port needs four; rounding
// to bf16, which that port does for free, is half an operation more. Sums of several steps are left
// to the matrix unit.
void Contraction::choose_unit() {
  if (right_by_columns_) return choose_unit_of_turned();
  const bool is_able = !has_bytes() && in_place_[right] && in_place_[result];
  const bool is_few = is_able && !threshold::rows_on_vectors(rows_.size);
  const bool may_choose = is_able && !threshold::rows_in_registers(rows_.size);
  on_vectors_ =
      may_choose && choose(kernel_.op, DecisionName::contraction_vectors, is_few, {0, 1}) != 0;
}

void Contraction::choose_unit_of_turned() {
  if (!single_step() || threshold::rows_by_columns(rows_.size)) return;
  const bool pays =
      sizes::turned_on_vectors(machine_, {rows_.size, chunks(), halves_.size, products(),
                                          rounds_operands(kernel_.op), !in_place_[right]});
  on_vectors_ = choose(kernel_.op, DecisionName::contraction_vectors, pays, {0, 1}) != 0;
}

void Contraction::choose_columns() {
  unrolls_ = in_lanes_ || !threshold::written_products(multiplies());
  column_step_ = lanes_;
  if (on_vectors_ && right_by_columns_) {
    unrolls_ = !threshold::written_loads(chunks() * halves_.size * column_tiles() *
                                         (lanes_ / sublanes + rows_.size));
  } else if (on_vectors_) {
    column_step_ = column_tiles() * lanes_;
    // A loop of two iterations pays for its start and end, unlike straight code.
    std::int64_t loads = (depth_.size + sublanes - 1) / sublanes * halves_.size *
                         (column_step_ / lanes_ + rows_.size);
    for (const Loop& loop : outer_) loads *= loop.size;
    repeats_ = !threshold::written_loads(loads);
  } else if (in_place_[right] && in_place_[result] && single_step()) {
    column_step_ = tiles_of_turn() * lanes_;
    std::int64_t turns = 1;
    for (const Loop& loop : outer_) turns *= loop.size;
    const std::int64_t most = sizes::written_multiplies(machine_);
    repeats_ = in_lanes_ || (in_place_[left] && turns * multiplies() <= most);
    // The first chunk of the depth, the last, and an iteration of the loop over those between.
    const std::int64_t written = multiplies() / chunks() * std::min<std::int64_t>(chunks(), 3);
    repeats_rows_ = in_lanes_ || (in_place_[left] && turns * written <= 2 * most);
  }
}

std::int64_t Contraction::tiles_of_turn() const {
  const auto size = sizes::product_columns(
      machine_,
      {row_step_, chunks(), column_tiles(), halves_.size * products(), accumulators_of(row_step_)});
  return choose(kernel_.op, DecisionName::contraction_columns, size.by_model, size.candidates);
}

}  // namespace tandem::compiler::contraction
