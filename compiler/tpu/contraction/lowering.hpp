// A contraction on tiles in VMEM as pushes, multiplies and reads of the matrix unit.
//
// Where it takes several products of parts (views/products.hpp), there is one set of weights for
// each part of the right operand. The product of both parts 0 and those of lower parts are summed
// separately: with an infinity the lower ones are NaNs or infinities of either sign, since an
// infinity has no remainder, or is multiplied by zeros. Then the first sum alone is the result
// (read_results).
#pragma once

#include "compiler/tpu/contraction/plan.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/tpu/tpu_builder.hpp"

namespace tandem::compiler {

// A builder that the lowering advances: it may end in front of the next operation.
struct OwnBuilder {
  explicit OwnBuilder(const mlir::OpBuilder& builder) : own(builder) {}
  mlir::OpBuilder own;
};

class ContractionLowering : OwnBuilder, TpuBuilder, public OpenContraction {
 public:
  ContractionLowering(const mlir::OpBuilder& builder, Memory& memory, const Parameters& machine,
                      mlir::linalg::LinalgOp op, bool fills_up, RowWork* beside)
      : OwnBuilder(builder),
        TpuBuilder(own, op.getLoc()),
        memory_(memory),
        machine_(machine),
        op_(op),
        fills_up_(fills_up),
        beside_(beside) {}

  // `before` is open. Returns the number of groups of rows overlapped with it.
  mlir::FailureOr<std::int64_t> run(ContractionLowering* before);
  // Whether there is something left to do.
  [[nodiscard]] bool is_open() const { return left_over_.has_value() || has_results_; }
  [[nodiscard]] bool allows(mlir::Operation* op) const override;
  mlir::LogicalResult close(mlir::OpBuilder& builder) override;

 private:
  using Tile = ContractionTile;
  using Order = ContractionPlan::Order;

  // A chunk of the depth: `number` after the first of `turn`, which has `length` of them.
  struct Chunk {
    mlir::OpFoldResult turn;
    std::int64_t length = 0;
    std::int64_t number = 0;
    std::int64_t half = 0;
  };

  // A tile of columns: `number` after the one that a loop is at, if it is in one.
  struct Columns {
    std::int64_t number = 0;
    mlir::Value loop = {};
    mlir::Value accumulator = {};  // its first one, where the loop gives it
  };

  // A part of the left operand with the weights that have been pushed.
  struct Multiply {
    Chunk chunk;
    int part = 0;
    bool is_low = false;  // one of the parts is not part 0
    bool adds = false;    // to the contents of the accumulators
  };

  // One set of weights, and the rows multiplied with it.
  struct Step {
    Chunk chunk;
    std::size_t pass = 0;
    Columns tile;
  };

  // How to push the weights of the next step, and whether these are not pushed yet.
  struct Push {
    llvm::function_ref<void()> push;
    bool is_late = false;
  };

