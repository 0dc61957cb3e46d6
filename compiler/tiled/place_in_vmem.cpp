// Buffers that fit VMEM are placed there.
//
// A buffer that is worth it gets an allocation in VMEM for its whole life: temporaries are moved
// there, inputs and constants are copied in at the beginning of the program, outputs are copied out
// at its end. Their layout is that of residence.hpp; where a view of the buffer is incompatible
// with that (a reshape across rows), the buffer is dense.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tiled/streamed_weights.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/lives.hpp"
#include "compiler/views/machine_costs.hpp"
#include "compiler/views/repeated.hpp"
#include "compiler/views/residence.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::MemRefType;
using mlir::Value;

constexpr double least_uses_both_ways = 4;

struct Candidate {
  Value buffer;  // the result of an allocation, an argument, or a constant
  std::int64_t words = 0;
  double uses = 0;         // those in loops count more
  bool of_window = false;  // of a Pallas kernel: it must be here
  bool of_block = false;   // a temporary of a block, whose size of a block has been chosen for it
  bool pitched = false;
  bool reads = false;
  bool writes = false;
  bool computes = false;  // an operation does more with it than move it
  bool by_words = false;  // single words of it are read or written, too
  double far_words = 0;   // copied by its uses where it is in HBM
  double far_times = 0;   // number of these copies
  double loads = 0;       // of single words, in loops
  Life life;
  std::int64_t address = 0;  // in words
};

// Whether the body only yields its arguments.
bool only_moves(mlir::linalg::LinalgOp op) { return op.getBlock()->getOperations().size() == 1; }

// An estimate of how often an operation runs.
double weight(mlir::Operation* op) {
  double times = 1;
  for (mlir::Operation* parent = op->getParentOp(); parent != nullptr;
       parent = parent->getParentOp()) {
    if (mlir::isa<mlir::LoopLikeOpInterface>(parent)) times *= 8;
  }
  return times;
}

// The number of executions where trip counts of loops are known, else as above.
double turns(mlir::Operation* op) {
  double times = 1;
  for (mlir::Operation* parent = op->getParentOp(); parent != nullptr;
       parent = parent->getParentOp()) {
    auto loop = mlir::dyn_cast<mlir::LoopLikeOpInterface>(parent);
    if (!loop) continue;
    const auto count = loop.getStaticTripCount();
    times *= count ? count->roundToDouble() : 8;
  }
  return times;
}

// The type of a view when its source has another layout or space; null when there is none.
MemRefType moved_type(mlir::Operation* view, MemRefType source) {
  const auto old = mlir::cast<MemRefType>(view->getResult(0).getType());
  if (auto slice = mlir::dyn_cast<memref::SubViewOp>(view)) {
    return memref::SubViewOp::inferRankReducedResultType(
        old.getShape(), source, slice.getMixedOffsets(), slice.getMixedSizes(),
        slice.getMixedStrides());
  }
  if (auto shape = mlir::dyn_cast<memref::CollapseShapeOp>(view)) {
    const auto groups = shape.getReassociationIndices();
    if (!memref::CollapseShapeOp::isGuaranteedCollapsible(source, groups)) return {};
    return memref::CollapseShapeOp::computeCollapsedType(source, groups);
  }
  if (auto shape = mlir::dyn_cast<memref::ExpandShapeOp>(view)) {
    const auto type = memref::ExpandShapeOp::computeExpandedType(source, old.getShape(),
                                                                 shape.getReassociationIndices());
    return mlir::succeeded(type) ? *type : MemRefType();
  }
  return repeated_type(view, source);
}

bool is_shaped(mlir::Operation* user) {
  return mlir::isa<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(user) ||
         repeated_dimension(user);
}

