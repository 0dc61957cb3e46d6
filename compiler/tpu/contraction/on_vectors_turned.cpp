// A contraction of few rows on the vector units whose weights are stored by columns: a row of VMEM
// holds L elements of the depth of one column, as in `x @ w.T`.
//
// The matrix unit transposes such weights while pushing them, which has to wait until the newest
// swap has passed the whole unit, L + L / 2 cycles for each L x L weights. Here a register holds L
// elements of the depth by eight columns (a block); a second register holds a row of the left
// operand in each sublane:
//
//   sums[row][block][column] += right[column][k .. k + L - 1] * left[row][k .. k + L - 1]
//
// The cross-lane unit sums the lanes. Of block b, row r goes to lane 8 b + r of one register, whose
// blocks of 8 x 8 `transpose` transposes, giving row r of the result, all columns of the tile.
//
// Words of bf16 are loaded once for both of their halves.
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/contraction/vector_products.hpp"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

// A position in the operands: rows of VMEM after the first, and the valid part of it.
struct At {
  OpFoldResult block;  // weights: the first column
  OpFoldResult left;   // the chunk, of each operand
  OpFoldResult right;
  std::int64_t chunk = 0;  // after those
  std::int64_t half = 0;
};

class TurnedContraction : VectorProducts {
 public:
  using VectorProducts::VectorProducts;

  mlir::LogicalResult run(Memory& memory);

 private:
  // Columns of a group: blocks of eight, the last of `rest`.
  struct Group {
    std::int64_t blocks = 1;
    std::int64_t rest = sublanes;
  };

  Value groups(std::int64_t count, const Group& group);
  Value blocks(OpFoldResult number, OpFoldResult moved, const Group& group, Value turned);
  void depth(const ContractionTiles& tiles, OpFoldResult block, const Group& group, Values& sums);
  void step(const ContractionTiles& tiles, At at, const Group& group, Values& sums);
  Sources left_at(const ContractionTiles& tiles, const At& at);
  Sources weights_at(const ContractionTiles& tiles, const At& at, const Group& group);
  Value load(const ContractionTiles& tiles, const ContractionTile& tile, std::int64_t fixed,
             OpFoldResult moved, std::int64_t rows, std::int64_t stride);
  void store(Value rows);

  [[nodiscard]] std::int64_t rows() const { return tiles_.front().rows; }
  [[nodiscard]] std::int64_t columns() const { return tiles_.front().columns; }
  // Loads of a group for the whole depth.
  [[nodiscard]] std::int64_t loads(const ContractionTiles& tiles, const Group& group) const {
    return tiles.chunks * (group.blocks + rows());
  }
  llvm::SmallVector<ContractionTiles, 1> tiles_;  // for each operation: the depth continues
};

// Lanes beyond the depth are zero.
Value TurnedContraction::load(const ContractionTiles& tiles, const ContractionTile& tile,
                              std::int64_t fixed, OpFoldResult moved, std::int64_t rows,
                              std::int64_t stride) {
  if (tile.row.moved) moved = add(builder_, loc_, moved, tile.row.moved);
  VmemAddress address =
      vmem_address(builder_, loc_, tile.row.fixed + fixed, moved, tile.row.buffer);
  address.attributes.push_back(number("rows", rows));
  if (stride != 1 && rows > 1) address.attributes.push_back(number("stride", stride));
  if (tiles.depth < machine_.lanes) {
    address.registers.push_back(make("vlt.s32", {make("vlane"), constant(tiles.depth)}));
  }
  return load_at(builder_, loc_, "vld", address);
}

// Each row in all sublanes.
VectorProducts::Sources TurnedContraction::left_at(const ContractionTiles& tiles, const At& at) {
  const ContractionTile& tile = tiles.left;
  Values vectors;
  for (std::int64_t row = 0; row < rows(); ++row) {
    const std::int64_t fixed =
        at.half * tile.half_rows + at.chunk * tile.chunk_rows + row * tile.pitch;
    vectors.push_back(load(tiles, tile, fixed, at.left, sublanes, 0));
  }
  return rounded(vectors, tile);
}

