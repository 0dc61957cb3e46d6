// Contractions for the matrix unit.
//
// Loops fall into four kinds by what they move: batch (both operands and the result), rows (left
// and result), columns (right and result), depth (both operands). One loop of rows, columns and
// depth each becomes a dimension of the tiles; the remaining loops are around them. Copies bring
// tiles in the layout of the unit whatever the strides, so transposed operands and convolutions
// need no special code:
//
//   left   [chunk][row][L]    row vectors of L elements of the depth
//   right  [chunk][L][L]      the weights of a chunk, a row of columns for each element of depth
//          [L][chunk][L]      or, where the depth is innermost in memory, a row of depth for each
//                             column, an odd number of rows of VMEM apart
//   result [row][L]
//
// An operand of packed bf16 is in words, two elements of the depth or two columns each; where it is
// the depth, there is a loop over the two halves of the words (tensor/passes/keep_bf16_packed.cpp),
// the outermost dimension of a tile:
//
//   left   [chunk][row][L]          the same words for both halves
//   right  [half][chunk][L][L]      every other row of the right operand
//
// An operand that is in VMEM with its rows at rows of VMEM is used in place: the unit takes any
// distance between rows, and weights by columns as well as by rows. So are rows that begin in the
// middle of rows of VMEM, as those of a head beside other heads, where both operands begin at the
// same lane, or the weights and the result: loads make zeros of the other lanes. Where the weights
// begin at other lanes, one copy brings those of all iterations to the right ones.
#pragma once

#include "compiler/tiled/kernel.hpp"
#include "compiler/views/products.hpp"

namespace tandem::compiler::contraction {

enum Operand : std::uint8_t { left, right, result };

// Offsets of the three operands at some point of the loops.
using Offsets = std::array<mlir::OpFoldResult, 3>;

class Contraction {
 public:
  Contraction(Kernel& kernel, const Parameters& machine)
      : kernel_(kernel), machine_(machine), lanes_(machine.lanes) {}

  void run();

