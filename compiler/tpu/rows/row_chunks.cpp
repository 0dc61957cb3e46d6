// One chunk of columns of the operations in the row layout (rows.cpp), and the sums of rows.
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/rows/row_lowering.hpp"
#include "compiler/tpu/select.hpp"
#include "compiler/views/access.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include <set>

namespace tandem::compiler::rows {

namespace arith = mlir::arith;
using mlir::OpFoldResult;

std::size_t RowLowering::number_of(const Spot& spot) {
  const auto* found = llvm::find(spots_, spot);
  if (found == spots_.end()) {
    spots_.push_back(spot);
    return spots_.size() - 1;
  }
  return static_cast<std::size_t>(found - spots_.begin());
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
    const Value column =
        scalar(plus(times(builder_, loc_, chunk, parameters_.lanes), index(-frame_)));
    const Value row = scalar(plus(first_, index(group_->beyond)));
    selector.turn_index = make("vadd.s32", {make("vsublane"), row});
    selector.element_index = make("vadd.s32", {make("vlane"), column});
  }
  selector.set_sharers(Selector::Along::row, chunks());
  selector.set_sharers(Selector::Along::column, (op.rows + sublanes - 1) / sublanes);
  for (const auto [argument, value, operand] :
       llvm::zip(block->getArguments(), given, op.operands)) {
    if (!value) continue;
    if (operand.spot.kind == Kind::row) selector.share(argument, Selector::Along::row);
    if (column_values_.contains({number_of(operand.spot), at.number})) {
      selector.share(argument, Selector::Along::column);
    }
    selector.set(argument, argument.getType().isInteger(1) ? selector.as_mask(value) : value);
  }
  mlir::Operation* terminator = block->getTerminator();
  llvm::SmallVector<Value> results;
  if (op.sums) {
    // All except the last operation, which adds to the sum.
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

// Whether an operation of this sequence writes to the operand's memory.
bool RowLowering::is_written(const RowOperand& operand) const {
  return llvm::any_of(ops_, [&](const RowOp& op) {
    return llvm::any_of(op.outputs(),
                        [&](const RowOperand& output) { return may_overlap(operand, output); });
  });
}

// Whether the body computes something from values of columns alone, divides by one, or loads at
// least every other cycle: two operations of the vector units go beside a load.
bool RowLowering::gains_by_columns(const RowOp& op) {
  mlir::Block* body = mlir::linalg::LinalgOp(op.op).getBlock();
  llvm::DenseSet<Value> of_columns;
  std::size_t loads = 0;
  for (const auto [argument, operand] : llvm::zip(body->getArguments(), op.operands)) {
    if (!operand.used || operand.spot.kind == Kind::row) continue;
    ++loads;
    if (operand.spot.kind == Kind::column) of_columns.insert(argument);
  }
  std::size_t operations = 0;
  for (mlir::Operation& inner : body->without_terminator()) {
    if (inner.hasTrait<mlir::OpTrait::ConstantLike>()) continue;
    ++operations;
    if (mlir::isa<arith::DivFOp>(inner) && of_columns.contains(inner.getOperand(1))) return true;
    const bool is_of_columns = llvm::all_of(inner.getOperands(), [&](Value operand) {
      return of_columns.contains(operand) || mlir::matchPattern(operand, mlir::m_Constant());
    });
    if (is_of_columns && inner.getNumOperands() != 0) return true;
  }
  return 2 * loads >= operations;
}

// Vectors with values of columns that may stay in registers. A body that only multiplies, adds and
// compares needs few other registers.
std::size_t RowLowering::room_for_columns() const {
  constexpr std::size_t ordinary = 12;
  constexpr std::size_t most = 40;
  const bool is_light = llvm::all_of(ops_, [](const RowOp& op) {
    mlir::linalg::LinalgOp linalg = op.op;
    return llvm::all_of(linalg.getBlock()->without_terminator(), [](mlir::Operation& inner) {
      return mlir::isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::MaximumFOp,
                       arith::MinimumFOp, arith::ConstantOp>(inner);
    });
  });
  return is_light && phases_ == 1 ? most : ordinary;
}

// Where all values of columns do not fit, but those of a few chunks do, all rows of these chunks
// come first: a block of columns. Otherwise one block has all chunks.
std::int64_t RowLowering::chunks_of_block() {
  constexpr std::int64_t cost_of_block = 24;  // cycles, to fill and drain the pipeline of its loop
  const std::int64_t groups = ops_.front().rows / sublanes;
  if (!written_out_ || phases_ != 1 || !carried_by(0).empty()) return chunks();
  std::set<std::size_t> spots;
  for (const RowOp& op : ops_) {
    if (!gains_by_columns(op)) continue;
    for (const RowOperand& operand : op.operands) {
      if (stays_for_columns(operand)) spots.insert(number_of(operand.spot));
    }
  }
  const auto count = static_cast<std::int64_t>(spots.size());
  const auto room = static_cast<std::int64_t>(room_for_columns());
  if (count * chunks() <= room || count > room) return chunks();
  const std::int64_t step = room / count;
  const std::int64_t blocks = (chunks() + step - 1) / step;
  const std::int64_t saved = (count * chunks() - room) * (groups - 1);
  return saved > blocks * cost_of_block ? step : chunks();
}

// Whether the operand has values of columns that nothing here writes.
bool RowLowering::stays_for_columns(const RowOperand& operand) const {
  return operand.spot.kind == Kind::column && !operand.is_output && operand.used &&
         !is_written(operand);
}

// The outermost loop with nothing in it but these operations on rows and copies that leave the
// operand alone: its values are loaded before that loop. Null for none.
mlir::scf::ForOp RowLowering::loop_around(const RowOperand& operand) const {
  mlir::scf::ForOp result;
  if (operand.spot.row.moved || first_chunk_ != 0 || end_chunk_ != chunks()) return result;
  mlir::memref::AllocOp root = operand.root;
  const auto is_ours = [&](mlir::Operation* op) {
    return llvm::any_of(ops_, [&](const RowOp& own) { return own.op == op; });
  };
  const auto disturbs = [&](mlir::Operation* op) {
    if (is_ours(op) || mlir::isa<mlir::scf::ForOp>(op) || is_free(op)) return false;
    auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(op);
    const bool is_ended = op->hasTrait<mlir::OpTrait::IsTerminator>();
    if (op->getDialect()->getNamespace() == "tpu" || is_ended) return false;
    return !copy || !root || may_write(copy, root.getResult());
  };
  mlir::Operation* parent = builder_.getInsertionBlock()->getParentOp();
  while (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(parent)) {
    const auto found = loop->walk([&](mlir::Operation* op) {
      return disturbs(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
    if (found.wasInterrupted()) break;
    result = loop;
    parent = loop->getParentOp();
  }
  return result;
}

void RowLowering::load_columns_of(const RowOp& op, std::size_t most) {
  loc_ = op.op->getLoc();
  const auto count = static_cast<std::size_t>(end_chunk_ - first_chunk_);
  for (const RowOperand& operand : op.operands) {
    const std::size_t spot = number_of(operand.spot);
    if (!stays_for_columns(operand) || column_values_.contains({spot, first_chunk_})) continue;
    if (column_values_.size() + count > most) continue;
    const mlir::OpBuilder::InsertionGuard guard(builder_);
    if (auto loop = loop_around(operand)) builder_.setInsertionPoint(loop);
    for (std::int64_t i = first_chunk_; i < end_chunk_; ++i) {
      column_values_[{spot, i}] = load(operand, {index(0), index(0), i}, sublanes, lanes_of(i));
    }
  }
}

// What has one value per column is loaded once for all groups of rows, if it is not too much to
// keep; what is computed from it alone is moved to the same place by tidy-tpu.
void RowLowering::load_columns() {
  if (!written_out_ || ops_.front().rows <= sublanes) return;
  Group none;
  group_ = &none;
  first_ = index(0);
  for (const RowOp& op : ops_) {
    if (gains_by_columns(op)) load_columns_of(op, room_for_columns());
  }
}

// Whether only operations of this sequence touch the buffer, and none reads its former contents.
bool RowLowering::is_private(const RowOperand& operand) const {
  if (!operand.root) return false;
  for (const RowOp& op : ops_) {
    bool writes = false;
    for (const RowOperand& other : op.operands) {
      if (other.root != operand.root) continue;
      const bool starts = op.sums && attribute::from_identity.is_on(op.op);
      if (!other.is_output || (other.used && !starts)) return false;
      writes = true;
    }
    if (writes) break;
  }
  llvm::SmallVector<Value> views{Value(mlir::memref::AllocOp(operand.root).getResult())};
  while (!views.empty()) {
    const Value view = views.pop_back_val();
    for (mlir::Operation* user : view.getUsers()) {
      if (is_view(user)) {
        views.append(user->getResults().begin(), user->getResults().end());
      } else if (llvm::none_of(ops_, [&](const RowOp& op) { return op.op == user; })) {
        return false;
      }
    }
  }
  return true;
}

// Whether the result of the operation is read from memory.
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

void RowLowering::chunk(unsigned number, const Column& at, std::int64_t count, const Lanes& lanes) {
  const std::int64_t place = at.number;
  std::map<Chunk, Value> own;
  std::map<Chunk, Value>& values = keeps_chunks_ ? group_->chunk_values : own;
  for (const auto [position, op] : llvm::enumerate(ops_)) {
    if (op.phase != number) continue;
    loc_ = op.op.getLoc();
    llvm::SmallVector<Value> given;
    for (const RowOperand& operand : op.operands) {
      const std::size_t spot = number_of(operand.spot);
      if (!operand.used || ((op.sums || op.scans) && operand.is_output)) {
        given.emplace_back();
      } else if (operand.spot.kind == Kind::row) {
        given.push_back(group_->row_values.at(spot));
      } else {
        Value& value = values[{spot, place}];
        if (const auto kept = column_values_.find({spot, place}); kept != column_values_.end()) {
          value = kept->second;
        }
        if (!value) value = load(operand, at, count, lanes);
        given.push_back(value);
      }
    }
    if (op.scans) {
      scan(position, given.front(), at, count, lanes);
      continue;
    }
    const auto results = body(op, given, at);
    if (op.sums) {
      mlir::linalg::LinalgOp linalg = op.op;
      mlir::Operation* last = linalg.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
      const rows::Combiner combiner = rows::combiner_of(last);
      Value& sum = group_->sums[position];
      const Value x = results.front();
      const Value mask = mask_of(lanes);
      const Value after = sum ? make(combiner.vector, {sum, x}) : x;
      const Value before = sum || !mask ? sum : make("vmov", constant(combiner.identity));
      sum = mask ? make("vsel", {mask, after, before}) : after;
      continue;
    }
    for (const auto [operand, result] : llvm::zip(op.outputs(), results)) {
      values[{number_of(operand.spot), place}] = result;
      if (must_store(position, operand)) store(operand, at, count, lanes, result);
    }
  }
}

// The sum of row r, which is in all its lanes, goes to word first + r, i.e. into lane first + r of
// the words' row. All rows are stored to that row, each through one lane.
void RowLowering::store_sums(const RowOperand& output, std::int64_t count, Value sums) {
  const std::int64_t lanes = parameters_.lanes;
  const auto log = static_cast<std::int64_t>(llvm::Log2_64(static_cast<std::uint64_t>(lanes)));
  OpFoldResult shift;
  OpFoldResult row;
  const OpFoldResult beginning = plus(first_, index(group_->beyond));
  if (const auto fixed = mlir::getConstantIntValue(beginning)) {
    shift = index(*fixed % lanes);
    row = index(*fixed / lanes);
  } else {
    const auto first = mlir::cast<Value>(beginning);
    shift = arith::AndIOp::create(builder_, loc_, first, constant(lanes - 1)).getResult();
    row = arith::ShRUIOp::create(builder_, loc_, first, constant(log)).getResult();
  }
  const Value shift_value = mlir::getValueOrCreateConstantIndexOp(builder_, loc_, shift);
  const Value lane = make("vsub.s32", {make("vlane"), shift_value});
  const Value diagonal = make("veq.s32", {lane, make("vsublane")});
  if (output.spot.row.moved) row = plus(row, output.spot.row.moved);
  VmemAddress address =
      vmem_address(builder_, loc_, output.spot.row.fixed, row, output.spot.row.buffer);
  address.registers.append({sums, diagonal});
  address.attributes.push_back(number("rows", count));
  address.attributes.push_back(number("stride", 0));
  store_at(builder_, loc_, address);
}

void RowLowering::finish_sum(const RowOp& op, Value sums, std::int64_t count) {
  loc_ = mlir::linalg::LinalgOp(op.op).getLoc();
  mlir::linalg::LinalgOp linalg = op.op;
  mlir::Operation* last = linalg.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const rows::Combiner combiner = rows::combiner_of(last);
  const RowOperand& output = op.operands.back();
  const std::size_t spot = number_of(output.spot);
  Value total = make(combiner.lanes, sums);
  if (!attribute::from_identity.is_on(linalg)) {
    const auto before = group_->row_values.find(spot);
    const Value start =
        before != group_->row_values.end() ? before->second : load_row(output, count);
    total = make(combiner.vector, {start, total});
  }
  group_->row_values[spot] = total;
  const auto position = static_cast<std::size_t>(&op - ops_.data());
  if (!must_store(position, output)) return;
  store_sums(output, count, total);
  const auto fixed = fixed_word(output);
  if (fixed && count == sublanes) stored_.emplace_back(*fixed, total);
}

}  // namespace tandem::compiler::rows
