#include "compiler/tiled/block_stages.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/machine_costs.hpp"
#include "compiler/views/residence.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler::blocks {

namespace memref = mlir::memref;
using mlir::Value;
using mlir::linalg::LinalgOp;

namespace {

bool sums(LinalgOp op) { return op.getNumReductionLoops() != 0; }

// The next operation of the group that uses the contents of a filling.
LinalgOp reader_of(const Group& group, mlir::linalg::FillOp fill) {
  bool behind = false;
  for (LinalgOp op : group.ops()) {
    if (behind && llvm::is_contained(op->getOperands(), fill.getOutputs().front())) return op;
    behind = behind || op == fill;
  }
  return {};
}

}  // namespace

// The item of an operand: the one that `current` has for its buffer, or a new one.
int Stages::item_for(LinalgOp op, mlir::OpOperand& operand, llvm::DenseMap<Value, int>& current) {
  const Value view = operand.get();
  const Buffer& buffer = group_->buffers().find(view)->second;
  const bool is_output = op.isDpsInit(&operand);
  const bool reads = !is_output || op.payloadUsesValueFromOperand(&operand);
  const auto known = current.find(view);
  if (reads && known != current.end()) return known->second;
  Item item;
  item.view = view;
  item.dimension = buffer.dimension;
  item.comes = !is_output;
  item.goes = is_output && !buffer.is_private;
  items_.push_back(item);
  return current[view] = static_cast<int>(items_.size()) - 1;
}

bool Stages::find_items() {
  llvm::DenseMap<Value, int> current;
  llvm::DenseMap<Value, int> times_written;
  for (LinalgOp op : group_->ops()) {
    if (attribute::precision.is_on(op) || is_repack(op)) return false;
    Staged staged{op, 0, {}};
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      const auto* known = group_->buffers().find(operand.get());
      if (known == group_->buffers().end() || known->second.dimension < 0) {
        staged.items.push_back(-1);
        continue;
      }
      const Buffer& buffer = known->second;
      if (buffer.written && buffer.read_first) return false;
      if (op.isDpsInit(&operand) && !buffer.is_private && ++times_written[operand.get()] > 1) {
        return false;
      }
      staged.items.push_back(item_for(op, operand, current));
    }
    ops_.push_back(staged);
  }
  return true;
}

// Stages of operations, and of the values that they pass on.
bool Stages::give_stages() {
  llvm::SmallVector<int> made(items_.size(), -1);  // its stage
  for (Staged& staged : ops_) {
    for (const int item : staged.items) {
      if (item < 0 || made[static_cast<std::size_t>(item)] < 0) continue;
      const bool later = items_[static_cast<std::size_t>(item)].summed;
      staged.stage = std::max(staged.stage, made[static_cast<std::size_t>(item)] + (later ? 1 : 0));
    }
    for (mlir::OpOperand& output : staged.op.getDpsInitsMutable()) {
      const int item = staged.items[output.getOperandNumber()];
      if (item < 0) return false;
      const auto place = static_cast<std::size_t>(item);
      if (mlir::isa<mlir::linalg::FillOp>(staged.op)) continue;
      // A sum adds to one filling only.
      if (made[place] >= 0) return false;
      made[place] = staged.stage;
      items_[place].summed = sums(staged.op);
    }
    count_ = std::max(count_, staged.stage + 1);
  }
  return true;
}

// Operations that add to a filling complete it.
bool Stages::give_fills_stages() {
  for (Staged& staged : ops_) {
    auto fill = mlir::dyn_cast<mlir::linalg::FillOp>(staged.op.getOperation());
    if (!fill) continue;
    const LinalgOp reader = reader_of(*group_, fill);
    const auto* found =
        llvm::find_if(ops_, [&](const Staged& other) { return other.op == reader; });
    if (found == ops_.end()) return false;
    staged.stage = found->stage;
  }
  return true;
}

void Stages::find_lives() {
  llvm::SmallVector<bool> seen(items_.size(), false);
  for (const Staged& staged : ops_) {
    for (const int item : staged.items) {
      if (item < 0) continue;
      Item& used = items_[static_cast<std::size_t>(item)];
      const bool is_new = !seen[static_cast<std::size_t>(item)];
      used.first_stage = is_new ? staged.stage : std::min(used.first_stage, staged.stage);
      used.last_stage = is_new ? staged.stage : std::max(used.last_stage, staged.stage);
      seen[static_cast<std::size_t>(item)] = true;
    }
  }
}