// Visits the users of the buffer and its views. False where a use is not supported; `moved` is the
// type that the buffer would have, null for a dense one.
bool visit_uses(Value buffer, MemRefType moved, Candidate& candidate) {
  for (mlir::OpOperand& use : buffer.getUses()) {
    mlir::Operation* user = use.getOwner();
    if (mlir::isa<mlir::linalg::LinalgOp, memref::CopyOp>(user)) {
      const auto type = mlir::cast<MemRefType>(buffer.getType());
      candidate.far_words += turns(user) * static_cast<double>(type.getNumElements());
      candidate.far_times += turns(user);
    }
    if (auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(user)) {
      const bool writes = linalg.isDpsInit(&use);
      candidate.writes = candidate.writes || writes;
      candidate.reads = candidate.reads || !writes || linalg.payloadUsesValueFromOperand(&use);
      candidate.computes = candidate.computes || !only_moves(linalg);
      candidate.uses += weight(user);
    } else if (auto copy = mlir::dyn_cast<memref::CopyOp>(user)) {
      const bool writes = copy.getTarget() == buffer;
      candidate.writes = candidate.writes || writes;
      candidate.reads = candidate.reads || !writes;
      candidate.uses += weight(user);
    } else if (mlir::isa<memref::LoadOp>(user)) {
      candidate.reads = true;
      candidate.by_words = true;
      if (turns(user) > 1) {  // as those of indices in the loop of a gather
        candidate.loads += turns(user);
        candidate.uses += weight(user);
      }
    } else if (mlir::isa<memref::StoreOp>(user)) {
      candidate.writes = true;
      candidate.by_words = true;
    } else if (is_shaped(user)) {
      const MemRefType type = moved ? moved_type(user, moved) : MemRefType();
      if (moved && !type) return false;
      if (!visit_uses(user->getResult(0), type, candidate)) return false;
    } else if (mlir::isa<memref::ReinterpretCastOp, mlir::UnrealizedConversionCastOp>(user) &&
               !moved && mlir::isa<MemRefType>(user->getResult(0).getType())) {
      if (!visit_uses(user->getResult(0), {}, candidate)) return false;
    } else if (!mlir::isa<memref::DeallocOp>(user)) {
      return false;
    }
  }
  return true;
}

// The innermost loop as in tiled/rows.cpp: the last one that sums, else the columns of the result;
// -1: there is none.
int columns_of(mlir::linalg::LinalgOp op) {
  int columns = -1;
  for (const auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind == mlir::utils::IteratorType::reduction) columns = static_cast<int>(loop);
  }
  if (columns >= 0 || op.getNumDpsInits() == 0) return columns;
  const mlir::AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (result.getNumResults() == 0) return -1;
  const auto last = mlir::dyn_cast<mlir::AffineDimExpr>(result.getResults().back());
  return last ? static_cast<int>(last.getPosition()) : -1;
}

// Whether the operation takes one value per row from the buffer, and all its rows are one loop:
// each operand has all loops except that of the columns in order, or none of them, in a buffer of
// its own.
bool takes_values_of_rows(mlir::linalg::LinalgOp op, Value buffer) {
  const int columns = columns_of(op);
  if (columns < 0 || attribute::precision.is_on(op)) return false;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const auto type = mlir::dyn_cast<MemRefType>(operand.get().getType());
    if (!type) continue;
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    llvm::SmallVector<int> rows;
    for (const mlir::AffineExpr index : map.getResults()) {
      const auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(index);
      if (!loop) return false;
      if (static_cast<int>(loop.getPosition()) != columns) {
        rows.push_back(static_cast<int>(loop.getPosition()));
      }
    }
    const bool is_value = operand.get() == buffer;
    if (is_value && map.isFunctionOfDim(static_cast<unsigned>(columns))) return false;
    if (!type.getLayout().isIdentity() || !llvm::is_sorted(rows)) return false;
    if (!rows.empty() && rows.size() + 1 != op.getNumLoops()) return false;
  }
  return true;
}

// Whether all users of the buffer take one value per row. Such values are contiguous, whatever the
// shape of the rows.
bool holds_values_of_rows(Value buffer) {
  return llvm::all_of(buffer.getUsers(), [&](mlir::Operation* user) {
    if (mlir::isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(user)) {
      return holds_values_of_rows(user->getResult(0));
    }
    if (mlir::isa<memref::DeallocOp>(user)) return true;
    if (mlir::isa<mlir::linalg::FillOp>(user)) return true;
    auto op = mlir::dyn_cast<mlir::linalg::LinalgOp>(user);
    return op && takes_values_of_rows(op, buffer);
  });
}

// Whether the operation takes elements one after the other, whatever rows they are in: the row
// layout cannot take every second element of a row.
bool goes_flat(mlir::linalg::LinalgOp op) {
  return op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           if (!mlir::isa<MemRefType>(operand.getType())) return false;
           const Sizes strides = strides_of(operand);
           return !strides.empty() && strides.back() > 1;
         });
}

