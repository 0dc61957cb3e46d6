// Operations on tiles in the row layout (tiled/rows.cpp), several at a time: for eight rows after
// the other all of them are done, and what one hands to the next stays in registers.
//
// Within a group of rows an operation goes through the columns chunk by chunk (a row of VMEM a
// row). One that needs a sum of another one's waits until that has seen all columns: it is in a
// later phase. Operations of one phase share the loop over the chunks.
#include <map>

#include "compiler/tiled/access.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/row_ops.hpp"
#include "compiler/tpu/select.hpp"
#include "compiler/tpu/tiles.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::OpFoldResult;
using mlir::Value;
using rows::Kind;
using rows::RowOp;
using rows::RowOperand;
using rows::Spot;

class RowLowering {
 public:
  RowLowering(mlir::OpBuilder& builder, const Parameters& parameters, std::vector<RowOp> ops)
      : builder_(builder), parameters_(parameters), ops_(std::move(ops)) {}

  mlir::LogicalResult run();

 private:
  using Chunk = std::pair<std::size_t, std::int64_t>;  // a spot, and the number of a chunk
  // A chunk of the group: `number` beyond the chunk `from`, whose place in an operand of `pitch_`
  // is `start`.
  struct Column {
    OpFoldResult from;
    OpFoldResult start;
    std::int64_t number = 0;
  };

  void group(OpFoldResult first, OpFoldResult start, std::int64_t count);
  void phase(unsigned number, std::int64_t count);
  void chunk(unsigned number, const Column& at, std::int64_t count, Value mask,
             llvm::MutableArrayRef<Value> sums);
  void finish_sum(const RowOp& op, Value sums, std::int64_t count);
  void store_sums(const RowOperand& output, std::int64_t count, Value sums);
  Value load_row(const RowOperand& operand, std::int64_t count);
  Value load(const RowOperand& operand, const Column& at, std::int64_t count, Value mask);
  void store(const RowOperand& operand, const Column& at, std::int64_t count, Value mask,
             Value value);
  llvm::SmallVector<Value> body(const RowOp& op, llvm::ArrayRef<Value> given, const Column& at);
  VmemAddress address(const RowOperand& operand, const Column& at);
  void chunk_loop(unsigned number, std::int64_t count, llvm::ArrayRef<std::size_t> summed,
                  llvm::MutableArrayRef<Value> sums);
  [[nodiscard]] bool must_store(std::size_t op, const RowOperand& operand) const;
  [[nodiscard]] bool is_private(const RowOperand& operand) const;
  std::size_t number_of(const Spot& spot);

  Value make(llvm::StringRef mnemonic, mlir::ValueRange operands = {},
             llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return machine(builder_, loc_, mnemonic, operands, attributes);
  }
  Value constant(std::int64_t value) {
    return arith::ConstantIndexOp::create(builder_, loc_, value);
  }
  OpFoldResult plus(OpFoldResult a, OpFoldResult b) { return add(builder_, loc_, a, b); }
  OpFoldResult index(std::int64_t value) { return builder_.getIndexAttr(value); }
  mlir::NamedAttribute number(llvm::StringRef name, std::int64_t value) {
    return builder_.getNamedAttr(name, builder_.getI64IntegerAttr(value));
  }
  [[nodiscard]] std::int64_t whole_chunks() const {
    return ops_.front().columns / parameters_.lanes;
  }
  [[nodiscard]] std::int64_t rest() const { return ops_.front().columns % parameters_.lanes; }

  mlir::OpBuilder& builder_;
  const Parameters& parameters_;
  std::vector<RowOp> ops_;
  mlir::Location loc_ = ops_.front().op.getLoc();
  unsigned phases_ = 1;
  std::int64_t pitch_ = 1;     // of most operands: the loop over groups counts in it
  bool written_out_ = false;   // all chunks of a group, without a loop
  bool keeps_chunks_ = false;  // from one phase to the next, in registers
  bool failed_ = false;
  llvm::SmallVector<Spot> spots_;
  // Of the group in work:
  OpFoldResult first_;  // its first row
  OpFoldResult start_;  // that row's place in an operand of `pitch_`, in rows of VMEM
  std::map<std::size_t, Value> row_values_;  // by spot: one value a row, in all lanes
  std::map<Chunk, Value> chunk_values_;
};

