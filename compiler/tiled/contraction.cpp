// Contractions for the matrix unit.
//
// Loops fall into four kinds by what they move: batch (both operands and the result), rows (left
// and result), columns (right and result), depth (both operands). One loop of rows, columns and
// depth each becomes a dimension of the tiles; what is left runs around them. Copies bring tiles in
// the layout of the unit whatever the strides, so that transposed operands and convolutions need
// nothing of their own:
//
//   left   [chunk][row][L]    row vectors of L elements of the depth
//   right  [chunk][L][L]      the weights of a chunk, a row of columns for each element of depth
//   result [row][L]
//
// An operand of packed bf16 comes in words, two elements of the depth or two columns each; where it
// is the depth, there is a loop over the two halves of the words (tensor/keep_packed.cpp), the
// outermost dimension of a tile:
//
//   left   [chunk][row][L]          the same words for both halves
//   right  [half][chunk][L][L]      every other row of the right operand
//
// An operand that lies in VMEM with its rows at rows of VMEM is used where it is: the unit takes
// any distance between rows, and weights by columns as well as by rows.
#include "compiler/choices.hpp"
#include "compiler/tiled/kernel.hpp"
#include "compiler/tiled/products.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

enum Operand : std::uint8_t { left, right, result };

// Offsets of the three operands at some point of the loops.
using Offsets = std::array<OpFoldResult, 3>;

class Contraction {
 public:
  Contraction(Kernel& kernel, const Parameters& machine)
      : kernel_(kernel), machine_(machine), lanes_(machine.lanes) {}

  void run();

 private:
  void classify();
  void find_places();
  void choose_unit();
  void choose_tile();
  [[nodiscard]] std::int64_t tiles_of_turn(std::int64_t chunks) const;
  [[nodiscard]] std::int64_t column_tiles() const { return (columns_.size + lanes_ - 1) / lanes_; }
  void make_room(mlir::OpBuilder& builder);
  [[nodiscard]] bool has_bytes() const {
    const auto type = mlir::cast<mlir::MemRefType>(kernel_.operands[left].buffer.getType());
    return type.getElementType().isInteger(8);
  }
  [[nodiscard]] bool is_in_place(Operand operand, const Loop& along, const Loop& across) const;
  Value left_view(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t first,
                  std::int64_t chunks, std::int64_t row_count, std::int64_t depth_count);
  Value right_view(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t first,
                   std::int64_t chunks, std::int64_t column_count, std::int64_t depth_count);
  void around(mlir::OpBuilder& builder, llvm::ArrayRef<Loop> loops, Offsets offsets,
              llvm::function_ref<void(mlir::OpBuilder&, Offsets)> body);
  void block(mlir::OpBuilder& builder, const Offsets& offsets);
  void columns(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count);
  void depth(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count,
             std::int64_t column_count);
  void copy_left(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count,
                 std::int64_t depth_count);
  void copy_right(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t column_count,
                  std::int64_t depth_count);
  void multiply(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count,
                std::int64_t column_count, std::int64_t depth_count);
  void multiply_chunks(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count,
                       std::int64_t column_count, std::int64_t first, std::int64_t chunks,
                       std::int64_t depth_count, bool overwrites);
  void clear(mlir::OpBuilder& builder, std::int64_t row_count);

