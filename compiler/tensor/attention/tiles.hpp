// A chain (chain.hpp) in tiles of rows and keys.
//
//   for each block of rows
//     for each tile of keys
//       the scores, and the values derived from them, on the tile
//       m' = max(m, scores);  p = exp(scores - m');  l = l exp(m - m') + sum(p), likewise out
//     out / l, and other values derived from the sums, to its place
//
// Operands of the tiles are copied to buffers of their size; keys and values that fit are copied
// once for all blocks of rows.
#pragma once

#include "compiler/tensor/attention/causal.hpp"
#include "compiler/tensor/attention/chain.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler::online {

struct TileSizes {
  std::int64_t rows = 0;
  std::int64_t keys = 0;
  bool holds = false;  // keys and values stay in VMEM for all blocks of rows
};

class Tiles {
 public:
  Tiles(const Chain& chain, const Parameters& machine);

  // Whether the wide values are large, and fit VMEM neither as they are nor in blocks of whole rows
  // (tiled/cut_into_blocks.cpp).
  [[nodiscard]] bool is_worth_it() const;
  void take_untransposed();
  // By the model of cost, or by choice. No rows: nothing fits.
  [[nodiscard]] TileSizes sizes() const;
  // Replaces the chain's operations.
  void emit(TileSizes sizes);

 private:
  struct Near {
    mlir::Value far;
    Labels labels;
    mlir::Value tile;  // with all keys where it is held for all blocks
    bool is_held = false;
  };
  using Outputs = llvm::SmallVector<mlir::Value>;

  // ---- sizes
  [[nodiscard]] bool fits_as_it_is() const;
  [[nodiscard]] bool fits_in_rows() const;
  [[nodiscard]] bool streams_in_rows() const;
  [[nodiscard]] std::int64_t words(TileSizes sizes, int wide_tiles = 2) const;
  [[nodiscard]] std::int64_t twin_words(TileSizes sizes) const;
  [[nodiscard]] std::int64_t tiles_of_keys(TileSizes sizes) const;
  [[nodiscard]] double multiplications(const Step& step, TileSizes sizes) const;
  [[nodiscard]] double cost(TileSizes sizes) const;
  [[nodiscard]] llvm::SmallVector<std::int64_t> shape_of(mlir::Value value, const Labels& labels,
                                                         TileSizes sizes) const;
  [[nodiscard]] std::int64_t words_of(mlir::Value value, const Labels& labels,
                                      TileSizes sizes) const;
  [[nodiscard]] bool begins_with_rows() const;
  [[nodiscard]] TileSizes best_sizes(bool holds, llvm::ArrayRef<std::int64_t> rows) const;
  [[nodiscard]] llvm::SmallVector<std::int64_t> rows_that_fit(bool holds) const;
  [[nodiscard]] llvm::SmallVector<std::int64_t> keys_that_fit(TileSizes sizes) const;
  [[nodiscard]] bool may_hold(const Labels& labels) const;
  // Whether an operand is copied for each tile of keys.
  [[nodiscard]] bool comes_by_tiles(const Labels& labels, TileSizes sizes) const;
  // The tensors that the step uses and the chain does not compute.
  [[nodiscard]] llvm::SmallVector<std::pair<mlir::Value, Labels>> from_outside(
      const Step& step) const;

  // ---- slices
  [[nodiscard]] std::int64_t size(int label, std::int64_t whole) const;
  [[nodiscard]] mlir::RankedTensorType tile_type(mlir::Value value, const Labels& labels) const;
  mlir::Value slice(mlir::Value far, const Labels& labels, bool is_held);
  mlir::Value copy_of(mlir::Value slice);
  mlir::Value operand(const Step& step, mlir::OpOperand& operand);
  void bring(bool for_blocks);
  mlir::Value own_room(mlir::RankedTensorType type);
  mlir::Value begin_of(const Step& step, mlir::RankedTensorType type);

  // ---- the operations on tiles
  mlir::Value clone(const Step& step, mlir::Value init);
  mlir::Value rebuilt(const Step& step, mlir::Value root, mlir::Value init);
  mlir::Value clone_value(mlir::OpBuilder& builder, mlir::Value value, mlir::IRMapping& map,
                          const Step& step);
  void wide(const Step& step);
  void stabilize(const Step& step);
  void sink(const Step& step);
  mlir::Value by_rows(mlir::Value of, const Labels& labels, mlir::ValueRange with,
                      llvm::ArrayRef<Labels> with_labels,
                      llvm::function_ref<mlir::Value(mlir::OpBuilder&, mlir::ValueRange)> body);
  mlir::Value finite(mlir::Value maximum);
  mlir::Value corrected(const Step& step);
  mlir::Value correction(const Step& step);
  void finish_sink(const Step& step, mlir::Value correction);

  // ---- loops
  // The beginning of a step, its length, and the carried values.
  using LoopBody = llvm::function_ref<Outputs(mlir::Value, std::int64_t, Outputs)>;
  Outputs whole_steps(mlir::Value first, mlir::Value end, std::int64_t step, const Outputs& carried,
                      LoopBody body);
  // `limit`: the end before that, if any.
  Outputs over(std::int64_t extent, std::int64_t step, Outputs carried, LoopBody body,
               mlir::Value limit = {});
  [[nodiscard]] bool leaves_out_future() const;
  mlir::Value end_of_keys();
  Outputs over_the_future(Outputs running, LoopBody body);
  mlir::Value rows_that_see_more(mlir::Value maximum, double low);
  Outputs over_rows(std::size_t row, Outputs outputs);
  Outputs block(Outputs outputs);
  void begin_sums();
  void finish_sums();
  Outputs put_back(Outputs outputs);
  Outputs tile(Outputs running);

  const Chain& chain_;
  const Parameters& machine_;
  const Step* maximum_ = nullptr;  // the sink that is the stabilizer; null: one of our own
  TileSizes whole_;
  TileSizes sizes_;  // of the current tile
  std::optional<Past> past_;
  mlir::OpBuilder builder_;
  mlir::Location loc_;
  llvm::SmallVector<mlir::Value> row_at_;
  mlir::Value key_at_;
  llvm::SmallVector<Near> near_;
  llvm::DenseMap<mlir::Value, mlir::Value> tiles_;     // of the chain's values
  llvm::MapVector<mlir::Value, mlir::Value> running_;  // by sink; the null one is the stabilizer
  Labels stabilizer_labels_;
  mlir::Value before_;  // the stabilizer before this tile
  mlir::Value safe_;    // the stabilizer, 0 where it is minus infinity
  mlir::Value factor_;  // for sums so far
};

}  // namespace tandem::compiler::online