VectorProducts::Sources TurnedContraction::weights_at(const ContractionTiles& tiles, const At& at,
                                                      const Group& group) {
  const ContractionTile& tile = tiles.right;
  Values vectors;
  for (std::int64_t block = 0; block < group.blocks; ++block) {
    const std::int64_t fixed =
        at.half * tile.half_rows + at.chunk * tile.chunk_rows + block * sublanes * tile.pitch;
    const std::int64_t rows = block + 1 == group.blocks ? group.rest : sublanes;
    vectors.push_back(
        load(tiles, tile, fixed, add(builder_, loc_, at.block, at.right), rows, tile.pitch));
  }
  return rounded(vectors, tile);
}

// One chunk, all of its halves; sums that are null have not begun.
void TurnedContraction::step(const ContractionTiles& tiles, At at, const Group& group,
                             Values& sums) {
  Sources left;
  Sources weights;
  for (at.half = 0; at.half < tiles.halves; ++at.half) {
    if (at.half == 0 || tiles.left.half_rows != 0) left = left_at(tiles, at);
    if (at.half == 0 || tiles.right.half_rows != 0) weights = weights_at(tiles, at, group);
    for (const auto [place, sum] : llvm::enumerate(sums)) {
      Source x = left[place / weights.size()];
      Source w = weights[place % weights.size()];
      if (x.part.empty()) x.part = part(tiles.left, at.half);
      if (w.part.empty()) w.part = part(tiles.right, at.half);
      const Value product = multiplied(w, x);
      sum = sum ? make("vadd.f32", {sum, product}) : product;
    }
  }
}

// All chunks, several per iteration.
void TurnedContraction::depth(const ContractionTiles& tiles, OpFoldResult block, const Group& group,
                              Values& sums) {
  constexpr std::int64_t enough = 16;  // loads per iteration
  constexpr std::int64_t little = 48;  // loads for code without a loop
  const OpFoldResult zero = builder_.getIndexAttr(0);
  std::int64_t turn = 1;
  const std::int64_t chunks = tiles.chunks;
  while (turn * (group.blocks + rows()) < enough && chunks % (2 * turn) == 0) turn *= 2;
  if (loads(tiles, group) <= little || chunks <= turn) {
    for (std::int64_t i = 0; i < chunks; ++i) step(tiles, {block, zero, zero, i}, group, sums);
    return;
  }
  for (Value& sum : sums) {
    if (!sum) sum = make("vmov", constant(0));
  }
  Values start{constant(0)};
  start.append(sums.begin(), sums.end());
  const std::int64_t advance = turn * tiles.right.chunk_rows;
  auto loop = mlir::scf::ForOp::create(
      builder_, loc_, constant(0), constant(chunks / turn * advance), constant(advance), start,
      [&](mlir::OpBuilder&, mlir::Location at, Value right, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(right.getParentBlock());
        Values inner(carried.drop_front());
        for (std::int64_t i = 0; i < turn; ++i) {
          step(tiles, {block, carried.front(), right, i}, group, inner);
        }
        const Value left = mlir::arith::AddIOp::create(builder_, at, carried.front(),
                                                       constant(turn * tiles.left.chunk_rows));
        inner.insert(inner.begin(), left);
        mlir::scf::YieldOp::create(builder_, at, inner);
      });
  sums.assign(loop.getResults().drop_front().begin(), loop.getResults().drop_front().end());
}

// The sums of a group, whose first block has this number and whose first column is this many rows
// of VMEM further: those of block b and row r in lane 8 b + r of `turned`.
Value TurnedContraction::blocks(OpFoldResult number, OpFoldResult moved, const Group& group,
                                Value turned) {
  Values sums(static_cast<std::size_t>(rows() * group.blocks));
  for (const ContractionTiles& tiles : tiles_) depth(tiles, moved, group, sums);
  const Value row = make("vand", {make("vlane"), constant(sublanes - 1)});
  const Value block = make("vshr", {make("vlane"), constant(3)});
  for (std::int64_t b = 0; b < group.blocks; ++b) {
    Value own;
    for (std::int64_t r = 0; r < rows(); ++r) {
      const Value sum = make("lsum.f32", sums[static_cast<std::size_t>(r * group.blocks + b)]);
      own = own ? make("vsel", {make("veq.s32", {row, constant(r)}), sum, own}) : sum;
    }
    const Value place = mlir::getValueOrCreateConstantIndexOp(
        builder_, loc_, add(builder_, loc_, number, builder_.getIndexAttr(b)));
    turned = turned ? make("vsel", {make("veq.s32", {block, place}), own, turned}) : own;
  }
  return turned;
}