 private:
  void classify();
  void find_operands();
  void find_lanes();
  [[nodiscard]] bool may_begin_in_lanes() const;
  [[nodiscard]] bool shift_weights(Operand like, std::int64_t width, Loop& across);
  [[nodiscard]] std::optional<Sizes> lanes_of(Operand operand, const Loop& along,
                                              const Loop& across) const;
  [[nodiscard]] std::int64_t multiplies() const;
  void choose_rows_and_depth();
  void find_result();
  void choose_unit();
  void choose_unit_of_turned();
  void choose_columns();
  [[nodiscard]] std::int64_t tiles_of_turn() const;
  [[nodiscard]] std::int64_t chunks() const { return (depth_.size + lanes_ - 1) / lanes_; }
  [[nodiscard]] std::int64_t column_tiles() const { return (columns_.size + lanes_ - 1) / lanes_; }
  // A tile of the operand; null where it is used in place.
  [[nodiscard]] mlir::Value room_of(mlir::OpBuilder& builder, Operand operand) const;
  // With separate tiles, as for the last step after a loop: a loop that shares its tiles cannot
  // bring the next ones while it computes.
  void in_own_rooms(mlir::OpBuilder& builder, llvm::ArrayRef<Operand> operands,
                    llvm::function_ref<void()> body);
  [[nodiscard]] bool has_bytes() const {
    const auto type = mlir::cast<mlir::MemRefType>(kernel_.operands[left].buffer.getType());
    return type.getElementType().isInteger(8);
  }
  [[nodiscard]] bool is_in_place(Operand operand, const Loop& along, const Loop& across) const;
  mlir::Value left_view(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t first,
                        std::int64_t chunks, std::int64_t row_count, std::int64_t depth_count);
  mlir::Value right_view(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t first,
                         std::int64_t chunks, std::int64_t column_count, std::int64_t depth_count);
  void around(mlir::OpBuilder& builder, llvm::ArrayRef<Loop> loops, Offsets offsets,
              llvm::function_ref<void(mlir::OpBuilder&, Offsets)> body);
  void block(mlir::OpBuilder& builder, const Offsets& offsets);
  void columns(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count);
  void tile(mlir::OpBuilder& builder, const Offsets& at, std::int64_t row_count,
            std::int64_t count);
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
                mlir::OpFoldResult index) const;
  mlir::Value outside(mlir::OpBuilder& builder, Operand operand, mlir::OpFoldResult offset,
                      llvm::ArrayRef<std::int64_t> sizes,
                      llvm::ArrayRef<std::int64_t> strides) const {
    return strided_view(builder, loc_, kernel_.operands[operand].buffer, offset, sizes, strides);
  }
  mlir::Value tile_of(mlir::OpBuilder& builder, Operand operand, std::int64_t offset,
                      llvm::ArrayRef<std::int64_t> sizes,
                      llvm::ArrayRef<std::int64_t> strides) const {
    return strided_view(builder, loc_, rooms_[operand], builder.getIndexAttr(offset), sizes,
                        strides);
  }
  // The number of products of parts for the requested precision.
  [[nodiscard]] std::int64_t products() const { return products_of(kernel_.op); }
  // How many accumulators eight rows of a tile of columns need: products of lower parts have their
  // own.
  [[nodiscard]] std::int64_t accumulators_of(std::int64_t rows) const {
    return (rows + sublanes - 1) / sublanes * (products() > 1 ? 2 : 1);
  }
  // How many separate halves the operand has; those of a word count as one.
  [[nodiscard]] std::int64_t halves(Operand operand) const {
    return halves_.strides[operand] == 0 ? 1 : halves_.size;
  }
  // From one half to the next in a tile of this many rows per chunk.
  [[nodiscard]] std::int64_t half_step(Operand operand, std::int64_t rows) const {
    return halves(operand) == 1 ? 0 : depth_step_ * rows;
  }
  // From one column to the next in a tile of the right operand, in words: eight are in as many
  // banks.
  [[nodiscard]] std::int64_t column_pitch() const { return (depth_step_ / lanes_ | 1) * lanes_; }
  // From one row to the next in a tile of the left operand, and from one chunk to the next.
  [[nodiscard]] std::int64_t left_row_step() const {
    return depth_in_one_piece() ? depth_step_ : lanes_;
  }
  [[nodiscard]] bool depth_in_one_piece() const { return on_vectors_ && !right_by_columns_; }
  [[nodiscard]] std::int64_t padded_rows() const {
    return on_vectors_ ? row_step_ : (row_step_ + sublanes - 1) / sublanes * sublanes;
  }
  // Everything at once: no sums wait in VMEM, and the left operand serves all columns.
  [[nodiscard]] bool single_step() const {
    return other_depth_.empty() && depth_.size <= depth_step_;
  }

  Kernel& kernel_;
  const Parameters& machine_;
  std::int64_t lanes_;
  mlir::Location loc_ = kernel_.op.getLoc();
  llvm::SmallVector<Loop> outer_;        // batch, and more than one each of rows and columns
  llvm::SmallVector<Loop> other_depth_;  // more than one of depth
  Loop rows_{1, false, {0, 0, 0}, -1};
  Loop columns_{1, false, {0, 0, 0}, -1};
  Loop depth_{1, true, {0, 0, 0}, -1};
  Loop halves_{1, true, {0, 0, 0}, -1};  // of words along the depth
  std::int64_t row_step_ = 0;
  std::int64_t depth_step_ = 0;
  std::int64_t column_step_ = 0;
  std::array<mlir::Value, 3> rooms_;
  std::array<bool, 3> in_place_{};
  bool right_by_columns_ = false;  // with the depth innermost
  bool in_lanes_ = false;          // in place, in the middle of rows of VMEM
  bool unrolls_ = false;           // few enough tiles to unroll
  bool on_vectors_ = false;        // on the vector units
  bool repeats_ = false;           // so little work around it that each iteration is unrolled
  bool repeats_rows_ = false;      // the same for blocks of rows: their rows are copied in and out
                                   // in parts
  mlir::Value result_tile_;
  std::array<mlir::Value, 2> left_rooms_;  // of unrolled iterations, by turns
  std::size_t left_room_ = 0;
  std::int64_t tile_number_ = 0;
};

}  // namespace tandem::compiler::contraction