  Offsets moved(mlir::OpBuilder& builder, Offsets offsets, const Loop& loop,
                OpFoldResult index) const;
  Value outside(mlir::OpBuilder& builder, Operand operand, OpFoldResult offset,
                llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides) const {
    return strided_view(builder, loc_, kernel_.operands[operand].buffer, offset, sizes, strides);
  }
  Value tile_of(mlir::OpBuilder& builder, Operand operand, std::int64_t offset,
                llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides) const {
    return strided_view(builder, loc_, rooms_[operand], builder.getIndexAttr(offset), sizes,
                        strides);
  }
  // How many products of parts make one at the precision that is asked for.
  [[nodiscard]] std::int64_t products() const { return products_of(kernel_.op); }
  // How many accumulators eight rows of a tile of columns need: products of lower parts have
  // theirs.
  [[nodiscard]] std::int64_t accumulators_of(std::int64_t rows) const {
    return (rows + sublanes - 1) / sublanes * (products() > 1 ? 2 : 1);
  }
  // How many halves the operand has apart; those of a word come together.
  [[nodiscard]] std::int64_t halves(Operand operand) const {
    return halves_.strides[operand] == 0 ? 1 : halves_.size;
  }
  // From one half to the next in a tile of so many rows a chunk.
  [[nodiscard]] std::int64_t half_step(Operand operand, std::int64_t rows) const {
    return halves(operand) == 1 ? 0 : depth_step_ * rows;
  }
  // From one row to the next in a tile of the left operand, and from one chunk to the next.
  [[nodiscard]] std::int64_t left_row_step() const { return on_vectors_ ? depth_step_ : lanes_; }
  [[nodiscard]] std::int64_t padded_rows() const {
    return on_vectors_ ? row_step_ : (row_step_ + sublanes - 1) / sublanes * sublanes;
  }
  // Everything in one go: no sums wait in VMEM, and the left operand serves all columns.
  [[nodiscard]] bool single_step() const {
    return other_depth_.empty() && depth_.size <= depth_step_;
  }

  Kernel& kernel_;
  const Parameters& machine_;
  std::int64_t lanes_;
  mlir::Location loc_ = kernel_.op.getLoc();
  llvm::SmallVector<Loop> outer_;        // batch, and rows and columns beyond one each
  llvm::SmallVector<Loop> other_depth_;  // depth beyond one
  Loop rows_{1, false, {0, 0, 0}, -1};
  Loop columns_{1, false, {0, 0, 0}, -1};
  Loop depth_{1, true, {0, 0, 0}, -1};
  Loop halves_{1, true, {0, 0, 0}, -1};  // of words along the depth
  std::int64_t row_step_ = 0;
  std::int64_t depth_step_ = 0;
  std::int64_t column_step_ = 0;
  std::array<Value, 3> rooms_;
  std::array<bool, 3> in_place_{};
  bool right_by_columns_ = false;  // in place, with the depth innermost
  bool unrolls_ = false;           // few enough tiles to write each of them out
  bool on_vectors_ = false;        // on the vector units, the depth in one piece
  bool repeats_ = false;           // so little is done around it that each turn is written out
  Value result_tile_;
  std::int64_t tile_number_ = 0;
};

// Whether each row of `across` begins at a row of VMEM and holds `along` densely.
bool Contraction::is_in_place(Operand operand, const Loop& along, const Loop& across) const {
  const Access& access = kernel_.operands[operand];
  const auto apart = [&](const Loop& loop) { return loop.strides[operand] % lanes_ == 0; };
  const std::int64_t most = stride_reach * lanes_;
  return begins_at_row(access, lanes_) && (along.strides[operand] == 1 || along.size == 1) &&
         (across.size == 1 || (apart(across) && std::abs(across.strides[operand]) <= most)) &&
         apart(halves_) && llvm::all_of(outer_, apart) && llvm::all_of(other_depth_, apart);
}

void Contraction::find_places() {
  in_place_[left] = is_in_place(left, depth_, rows_);
  in_place_[right] = is_in_place(right, columns_, depth_);
  in_place_[result] = is_in_place(result, columns_, rows_);
  // Pushes that turn weights have no form for bytes.
  if (!in_place_[right] && !has_bytes() && is_in_place(right, depth_, columns_)) {
    in_place_[right] = right_by_columns_ = true;
  }
}

