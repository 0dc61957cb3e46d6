// Double buffering: a loop iteration's copies from HBM run during the iteration before.
//
// Where a loop copies a buffer to VMEM at the beginning of each iteration and works on it, the
// buffer gets a twin, and the loop does two iterations in one:
//
//   copy the first iteration's
//   two at a time         copy the second one's to the twin, work on the first one's
//                         copy the next one's, work on the twin
//
// Copies of such a loop to HBM alternate between twins, too, and may still be running when the next
// iteration begins. The prefetch in the last iteration copies that iteration's own data once more,
// unless there are so few iterations that this would matter: then the last ones are unrolled after
// the loop.
//
// Loops around others get twins, too, as the heads of an attention: their work is long compared
// with the copies, but a wait for the keys and values of each head was a seventh of all cycles
// (decision 301).
//
// MLIR's memref.multi_buffer and the scf pipeliner are not used: they keep both halves in one
// allocation, selected by the iteration number. Waits here know buffers, not halves, and such an
// address takes scalar work in each load. With eight iterations or more, the repeated prefetch is
// at most an eighth of what the loop reads (decision 101).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/placement.hpp"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;
using mlir::linalg::LinalgOp;
using mlir::scf::ForOp;

// Whether an inner loop has copies: the loop's work is long, and so is its text.
bool is_around_copies(ForOp loop) {
  return llvm::any_of(loop.getBody()->getOps<ForOp>(), [](ForOp inner) {
    const auto found = inner.walk([](memref::CopyOp) { return mlir::WalkResult::interrupt(); });
    return found.wasInterrupted();
  });
}

class DoubleBuffer {
 public:
  DoubleBuffer(ForOp loop, const Parameters& machine) : loop_(loop), machine_(machine) {}

  // Whether there is something to prefetch, and space for it.
  bool find();
  void rewrite();
  // Copies to HBM may still be running when the next iteration begins, without twins: it waits for
  // them when it writes their buffers.
  void carry();

 private:
  using Twins = std::array<mlir::IRMapping, 2>;
  // The former position of an allocation.
  struct Moved {
    mlir::Operation* alloc;
    mlir::Operation* next;
    mlir::IntegerAttr address;
  };

  bool find_turns();
  bool is_own_buffer(Value buffer);
  llvm::SmallVector<mlir::Operation*> touching(Value buffer);
  bool can_come_ahead(memref::CopyOp copy);
  bool can_be_computed_ahead(Value value);
  void find_arrivals();
  void find_departures();
  llvm::SmallVector<Moved> move_before_loop();
  static void move_back(llvm::ArrayRef<Moved> moved);
  bool fits(llvm::ArrayRef<Value> buffers);
  bool make_twins();
  bool live_around_loop();
  void twin_views(mlir::OpBuilder& builder, Value buffer, mlir::IRMapping& map);
  Value compute(mlir::OpBuilder& builder, Value value, mlir::IRMapping& map) const;
  void bring(mlir::OpBuilder& builder, unsigned twin, Value index);
  void work(mlir::OpBuilder& builder, unsigned twin, Value index, bool carried);
  Value constant(mlir::OpBuilder& builder, std::int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loop_.getLoc(), value);
  }

  ForOp loop_;
  const Parameters& machine_;
  std::int64_t first_ = 0;  // index of the first iteration
  std::int64_t step_ = 0;
  std::int64_t turns_ = 0;
  llvm::SmallVector<memref::CopyOp> arrivals_;
  llvm::SmallVector<memref::CopyOp> departures_;
  llvm::SetVector<Value> buffers_;  // that get twins
  Twins twins_;
};

bool DoubleBuffer::find_turns() {
  const auto first = mlir::getConstantIntValue(loop_.getLowerBound());
  const auto end = mlir::getConstantIntValue(loop_.getUpperBound());
  const auto step = mlir::getConstantIntValue(loop_.getStep());
  if (!first || !end || !step || *step <= 0 || loop_.getNumResults() != 0) return false;
  first_ = *first;
  step_ = *step;
  turns_ = (*end - first_ + step_ - 1) / step_;
  return turns_ >= 2;
}

