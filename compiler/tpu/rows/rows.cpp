// Operations on tiles in the row layout (tiled/rows.cpp), several at a time: all of them are
// executed for eight rows at a time, and values passed from one to the next stay in registers.
//
// Within a group of rows an operation goes through the columns chunk by chunk (one row of VMEM per
// row). An operation that needs a sum of another one waits until that has processed all columns: it
// is in a later phase. Operations of one phase share the loop over the chunks.
#include <set>

#include "compiler/contract/choices.hpp"
#include "compiler/tpu/rows/row_lowering.hpp"
#include "compiler/views/machine_costs.hpp"
#include "compiler/views/residence.hpp"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace rows {

namespace arith = mlir::arith;
using mlir::OpFoldResult;

// Approximate number of operations on one chunk in a phase.
std::size_t RowLowering::steps_of(unsigned number) const {
  std::size_t steps = 0;
  for (const RowOp& op : ops_) {
    if (op.phase == number) {
      steps += mlir::linalg::LinalgOp(op.op).getBlock()->getOperations().size();
    }
  }
  return steps;
}

// The operations with a value that goes from chunk to chunk.
llvm::SmallVector<std::size_t> RowLowering::carried_by(unsigned number) const {
  llvm::SmallVector<std::size_t> summed;
  for (const auto [position, op] : llvm::enumerate(ops_)) {
    if (op.phase == number && (op.sums || op.scans)) summed.push_back(position);
  }
  return summed;
}

// Whether something in the phase depends on the column itself, not only on the position in operands
// of `pitch_`.
bool RowLowering::counts_columns(unsigned number) const {
  return llvm::any_of(ops_, [&](const RowOp& op) {
    mlir::linalg::LinalgOp linalg = op.op;
    if (op.phase != number) return false;
    if (!linalg.getBlock()->getOps<mlir::linalg::IndexOp>().empty()) return true;
    return llvm::any_of(op.operands, [&](const RowOperand& operand) {
      const Spot& spot = operand.spot;
      return spot.kind == Kind::column || (spot.kind == Kind::full && spot.pitch != pitch_);
    });
  });
}

// Where there is little to do on a chunk, several are processed per iteration, each with its own
// sums.
std::int64_t RowLowering::chunks_a_turn(unsigned number) {
  if (scans()) return 1;
  constexpr std::size_t little = 6;
  constexpr std::int64_t several = 4;
  const auto together = static_cast<std::int64_t>(in_work_.size());
  const std::int64_t wanted = std::max<std::int64_t>(several / together, 1);
  const std::int64_t by_model =
      steps_of(number) <= little && whole_chunks() % wanted == 0 ? wanted : 1;
  llvm::SmallVector<std::int64_t> turns;
  for (std::int64_t chunks = 1; chunks * together <= 2 * several; chunks *= 2) {
    if (whole_chunks() % chunks == 0) turns.push_back(chunks);
  }
  return choose(ops_.front().op, DecisionName::rows_turn, by_model, turns);
}

// How the operation at this place sums.
Combiner RowLowering::combiner_at(std::size_t position) {
  mlir::linalg::LinalgOp op = ops_[position].op;
  return combiner_of(op.getBlock()->getTerminator()->getOperand(0).getDefiningOp());
}

// `chunks` chunks of all groups, from `at` on; returns the sums after them.
llvm::SmallVector<Value> RowLowering::chunk_turn(unsigned number, std::int64_t count,
                                                 const Column& at, std::int64_t chunks,
                                                 llvm::ArrayRef<std::size_t> summed,
                                                 mlir::ValueRange carried) {
  llvm::SmallVector<Value> end;
  for (std::int64_t i = 0; i < chunks; ++i) {
    for (Group& group : in_work_) {
      group_ = &group;
      const std::size_t before = end.size();
      for (const auto [offset, position] : llvm::enumerate(summed)) {
        group.sums[position] = carried[before + offset];
      }
      chunk(number, {at.from, at.start, i}, count, {0, parameters_.lanes});
      for (const std::size_t position : summed) end.push_back(group.sums[position]);
    }
  }
  return end;
}

