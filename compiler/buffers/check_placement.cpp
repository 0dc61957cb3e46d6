// Whether every buffer keeps its contents until they are read for the last time.
//
// A buffer holds something from an operation that writes it on, along every path of the program,
// until its allocation is reached again; its contents are needed before every operation that reads
// it, back to the allocation. It is a mistake of the compiler when an operation writes one buffer
// while another one, with overlapping addresses, holds something that is needed later. So is an
// operation that reads a buffer which nothing has written on any path to it.
//
// This looks only at addresses, control flow and the declared reads and writes of operations. It
// shares no code with the passes that choose places (placement.hpp, lives.hpp) or move copies.
#include "compiler/buffers/origins.hpp"
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "llvm/ADT/BitVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using llvm::BitVector;
using mlir::Operation;

// The words of a buffer: from `first` to before `end`.
struct Range {
  mlir::Attribute memory;
  std::int64_t first = 0;
  std::int64_t end = 0;

  [[nodiscard]] bool meets(const Range& other) const {
    return memory == other.memory && first < other.end && other.first < end;
  }
};

// The effects of an operation itself, without the operations in it: numbers of buffers.
struct Effects {
  llvm::SmallVector<unsigned, 4> reads;
  llvm::SmallVector<unsigned, 2> writes;
};

class Checker {
 public:
  explicit Checker(mlir::func::FuncOp function) : function_(function) {}

  mlir::LogicalResult run() {
    if (mlir::failed(find_buffers()) || mlir::failed(find_effects())) return mlir::failure();
    BitVector state(buffers_.size());
    forward(function_.getBody(), state);
    if (mlir::failed(check_reads())) return mlir::failure();
    if (!any_overlap_) return mlir::success();
    state.reset();
    backward(function_.getBody(), state);
    return mlir::success(!failed_);
  }

 private:
  mlir::LogicalResult find_buffers();
  mlir::LogicalResult find_effects();
  mlir::LogicalResult add_effects(Operation* op);
  void forward(mlir::Region& region, BitVector& held);
  void forward(Operation* op, BitVector& held);
  void backward(mlir::Region& region, BitVector& wanted);
  void backward(Operation* op, BitVector& wanted);
  mlir::LogicalResult check_reads();
  void check_writes(Operation* op, const Effects& effects, const BitVector& wanted);

  mlir::func::FuncOp function_;
  Origins origins_;
  llvm::SmallVector<memref::AllocOp> buffers_;
  llvm::SmallVector<Range> ranges_;               // of each
  llvm::DenseMap<Operation*, unsigned> numbers_;  // of the allocations
  llvm::SmallVector<BitVector> overlaps_;         // by buffer: those with addresses in common
  bool any_overlap_ = false;
  llvm::DenseMap<Operation*, Effects> effects_;
  llvm::DenseMap<Operation*, BitVector> held_;  // before an operation
  bool failed_ = false;
};

mlir::LogicalResult Checker::find_buffers() {
  const auto found = function_.walk([&](memref::AllocOp alloc) -> mlir::WalkResult {
    const auto address = attribute::address.get(alloc);
    if (!address || address.getInt() < 0) {
      return alloc->emitError("internal: a buffer without an address");
    }
    numbers_[alloc] = static_cast<unsigned>(buffers_.size());
    buffers_.push_back(alloc);
    const mlir::MemRefType type = alloc.getType();
    ranges_.push_back(
        {type.getMemorySpace(), address.getInt(), address.getInt() + type.getNumElements()});
    return mlir::WalkResult::advance();
  });
  overlaps_.assign(buffers_.size(), BitVector(buffers_.size()));
  for (unsigned a = 0; a < ranges_.size(); ++a) {
    for (unsigned b = 0; b < a; ++b) {
      if (!ranges_[a].meets(ranges_[b])) continue;
      overlaps_[a].set(b);
      overlaps_[b].set(a);
      any_overlap_ = true;
    }
  }
  return mlir::failure(found.wasInterrupted());
}

mlir::LogicalResult Checker::add_effects(Operation* op) {
  Effects effects;
  bool is_known = true;
  const auto note = [&](mlir::Value buffer, bool reads, bool writes) {
    if (!mlir::isa<mlir::MemRefType>(buffer.getType())) return;
    const Origins::Answer& origins = origins_.of(buffer);
    is_known = is_known && !origins.unknown;
    for (Operation* alloc : origins.allocations) {
      if (reads) effects.reads.push_back(numbers_.lookup(alloc));
      if (writes) effects.writes.push_back(numbers_.lookup(alloc));
    }
  };
  if (auto described = mlir::dyn_cast<mlir::MemoryEffectOpInterface>(op)) {
    llvm::SmallVector<mlir::MemoryEffects::EffectInstance> instances;
    described.getEffects(instances);
    for (const auto& instance : instances) {
      const bool reads = mlir::isa<mlir::MemoryEffects::Read>(instance.getEffect());
      const bool writes = mlir::isa<mlir::MemoryEffects::Write>(instance.getEffect());
      if ((reads || writes) && instance.getValue()) note(instance.getValue(), reads, writes);
    }
  } else if (!op->hasTrait<mlir::OpTrait::IsTerminator>()) {
    // Calls may do anything.
    for (const mlir::Value operand : op->getOperands()) note(operand, true, true);
  }
  if (!is_known) return op->emitError("internal: it is not known which buffer this uses");
  if (!effects.reads.empty() || !effects.writes.empty()) effects_[op] = std::move(effects);
  return mlir::success();
}