// The vector units take a register of weights a cycle and row, the push port needs four; rounding
// to bf16, which that port does on the way, is half an operation more. Weights must lie by rows.
void Contraction::choose_unit() {
  const bool is_able = !has_bytes() && in_place_[right] && !right_by_columns_ && in_place_[result];
  const bool is_few = rows_.size <= most_rows_on_vectors;
  constexpr std::int64_t most_rows = 4;  // whose sums registers hold
  const bool may_choose = is_able && rows_.size <= most_rows;
  on_vectors_ = may_choose && choose(kernel_.op, "contraction.vectors", is_few, {0, 1}) != 0;
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
  const auto number = kernel_.op->getAttrOfType<mlir::IntegerAttr>("tandem.halves");
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

void Contraction::choose_tile() {
  constexpr std::int64_t most_rows = 256;  // half of the accumulators
  const std::int64_t words = machine_.vmem_words() / 3;
  row_step_ = std::min({rows_.size, most_rows, std::max<std::int64_t>(8, words / (4 * lanes_))});
  llvm::SmallVector<std::int64_t> steps;
  for (std::int64_t step = row_step_; step > 8; step = (step / 2 + 7) / 8 * 8)
    steps.push_back(step);
  row_step_ = choose(kernel_.op, "contraction.rows", row_step_, steps);
  const std::int64_t chunks = (depth_.size + lanes_ - 1) / lanes_;
  const std::int64_t chunk_rows = (in_place_[left] ? 0 : row_step_ * halves(left)) +
                                  (in_place_[right] ? 0 : lanes_ * halves(right));
  const std::int64_t room =
      chunk_rows == 0 ? chunks : std::max<std::int64_t>(1, words / (chunk_rows * lanes_));
  depth_step_ = std::min(chunks, room) * lanes_;
  constexpr std::int64_t few = 32;  // multiplies of eight rows
  unrolls_ = (rows_.size + sublanes - 1) / sublanes * chunks * halves_.size * column_tiles() *
                 products() <=
             few;
  column_step_ = lanes_;
  if (on_vectors_) {
    column_step_ = column_tiles() * lanes_;
    // A loop of two turns costs its way in and out, which is text behind other text.
    constexpr std::int64_t few_loads = 64;
    std::int64_t loads = (depth_.size + sublanes - 1) / sublanes * halves_.size *
                         (column_step_ / lanes_ + rows_.size);
    for (const Loop& loop : outer_) loads *= loop.size;
    repeats_ = loads <= few_loads;
  } else if (in_place_[right] && in_place_[result] && single_step()) {
    column_step_ = tiles_of_turn(chunks) * lanes_;
  }
}

// Several tiles of columns in a turn: their multiplies run while the results of others are on their
// way. All of them in a loop of two sets of accumulators (tpu/contraction/order.cpp), where the way
// in and out of each turn would count: pushes, latencies, reads.
std::int64_t Contraction::tiles_of_turn(std::int64_t chunks) const {
  constexpr std::int64_t enough = 64;  // multiplies that are written out
  const std::int64_t groups = (row_step_ + sublanes - 1) / sublanes;
  const std::int64_t taken = accumulators_of(row_step_);
  // The first chunk of the depth, the last, and a turn of the loop over those between.
  const std::int64_t written = std::min<std::int64_t>(chunks, 3);
  const std::int64_t tiles = std::min<std::int64_t>(
      accumulators / taken, enough / (groups * written * halves_.size * products()));
  const std::int64_t all = column_tiles();
  const std::int64_t most = std::min(all, std::int64_t{accumulators} / taken);
  llvm::SmallVector<std::int64_t> counts;
  for (std::int64_t count = 1; count <= most; count *= 2) counts.push_back(count);
  std::int64_t by_model = std::min(std::max<std::int64_t>(1, tiles), most);
  const std::int64_t way = lanes_ / sublanes * 4 + 40 + 2 * groups;
  const std::int64_t work = by_model * groups * sublanes * chunks * halves_.size * products();
  if (most < all && 2 <= most) {
    counts.push_back(all);
    if (16 * way > work) by_model = all;
  }
  return choose(kernel_.op, "contraction.columns", by_model, counts);
}

void Contraction::make_room(mlir::OpBuilder& builder) {
  const auto element = [&](Operand operand) {
    return mlir::cast<mlir::MemRefType>(kernel_.operands[operand].buffer.getType())
        .getElementType();
  };
  const std::int64_t chunks = depth_step_ / lanes_;
  const std::int64_t padded = padded_rows();
  const auto room = [&](Operand operand, llvm::ArrayRef<std::int64_t> sizes) {
    if (!in_place_[operand]) {
      rooms_[operand] = vmem_buffer(builder, loc_, sizes, element(operand));
    }
  };
  room(left, {halves(left), chunks, padded, lanes_});
  room(right, {halves(right), chunks, lanes_, lanes_});
  room(result, {padded, lanes_});
}

Value Contraction::left_view(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t first,
                             std::int64_t chunks, std::int64_t row_count,
                             std::int64_t depth_count) {
  const Sizes sizes{halves_.size, chunks, row_count, depth_count};
  if (in_place_[left]) {
    const std::int64_t stride = row_count == 1 ? lanes_ : rows_.strides[left];
    return outside(builder, left,
                   add(builder, loc_, offsets[left], builder.getIndexAttr(first * lanes_)), sizes,
                   {halves_.strides[left], lanes_, stride, 1});
  }
  const std::int64_t padded = padded_rows();
  return tile_of(builder, left, first * padded * lanes_, sizes,
                 {half_step(left, padded), padded * lanes_, left_row_step(), 1});
}

Value Contraction::right_view(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t first,
                              std::int64_t chunks, std::int64_t column_count,
                              std::int64_t depth_count) {
  const Sizes sizes{halves_.size, chunks, depth_count, column_count};
  if (!in_place_[right]) {
    return tile_of(builder, right, first * lanes_ * lanes_, sizes,
                   {half_step(right, lanes_), lanes_ * lanes_, lanes_, 1});
  }
  // The distance of one row to itself may be anything.
  const std::int64_t step = right_by_columns_ ? 1 : depth_.strides[right];
  const std::int64_t deep = !right_by_columns_ && depth_count == 1 ? lanes_ : step;
  const std::int64_t across = right_by_columns_ ? columns_.strides[right] : 1;
  return outside(builder, right,
                 add(builder, loc_, offsets[right], builder.getIndexAttr(first * lanes_ * step)),
                 sizes, {halves_.strides[right], lanes_ * deep, deep, across});
}

Offsets Contraction::moved(mlir::OpBuilder& builder, Offsets offsets, const Loop& loop,
                           OpFoldResult index) const {
  for (const Operand operand : {left, right, result}) {
    if (loop.strides[operand] == 0) continue;
    offsets[operand] =
        add(builder, loc_, offsets[operand], times(builder, loc_, index, loop.strides[operand]));
  }
  return offsets;
}

void Contraction::around(mlir::OpBuilder& builder, llvm::ArrayRef<Loop> loops, Offsets offsets,
                         llvm::function_ref<void(mlir::OpBuilder&, Offsets)> body) {
  if (loops.empty()) return body(builder, offsets);
  in_steps(
      builder, loc_, loops.front().size, 1,
      [&](mlir::OpBuilder& nested, OpFoldResult index, std::int64_t) {
        around(nested, loops.drop_front(), moved(nested, offsets, loops.front(), index), body);
      },
      repeats_);
}

void Contraction::copy_left(mlir::OpBuilder& builder, const Offsets& offsets,
                            std::int64_t row_count, std::int64_t depth_count) {
  if (in_place_[left]) return;
  const std::int64_t step = depth_.strides[left];
  const std::int64_t padded = padded_rows();
  const auto copy = [&](std::int64_t first, std::int64_t chunks, std::int64_t width) {
    if (chunks == 0 || width == 0) return;
    const OpFoldResult from =
        add(builder, loc_, offsets[left], builder.getIndexAttr(first * lanes_ * step));
    mlir::memref::CopyOp::create(
        builder, loc_,
        outside(builder, left, from, {halves(left), chunks, row_count, width},
                {halves_.strides[left], lanes_ * step, rows_.strides[left], step}),
        tile_of(builder, left, first * padded * lanes_, {halves(left), chunks, row_count, width},
                {half_step(left, padded), padded * lanes_, left_row_step(), 1}));
  };
  if (on_vectors_) return copy(0, 1, depth_count);
  copy(0, depth_count / lanes_, lanes_);
  copy(depth_count / lanes_, 1, depth_count % lanes_);
}

void Contraction::copy_right(mlir::OpBuilder& builder, const Offsets& offsets,
                             std::int64_t column_count, std::int64_t depth_count) {
  if (in_place_[right]) return;
  mlir::memref::CopyOp::create(
      builder, loc_,
      outside(builder, right, offsets[right], {halves(right), depth_count, column_count},
              {halves_.strides[right], depth_.strides[right], columns_.strides[right]}),
      tile_of(builder, right, 0, {halves(right), depth_count, column_count},
              {half_step(right, lanes_), lanes_, 1}));
}

// One operation on VMEM: loops (row, column, half, chunk, depth in the chunk).
void Contraction::multiply_chunks(mlir::OpBuilder& builder, const Offsets& offsets,
                                  std::int64_t row_count, std::int64_t column_count,
                                  std::int64_t first, std::int64_t chunks, std::int64_t depth_count,
                                  bool overwrites) {
  if (chunks == 0 || depth_count == 0) return;
  const Value left_tile = left_view(builder, offsets, first, chunks, row_count, depth_count);
  const Value right_tile = right_view(builder, offsets, first, chunks, column_count, depth_count);
  mlir::AffineExpr row;
  mlir::AffineExpr column;
  mlir::AffineExpr half;
  mlir::AffineExpr chunk;
  mlir::AffineExpr deep;
  mlir::MLIRContext* context = builder.getContext();
  mlir::bindDims(context, row, column, half, chunk, deep);
  using mlir::utils::IteratorType;
  auto generic = mlir::linalg::GenericOp::create(
      builder, loc_, mlir::ValueRange{left_tile, right_tile}, mlir::ValueRange{result_tile_},
      {mlir::AffineMap::get(5, 0, {half, chunk, row, deep}, context),
       mlir::AffineMap::get(5, 0, {half, chunk, deep, column}, context),
       mlir::AffineMap::get(5, 0, {row, column}, context)},
      {IteratorType::parallel, IteratorType::parallel, IteratorType::reduction,
       IteratorType::reduction, IteratorType::reduction},
      [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange arguments) {
        mlir::IRMapping map;
        map.map(kernel_.op.getBlock()->getArguments(), arguments);
        for (mlir::Operation& op : *kernel_.op.getBlock()) {
          mlir::Operation* clone = nested.clone(op, map);
          // Only the number of the half is asked for.
          if (auto number = mlir::dyn_cast<mlir::linalg::IndexOp>(clone)) number.setDim(2);
        }
      });
  for (const llvm::StringRef name : {"tandem.precision", "tandem.left", "tandem.right"}) {
    if (const mlir::Attribute value = kernel_.op->getAttr(name)) generic->setAttr(name, value);
  }
  if (on_vectors_) generic->setAttr("tandem.vector", builder.getUnitAttr());
  if (overwrites) generic->setAttr("tandem.overwrites", builder.getUnitAttr());
  // Tiles that are written out take accumulators in turn, so that they overlap.
  const std::int64_t taken = accumulators_of(row_count);
  const std::int64_t turns = std::max<std::int64_t>(1, accumulators / taken);
  generic->setAttr("tandem.accumulator",
                   builder.getI64IntegerAttr(unrolls_ ? tile_number_++ % turns * taken : 0));
}

void Contraction::multiply(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count,
                           std::int64_t column_count, std::int64_t depth_count) {
  const std::int64_t whole = depth_count / lanes_;
  const bool overwrites = single_step() && kernel_.op->hasAttr("tandem.from_zero");
  if (on_vectors_) {
    return multiply_chunks(builder, offsets, row_count, column_count, 0, 1, depth_count,
                           overwrites);
  }
  multiply_chunks(builder, offsets, row_count, column_count, 0, whole, lanes_, overwrites);
  multiply_chunks(builder, offsets, row_count, column_count, whole, 1, depth_count % lanes_,
                  overwrites && whole == 0);
}

void Contraction::clear(mlir::OpBuilder& builder, std::int64_t row_count) {
  const auto type = mlir::cast<mlir::MemRefType>(rooms_[result].getType()).getElementType();
  const Value zero = mlir::arith::ConstantOp::create(builder, loc_, builder.getZeroAttr(type));
  const Value flat = tile_of(builder, result, 0, {row_count * lanes_}, {1});
  mlir::linalg::GenericOp::create(
      builder, loc_, mlir::ValueRange{}, mlir::ValueRange{flat},
      {builder.getMultiDimIdentityMap(1)}, {mlir::utils::IteratorType::parallel},
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange) {
        mlir::linalg::YieldOp::create(nested, at, zero);
      });
}