// Whether the buffer is in VMEM and is used in the loop alone.
bool DoubleBuffer::is_own_buffer(Value buffer) {
  if (!buffer.getDefiningOp<memref::AllocOp>() || !lies_in_vmem(buffer)) return false;
  llvm::SmallVector<Value> views{buffer};
  while (!views.empty()) {
    for (mlir::Operation* user : views.pop_back_val().getUsers()) {
      if (is_view(user)) {
        views.append(user->getResults().begin(), user->getResults().end());
      } else if (!loop_->isProperAncestor(user)) {
        return false;
      }
    }
  }
  return true;
}

// The operations of the loop that use the buffer themselves or in their regions.
llvm::SmallVector<mlir::Operation*> DoubleBuffer::touching(Value buffer) {
  llvm::SmallVector<mlir::Operation*> result;
  for (mlir::Operation& op : *loop_.getBody()) {
    if (uses(&op, buffer)) result.push_back(&op);
  }
  return result;
}

// Whether it depends only on the iteration number and values from before the loop.
bool DoubleBuffer::can_be_computed_ahead(Value value) {
  if (value == loop_.getInductionVar()) return true;
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr) return !loop_.getRegion().isAncestor(value.getParentRegion());
  if (!loop_->isProperAncestor(op) || mlir::isa<memref::AllocOp>(op)) return true;
  return (is_view(op) || mlir::isPure(op)) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return can_be_computed_ahead(operand); });
}

bool DoubleBuffer::can_come_ahead(memref::CopyOp copy) {
  const Value source = buffer_behind(copy.getSource());
  mlir::Operation* made_by = source.getDefiningOp();
  return !lies_in_vmem(source) && !(made_by != nullptr && loop_->isProperAncestor(made_by)) &&
         !may_write(loop_, source) && can_be_computed_ahead(copy.getSource()) &&
         can_be_computed_ahead(copy.getTarget());
}

// Copies that are an iteration's first access to a buffer.
void DoubleBuffer::find_arrivals() {
  for (auto copy : loop_.getBody()->getOps<memref::CopyOp>()) {
    const Value buffer = buffer_behind(copy.getTarget());
    if (buffers_.contains(buffer) || !is_own_buffer(buffer)) continue;
    llvm::SmallVector<memref::CopyOp> copies;
    for (mlir::Operation* op : touching(buffer)) {
      auto first = mlir::dyn_cast<memref::CopyOp>(op);
      if (!first || buffer_behind(first.getTarget()) != buffer || !can_come_ahead(first)) break;
      copies.push_back(first);
    }
    if (copies.empty()) continue;
    buffers_.insert(buffer);
    arrivals_.append(copies);
  }
}

// Copies of values that an iteration derived only from data copied in it.
void DoubleBuffer::find_departures() {
  for (auto copy : loop_.getBody()->getOps<memref::CopyOp>()) {
    const Value buffer = buffer_behind(copy.getSource());
    if (lies_in_vmem(copy.getTarget())) continue;
    if (!buffers_.contains(buffer)) {
      if (!is_own_buffer(buffer)) continue;
      mlir::Operation* first = touching(buffer).front();
      auto op = mlir::dyn_cast<LinalgOp>(first);
      const bool makes =
          attribute::in_registers.is_on(first) ||
          (op && llvm::any_of(op.getDpsInitsMutable(), [&](mlir::OpOperand& init) {
             return buffer_behind(init.get()) == buffer &&
                    (attribute::overwrites.is_on(op) || !op.payloadUsesValueFromOperand(&init));
           }));
      if (!makes) continue;
      buffers_.insert(buffer);
    }
    departures_.push_back(copy);
  }
}

// Moves the buffers before the loop. They live as long as it, wherever there is space for that.
llvm::SmallVector<DoubleBuffer::Moved> DoubleBuffer::move_before_loop() {
  llvm::SmallVector<Moved> moved;
  for (const Value buffer : buffers_) {
    mlir::Operation* alloc = buffer.getDefiningOp();
    moved.push_back({alloc, alloc->getNextNode(), attribute::address.remove(alloc)});
    if (loop_->isProperAncestor(alloc)) alloc->moveBefore(loop_);
  }
  return moved;
}