// A buffer that goes to HBM belongs to one stage, and so does a row's value that arrives; a value
// that is passed on is for the next stage.
bool Stages::can_hand_on() const {
  return llvm::all_of(items_, [&](const Item& item) {
    const bool stays = item.last_stage == item.first_stage;
    const bool is_row = type_of(item.view).getRank() < 2;
    return (!item.goes || stays) && (!is_row || item.last_stage <= item.first_stage + 1) &&
           (!(is_row && item.comes) || stays);
  });
}

std::optional<Stages> Stages::find(const Group& group) {
  Stages stages(group);
  if (!stages.find_items() || !stages.give_stages() || !stages.give_fills_stages()) {
    return std::nullopt;
  }
  stages.find_lives();
  if (!stages.can_hand_on() || stages.count_ < 2) return std::nullopt;
  return stages;
}

namespace {

// Whether the value differs from column to column of a row.
bool varies(LinalgOp op, Value value) {
  if (const auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
    if (argument.getOwner() != op.getBlock()) return false;
    const mlir::AffineMap map =
        op.getMatchingIndexingMap(&op->getOpOperand(argument.getArgNumber()));
    return map.isFunctionOfDim(op.getNumLoops() - 1);
  }
  mlir::Operation* inner = value.getDefiningOp();
  if (inner->getBlock() != op.getBlock()) return false;
  if (auto number = mlir::dyn_cast<mlir::linalg::IndexOp>(inner)) {
    return number.getDim() == op.getNumLoops() - 1;
  }
  return llvm::any_of(inner->getOperands(), [&](Value operand) { return varies(op, operand); });
}

}  // namespace

// Rough cycles per vector of a stage on the transcendental unit, the vector slots, loads and
// stores.
llvm::SmallVector<double> Stages::unit_times(int stage) const {
  constexpr double transcendental = 8;  // its unit, and waits for its results
  constexpr double slots = 2;
  constexpr double expansion = 8;  // operations around a transcendental one, or of a division
  llvm::SmallVector<double> times(4, 0.0);
  for (const Staged& staged : ops_) {
    LinalgOp op = staged.op;
    if (staged.stage != stage || mlir::isa<mlir::linalg::FillOp>(op)) continue;
    for (mlir::Operation& inner : op.getBlock()->without_terminator()) {
      if (inner.getNumResults() != 1 || !varies(op, inner.getResult(0))) continue;
      const llvm::StringRef name = inner.getName().getStringRef();
      const bool is_function = inner.getDialect()->getNamespace() == "math" &&
                               name != "math.absf" && name != "math.floor" && name != "math.ceil";
      if (is_function) times[0] += transcendental;
      times[1] += (is_function || name == "arith.divf" ? expansion : 1) / slots;
    }
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      const auto type = mlir::dyn_cast<mlir::MemRefType>(operand.get().getType());
      if (!type || !op.getMatchingIndexingMap(&operand).isFunctionOfDim(op.getNumLoops() - 1)) {
        continue;
      }
      times[op.isDpsInit(&operand) ? 3 : 2] += 1;
    }
  }
  return times;
}

bool Stages::pays(const Parameters& machine) const {
  constexpr double copied = 8;  // cycles for a vector that arrives or leaves
  constexpr double gain = 1.15;
  double one_by_one = 0;
  llvm::SmallVector<double> together(4, 0.0);
  for (int number = 0; number < count_; ++number) {
    const auto times = unit_times(number);
    one_by_one += *std::max_element(times.begin(), times.end());
    for (const auto [sum, time] : llvm::zip(together, times)) sum += time;
  }
  double in = 0;
  double out = 0;
  std::int64_t columns = 0;
  for (const Item& item : items_) {
    const auto shape = type_of(item.view).getShape();
    if (shape.size() < 2) continue;
    columns = std::max(columns, shape.back());
    in += item.comes ? copied : 0;
    out += item.goes ? copied : 0;
    // Values passed from stage to stage are moved there.
    if (item.comes) together[3] += item.last_stage - item.first_stage;
  }
  const double copies = std::max(in, out);
  const double at_once = std::max(copies, *std::max_element(together.begin(), together.end()));
  // Unrolled, all stages of a group of rows overlap.
  return threshold::written_chunks((columns + machine.lanes - 1) / machine.lanes) &&
         std::max(one_by_one, copies) > gain * at_once;
}