// This many groups of the same size, in a loop where there are many.
Value TurnedContraction::groups(std::int64_t count, const Group& group) {
  constexpr std::int64_t little = 64;  // loads for code without a loop
  std::int64_t each = 0;
  for (const ContractionTiles& tiles : tiles_) each += loads(tiles, group);
  const std::int64_t advance = group.blocks * sublanes * tiles_.front().right.pitch;
  if (count == 1 || count * each <= little) {
    Value turned;
    for (std::int64_t i = 0; i < count; ++i) {
      turned = blocks(builder_.getIndexAttr(i * group.blocks), builder_.getIndexAttr(i * advance),
                      group, turned);
    }
    return turned;
  }
  const Values start{constant(0), make("vmov", constant(0))};
  auto loop = mlir::scf::ForOp::create(
      builder_, loc_, constant(0), constant(count * advance), constant(advance), start,
      [&](mlir::OpBuilder&, mlir::Location at, Value moved, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(moved.getParentBlock());
        const Value turned = blocks(carried[0], moved, group, carried[1]);
        const Value next =
            mlir::arith::AddIOp::create(builder_, at, carried[0], constant(group.blocks));
        mlir::scf::YieldOp::create(builder_, at, mlir::ValueRange{next, turned});
      });
  return loop.getResult(1);
}

void TurnedContraction::store(Value rows) {
  const ContractionTile& result = tiles_.front().result;
  OpFoldResult moved = builder_.getIndexAttr(0);
  if (result.row.moved) moved = result.row.moved;
  VmemAddress place = vmem_address(builder_, loc_, result.row.fixed, moved, result.row.buffer);
  place.attributes.push_back(number("rows", this->rows()));
  if (this->rows() > 1 && result.pitch != 1) {
    place.attributes.push_back(number("stride", result.pitch));
  }
  Value mask;
  if (columns() < machine_.lanes) mask = make("vlt.s32", {make("vlane"), constant(columns())});
  store_sums(ops_.front(), place, mask, rows);
}

mlir::LogicalResult TurnedContraction::run(Memory& memory) {
  for (const mlir::linalg::LinalgOp op : ops_) {
    const auto tiles = contraction_tiles(builder_, memory, machine_, op);
    if (mlir::failed(tiles)) return mlir::failure();
    tiles_.push_back(*tiles);
  }
  // Limits the registers for many rows, and shares loads of the left operand among several blocks.
  const std::int64_t blocks = rows() <= 2 ? 4 : 2;
  const std::int64_t all = (columns() + sublanes - 1) / sublanes;
  const std::int64_t last = columns() - (all - 1) * sublanes;
  if (all <= blocks) {
    store(make("transpose", groups(1, {all, last})));
    return mlir::success();
  }
  const std::int64_t whole = (columns() / sublanes) / blocks;
  Value turned = groups(whole, {blocks, sublanes});
  if (const std::int64_t left = all - whole * blocks; left != 0) {
    const std::int64_t moved = whole * blocks * sublanes * tiles_.front().right.pitch;
    turned = this->blocks(builder_.getIndexAttr(whole * blocks), builder_.getIndexAttr(moved),
                          {left, last}, turned);
  }
  store(make("transpose", turned));
  return mlir::success();
}

}  // namespace

mlir::LogicalResult lower_turned_contraction(mlir::OpBuilder& builder, Memory& memory,
                                             const Parameters& machine,
                                             llvm::ArrayRef<mlir::linalg::LinalgOp> ops) {
  return TurnedContraction(builder, machine, ops).run(memory);
}

bool goes_on_in_depth(mlir::linalg::LinalgOp one, mlir::linalg::LinalgOp other) {
  const auto own = one.getStaticLoopRanges();
  const auto others = other.getStaticLoopRanges();
  return attribute::vector.is_on(one) && attribute::vector.is_on(other) &&
         attribute::by_columns.is_on(one) && attribute::by_columns.is_on(other) &&
         one->getOperand(2) == other->getOperand(2) && !attribute::overwrites.is_on(other) &&
         llvm::ArrayRef(own).take_front(3) == llvm::ArrayRef(others).take_front(3) &&
         attribute::precision.is_same(one, other) && attribute::left.is_same(one, other) &&
         attribute::right.is_same(one, other);
}

}  // namespace tandem::compiler