  void settle();
  void settle_before_loop();
  void chunk(const Step& first, std::optional<Step> next, bool adds);
  void step(const Step& now, bool begins, const Push& next);
  bool is_late(const Step& step);
  // Where the rest of an open contraction is emitted: its last step, and then its results.
  void go_on_at(const mlir::OpBuilder& builder) {
    own.restoreInsertionPoint(builder.saveInsertionPoint());
  }
  void last_step(const Push& next) { step(left_over_->now, left_over_->begins, next); }
  // Here.
  mlir::LogicalResult start(llvm::ArrayRef<mlir::memref::CopyOp> started);
  void last_results(bool beside) { read_results({plan_.steps.tiles - 1}, beside); }
  // The same, and each copy behind the last rows that it takes.
  mlir::LogicalResult last_results(llvm::ArrayRef<mlir::memref::CopyOp> started);
  // How many groups of rows of the last results are read before the copy may start.
  [[nodiscard]] std::int64_t groups_before(mlir::memref::CopyOp copy) const;
  // Accumulators that do not meet those of the open one; none: there are too few.
  bool take_accumulators(const ContractionLowering& before);
  void push(const Step& step);
  void weights(const Chunk& chunk, int part);
  void weight_rows(const Chunk& chunk, int part);
  void weight_columns(const Chunk& chunk, int part);
  void fill_up();
  void multiply(const Multiply& what, const Push& next);
  void multiply_group(const Multiply& what, mlir::OpFoldResult group, std::int64_t rows,
                      bool swaps);
  mlir::Value read_sum(mlir::OpFoldResult group);
  // Groups of results whose reads are written out at most.
  static constexpr std::int64_t few_alone = 4;
  static constexpr std::int64_t few_beside = 32;
  // `beside`: while others are multiplied.
  void read_results(const Columns& tile, bool beside);
  // Groups of rows, in a loop where they are more than a few.
  void read_groups(std::int64_t from, std::int64_t end, std::int64_t few);
  void read_group(mlir::OpFoldResult group, std::int64_t rows);
  [[nodiscard]] std::int64_t all_groups() const { return (plan_.rows + sublanes - 1) / sublanes; }
  mlir::Value part_of(mlir::Value x, int part);
  // Weights as they are pushed: bytes of words as fp32.
  mlir::Value weights_of(mlir::Value x, int part) {
    const auto byte = plan_.right.byte();
    return byte ? make("vext.f32.s8", x, number("byte", *byte)) : part_of(x, part);
  }
  // None where these are all lanes.
  mlir::Value lane_mask(std::int64_t first, std::int64_t count);
  // Rows of a tile at a chunk, from its row `first` on, `beyond` rows of VMEM further.
  mlir::Value load(const Tile& tile, const Chunk& chunk, mlir::OpFoldResult first,
                   const Columns& beyond, std::int64_t rows, mlir::Value mask);
  // The part of the words that the unit takes.
  mlir::NamedAttribute form(const Tile& tile, const Chunk& chunk) {
    llvm::StringRef part = tile.is_bytes ? "b0" : "f32";
    if (!tile.part.empty() && !tile.byte()) part = tile.part;
    if (part == "halves") part = chunk.half == 0 ? "lo" : "hi";
    return text("x", part);
  }
  // Calls the body for from, from + 1, ...: unrolled, or as a loop.
  void repeat(std::int64_t from, std::int64_t to, llvm::function_ref<void(mlir::OpFoldResult)> body,
              std::int64_t few = 4);
  // The operand and attributes that name an accumulator, for products of lower parts or not.
  VmemAddress accumulator(mlir::OpFoldResult group, bool is_low);
  // Where the current tile of columns has fewer than there are lanes.
  mlir::Value tile_mask() {
    const bool is_whole = tile_.loop || (tile_.number + 1) * machine_.lanes <= plan_.columns;
    return is_whole ? mlir::Value() : column_mask_;
  }
  // `results` reads those of the previous tile, where there is one.
  void one_tile(const Columns& tile, const std::optional<Columns>& next,
                llvm::function_ref<void()> results);
  void written_tiles(std::int64_t from, llvm::function_ref<void()> results_before);
  mlir::Value tiles_in_loop(std::int64_t from, std::int64_t to, mlir::Value set);
  void tiles_in_loop();
  void one_chunk(std::int64_t number);
  // Whether a group of the overlapped rows is done in each step of the tile.
  [[nodiscard]] bool has_rows(const Columns& tile) const {
    return tile.loop ? loop_has_rows_ : tile.number < plan_.tiles_with_rows;
  }
  void rows_beside(const Columns& tile, mlir::OpFoldResult step);
  // The words of this many rows of an operand's tile at a chunk, from its row `first` on; all of
  // the operand's where these are not constants.
  [[nodiscard]] Reach words_of(const Tile& tile, const Chunk& chunk, mlir::OpFoldResult first,
                               const Columns& beyond, std::int64_t rows) const;
  // Waits for those that arrive in parts.
  void wait_for(const Tile& tile, const Reach& words);
  // Groups of rows from one on, in loops between parts that arrive.
  void multiply_groups(const Multiply& what, std::int64_t from, std::int64_t end);

  Memory& memory_;
  const Parameters& machine_;
  mlir::linalg::LinalgOp op_;
  bool fills_up_;
  RowWork* beside_;  // overlapped with its multiplications, a group in each step of this many tiles
  ContractionPlan plan_;
  std::int64_t first_accumulator_ = 0;
  Columns tile_;                // the current one
  bool loop_has_rows_ = false;  // the current loop over tiles
  mlir::Value column_mask_;
  mlir::Value depth_mask_;
  // The step that waits for the next contraction.
  struct LeftOver {
    Step now;
    bool begins = false;
  };
  std::optional<LeftOver> left_over_;
  bool has_results_ = false;  // of the last tile, which wait for the copies that follow
};

}  // namespace tandem::compiler
