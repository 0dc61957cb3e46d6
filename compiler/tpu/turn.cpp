// A matrix whose rows become columns, in registers.
//
// By tiles of L x L, L / 8 = n registers of eight rows each. `transpose` transposes blocks of 8 x
// 8, so it remains to transpose the n x n blocks, block b of register i to block i of register b:
//
//   rotate register i by i blocks             block b is in place b + i
//   take place k of register k - m, for all k   register m has its blocks, i in place m + i
//   rotate register m back by m blocks
//
// The middle step needs no cross-lane unit: it shifts registers by the number of the place, one
// select for each bit of it. So a tile takes 3 n - 2 instructions of the cross-lane unit. A part of
// a tile has r registers to load and c to store: blocks are rotated in the fewer of them, which
// takes r + c - 2 + min(r, c).
//
// Where that is more than r + c, blocks are transposed in the same way as tiles, with `lperm` for
// both rotations: its lanes may differ from row to row.
//
//   sublane s of register i takes lane l + s of block b - i, for lane l of each block b
//   rotate the sublanes of lane l down by l, three selects; shift registers as above
//   sublane s of register m takes lane s - l of block b + m
//
// By columns: `vldc` loads eight words of a row of the source, each into all lanes of a sublane,
// and a select puts them into one lane: eight words of a column. Eight words a cycle, whatever L
// is, and no padding: for edges, and on small machines for every second tile next to the other
// method.
#include "compiler/tpu/lane_builder.hpp"
#include "compiler/tpu/register_moves.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

class Turn : LaneBuilder {
 public:
  Turn(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes)
      : LaneBuilder(builder, loc, lanes), lanes_(lanes), registers_(lanes / sublanes) {}

  void matrix(const VmemRow& source, const VmemRow& target, const moves::TurnPlan& plan) {
    source_apart_ = plan.source;
    target_apart_ = plan.target;
    const std::int64_t rows = plan.rows / lanes_;  // whole tiles
    const std::int64_t columns = plan.columns / lanes_;
    const std::int64_t rows_left = plan.rows % lanes_;
    const std::int64_t columns_left = plan.columns % lanes_;
    tiles(source, target, rows, columns, lanes_, lanes_);
    const auto [right, below_right] = beyond(source, target, 0, columns);
    if (columns_left != 0) tiles(right, below_right, rows, 1, lanes_, columns_left);
    if (rows_left == 0) return;
    const auto [below, right_of] = beyond(source, target, rows, 0);
    tiles(below, right_of, 1, columns, rows_left, lanes_);
    if (columns_left == 0) return;
    const auto [corner, turned_corner] = beyond(source, target, rows, columns);
    tiles(corner, turned_corner, 1, 1, rows_left, columns_left);
  }

 private:
  // The bases this many tiles further.
  [[nodiscard]] std::pair<VmemRow, VmemRow> beyond(VmemRow source, VmemRow target,
                                                   std::int64_t rows, std::int64_t columns) const {
    source.fixed += rows * lanes_ * source_apart_ + columns;
    target.fixed += columns * lanes_ * target_apart_ + rows;
    return {source, target};
  }

  // Tiles of the same extent.
  void tiles(const VmemRow& source, const VmemRow& target, std::int64_t rows, std::int64_t columns,
             std::int64_t tile_rows, std::int64_t tile_columns) {
    if (rows == 0 || columns == 0) return;
    const bool is_whole = tile_rows == lanes_ && tile_columns == lanes_;
    // One register is transposed by one instruction, which columns cannot beat.
    const bool by_columns =
        registers_ > 1 && moves::cycles_of_columns(tile_rows, tile_columns) <
                              moves::cycles_of_tiles(tile_rows, tile_columns, lanes_);
    const moves::RowDimension down{rows, lanes_ * source_apart_, 1};
    const moves::RowDimension across{columns, 1, lanes_ * target_apart_};
    const auto one = [&](const VmemRow& from, const VmemRow& to) {
      const auto turned = by_columns ? columns_of(from, tile_rows, tile_columns)
                                     : blocks_of(from, tile_rows, tile_columns);
      store(to, turned, tile_rows, tile_columns);
    };
    if (!is_whole || !moves::turns_both_ways(lanes_)) {
      return for_each_row(builder_, loc_, source, target, {down, across}, one);
    }
    pairs(source, target, down, across, one);
  }