std::size_t RowLowering::number_of(const Spot& spot) {
  const auto* found = llvm::find(spots_, spot);
  if (found == spots_.end()) {
    spots_.push_back(spot);
    return spots_.size() - 1;
  }
  return static_cast<std::size_t>(found - spots_.begin());
}

// The group's first row in the operand, at this chunk.
VmemAddress RowLowering::address(const RowOperand& operand, const Column& at) {
  const Spot& spot = operand.spot;
  OpFoldResult moved = at.from;
  if (spot.kind == Kind::full) {
    moved =
        spot.pitch == pitch_ ? at.start : plus(times(builder_, loc_, first_, spot.pitch), at.from);
  }
  if (spot.row.moved) moved = plus(moved, spot.row.moved);
  return vmem_address(builder_, loc_, spot.row.fixed + at.number, moved);
}

Value RowLowering::load_row(const RowOperand& operand, std::int64_t count) {
  OpFoldResult word = plus(first_, index(operand.spot.row.fixed * parameters_.lanes));
  if (const Value moved = operand.spot.row.moved) {
    word = plus(word, times(builder_, loc_, moved, parameters_.lanes));
  }
  VmemAddress address = vmem_address(builder_, loc_, 0, word);
  address.attributes.push_back(number("rows", count));
  return make("vldc", address.registers, address.attributes);
}

// Eight values of the operand's rows, or fewer, for one chunk of columns.
Value RowLowering::load(const RowOperand& operand, const Column& at, std::int64_t count,
                        Value mask) {
  VmemAddress from = address(operand, at);
  from.attributes.push_back(number("rows", count));
  from.attributes.push_back(
      number("stride", operand.spot.kind == Kind::full ? operand.spot.pitch : 0));
  if (mask) from.registers.push_back(mask);
  return make("vld", from.registers, from.attributes);
}

void RowLowering::store(const RowOperand& operand, const Column& at, std::int64_t count, Value mask,
                        Value value) {
  VmemAddress to = address(operand, at);
  to.registers.push_back(value);
  const bool is_full = operand.spot.kind == Kind::full;
  // The same in every row: there is one.
  to.attributes.push_back(number("rows", is_full ? count : 1));
  if (is_full) to.attributes.push_back(number("stride", operand.spot.pitch));
  if (mask) to.registers.push_back(mask);
  make("vst", to.registers, to.attributes);
}

llvm::SmallVector<Value> RowLowering::body(const RowOp& op, llvm::ArrayRef<Value> given,
                                           const Column& at) {
  Selector selector(builder_, loc_);
  mlir::linalg::LinalgOp linalg = op.op;
  mlir::Block* block = linalg.getBlock();
  if (!block->getOps<mlir::linalg::IndexOp>().empty()) {
    const auto scalar = [&](OpFoldResult place) {
      return mlir::getValueOrCreateConstantIndexOp(builder_, loc_, place);
    };
    const OpFoldResult chunk = plus(at.from, index(at.number));
    const Value column = scalar(times(builder_, loc_, chunk, parameters_.lanes));
    selector.turn_index = make("vadd.s32", {make("vsublane"), scalar(first_)});
    selector.element_index = make("vadd.s32", {make("vlane"), column});
  }
  for (const auto [argument, value] : llvm::zip(block->getArguments(), given)) {
    if (!value) continue;
    selector.set(argument, argument.getType().isInteger(1) ? selector.as_mask(value) : value);
  }
  mlir::Operation* terminator = block->getTerminator();
  llvm::SmallVector<Value> results;
  if (op.sums) {
    // All but the last operation, which adds to the sum.
    mlir::Operation* last = terminator->getOperand(0).getDefiningOp();
    const Value sum = block->getArguments().back();
    const Value other = last->getOperand(0) == sum ? last->getOperand(1) : last->getOperand(0);
    selector.set(sum, constant(0));
    failed_ = failed_ || mlir::failed(selector.run(*block, last));
    results.push_back(failed_ ? constant(0) : selector.get(other));
  } else {
    failed_ = failed_ || mlir::failed(selector.run(*block));
    for (const Value yielded : terminator->getOperands()) {
      results.push_back(failed_ ? constant(0) : selector.as_vector(selector.get(yielded)));
    }
  }
  for (Value& result : results) {
    if (!mlir::isa<VectorType>(result.getType())) result = make("vmov", result);
  }
  return results;
}