// The whole chunks as a loop that counts in positions of operands of `pitch_`, or in columns: then
// the bounds are constants, so analyses of the addresses know their ranges.
void RowLowering::chunk_loop(unsigned number, std::int64_t count,
                             llvm::ArrayRef<std::size_t> summed) {
  const std::int64_t turn = chunks_a_turn(number);
  llvm::SmallVector<Value> start;
  for (std::size_t i = 0; i < static_cast<std::size_t>(turn) * in_work_.size(); ++i) {
    for (const std::size_t position : summed) {
      const Value before = in_work_[i % in_work_.size()].sums[position];
      start.push_back(before ? before : make("vmov", constant(combiner_at(position).identity)));
    }
  }
  const auto scalar = [&](OpFoldResult place) {
    return mlir::getValueOrCreateConstantIndexOp(builder_, loc_, place);
  };
  const bool by_column = counts_columns(number) || from_end();
  const OpFoldResult low = by_column ? index(0) : start_;
  auto loop = mlir::scf::ForOp::create(
      builder_, loc_, scalar(low), scalar(plus(low, index(whole_chunks()))), constant(turn), start,
      [&](mlir::OpBuilder&, mlir::Location, Value counter, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(counter.getParentBlock());
        if (from_end()) {
          const Value last = constant(whole_chunks() - 1);
          counter = arith::SubIOp::create(builder_, loc_, last, counter);
        }
        const OpFoldResult column = by_column ? OpFoldResult(counter) : index(0);
        const OpFoldResult place = by_column ? plus(start_, counter) : OpFoldResult(counter);
        mlir::scf::YieldOp::create(
            builder_, loc_, chunk_turn(number, count, {column, place, 0}, turn, summed, carried));
      });
  unsigned next = 0;
  for (std::int64_t i = 0; i < turn; ++i) {
    for (Group& group : in_work_) {
      for (const std::size_t position : summed) {
        const Value part = loop.getResult(next++);
        Value& sum = group.sums[position];
        sum = i == 0 ? part : make(combiner_at(position).vector, {sum, part});
      }
    }
  }
}

// Values with one element per row are loaded before the chunks.
void RowLowering::begin_phase(unsigned number, std::int64_t count) {
  group_->sums.assign(ops_.size(), Value());
  group_->lines.clear();
  for (const RowOp& op : ops_) {
    if (op.phase != number) continue;
    loc_ = mlir::linalg::LinalgOp(op.op).getLoc();
    for (const RowOperand& operand : op.operands) {
      if (operand.spot.kind != Kind::row || operand.is_output || !operand.used) continue;
      Value& value = group_->row_values[number_of(operand.spot)];
      if (!value) value = load_row(operand, count);
    }
  }
}

// All chunks of columns for the operations of a phase.
void RowLowering::phase(unsigned number, std::int64_t count) {
  const auto for_each_group = [&](auto&& act) {
    for (Group& group : in_work_) {
      group_ = &group;
      act();
    }
  };
  for_each_group([&] { begin_phase(number, count); });
  const auto summed = carried_by(number);
  const auto written = [&] {
    const std::int64_t first = written_out_ ? first_chunk_ : whole_chunks();
    for (std::int64_t i = first; i < end_chunk_; ++i) {
      const std::int64_t at = from_end() ? first + end_chunk_ - 1 - i : i;
      chunk(number, {index(0), start_, at}, count, lanes_of(at));
    }
  };
  if (from_end()) for_each_group(written);
  if (!written_out_) chunk_loop(number, count, summed);
  for_each_group([&] {
    if (!from_end()) written();
    for (const std::size_t position : summed) {
      if (ops_[position].sums) finish_sum(ops_[position], group_->sums[position], count);
    }
  });
}

void RowLowering::groups(OpFoldResult first, OpFoldResult start, std::int64_t count,
                         std::int64_t together) {
  first_ = first;
  start_ = start;
  in_work_.assign(static_cast<std::size_t>(together), Group());
  for (std::int64_t i = 0; i < together; ++i) {
    in_work_[static_cast<std::size_t>(i)].beyond = i * sublanes;
  }
  for (unsigned number = 0; number < phases_; ++number) phase(number, count);
}

// Where the chunks are a loop, its pipeline fills and drains once for all current groups.
std::int64_t RowLowering::groups_together(std::int64_t whole) const {
  constexpr std::size_t most_steps = 20;  // of all phases: values in flight need registers
  std::size_t steps = 0;
  for (unsigned number = 0; number < phases_; ++number) {
    steps = std::max(steps, steps_of(number));
  }
  if (written_out_ || steps > most_steps) return 1;
  llvm::SmallVector<std::int64_t> counts{1};
  while (counts.size() < 3 && 2 * counts.back() <= whole) counts.push_back(2 * counts.back());
  // The remainder after the loop is separate text: for a few iterations that is not worth it.
  constexpr std::int64_t few_turns = 4;
  std::int64_t by_model = counts.back();
  while (whole % by_model != 0 && whole < few_turns * by_model) by_model /= 2;
  return choose(ops_.front().op, DecisionName::rows_groups, by_model, counts);
}

// Positions whose chunks more than one phase uses.
std::size_t RowLowering::handed_on() {
  std::map<std::size_t, std::set<unsigned>> phases;
  for (const RowOp& op : ops_) {
    for (const RowOperand& operand : op.operands) {
      if (operand.spot.kind == Kind::row || (op.sums && operand.is_output)) continue;
      phases[number_of(operand.spot)].insert(op.phase);
    }
  }
  return static_cast<std::size_t>(
      llvm::count_if(phases, [](const auto& entry) { return entry.second.size() > 1; }));
}

