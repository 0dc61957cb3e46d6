// The lowering of operations in the row layout: see rows.cpp.
#pragma once

#include <map>
#include <tuple>

#include "compiler/tpu/rows/row_ops.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/tpu/tpu_builder.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler::rows {

class RowLowering : TpuBuilder, public RowWork {
 public:
  RowLowering(mlir::OpBuilder& builder, const Parameters& parameters, KeptRows& kept,
              std::vector<RowOp> ops);

  [[nodiscard]] std::size_t operations() const override { return ops_.size(); }
  [[nodiscard]] std::int64_t groups() const override {
    return written_out_ ? ops_.front().rows / sublanes : 0;
  }
  void group(const mlir::OpBuilder& at, mlir::OpFoldResult number) override;
  mlir::LogicalResult finish(std::int64_t from) override;

 private:
  using Chunk = std::pair<std::size_t, std::int64_t>;  // a position, and the number of a chunk
  // A chunk of the group: `number` beyond the chunk `from`, whose position in an operand of
  // `pitch_` is `start`.
  struct Column {
    mlir::OpFoldResult from;
    mlir::OpFoldResult start;
    std::int64_t number = 0;
  };
  struct Lanes {
    std::int64_t first = 0;
    std::int64_t end = 0;
    auto operator<=>(const Lanes&) const = default;
  };
  // The position of a row of VMEM, its number, and the lanes that are loaded.
  using Line = std::tuple<std::size_t, std::int64_t, Lanes>;
  // The rows of VMEM that a chunk is in, and the lanes there; it is rotated by `shift`.
  struct Across {
    Column at;
    Column next;
    Lanes here;
    Lanes there;
    std::int64_t shift = 0;
  };
  // Eight rows; groups processed together alternate chunk by chunk.
  struct Group {
    std::int64_t beyond = 0;                  // its first row, from the first current one
    std::map<std::size_t, Value> row_values;  // by position: one value per row, in all lanes
    std::map<Chunk, Value> chunk_values;
    llvm::SmallVector<Value> sums;  // by operation, of the current phase
    std::map<Line, Value> lines;    // of the current phase
  };

  void load_columns();
  void load_columns_of(const RowOp& op, std::size_t most);
  [[nodiscard]] std::size_t room_for_columns() const;
  [[nodiscard]] std::int64_t chunks_of_block();
  void all_groups(std::int64_t from);
  [[nodiscard]] static bool gains_by_columns(const RowOp& op);
  [[nodiscard]] bool is_written(const RowOperand& operand) const;
  [[nodiscard]] mlir::scf::ForOp loop_around(const RowOperand& operand) const;
  [[nodiscard]] bool stays_for_columns(const RowOperand& operand) const;
  void groups(mlir::OpFoldResult first, mlir::OpFoldResult start, std::int64_t count,
              std::int64_t together);
  void whole_groups(std::int64_t from);
  void phase(unsigned number, std::int64_t count);
  void begin_phase(unsigned number, std::int64_t count);
  void chunk(unsigned number, const Column& at, std::int64_t count, const Lanes& lanes);
  Value moved_lanes(Value value, const Combiner& combiner, std::int64_t step, bool from_end);
  void scan(std::size_t position, Value value, const Column& at, std::int64_t count,
            const Lanes& lanes);
  void finish_sum(const RowOp& op, Value sums, std::int64_t count);
  void store_sums(const RowOperand& output, std::int64_t count, Value sums);
  Value load_row(const RowOperand& operand, std::int64_t count);
  Value load(const RowOperand& operand, const Column& at, std::int64_t count, const Lanes& lanes);
  Value load_across(const RowOperand& operand, const Column& at, std::int64_t count,
                    const Lanes& lanes);
  Value line(const RowOperand& operand, const Column& at, std::int64_t count, const Lanes& lanes);
  void store(const RowOperand& operand, const Column& at, std::int64_t count, const Lanes& lanes,
             Value value);
  void store_line(const RowOperand& operand, const Column& at, std::int64_t count,
                  const Lanes& lanes, Value value);
  [[nodiscard]] Across across(const RowOperand& operand, const Column& at,
                              const Lanes& lanes) const;
  [[nodiscard]] Lanes lanes_of(std::int64_t chunk) const;
  [[nodiscard]] std::int64_t chunks_from(std::int64_t lane) const;
  [[nodiscard]] std::int64_t best_frame() const;
  Value mask_of(const Lanes& lanes);  // null for all lanes
  llvm::SmallVector<Value> body(const RowOp& op, llvm::ArrayRef<Value> given, const Column& at);
  VmemAddress address(const RowOperand& operand, const Column& at);
  [[nodiscard]] std::optional<std::int64_t> fixed_word(const RowOperand& operand) const;
  void chunk_loop(unsigned number, std::int64_t count, llvm::ArrayRef<std::size_t> summed);
  [[nodiscard]] std::int64_t chunks_a_turn(unsigned number);
  [[nodiscard]] Combiner combiner_at(std::size_t position);
  llvm::SmallVector<Value> chunk_turn(unsigned number, std::int64_t count, const Column& at,
                                      std::int64_t chunks, llvm::ArrayRef<std::size_t> summed,
                                      mlir::ValueRange carried);
  [[nodiscard]] llvm::SmallVector<std::size_t> carried_by(unsigned number) const;
  [[nodiscard]] bool scans() const { return ops_.front().scans; }
  [[nodiscard]] bool from_end() const { return ops_.front().from_end; }
  [[nodiscard]] std::size_t steps_of(unsigned number) const;
  [[nodiscard]] std::int64_t work() const;
  [[nodiscard]] bool counts_columns(unsigned number) const;
  [[nodiscard]] std::int64_t groups_together(std::int64_t whole) const;
  [[nodiscard]] bool must_store(std::size_t op, const RowOperand& operand) const;
  [[nodiscard]] bool is_private(const RowOperand& operand) const;
  [[nodiscard]] std::size_t handed_on();
  std::size_t number_of(const Spot& spot);

  mlir::OpFoldResult plus(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    return add(builder_, loc_, a, b);
  }
  mlir::OpFoldResult index(std::int64_t value) { return builder_.getIndexAttr(value); }
  [[nodiscard]] std::int64_t whole_chunks() const {
    return ops_.front().columns / parameters_.lanes;
  }
  [[nodiscard]] std::int64_t chunks() const { return chunks_from(frame_); }

  const Parameters& parameters_;
  KeptRows& kept_;
  std::vector<RowOp> ops_;
  // Sums that stay in registers after it, with the words that hold them.
  llvm::SmallVector<std::pair<std::int64_t, Value>> stored_;
  unsigned phases_ = 1;
  std::int64_t pitch_ = 1;        // the pitch of most operands: the loop over groups counts in it
  bool written_out_ = false;      // all chunks of a group, without a loop
  std::int64_t frame_ = 0;        // the lane of chunk 0 where columns begin (row_memory.cpp)
  std::int64_t first_chunk_ = 0;  // where they are written out: of the current block of columns
  std::int64_t end_chunk_ = 0;
  bool keeps_chunks_ = false;  // from one phase to the next, in registers
  bool failed_ = false;
  llvm::SmallVector<Spot> spots_;
  // Of the current groups:
  mlir::OpFoldResult first_;  // the first row
  mlir::OpFoldResult start_;  // that row's position in an operand of `pitch_`, in rows of VMEM
  std::vector<Group> in_work_;
  std::map<Chunk, Value> column_values_;  // by position: one value per column, in all sublanes
  Group* group_ = nullptr;                // whose code is being emitted
};

}  // namespace tandem::compiler::rows