// Whether only operations of this sequence touch the buffer, and none reads what was there before.
bool RowLowering::is_private(const RowOperand& operand) const {
  if (!operand.root) return false;
  for (const RowOp& op : ops_) {
    bool writes = false;
    for (const RowOperand& other : op.operands) {
      if (other.root != operand.root) continue;
      const bool starts = op.sums && op.op->hasAttr("tandem.from_identity");
      if (!other.is_output || (other.used && !starts)) return false;
      writes = true;
    }
    if (writes) break;
  }
  llvm::SmallVector<Value> views{Value(mlir::memref::AllocOp(operand.root).getResult())};
  while (!views.empty()) {
    const Value view = views.pop_back_val();
    for (mlir::Operation* user : view.getUsers()) {
      if (mlir::isa<mlir::ViewLikeOpInterface, mlir::UnrealizedConversionCastOp>(user)) {
        views.append(user->getResults().begin(), user->getResults().end());
      } else if (llvm::none_of(ops_, [&](const RowOp& op) { return op.op == user; })) {
        return false;
      }
    }
  }
  return true;
}

// Whether what the operation writes is read from memory by anybody.
bool RowLowering::must_store(std::size_t op, const RowOperand& operand) const {
  bool overwritten = false;
  for (const RowOp& later : llvm::ArrayRef(ops_).drop_front(op + 1)) {
    const bool in_register =
        operand.spot.kind == Kind::row || keeps_chunks_ || later.phase == ops_[op].phase;
    for (const RowOperand& other : later.operands) {
      if (other.used && other.spot == operand.spot && !in_register && !overwritten) return true;
    }
    for (const RowOperand& output : later.outputs()) {
      overwritten = overwritten || (output.spot == operand.spot && !output.used);
    }
    if (overwritten) return false;
  }
  return !is_private(operand);
}

void RowLowering::chunk(unsigned number, const Column& at, std::int64_t count, Value mask,
                        llvm::MutableArrayRef<Value> sums) {
  const std::int64_t place = at.number;
  std::map<Chunk, Value> own;
  std::map<Chunk, Value>& values = keeps_chunks_ ? chunk_values_ : own;
  for (const auto [position, op] : llvm::enumerate(ops_)) {
    if (op.phase != number) continue;
    loc_ = op.op.getLoc();
    llvm::SmallVector<Value> given;
    for (const RowOperand& operand : op.operands) {
      const std::size_t spot = number_of(operand.spot);
      if (!operand.used || (op.sums && operand.is_output)) {
        given.emplace_back();
      } else if (operand.spot.kind == Kind::row) {
        given.push_back(row_values_.at(spot));
      } else {
        Value& value = values[{spot, place}];
        if (!value) value = load(operand, at, count, mask);
        given.push_back(value);
      }
    }
    const auto results = body(op, given, at);
    if (op.sums) {
      mlir::linalg::LinalgOp linalg = op.op;
      mlir::Operation* last = linalg.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
      const rows::Combiner combiner = rows::combiner_of(last);
      Value& sum = sums[position];
      const Value x = results.front();
      const Value after = sum ? make(combiner.vector, {sum, x}) : x;
      const Value before = sum || !mask ? sum : make("vmov", constant(combiner.identity));
      sum = mask ? make("vsel", {mask, after, before}) : after;
      continue;
    }
    for (const auto [operand, result] : llvm::zip(op.outputs(), results)) {
      values[{number_of(operand.spot), place}] = result;
      if (must_store(position, operand)) store(operand, at, count, mask, result);
    }
  }
}

// Row r's sum, which stands in all its lanes, goes to word first + r: into lane first + r of the
// words' row, by way of a sum over the sublanes of the diagonal.
void RowLowering::store_sums(const RowOperand& output, std::int64_t count, Value sums) {
  const std::int64_t lanes = parameters_.lanes;
  const auto log = static_cast<std::int64_t>(llvm::Log2_64(static_cast<std::uint64_t>(lanes)));
  OpFoldResult shift;
  OpFoldResult row;
  if (const auto fixed = mlir::getConstantIntValue(first_)) {
    shift = index(*fixed % lanes);
    row = index(*fixed / lanes);
  } else {
    const auto first = mlir::cast<Value>(first_);
    shift = arith::AndIOp::create(builder_, loc_, first, constant(lanes - 1)).getResult();
    row = arith::ShRUIOp::create(builder_, loc_, first, constant(log)).getResult();
  }
  const Value shift_value = mlir::getValueOrCreateConstantIndexOp(builder_, loc_, shift);
  const Value lane = make("vsub.s32", {make("vlane"), shift_value});
  const Value diagonal = make("veq.s32", {lane, make("vsublane")});
  const Value words = make("ssum.s32", make("vsel", {diagonal, sums, constant(0)}));
  const Value begun = make("vle.s32", {constant(0), lane});
  const Value mask = make("mand", {begun, make("vlt.s32", {lane, constant(count)})});
  if (output.spot.row.moved) row = plus(row, output.spot.row.moved);
  VmemAddress address = vmem_address(builder_, loc_, output.spot.row.fixed, row);
  address.registers.append({words, mask});
  address.attributes.push_back(number("rows", 1));
  make("vst", address.registers, address.attributes);
}