  // Two tiles at a time along the longer side.
  void pairs(const VmemRow& source, const VmemRow& target, const moves::RowDimension& down,
             const moves::RowDimension& across, MovedBody one) {
    const bool is_down = down.size > across.size;
    const moves::RowDimension& along = is_down ? down : across;
    const moves::RowDimension& other = is_down ? across : down;
    const moves::RowDimension twos{along.size / 2, 2 * along.source, 2 * along.target};
    if (twos.size > 0) {
      for_each_row(builder_, loc_, source, target, {twos, other},
                   [&](const VmemRow& from, const VmemRow& to) {
                     VmemRow second_from = from;
                     VmemRow second_to = to;
                     second_from.fixed += along.source;
                     second_to.fixed += along.target;
                     // Nothing is stored before everything is loaded: source and target may be the
                     // same.
                     const auto first = blocks_of(from, lanes_, lanes_);
                     const auto second = columns_of(second_from, lanes_, lanes_);
                     store(to, first, lanes_, lanes_);
                     store(second_to, second, lanes_, lanes_);
                   });
    }
    if (along.size % 2 == 0) return;
    VmemRow last_from = source;
    VmemRow last_to = target;
    last_from.fixed += twos.size * twos.source;
    last_to.fixed += twos.size * twos.target;
    for_each_row(builder_, loc_, last_from, last_to, other, one);
  }

  using Registers = llvm::SmallVector<Value>;

  Value load(const VmemRow& base, std::int64_t first, std::int64_t rows, Value mask) {
    VmemAddress from = row_address(builder_, loc_, base, first * source_apart_, source_apart_,
                                   std::min<std::int64_t>(sublanes, rows - first));
    if (mask) from.registers.push_back(mask);
    return load_at(builder_, loc_, "vld", from);
  }

  // Rows of the target, eight per register.
  Registers blocks_of(const VmemRow& source, std::int64_t rows, std::int64_t columns) {
    return moves::permutes_blocks(rows, columns) ? permuted_blocks(source, rows, columns)
                                                 : transposed_blocks(source, rows, columns);
  }

  Registers permuted_blocks(const VmemRow& source, std::int64_t rows, std::int64_t columns) {
    const Value lane = make("vlane");
    const Value sublane = make("vsublane");
    const auto lanes_from = [&](Value in_block, std::int64_t block) {
      const Value first = make("vand", {lane, constant(lanes_ - sublanes)});
      const Value in_own = make("vand", {in_block, constant(sublanes - 1)});
      const Value own = make("vor", {first, in_own});
      return block == 0 ? own : make("vadd.s32", {own, constant(block * sublanes)});
    };
    const Value mask = first_lanes(columns);
    const bool rotates_first = rows <= columns;
    Registers blocks;
    for (std::int64_t i = 0; i < registers_; ++i) {
      if (i * sublanes >= rows) {
        blocks.push_back(blocks.front());
        continue;
      }
      const Value from = lanes_from(make("vadd.s32", {lane, sublane}), -i);
      const Value moved = make("lperm", {load(source, i * sublanes, rows, mask), from});
      blocks.push_back(rotates_first ? rotated_sublanes(moved) : moved);
    }
    const Registers taken = shifted(blocks);
    Registers result;
    for (std::int64_t m = 0; m * sublanes < columns; ++m) {
      const Value whole = taken[static_cast<std::size_t>(m)];
      const Value from = lanes_from(make("vsub.s32", {sublane, lane}), m);
      result.push_back(make("lperm", {rotates_first ? whole : rotated_sublanes(whole), from}));
    }
    return result;
  }

  // Sublanes down by the number of the lane in its block.
  Value rotated_sublanes(Value x) {
    for (std::int64_t bit = 1; bit < sublanes; bit *= 2) {
      x = make("vsel", {lanes_with_bit(bit), make("vrot.sub", x, number("n", bit)), x});
    }
    return x;
  }

