// A copy within VMEM costs the copy engine some forty cycles and a cycle for each run, and the
// program waits for it. A small one is faster through registers:
//
//   target rows that get their elements in the same manner, evenly apart, are processed together;
//   each row of the source that they read is loaded, its lanes are brought to their places, and
//   stored under a mask of those lanes.
//
// The lane mapping is found by inspecting every element: identity, a rotation, or one of a few
// formulas of the lane's number.
#include "compiler/tpu/register_copies.hpp"

#include <map>

#include "compiler/contract/thresholds.hpp"
#include "compiler/moves/lanes.hpp"
#include "compiler/tpu/lane_builder.hpp"
#include "compiler/tpu/register_moves.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/views/machine_costs.hpp"
#include "isa/timing.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

// How a row of the target is composed of rows of the source.
struct Row {
  std::vector<std::int64_t> sources;
  std::vector<Lanes> lanes;  // of each source
};

// Rows processed together: `count` of them from `first` on, `apart` from one to the next.
struct Batch {
  std::int64_t first = 0;
  std::int64_t apart = 1;
  std::int64_t count = 1;
  std::vector<std::int64_t> sources_apart;
  const Row* row = nullptr;  // the first
};

class RegisterCopy : LaneBuilder {
 public:
  RegisterCopy(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& machine)
      : LaneBuilder(builder, loc, machine.lanes), lanes_(machine.lanes) {}

  bool run(const Place& source, const Place& target, llvm::ArrayRef<std::int64_t> shape,
           const Sizes& source_strides, const Sizes& target_strides);

 private:
  void find_rows(llvm::ArrayRef<std::int64_t> shape, const Sizes& from, const Sizes& to);
  void find_batches();
  bool grow(Batch& batch, std::int64_t row, const Row& next) const;
  [[nodiscard]] bool pays() const;
  void move(const Batch& batch);

  std::int64_t lanes_;
  VmemRow source_;
  VmemRow target_;
  std::int64_t source_lane_ = 0;  // of the first element
  std::int64_t target_lane_ = 0;
  std::map<std::int64_t, Row> rows_;  // by row of the target, from its base
  std::vector<Batch> batches_;
};

void RegisterCopy::find_rows(llvm::ArrayRef<std::int64_t> shape, const Sizes& from,
                             const Sizes& to) {
  const std::int64_t elements = product(shape);
  const auto row_and_lane = [&](std::int64_t word) {
    const std::int64_t lane = ((word % lanes_) + lanes_) % lanes_;
    return std::pair((word - lane) / lanes_, lane);
  };
  for (std::int64_t number = 0; number < elements; ++number) {
    std::int64_t source = source_lane_;
    std::int64_t target = target_lane_;
    std::int64_t rest = number;
    for (std::size_t i = shape.size(); i-- > 0; rest /= shape[i]) {
      source += rest % shape[i] * from[i];
      target += rest % shape[i] * to[i];
    }
    const auto [source_row, source_lane] = row_and_lane(source);
    const auto [target_row, target_lane] = row_and_lane(target);
    Row& row = rows_[target_row];
    const auto found = llvm::find(row.sources, source_row);
    const auto place = static_cast<std::size_t>(found - row.sources.begin());
    if (found == row.sources.end()) {
      row.sources.push_back(source_row);
      row.lanes.emplace_back();
    }
    row.lanes[place].emplace_back(target_lane, source_lane);
  }
}

// Whether the row extends the batch.
bool RegisterCopy::grow(Batch& batch, std::int64_t row, const Row& next) const {
  if (batch.count == sublanes || next.lanes != batch.row->lanes) return false;
  const std::int64_t distance = row - (batch.first + (batch.count - 1) * batch.apart);
  if (batch.count > 1 && distance != batch.apart) return false;
  std::vector<std::int64_t> apart;
  for (std::size_t i = 0; i < next.sources.size(); ++i) {
    const std::int64_t moved = next.sources[i] - batch.row->sources[i];
    if (moved % batch.count != 0) return false;
    apart.push_back(moved / batch.count);
  }
  if (batch.count > 1 && apart != batch.sources_apart) return false;
  batch.apart = distance;
  batch.sources_apart = apart;
  ++batch.count;
  return true;
}