void DoubleBuffer::move_back(llvm::ArrayRef<Moved> moved) {
  for (const Moved& place : llvm::reverse(moved)) {
    place.alloc->moveBefore(place.next);
    if (place.address) attribute::address.set(place.alloc, place.address);
  }
}

// Whether there is space, with the buffers used in every iteration.
bool DoubleBuffer::fits(llvm::ArrayRef<Value> buffers) {
  mlir::OpBuilder inside(loop_.getBody(), loop_.getBody()->begin());
  llvm::SmallVector<mlir::Operation*> uses;
  for (const Value used : buffers) {
    uses.push_back(memref::CastOp::create(inside, loop_.getLoc(), used.getType(), used));
  }
  const auto function = loop_->getParentOfType<mlir::func::FuncOp>();
  const bool result = !threshold::twin_buffers(place_in_vmem(function, machine_).words, machine_);
  for (mlir::Operation* use : uses) use->erase();
  return result;
}

bool DoubleBuffer::make_twins() {
  const auto moved = move_before_loop();
  mlir::OpBuilder before(loop_);
  llvm::SmallVector<Value> all(buffers_.begin(), buffers_.end());
  for (const Value buffer : buffers_) {
    all.push_back(before.clone(*buffer.getDefiningOp())->getResult(0));
    twins_[1].map(buffer, all.back());
  }
  if (fits(all)) return true;
  for (const Value buffer : buffers_) twins_[1].lookup(buffer).getDefiningOp()->erase();
  move_back(moved);
  return false;
}

bool DoubleBuffer::live_around_loop() {
  const auto moved = move_before_loop();
  if (fits(buffers_.getArrayRef())) return true;
  move_back(moved);
  return false;
}

bool DoubleBuffer::find() {
  // Long text is not fetched twice for the iterations of a few.
  constexpr std::int64_t few_turns = 3;
  if (!find_turns() || (turns_ <= few_turns && is_around_copies(loop_))) return false;
  find_arrivals();
  if (arrivals_.empty()) return false;
  find_departures();
  return make_twins();
}

void DoubleBuffer::carry() {
  if (!find_turns()) return;
  find_departures();
  llvm::erase_if(departures_,
                 [](memref::CopyOp copy) { return !copy->getDiscardableAttrDictionary().empty(); });
  if (departures_.empty() || !live_around_loop()) return;
  for (memref::CopyOp copy : departures_) attribute::carried.set(copy);
}

// Views of the buffer that are made outside the loop.
void DoubleBuffer::twin_views(mlir::OpBuilder& builder, Value buffer, mlir::IRMapping& map) {
  for (mlir::Operation* user : llvm::make_early_inc_range(buffer.getUsers())) {
    if (!is_view(user) || loop_->isProperAncestor(user) || map.contains(user->getResult(0))) {
      continue;
    }
    builder.clone(*user, map);
    twin_views(builder, user->getResult(0), map);
  }
}

// The value at another index, made at the builder's position.
Value DoubleBuffer::compute(mlir::OpBuilder& builder, Value value, mlir::IRMapping& map) const {
  if (map.contains(value)) return map.lookup(value);
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr || !loop_->isProperAncestor(op)) return value;
  for (const Value operand : op->getOperands()) compute(builder, operand, map);
  builder.clone(*op, map);
  return map.lookup(value);
}

void DoubleBuffer::bring(mlir::OpBuilder& builder, unsigned twin, Value index) {
  mlir::IRMapping map = twins_[twin];
  map.map(loop_.getInductionVar(), index);
  for (memref::CopyOp copy : arrivals_) {
    compute(builder, copy.getSource(), map);
    compute(builder, copy.getTarget(), map);
    builder.clone(*copy, map);
  }
}