  Registers transposed_blocks(const VmemRow& source, std::int64_t rows, std::int64_t columns) {
    const Value mask = first_lanes(columns);
    const bool turns_first = rows <= columns;
    Registers blocks;  // [i]: of register i, block b at position b + i
    for (std::int64_t i = 0; i < registers_; ++i) {
      // The contents beyond the rows are arbitrary: they are never stored.
      if (i * sublanes >= rows) {
        blocks.push_back(blocks.front());
        continue;
      }
      const Value loaded = load(source, i * sublanes, rows, mask);
      const Value turned = turns_first ? make("transpose", loaded) : loaded;
      blocks.push_back(i == 0 ? turned : make("lrot", turned, number("n", i * sublanes)));
    }
    const Registers taken = shifted(blocks);
    Registers result;
    for (std::int64_t m = 0; m * sublanes < columns; ++m) {
      const Value whole = taken[static_cast<std::size_t>(m)];
      const Value back = m == 0 ? whole : make("lrot", whole, number("n", lanes_ - m * sublanes));
      result.push_back(turns_first ? back : make("transpose", back));
    }
    return result;
  }

  // [m]: position k of register k - m.
  Registers shifted(const Registers& blocks) {
    const std::size_t n = blocks.size();
    // Position k of register -m, initially.
    Registers taken;
    for (std::size_t m = 0; m < n; ++m) taken.push_back(blocks[(n - m) % n]);
    for (std::int64_t bit = 1; bit < registers_; bit *= 2) {
      const Value place_has_bit = lanes_with_bit(bit * sublanes);
      Registers next;
      for (std::size_t m = 0; m < n; ++m) {
        const Value before = taken[(m + n - static_cast<std::size_t>(bit)) % n];
        next.push_back(make("vsel", {place_has_bit, before, taken[m]}));
      }
      taken = std::move(next);
    }
    return taken;
  }

  // The same, a lane of all registers at a time.
  Registers columns_of(const VmemRow& source, std::int64_t rows, std::int64_t columns) {
    OpFoldResult base = builder_.getIndexAttr(source.fixed * lanes_);
    if (source.moved) base = add(builder_, loc_, times(builder_, loc_, source.moved, lanes_), base);
    Registers result(static_cast<std::size_t>((columns + sublanes - 1) / sublanes));
    for (std::int64_t lane = 0; lane < rows; ++lane) {
      const Value mask = lane == 0 ? Value() : make("veq.s32", {make("vlane"), constant(lane)});
      for (const auto [m, taken] : llvm::enumerate(result)) {
        const auto column = static_cast<std::int64_t>(m) * sublanes;
        VmemAddress from = vmem_address(builder_, loc_, lane * source_apart_ * lanes_ + column,
                                        base, source.buffer);
        from.attributes.push_back(
            number("rows", std::min<std::int64_t>(sublanes, columns - column)));
        const Value x = load_at(builder_, loc_, "vldc", from);
        taken = mask ? make("vsel", {mask, x, taken}) : x;
      }
    }
    return result;
  }

  void store(const VmemRow& target, const Registers& turned, std::int64_t rows,
             std::int64_t columns) {
    const Value mask = first_lanes(rows);
    for (const auto [m, value] : llvm::enumerate(turned)) {
      const auto first = static_cast<std::int64_t>(m) * sublanes;
      VmemAddress to = row_address(builder_, loc_, target, first * target_apart_, target_apart_,
                                   std::min<std::int64_t>(sublanes, columns - first));
      to.registers.push_back(value);
      if (mask) to.registers.push_back(mask);
      store_at(builder_, loc_, to);
    }
  }

  // The lanes whose number has the bit.
  Value lanes_with_bit(std::int64_t bit) {
    const Value bits = make("vand", {make("vlane"), constant(bit)});
    return make("vne.s32", {bits, constant(0)});
  }

  std::int64_t lanes_;
  std::int64_t registers_;
  std::int64_t source_apart_ = 0;
  std::int64_t target_apart_ = 0;
};

}  // namespace

void emit_turn(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes,
               const VmemRow& source, const VmemRow& target, const moves::TurnPlan& plan) {
  for_each_row(builder, loc, source, target, plan.others,
               [&](const VmemRow& from, const VmemRow& to) {
                 Turn(builder, loc, lanes).matrix(from, to, plan);
               });
}

}  // namespace tandem::compiler