void RegisterCopy::find_batches() {
  for (const auto& entry : rows_) {
    const Row& row = entry.second;
    const bool taken = llvm::any_of(llvm::reverse(batches_),
                                    [&](Batch& batch) { return grow(batch, entry.first, row); });
    if (taken) continue;
    batches_.push_back({entry.first, 1, 1, std::vector<std::int64_t>(row.sources.size(), 0), &row});
  }
}

bool RegisterCopy::pays() const {
  constexpr std::int64_t most_moves = 16;
  constexpr std::int64_t most_permutations = 48 / timing::row_unit;  // 48 cycles
  std::int64_t moves = 0;
  std::int64_t permutations = 0;
  for (const Batch& batch : batches_) {
    for (const Lanes& lanes : batch.row->lanes) {
      const Way way = way_of(lanes, lanes_);
      if (way.kind == Way::Kind::none || range_of(lanes).step == 0) return false;
      ++moves;
      if (way.kind != Way::Kind::stay) ++permutations;
    }
    for (const std::int64_t apart : batch.sources_apart) {
      if (std::abs(apart) > stride_reach) return false;
    }
    if (std::abs(batch.apart) > stride_reach) return false;
  }
  return moves <= most_moves && permutations <= most_permutations;
}

void RegisterCopy::move(const Batch& batch) {
  for (const auto [i, lanes] : llvm::enumerate(batch.row->lanes)) {
    const VmemAddress from = row_address(builder_, loc_, source_, batch.row->sources[i],
                                         batch.sources_apart[i], batch.count);
    const Value x = load_at(builder_, loc_, "vld", from);
    VmemAddress to = row_address(builder_, loc_, target_, batch.first, batch.apart, batch.count);
    to.registers.push_back(permuted(x, way_of(lanes, lanes_)));
    if (const Value mask = mask_of(range_of(lanes))) to.registers.push_back(mask);
    store_at(builder_, loc_, to);
  }
}

bool RegisterCopy::run(const Place& source, const Place& target, llvm::ArrayRef<std::int64_t> shape,
                       const Sizes& source_strides, const Sizes& target_strides) {
  if (threshold::small_copy(product(shape))) return false;
  const auto from = row_and_lane(source, lanes_);
  const auto to = row_and_lane(target, lanes_);
  if (!from || !to) return false;
  source_lane_ = from->second;
  target_lane_ = to->second;
  find_rows(shape, source_strides, target_strides);
  find_batches();
  if (!pays()) return false;
  source_ = in_rows(builder_, loc_, from->first, lanes_);
  target_ = in_rows(builder_, loc_, to->first, lanes_);
  for (const Batch& batch : batches_) move(batch);
  return true;
}

// A row and a lane of VMEM.
struct Spot {
  OpFoldResult row;
  Value lane;
};

Spot spot_of(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes, const Place& place) {
  const auto constant = [&](std::int64_t value) -> Value {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  };
  const OpFoldResult all = add(builder, loc, place.offset, builder.getIndexAttr(place.start));
  if (const auto fixed = mlir::getConstantIntValue(all)) {
    return {builder.getIndexAttr(*fixed / lanes), constant(*fixed % lanes)};
  }
  const auto words = mlir::cast<Value>(all);
  const Value shift = constant(llvm::Log2_64(static_cast<std::uint64_t>(lanes)));
  const Value row = mlir::arith::ShRUIOp::create(builder, loc, words, shift);
  const Value lane = mlir::arith::AndIOp::create(builder, loc, words, constant(lanes - 1));
  return {row, lane};
}

// Consecutive words become words of one lane, in evenly spaced rows: each is loaded into all lanes
// of one sublane, and stored from that lane.
class ColumnCopy : TpuBuilder {
 public:
  ColumnCopy(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& machine)
      : TpuBuilder(builder, loc), lanes_(machine.lanes) {}