void DoubleBuffer::work(mlir::OpBuilder& builder, unsigned twin, Value index, bool carried) {
  mlir::IRMapping map = twins_[twin];
  map.map(loop_.getInductionVar(), index);
  for (mlir::Operation& op : loop_.getBody()->without_terminator()) {
    auto copy = mlir::dyn_cast<memref::CopyOp>(op);
    if (copy && llvm::is_contained(arrivals_, copy)) continue;
    mlir::Operation* clone = builder.clone(op, map);
    if (carried && copy && llvm::is_contained(departures_, copy)) {
      attribute::carried.set(clone);
    }
  }
}

void DoubleBuffer::rewrite() {
  mlir::OpBuilder builder(loop_);
  for (const Value buffer : buffers_) twin_views(builder, buffer, twins_[1]);
  const bool is_odd = turns_ % 2 != 0;
  const bool is_short = turns_ == 2 || (!threshold::short_loop(turns_) && !is_around_copies(loop_));
  const std::int64_t behind = is_odd ? 1 : is_short ? 2 : 0;
  const std::int64_t last = first_ + (turns_ - 1) * step_;
  const std::int64_t end = first_ + (turns_ - behind) * step_;
  bring(builder, 0, constant(builder, first_));
  if (end > first_) {
    ForOp::create(builder, loop_.getLoc(), constant(builder, first_), constant(builder, end),
                  constant(builder, 2 * step_), mlir::ValueRange{},
                  [&](mlir::OpBuilder& nested, mlir::Location at, Value index, mlir::ValueRange) {
                    const auto later = [&](std::int64_t turns) -> Value {
                      return mlir::arith::AddIOp::create(nested, at, index,
                                                         constant(nested, turns * step_));
                    };
                    const Value second = later(1);
                    bring(nested, 1, second);
                    work(nested, 0, index, false);
                    Value next = later(2);
                    if (behind == 0) {
                      next = mlir::arith::MinSIOp::create(nested, at, next, constant(nested, last));
                    }
                    bring(nested, 0, next);
                    work(nested, 1, second, end - first_ > 2 * step_);
                    mlir::scf::YieldOp::create(nested, at);
                  });
  }
  if (behind == 2) bring(builder, 1, constant(builder, last));
  for (std::int64_t turn = 0; turn < behind; ++turn) {
    work(builder, turn, constant(builder, end + turn * step_), false);
  }
  loop_->erase();
}

// Copies with other attributes: another pass has placed them. Text that is long is not doubled, nor
// that of products or calls beside an inner loop with copies: it would be fetched anew in each
// iteration.
bool may_be_doubled(ForOp loop) {
  const auto is_long = [](mlir::Operation& op) {
    return attribute::precision.is_on(&op) || mlir::isa<mlir::func::CallOp>(op);
  };
  if (is_around_copies(loop) && llvm::any_of(*loop.getBody(), is_long)) return false;
  std::int64_t operations = 0;
  const auto other = loop.walk([&](mlir::Operation* op) {
    ++operations;
    auto copy = mlir::dyn_cast<memref::CopyOp>(op);
    const bool is_plain =
        !copy || attribute::in_registers.is_on(copy) ||
        copy->getDiscardableAttrDictionary().empty() ||
        (copy->getParentOfType<ForOp>() != loop && attribute::carried.is_on(copy));
    return is_plain ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return !other.wasInterrupted() && !threshold::doubled_loop(operations);
}

struct DoubleBuffers : FunctionPass<DoubleBuffers, PassName::double_buffer> {
  explicit DoubleBuffers(const Parameters& machine) : machine(machine) {}
  void run() {
    llvm::SmallVector<ForOp> loops;  // inner ones before those around them
    getOperation().walk([&](ForOp loop) { loops.push_back(loop); });
    for (ForOp loop : loops) {
      DoubleBuffer twins(loop, machine);
      if (may_be_doubled(loop)) {
        if (twins.find()) twins.rewrite();
      } else if (is_around_copies(loop)) {
        twins.carry();
      }
    }
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_double_buffer_pass(const Parameters& machine) {
  return std::make_unique<DoubleBuffers>(machine);
}

}  // namespace tandem::compiler