// Whether all operations that compute with the buffer do so: then rows of it at rows of VMEM would
// have to be split again.
bool goes_flat(Value buffer) {
  bool is_taken = false;
  const bool is_flat = llvm::all_of(buffer.getUsers(), [&](mlir::Operation* user) {
    if (is_shaped(user) && user->getNumResults() == 1) {
      const bool flat = goes_flat(user->getResult(0));
      is_taken = is_taken || flat;
      return flat;
    }
    if (mlir::isa<memref::CopyOp, memref::DeallocOp>(user)) return true;
    auto op = mlir::dyn_cast<mlir::linalg::LinalgOp>(user);
    is_taken = is_taken || op;
    return op && goes_flat(op);
  });
  return is_flat && is_taken;
}

void retype_views(Value buffer, bool pitched) {
  const auto type = mlir::cast<MemRefType>(buffer.getType());
  for (mlir::Operation* user : buffer.getUsers()) {
    const bool shaped = is_shaped(user);
    if (!shaped && !mlir::isa<memref::ReinterpretCastOp, mlir::UnrealizedConversionCastOp>(user)) {
      continue;
    }
    Value view = user->getResult(0);
    const auto now = pitched && shaped ? moved_type(user, type)
                                       : in_vmem(mlir::cast<MemRefType>(view.getType()));
    if (repeated_dimension(user)) {
      set_repeated_type(user, now);
    } else {
      view.setType(now);
    }
    retype_views(view, pitched);
  }
}

class Residence {
 public:
  Residence(mlir::func::FuncOp function, const Parameters& machine)
      : function_(function), machine_(machine), lanes_(machine.lanes) {}

  mlir::LogicalResult run() {
    const auto constants = constants_first();
    const Lives lives(function_);
    llvm::SmallVector<Candidate> all;
    function_.walk([&](memref::AllocOp alloc) {
      if (!alloc.getType().getMemorySpace()) consider(alloc.getResult(), all);
    });
    for (const mlir::BlockArgument argument : function_.getArguments()) {
      if (!mlir::cast<MemRefType>(argument.getType()).getMemorySpace()) consider(argument, all);
    }
    for (const Value constant : constants) consider(constant, all);
    for (Candidate& candidate : all) candidate.life = lives.of(candidate.buffer);
    // Each use moves the whole buffer, so the most used buffer gains most, whatever its size.
    // Mandatory buffers come first, then temporaries of blocks, as block sizes were chosen to fit
    // them.
    llvm::stable_sort(all, [](const Candidate& a, const Candidate& b) {
      if (a.of_window != b.of_window) return a.of_window;
      return a.of_block != b.of_block ? a.of_block : a.uses > b.uses;
    });
    std::int64_t high = 0;
    llvm::SmallVector<Candidate> placed;  // in order of their places
    function_.walk([&](memref::AllocOp alloc) {
      if (attribute::of_function.is_on(alloc)) placed.push_back(of_function(alloc, lives));
    });
    llvm::stable_sort(placed, is_before);
    for (Candidate& candidate : all) {
      if (!find_place(candidate, placed)) {
        if (candidate.of_window) return no_room(candidate, all);
        continue;
      }
      high = std::max(high, candidate.address + candidate.words);
      placed.insert(llvm::upper_bound(placed, candidate, is_before), candidate);
    }
    // Copies of inputs are placed in the order of their first use, each before those so far.
    llvm::stable_sort(placed, [&](const Candidate& a, const Candidate& b) {
      return lives.first_use(a.buffer) > lives.first_use(b.buffer);
    });
    for (const Candidate& candidate : placed) {
      if (!is_of_function(candidate)) settle(candidate);
    }
    read_results_in_place();
    const std::int64_t left = machine_.vmem_words() - high;
    attribute::vmem_left.set(function_,
                             mlir::Builder(function_.getContext()).getI64IntegerAttr(left));
    return mlir::success();
  }

 private:
  mlir::LogicalResult no_room(const Candidate& candidate, llvm::ArrayRef<Candidate> all) const {
    std::int64_t words = 0;
    for (const Candidate& other : all) {
      if (other.of_window && other.life.meets(candidate.life)) words += other.words;
    }
    return mlir::emitError(candidate.buffer.getLoc())
           << "no room: the blocks and scratch of a Pallas kernel take " << 4 * words
           << " bytes of VMEM, there are " << 4 * resident_words(machine_);
  }