std::int64_t Stages::words(std::int64_t step, const Parameters& machine) const {
  std::int64_t sum = 0;
  for (const Item& item : items_) {
    const std::int64_t rooms = (item.comes || item.goes ? 2 : 1) +
                               (item.comes ? item.last_stage - item.first_stage
                                           : std::max(item.last_stage - item.first_stage - 1, 0));
    sum +=
        rooms * vmem_words_of(with_size(type_of(item.view), item.dimension, step), machine.lanes);
  }
  for (const auto& [view, buffer] : group_->buffers()) {
    if (buffer.dimension < 0) sum += vmem_words_of(type_of(view), machine.lanes);
  }
  return sum;
}

void Stages::make_rooms(mlir::OpBuilder& builder) {
  for (Item& item : items_) {
    const mlir::MemRefType type = with_size(type_of(item.view), item.dimension, step_);
    const auto room = [&] { return memref::AllocOp::create(builder, item.view.getLoc(), type); };
    if (item.comes || item.goes) item.streams = {room(), room()};
    const int handed = item.last_stage - item.first_stage;
    for (int i = 0; i < std::max(handed, item.comes || item.goes ? 0 : 1); ++i) {
      item.rooms.push_back(room());
    }
  }
  for (const auto& [view, buffer] : group_->buffers()) {
    if (buffer.dimension >= 0 || !view.getDefiningOp<memref::SubViewOp>()) continue;
    const Value near =
        memref::AllocOp::create(builder, view.getLoc(), with_size(type_of(view), -1, 0));
    memref::CopyOp::create(builder, view.getLoc(), view, near);
    brought_[view] = near;
  }
}

// The first row of the block.
Value Stages::start_of(mlir::OpBuilder& builder, const Position& step, std::int64_t ahead) const {
  const mlir::Location loc = group_->ops().front()->getLoc();
  const Value fixed =
      mlir::arith::ConstantIndexOp::create(builder, loc, (step.fixed + ahead) * step_);
  if (!step.moved) return fixed;
  return mlir::arith::AddIOp::create(builder, loc, step.moved, fixed);
}

// `bounded`: after the last block it is repeated, and the result is not used.
void Stages::load(mlir::OpBuilder& builder, const Item& item, const Position& step,
                  std::int64_t ahead, bool bounded) {
  const mlir::Location loc = item.view.getLoc();
  Value start = start_of(builder, step, ahead);
  if (bounded) {
    const Value last = mlir::arith::ConstantIndexOp::create(builder, loc, (blocks_ - 1) * step_);
    start = mlir::arith::MinSIOp::create(builder, loc, start, last);
  }
  memref::CopyOp::create(builder, loc, block_view(builder, item.view, item.dimension, start, step_),
                         item.streams[static_cast<std::size_t>((step.fixed + ahead) % 2)]);
}

void Stages::store(mlir::OpBuilder& builder, const Item& item, const Position& step,
                   std::int64_t ahead, bool carried) {
  const Value start = start_of(builder, step, ahead);
  auto copy = memref::CopyOp::create(
      builder, item.view.getLoc(), item.streams[static_cast<std::size_t>((step.fixed + ahead) % 2)],
      block_view(builder, item.view, item.dimension, start, step_));
  if (carried) attribute::carried.set(copy);
}