void Contraction::depth(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count,
                        std::int64_t column_count) {
  if (single_step()) {
    copy_right(builder, offsets, column_count, depth_.size);
    return multiply(builder, offsets, row_count, column_count, depth_.size);
  }
  around(builder, other_depth_, offsets, [&](mlir::OpBuilder& inner, const Offsets& at) {
    in_steps(inner, loc_, depth_.size, depth_step_,
             [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
               const Offsets here = moved(nested, at, depth_, start);
               copy_left(nested, here, row_count, count);
               copy_right(nested, here, column_count, count);
               multiply(nested, here, row_count, column_count, count);
             });
  });
}

void Contraction::columns(mlir::OpBuilder& builder, const Offsets& offsets,
                          std::int64_t row_count) {
  if (single_step()) copy_left(builder, offsets, row_count, depth_.size);
  const std::int64_t rounded_columns = (columns_.size + lanes_ - 1) / lanes_ * lanes_;
  in_steps(
      builder, loc_, columns_.size, std::min(column_step_, rounded_columns),
      [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
        const Offsets at = moved(nested, offsets, columns_, start);
        const std::int64_t stride = row_count == 1 ? lanes_ : rows_.strides[result];
        const Value far = outside(nested, result, at[result], {row_count, count},
                                  {stride, in_place_[result] ? 1 : columns_.strides[result]});
        result_tile_ =
            in_place_[result] ? far : tile_of(nested, result, 0, {row_count, count}, {lanes_, 1});
        const bool adds = !kernel_.op->hasAttr("tandem.from_zero");
        if (adds && !in_place_[result])
          mlir::memref::CopyOp::create(nested, loc_, far, result_tile_);
        if (!adds && !single_step()) clear(nested, row_count);
        depth(nested, at, row_count, count);
        if (!in_place_[result]) mlir::memref::CopyOp::create(nested, loc_, result_tile_, far);
      },
      unrolls_);
}