  // Constants are there from the beginning, as arguments are.
  llvm::SmallVector<Value> constants_first() {
    llvm::SmallVector<memref::GetGlobalOp> all;
    function_.walk([&](memref::GetGlobalOp constant) {
      if (!constant.getType().getMemorySpace()) all.push_back(constant);
    });
    llvm::SmallVector<Value> result;
    mlir::Block& block = function_.getBody().front();
    for (memref::GetGlobalOp constant : llvm::reverse(all)) {
      constant->moveBefore(&block, block.begin());
      result.push_back(constant);
    }
    return result;
  }
  // Buffers from outside.
  static bool is_given(Value buffer) {
    return mlir::isa<mlir::BlockArgument>(buffer) || buffer.getDefiningOp<memref::GetGlobalOp>();
  }

  // The lowest place that is free for the whole lifetime of the candidate.
  bool find_place(Candidate& candidate, llvm::ArrayRef<Candidate> placed) const {
    for (const Candidate& other : placed) {
      if (other.life.meets(candidate.life) && candidate.address < other.address + other.words &&
          other.address < candidate.address + candidate.words) {
        candidate.address = other.address + other.words;
      }
    }
    return candidate.address + candidate.words <= resident_words(machine_);
  }

  static bool is_before(const Candidate& a, const Candidate& b) { return a.address < b.address; }

  static bool is_of_function(const Candidate& candidate) {
    mlir::Operation* made = candidate.buffer.getDefiningOp();
    return made != nullptr && attribute::of_function.is_on(made);
  }

  // A result of a function in assembly in HBM needs no second buffer there. Nothing writes it: it
  // is read through a copy of its own.
  void read_results_in_place() {
    llvm::SmallVector<memref::AllocOp> copies;
    function_.walk([&](memref::AllocOp alloc) {
      if (attribute::of_result.is_on(alloc)) copies.push_back(alloc);
    });
    for (memref::AllocOp alloc : copies) {
      memref::CopyOp copy;
      for (mlir::Operation* user : alloc->getUsers()) {
        auto into = mlir::dyn_cast<memref::CopyOp>(user);
        if (into && into.getTarget() == alloc.getResult()) copy = into;
      }
      if (!copy) continue;
      alloc.getResult().replaceAllUsesWith(copy.getSource());
      copy->erase();
      alloc->erase();
    }
  }

  // The VMEM of a function in assembly is near the end of VMEM: values that live across the call
  // are before it, all others may use all of VMEM. The space after it is for frames of linear
  // blocks (asm/emit.cpp).
  Candidate of_function(memref::AllocOp alloc, const Lives& lives) const {
    const std::int64_t vector = machine_.vector_words();
    const std::int64_t end = std::int64_t{machine_.vmem_words()} / 16 * 15;
    Candidate candidate;
    candidate.buffer = alloc.getResult();
    candidate.words = (alloc.getType().getNumElements() + vector - 1) / vector * vector;
    candidate.life = lives.of(candidate.buffer);
    candidate.address = std::max<std::int64_t>(end - candidate.words, 0);
    attribute::address.set(alloc,
                           mlir::Builder(alloc.getContext()).getI64IntegerAttr(candidate.address));
    return candidate;
  }