  bool run(const Place& source, const Place& target, llvm::ArrayRef<std::int64_t> shape,
           const Sizes& from, const Sizes& to) {
    constexpr std::int64_t most_moves = 16;
    if (source.space != Space::vmem || target.space != Space::vmem) return false;
    std::size_t along = shape.size();
    std::int64_t others = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) continue;
      if (to[i] % lanes_ != 0) return false;
      const bool is_run = from[i] == 1 && std::abs(to[i]) <= stride_reach * lanes_;
      if (is_run && along == shape.size()) {
        along = i;
      } else {
        others *= shape[i];
      }
    }
    if (along == shape.size()) return false;
    const std::int64_t steps = (shape[along] + sublanes - 1) / sublanes;
    if (others * steps > most_moves) return false;
    const Spot spot = spot_of(builder_, loc_, lanes_, target);
    const Value mask = make("veq.s32", {make("vlane"), spot.lane});
    for (std::int64_t number = 0; number < others; ++number) {
      std::int64_t word = 0;
      std::int64_t row = 0;
      std::int64_t rest = number;
      for (std::size_t i = shape.size(); i-- > 0;) {
        if (i == along) continue;
        word += rest % shape[i] * from[i];
        row += rest % shape[i] * to[i] / lanes_;
        rest /= shape[i];
      }
      for (std::int64_t first = 0; first < shape[along]; first += sublanes) {
        const std::int64_t count = std::min<std::int64_t>(sublanes, shape[along] - first);
        const std::int64_t apart = to[along] / lanes_;
        move(source, target, spot, mask, word + first, row + first * apart, count, apart);
      }
    }
    return true;
  }

 private:
  void move(const Place& source, const Place& target, const Spot& spot, Value mask,
            std::int64_t word, std::int64_t row, std::int64_t count, std::int64_t apart) {
    VmemAddress from =
        vmem_address(builder_, loc_, source.start + word, source.offset, source.buffer);
    from.attributes.push_back(number("rows", count));
    const Value x = load_at(builder_, loc_, "vldc", from);
    VmemAddress to = vmem_address(builder_, loc_, row, spot.row, target.buffer);
    to.attributes.push_back(number("rows", count));
    if (count > 1 && apart != 1) to.attributes.push_back(number("stride", apart));
    to.registers.append({x, mask});
    store_at(builder_, loc_, to);
  }

  std::int64_t lanes_;
};

// One word from anywhere to anywhere.
void copy_word(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& parameters,
               const Place& source, const Place& target) {
  const Value word = load_word(builder, loc, source);
  const Spot spot = spot_of(builder, loc, parameters.lanes, target);
  const Value mask = machine(builder, loc, "veq.s32", {machine(builder, loc, "vlane"), spot.lane});
  VmemAddress to = vmem_address(builder, loc, 0, spot.row, target.buffer);
  to.attributes.push_back(number_attribute(builder, "rows", 1));
  to.registers.append({word, mask});
  store_at(builder, loc, to);
}

}  // namespace

bool copy_in_registers(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& machine,
                       const Place& source, const Place& target, llvm::ArrayRef<std::int64_t> shape,
                       const Sizes& source_strides, const Sizes& target_strides) {
  if (source.space == Space::vmem && target.space == Space::vmem && product(shape) == 1) {
    copy_word(builder, loc, machine, source, target);
    return true;
  }
  return RegisterCopy(builder, loc, machine)
             .run(source, target, shape, source_strides, target_strides) ||
         ColumnCopy(builder, loc, machine)
             .run(source, target, shape, source_strides, target_strides);
}

mlir::Value load_word(mlir::OpBuilder& builder, mlir::Location loc, const Place& place) {
  VmemAddress from = vmem_address(builder, loc, place.start, place.offset, place.buffer);
  from.attributes.push_back(number_attribute(builder, "rows", 1));
  return load_at(builder, loc, "vldc", from);
}

mlir::Value load_scalar(mlir::OpBuilder& builder, mlir::Location loc, const Place& place) {
  const Value word = load_word(builder, loc, place);
  return machine(builder, loc, "extract", word, number_attribute(builder, "n", 0));
}

}  // namespace tandem::compiler