void Contraction::block(mlir::OpBuilder& builder, const Offsets& offsets) {
  in_steps(builder, loc_, rows_.size, row_step_,
           [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
             columns(nested, moved(nested, offsets, rows_, start), count);
           });
}

void Contraction::run() {
  classify();
  find_places();
  choose_unit();
  choose_tile();
  // Sums of several steps are the matrix unit's; the zeros they start from are made in a tile
  // apart.
  if (!single_step()) {
    in_place_[result] = false;
    on_vectors_ = false;
  }
  mlir::OpBuilder builder(kernel_.op);
  make_room(builder);
  const Offsets start{builder.getIndexAttr(kernel_.operands[left].offset),
                      builder.getIndexAttr(kernel_.operands[right].offset),
                      builder.getIndexAttr(kernel_.operands[result].offset)};
  around(builder, outer_, start,
         [&](mlir::OpBuilder& nested, const Offsets& offsets) { block(nested, offsets); });
  kernel_.op->erase();
}

// fp32, or bytes with sums of words.
bool has_types(const Kernel& kernel) {
  const auto element = [&](unsigned operand) {
    return mlir::cast<mlir::MemRefType>(kernel.operands[operand].buffer.getType()).getElementType();
  };
  if (element(2).isF32()) return true;
  return element(2).isInteger(32) && element(0).isInteger(8) && element(1).isInteger(8);
}

}  // namespace

bool is_for_contraction(const Kernel& kernel) {
  // Nothing to add up: the general way leaves the zeros.
  const bool is_empty = llvm::any_of(kernel.loops, [](const Loop& loop) { return loop.size == 0; });
  return kernel.op->hasAttr("tandem.precision") && kernel.operands.size() == 3 &&
         has_types(kernel) && !is_empty;
}

bool tile_contraction(Kernel& kernel, const Parameters& machine) {
  if (!is_for_contraction(kernel)) return false;
  Contraction(kernel, machine).run();
  return true;
}

}  // namespace tandem::compiler