  void consider(Value buffer, llvm::SmallVector<Candidate>& all) {
    const auto type = mlir::cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape() || type.getNumElements() == 0) return;
    Candidate candidate;
    candidate.buffer = buffer;
    candidate.words = pitched_words(type, lanes_);
    candidate.pitched = true;
    const bool is_dense =
        wastes_pitched(type, lanes_) || (type.getRank() > 1 && holds_values_of_rows(buffer)) ||
        (type.getRank() > 1 && 2 * type.getShape().back() <= lanes_ && goes_flat(buffer));
    if (is_dense || !visit_uses(buffer, pitched_type(type, lanes_), candidate)) {
      candidate = Candidate();
      candidate.buffer = buffer;
      candidate.words = type.getNumElements();
      if (!visit_uses(buffer, {}, candidate)) return;
    }
    const bool is_argument = is_given(buffer);
    candidate.of_block = !is_argument && attribute::block.is_on(buffer.getDefiningOp());
    candidate.of_window = !is_argument && attribute::window.is_on(buffer.getDefiningOp());
    // A donated argument is copied both ways; a few scattered updates do not pay for that.
    const bool both_ways = is_argument && candidate.writes && !is_output(buffer);
    if (both_ways && candidate.uses < least_uses_both_ways) return;
    // A buffer that is only copied is copied from its place.
    if (is_argument && !candidate.computes && !brings_loads(candidate)) return;
    if (is_argument && is_cheaper_far(candidate, both_ways)) return;
    if (is_argument && streams_to_vectors(buffer, machine_)) return;
    candidate.words = (candidate.words + machine_.vector_words() - 1) / machine_.vector_words() *
                      machine_.vector_words();
    if (candidate.uses > 0) all.push_back(candidate);
  }

  // Whether loops load so many single words of an argument that it is copied as a whole.
  [[nodiscard]] bool brings_loads(const Candidate& candidate) const {
    const auto type = mlir::cast<MemRefType>(candidate.buffer.getType());
    return candidate.loads * 2 * copy_latency >
           static_cast<double>(type.getNumElements()) / static_cast<double>(lanes_);
  }

  // Whether the copies of all uses of an argument, and the waits for them, are less than the
  // argument.
  [[nodiscard]] bool is_cheaper_far(const Candidate& candidate, bool both_ways) {
    if (candidate.by_words || is_output(candidate.buffer)) return false;
    const auto type = mlir::cast<MemRefType>(candidate.buffer.getType());
    const auto lanes = static_cast<double>(lanes_);
    const auto whole = static_cast<double>(type.getNumElements()) * (both_ways ? 2 : 1);
    constexpr double wait = 2 * copy_latency;
    return candidate.far_words / lanes + wait * candidate.far_times < whole / lanes;
  }

  bool is_output(Value argument) {
    if (!mlir::isa<mlir::BlockArgument>(argument)) return false;
    const auto number = mlir::cast<mlir::BlockArgument>(argument).getArgNumber();
    const auto way = attribute::direction.get(function_, number);
    return way && way.getValue() == "out";
  }

  // A view of the buffer's shape on a new allocation in VMEM.
  Value room(mlir::OpBuilder& builder, const Candidate& candidate) const {
    const auto type = mlir::cast<MemRefType>(candidate.buffer.getType());
    const mlir::Location loc = candidate.buffer.getLoc();
    const std::int64_t words =
        candidate.pitched ? pitched_words(type, lanes_) : type.getNumElements();
    const MemRefType wanted = candidate.pitched ? pitched_type(type, lanes_) : in_vmem(type);
    const bool is_dense = wanted.getLayout().isIdentity();
    const Value flat = is_dense ? memref::AllocOp::create(builder, loc, wanted).getResult()
                                : vmem_buffer(builder, loc, {words}, type.getElementType());
    attribute::address.set(flat.getDefiningOp(), candidate.address);
    if (is_dense) return flat;
    Sizes strides;
    std::int64_t offset = 0;
    (void)wanted.getStridesAndOffset(strides, offset);
    return strided_view(builder, loc, flat, builder.getIndexAttr(0), type.getShape(), strides);
  }

  void settle(const Candidate& candidate) {
    const bool is_argument = is_given(candidate.buffer);
    mlir::OpBuilder builder(function_.getBody());
    if (mlir::Operation* made = candidate.buffer.getDefiningOp()) {
      builder.setInsertionPoint(made);
      if (is_argument) builder.setInsertionPointAfter(made);
    }
    const mlir::Location loc = candidate.buffer.getLoc();
    const Value near = room(builder, candidate);
    Value(candidate.buffer).replaceAllUsesWith(near);
    retype_views(near, candidate.pitched);
    if (!is_argument) return candidate.buffer.getDefiningOp()->erase();
    if (!is_output(candidate.buffer)) {
      memref::CopyOp::create(builder, loc, candidate.buffer, near);
      if (!candidate.writes) return;
    }
    builder.setInsertionPoint(function_.getBody().back().getTerminator());
    memref::CopyOp::create(builder, loc, near, candidate.buffer);
  }

  mlir::func::FuncOp function_;
  const Parameters& machine_;
  std::int64_t lanes_;
};

struct PlaceInVmem : FunctionPass<PlaceInVmem, PassName::place_in_vmem> {
  explicit PlaceInVmem(const Parameters& machine) : machine(machine) {}
  void run() {
    if (mlir::failed(Residence(getOperation(), machine).run())) signalPassFailure();
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_place_in_vmem_pass(const Parameters& machine) {
  return std::make_unique<PlaceInVmem>(machine);
}

}  // namespace tandem::compiler