bool has_control_flow(Operation* op) {
  return mlir::isa<mlir::RegionBranchOpInterface, mlir::LoopLikeOpInterface>(op);
}

mlir::LogicalResult Checker::find_effects() {
  const auto found =
      function_.getBody().walk<mlir::WalkOrder::PreOrder>([&](Operation* op) -> mlir::WalkResult {
        if (has_control_flow(op)) return mlir::WalkResult::advance();
        if (mlir::failed(add_effects(op))) return mlir::WalkResult::interrupt();
        return mlir::WalkResult::skip();  // bodies work on elements
      });
  return mlir::failure(found.wasInterrupted());
}

void Checker::forward(mlir::Region& region, BitVector& held) {
  for (mlir::Block& block : region) {
    for (Operation& op : block) forward(&op, held);
  }
}

void Checker::forward(Operation* op, BitVector& held) {
  if (has_control_flow(op)) {
    const bool loops = mlir::isa<mlir::LoopLikeOpInterface>(op);
    const BitVector before = held;
    // The state that an iteration leaves is there in the next one: nothing new appears in a third
    // iteration, nor in a second if the first added nothing. So nested loops do not double the work
    // at each level.
    for (int turn = 0; turn < (loops ? 2 : 1); ++turn) {
      const BitVector at_entry = held;
      for (mlir::Region& region : op->getRegions()) {
        BitVector inside = loops ? held : before;
        forward(region, inside);
        held |= inside;
      }
      if (held == at_entry) break;
    }
    return;
  }
  if (const auto number = numbers_.find(op); number != numbers_.end()) held.reset(number->second);
  const auto effects = effects_.find(op);
  if (effects == effects_.end()) return;
  held_[op] = held;
  for (const unsigned buffer : effects->second.writes) held.set(buffer);
}

void Checker::backward(mlir::Region& region, BitVector& wanted) {
  for (mlir::Block& block : llvm::reverse(region)) {
    for (Operation& op : llvm::reverse(block)) backward(&op, wanted);
  }
}

void Checker::backward(Operation* op, BitVector& wanted) {
  if (has_control_flow(op)) {
    const bool loops = mlir::isa<mlir::LoopLikeOpInterface>(op);
    const BitVector after = wanted;
    for (int turn = 0; turn < (loops ? 2 : 1); ++turn) {
      const BitVector at_entry = wanted;
      for (mlir::Region& region : llvm::reverse(op->getRegions())) {
        BitVector inside = loops ? wanted : after;
        backward(region, inside);
        wanted |= inside;
      }
      if (wanted == at_entry) break;
    }
    return;
  }
  if (const auto number = numbers_.find(op); number != numbers_.end()) {
    wanted.reset(number->second);
  }
  const auto effects = effects_.find(op);
  if (effects == effects_.end()) return;
  check_writes(op, effects->second, wanted);
  for (const unsigned buffer : effects->second.reads) wanted.set(buffer);
}

// An operation's own write may initialize the buffer: a sum names its result as read, too.
mlir::LogicalResult Checker::check_reads() {
  for (const auto& [op, held] : held_) {
    const Effects& effects = effects_.at(op);
    for (const unsigned buffer : effects.reads) {
      if (held.test(buffer) || llvm::is_contained(effects.writes, buffer)) continue;
      auto error = op->emitError("internal: this reads a buffer that nothing has written");
      error.attachNote(buffers_[buffer].getLoc())
          << "it reads words " << ranges_[buffer].first << " to " << ranges_[buffer].end - 1;
      return error;
    }
  }
  return mlir::success();
}

void Checker::check_writes(Operation* op, const Effects& effects, const BitVector& wanted) {
  if (failed_) return;
  for (const unsigned buffer : effects.writes) {
    BitVector lost = overlaps_[buffer];
    lost &= wanted;
    lost &= held_.at(op);
    if (lost.none()) continue;
    failed_ = true;
    auto error = op->emitError("internal: this overwrites a buffer that is still to be read");
    const auto tell = [&](llvm::StringRef what, unsigned number) {
      error.attachNote(buffers_[number].getLoc())
          << what << " words " << ranges_[number].first << " to " << ranges_[number].end - 1;
    };
    tell("it writes", buffer);
    for (const unsigned other : lost.set_bits()) tell("lost are", other);
    return;
  }
}

struct CheckPlacement : FunctionPass<CheckPlacement, PassName::check_placement> {
  void run() {
    if (mlir::failed(Checker(getOperation()).run())) signalPassFailure();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_check_placement_pass() {
  return std::make_unique<CheckPlacement>();
}

}  // namespace tandem::compiler