void RowLowering::finish_sum(const RowOp& op, Value sums, std::int64_t count) {
  loc_ = mlir::linalg::LinalgOp(op.op).getLoc();
  mlir::linalg::LinalgOp linalg = op.op;
  mlir::Operation* last = linalg.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const rows::Combiner combiner = rows::combiner_of(last);
  const RowOperand& output = op.operands.back();
  const std::size_t spot = number_of(output.spot);
  Value total = make(combiner.lanes, sums);
  if (!linalg->hasAttr("tandem.from_identity")) {
    const auto before = row_values_.find(spot);
    const Value start = before != row_values_.end() ? before->second : load_row(output, count);
    total = make(combiner.vector, {start, total});
  }
  row_values_[spot] = total;
  const auto position = static_cast<std::size_t>(&op - ops_.data());
  if (must_store(position, output)) store_sums(output, count, total);
}

// The whole chunks as a loop that counts in places of operands of `pitch_`. Where there is little
// to do on a chunk, several are done in a turn, each with sums of its own.
void RowLowering::chunk_loop(unsigned number, std::int64_t count,
                             llvm::ArrayRef<std::size_t> summed,
                             llvm::MutableArrayRef<Value> sums) {
  constexpr std::size_t little = 6;
  constexpr std::int64_t several = 4;
  std::size_t steps = 0;
  for (const RowOp& op : ops_) {
    if (op.phase == number) {
      steps += mlir::linalg::LinalgOp(op.op).getBlock()->getOperations().size();
    }
  }
  const std::int64_t turn = steps <= little && whole_chunks() % several == 0 ? several : 1;
  llvm::SmallVector<Value> start;
  for (std::int64_t i = 0; i < turn; ++i) {
    for (const std::size_t position : summed) {
      mlir::linalg::LinalgOp op = ops_[position].op;
      mlir::Operation* last = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
      start.push_back(make("vmov", constant(rows::combiner_of(last).identity)));
    }
  }
  const auto scalar = [&](OpFoldResult place) {
    return mlir::getValueOrCreateConstantIndexOp(builder_, loc_, place);
  };
  auto loop = mlir::scf::ForOp::create(
      builder_, loc_, scalar(start_), scalar(plus(start_, index(whole_chunks()))), constant(turn),
      start, [&](mlir::OpBuilder&, mlir::Location at, Value place, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(place.getParentBlock());
        OpFoldResult from = place;
        if (mlir::getConstantIntValue(start_) != 0) {
          from = arith::SubIOp::create(builder_, at, place, scalar(start_)).getResult();
        }
        llvm::SmallVector<Value> end;
        for (std::int64_t i = 0; i < turn; ++i) {
          llvm::SmallVector<Value> inner(ops_.size());
          const std::size_t before = end.size();
          for (const auto [offset, position] : llvm::enumerate(summed)) {
            inner[position] = carried[before + offset];
          }
          chunk(number, {from, place, i}, count, {}, inner);
          for (const std::size_t position : summed) end.push_back(inner[position]);
        }
        mlir::scf::YieldOp::create(builder_, at, end);
      });
  for (const auto [offset, position] : llvm::enumerate(summed)) {
    mlir::linalg::LinalgOp op = ops_[position].op;
    mlir::Operation* last = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
    Value sum = loop.getResult(offset);
    for (std::int64_t i = 1; i < turn; ++i) {
      const Value other = loop.getResult(static_cast<unsigned>(i * summed.size() + offset));
      sum = make(rows::combiner_of(last).vector, {sum, other});
    }
    sums[position] = sum;
  }
}