RowLowering::RowLowering(mlir::OpBuilder& builder, const Parameters& parameters, KeptRows& kept,
                         std::vector<RowOp> ops)
    : TpuBuilder(builder, ops.front().op.getLoc()),
      parameters_(parameters),
      kept_(kept),
      ops_(std::move(ops)) {
  constexpr std::size_t few_values = 24;  // that a group may hold in registers
  for (const RowOp& op : ops_) {
    phases_ = std::max(phases_, op.phase + 1);
    for (const RowOperand& operand : op.operands) {
      number_of(operand.spot);
      if (operand.spot.kind == Kind::full) pitch_ = operand.spot.pitch;
    }
  }
  written_out_ = !threshold::written_chunks(whole_chunks());
  if (written_out_) frame_ = best_frame();
  end_chunk_ = chunks();
  keeps_chunks_ = written_out_ && handed_on() * static_cast<std::size_t>(chunks()) <= few_values;
}

void RowLowering::group(const mlir::OpBuilder& at, OpFoldResult number) {
  const mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.restoreInsertionPoint(at.saveInsertionPoint());
  groups(times(builder_, loc_, number, sublanes), times(builder_, loc_, number, sublanes * pitch_),
         sublanes, 1);
}

// The work on a chunk, in operations: one with a long body counts as several.
std::int64_t RowLowering::work() const {
  constexpr std::size_t ordinary = 16;  // operations in a body
  std::int64_t count = 0;
  for (const RowOp& op : ops_) {
    const std::size_t steps = mlir::linalg::LinalgOp(op.op).getBlock()->getOperations().size();
    count += 1 + static_cast<std::int64_t>(steps / ordinary);
  }
  return count;
}

// Groups from this one on to the last whole one.
void RowLowering::whole_groups(std::int64_t from) {
  const std::int64_t end = ops_.front().rows / sublanes;
  const std::int64_t left = end - from;
  const std::int64_t together = groups_together(left);
  const auto steps = left * (end_chunk_ - first_chunk_) * work();
  if (left <= together || (written_out_ && !threshold::written_groups(steps))) {
    for (std::int64_t i = from; i < end; i += together) {
      groups(index(i * sublanes), index(i * sublanes * pitch_), sublanes,
             std::min(together, end - i));
    }
    return;
  }
  const std::int64_t end_of_loop = end - left % together;
  const std::int64_t advance = together * sublanes * pitch_;
  mlir::scf::ForOp::create(
      builder_, loc_, constant(from * sublanes * pitch_), constant(end_of_loop * sublanes * pitch_),
      constant(advance), mlir::ValueRange{constant(from * sublanes)},
      [&](mlir::OpBuilder&, mlir::Location at, Value start, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(start.getParentBlock());
        groups(carried.front(), start, sublanes, together);
        const Value next =
            arith::AddIOp::create(builder_, at, carried.front(), constant(together * sublanes));
        mlir::scf::YieldOp::create(builder_, at, next);
      });
  if (end_of_loop == end) return;
  groups(index(end_of_loop * sublanes), index(end_of_loop * sublanes * pitch_), sublanes,
         end - end_of_loop);
}

// From this one on, for the current block of columns.
void RowLowering::all_groups(std::int64_t from) {
  load_columns();
  whole_groups(from);
  const std::int64_t rows = ops_.front().rows;
  if (const std::int64_t left = rows % sublanes; left != 0) {
    const std::int64_t first = rows - left;
    groups(index(first), index(first * pitch_), left, 1);
  }
  column_values_.clear();
}

mlir::LogicalResult RowLowering::finish(std::int64_t from) {
  const std::int64_t step = chunks_of_block();
  for (first_chunk_ = 0; first_chunk_ < chunks(); first_chunk_ += step) {
    end_chunk_ = std::min(first_chunk_ + step, chunks());
    all_groups(from);
  }
  if (failed_) return mlir::failure();
  for (RowOp& op : ops_) {
    for (const Value written : op.op.getDpsInits()) kept_.forget(written);
  }
  for (const auto& [word, sums] : stored_) kept_.keep(word, sums);
  return mlir::success();
}

}  // namespace rows

std::unique_ptr<RowWork> row_work(mlir::OpBuilder& builder, Memory& memory,
                                  const Parameters& machine,
                                  llvm::ArrayRef<mlir::linalg::LinalgOp> ops) {
  std::vector<rows::RowOp> sequence;
  for (const mlir::linalg::LinalgOp op : ops) {
    auto next = rows::describe(builder, memory, machine.lanes, op);
    if (mlir::failed(next)) return nullptr;
    bool fits = sequence.empty() || (!next->scans && !sequence.back().scans);
    for (const rows::RowOp& before : sequence) {
      bool meet = false;
      fits = fits && before.rows == next->rows && before.columns == next->columns &&
             rows::go_together(before, *next, meet);
      if (meet) {
        next->phase =
            std::max(next->phase, before.phase + (rows::reads_sum_of(before, *next) ? 1U : 0U));
      }
    }
    if (!fits) break;
    sequence.push_back(std::move(*next));
  }
  return std::make_unique<rows::RowLowering>(builder, machine, memory.kept_rows(),
                                             std::move(sequence));
}

}  // namespace tandem::compiler