// The operations of a stage on the block; then the values that later stages need are passed on.
// `alone`: not together with the operations before, which may be ready earlier.
void Stages::stage(mlir::OpBuilder& builder, int number, const Position& step, std::int64_t ahead,
                   bool alone) {
  const auto parity = static_cast<std::size_t>((step.fixed + ahead) % 2);
  const auto place = [&](const Item& item) -> Value {
    const int late = number - item.first_stage;
    if (late == 0 && (item.comes || item.goes)) return item.streams[parity];
    return item.rooms[static_cast<std::size_t>(std::max(late - 1, 0))];
  };
  const Value start = start_of(builder, step, ahead);
  bool is_first_op = true;
  for (const Staged& staged : ops_) {
    if (staged.stage != number) continue;
    mlir::IRMapping map;
    mlir::Operation* clone =
        clone_on_block(builder, staged.op, group_->loop_of(staged.op), map, start);
    const bool is_fill = mlir::isa<mlir::linalg::FillOp>(clone);  // may be left out later
    if (alone && !is_fill && std::exchange(is_first_op, false)) {
      attribute::apart.set(clone);
    }
    for (auto [operand, item] : llvm::zip(clone->getOpOperands(), staged.items)) {
      if (item >= 0) operand.set(place(items_[static_cast<std::size_t>(item)]));
      if (const Value near = brought_.lookup(operand.get())) operand.set(near);
    }
  }
  for (const Item& item : items_) {
    const int late = number - item.first_stage;
    const bool is_first = late == 0 && item.comes;
    if (late < 0 || number >= item.last_stage || (late == 0 && !is_first)) continue;
    const Value from = place(item);
    const Value to = item.rooms[static_cast<std::size_t>(late)];
    const unsigned rank = static_cast<unsigned>(type_of(to).getRank());
    const auto map = builder.getMultiDimIdentityMap(rank);
    auto move = mlir::linalg::GenericOp::create(
        builder, item.view.getLoc(), from, to, llvm::ArrayRef{map, map},
        llvm::SmallVector<mlir::utils::IteratorType>(rank, mlir::utils::IteratorType::parallel),
        [](mlir::OpBuilder& nested, mlir::Location loc, mlir::ValueRange values) {
          mlir::linalg::YieldOp::create(nested, loc, values.front());
        });
    attribute::beside.set(move);
  }
}

// The prologue of the loop: block b up to the stage before the one that the first iteration
// executes.
void Stages::prologue(mlir::OpBuilder& builder) {
  const Position first;
  const auto last_of = [&](const Item& item) { return count_ - 1 - item.first_stage; };
  for (std::int64_t block = 0; block < 2; ++block) {
    for (const Item& item : items_) {
      if (item.comes && block <= last_of(item)) load(builder, item, first, block, false);
    }
  }
  for (int block = 0; block < count_ - 1; ++block) {
    for (int number = 0; number + block < count_ - 1; ++number) {
      stage(builder, number, first, block, true);
      for (const Item& item : items_) {
        if (item.goes && item.first_stage == number) store(builder, item, first, block, false);
        if (item.comes && item.first_stage == number && block + 2 <= last_of(item)) {
          load(builder, item, first, block + 2, false);
        }
      }
    }
  }
}

// All stages, the last one on the block of the step.
void Stages::turn(mlir::OpBuilder& builder, const Position& step, bool carried) {
  const auto ahead = [&](const Item& item) { return count_ - 1 - item.first_stage; };
  for (const Item& item : items_) {
    if (item.comes) load(builder, item, step, ahead(item) + 1, true);
  }
  for (int number = count_ - 1; number >= 0; --number) {
    stage(builder, number, step, count_ - 1 - number);
  }
  for (const Item& item : items_) {
    if (item.goes) store(builder, item, step, ahead(item), carried);
  }
}

// The remaining steps, as far as there are blocks.
void Stages::epilogue(mlir::OpBuilder& builder, std::int64_t from) {
  for (std::int64_t block = from; block < blocks_; ++block) {
    const Position step{block, {}};
    for (const Item& item : items_) {
      const std::int64_t next = count_ - item.first_stage;
      if (item.comes && block + next < blocks_) load(builder, item, step, next, false);
    }
    for (int number = count_ - 1; number >= 0; --number) {
      const std::int64_t ahead = count_ - 1 - number;
      if (block + ahead >= blocks_) break;
      stage(builder, number, step, ahead);
    }
    for (const Item& item : items_) {
      const std::int64_t ahead = count_ - 1 - item.first_stage;
      if (item.goes && block + ahead < blocks_) store(builder, item, step, ahead, false);
    }
  }
}

void Stages::emit(mlir::OpBuilder& builder, std::int64_t step) {
  step_ = step;
  blocks_ = group_->size() / step;
  const mlir::Location loc = group_->ops().front()->getLoc();
  make_rooms(builder);
  prologue(builder);
  // Two iterations at a time, so that each stream alternates between its buffers.
  const std::int64_t turns = (blocks_ - count_ + 1) / 2 * 2;
  const auto constant = [&](std::int64_t value) -> Value {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  };
  mlir::scf::ForOp::create(
      builder, loc, constant(0), constant(turns * step), constant(2 * step), mlir::ValueRange{},
      [&](mlir::OpBuilder& nested, mlir::Location at, Value index, mlir::ValueRange) {
        turn(nested, {0, index}, false);
        turn(nested, {1, index}, true);
        mlir::scf::YieldOp::create(nested, at);
      });
  epilogue(builder, turns);
}

}  // namespace tandem::compiler::blocks