// All chunks of columns for the operations of a phase; what is one value a row is there before.
void RowLowering::phase(unsigned number, std::int64_t count) {
  llvm::SmallVector<Value> sums(ops_.size());
  llvm::SmallVector<std::size_t> summed;
  for (const auto [position, op] : llvm::enumerate(ops_)) {
    if (op.phase != number) continue;
    loc_ = op.op.getLoc();
    for (const RowOperand& operand : op.operands) {
      if (operand.spot.kind != Kind::row || operand.is_output || !operand.used) continue;
      Value& value = row_values_[number_of(operand.spot)];
      if (!value) value = load_row(operand, count);
    }
    if (op.sums) summed.push_back(position);
  }
  if (written_out_) {
    for (std::int64_t i = 0; i < whole_chunks(); ++i) {
      chunk(number, {index(0), start_, i}, count, {}, sums);
    }
  } else {
    chunk_loop(number, count, summed, sums);
  }
  if (rest() != 0) {
    const Value mask = make("vlt.s32", {make("vlane"), constant(rest())});
    chunk(number, {index(0), start_, whole_chunks()}, count, mask, sums);
  }
  for (const std::size_t position : summed) finish_sum(ops_[position], sums[position], count);
}

void RowLowering::group(OpFoldResult first, OpFoldResult start, std::int64_t count) {
  first_ = first;
  start_ = start;
  row_values_.clear();
  chunk_values_.clear();
  for (unsigned number = 0; number < phases_; ++number) phase(number, count);
}

mlir::LogicalResult RowLowering::run() {
  constexpr std::int64_t few_chunks = 8;
  constexpr std::size_t few_values = 40;  // that a group may hold in registers
  constexpr std::int64_t few_steps = 64;  // operations on a chunk, for code without loops
  for (const RowOp& op : ops_) {
    phases_ = std::max(phases_, op.phase + 1);
    for (const RowOperand& operand : op.operands) {
      number_of(operand.spot);
      if (operand.spot.kind == Kind::full) pitch_ = operand.spot.pitch;
    }
  }
  const std::int64_t chunks = whole_chunks() + (rest() != 0 ? 1 : 0);
  written_out_ = whole_chunks() <= few_chunks;
  keeps_chunks_ = written_out_ && spots_.size() * static_cast<std::size_t>(chunks) <= few_values;
  const std::int64_t rows = ops_.front().rows;
  const std::int64_t whole = rows / sublanes;
  const auto steps = whole * chunks * static_cast<std::int64_t>(ops_.size());
  if (whole > 1 && (!written_out_ || steps > few_steps)) {
    const std::int64_t advance = sublanes * pitch_;
    mlir::scf::ForOp::create(
        builder_, loc_, constant(0), constant(whole * advance), constant(advance),
        mlir::ValueRange{constant(0)},
        [&](mlir::OpBuilder&, mlir::Location at, Value start, mlir::ValueRange carried) {
          mlir::OpBuilder::InsertionGuard guard(builder_);
          builder_.setInsertionPointToStart(start.getParentBlock());
          group(carried.front(), start, sublanes);
          const Value next =
              arith::AddIOp::create(builder_, at, carried.front(), constant(sublanes));
          mlir::scf::YieldOp::create(builder_, at, next);
        });
  } else {
    for (std::int64_t i = 0; i < whole; ++i) {
      group(index(i * sublanes), index(i * sublanes * pitch_), sublanes);
    }
  }
  if (const std::int64_t left = rows % sublanes; left != 0) {
    group(index(whole * sublanes), index(whole * sublanes * pitch_), left);
  }
  return mlir::failure(failed_);
}

}  // namespace

mlir::FailureOr<std::size_t> lower_rows(mlir::OpBuilder& builder, Memory& memory,
                                        const Parameters& machine,
                                        llvm::ArrayRef<mlir::linalg::LinalgOp> ops) {
  std::vector<RowOp> sequence;
  for (const mlir::linalg::LinalgOp op : ops) {
    auto next = rows::describe(builder, memory, machine.lanes, op);
    if (mlir::failed(next)) return mlir::failure();
    bool fits = true;
    for (const RowOp& before : sequence) {
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
  const std::size_t count = sequence.size();
  if (mlir::failed(RowLowering(builder, machine, std::move(sequence)).run())) {
    return mlir::failure();
  }
  return count;
}

}  // namespace tandem::compiler
