// Operations on rows that overlap with a contraction instead of running between two.
//
// The matrix unit is idle during operations in the row layout, and they do not use it. Where some
// are between contractions, and another contraction is independent of them, such as that of the
// next block of rows, both are placed next to each other, the contraction first with the attribute
// `tandem.beside`: the lowering overlaps eight rows with a set of weights
// (tpu/contraction/order.cpp). A later contraction moves up to the rows, or they move up to an
// earlier one, past operations on tiles and copies that do not touch the same buffers. Buffers live
// longer then: where they no longer fit VMEM, nothing moves.
//
// Not in a loop over tiles of columns without a loop over chunks: accumulators are named by a
// register there, so all accesses to one keep their order, and no pipeline is found (42,010 ->
// 43,324 cycles in a program of 300 rows on small; decision 111).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/contraction_steps.hpp"
#include "compiler/views/machine_costs.hpp"
#include "compiler/views/placement.hpp"
#include "compiler/views/residence.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Operation;
using mlir::Value;
using Operations = llvm::SmallVector<Operation*>;
using Run = Operations;  // operations on rows with only free ones in between

bool is_rows(Operation* op) { return attribute::rows.is_on(op); }

// Whether two operations on tiles, or copies, may change places.
bool may_cross(Operation* one, Operation* other) {
  const auto is_known = [](Operation* op) {
    return mlir::isa<mlir::linalg::LinalgOp, memref::CopyOp>(op);
  };
  if (!is_known(one) || !is_known(other)) return false;
  const auto spoils = [](Operation* writer, Operation* reader) {
    return llvm::any_of(reader->getOperands(), [&](Value value) {
      return mlir::isa<mlir::MemRefType>(value.getType()) &&
             may_write(writer, buffer_behind(value));
    });
  };
  return !spoils(one, other) && !spoils(other, one);
}

llvm::SmallVector<Run> runs_of(mlir::Block& block) {
  llvm::SmallVector<Run> runs;
  bool goes_on = false;
  for (Operation& op : block) {
    if (is_free(&op)) continue;
    const bool is_row = is_rows(&op);
    if (is_row && !goes_on) runs.emplace_back();
    if (is_row) runs.back().push_back(&op);
    goes_on = is_row;
  }
  return runs;
}

// Whether a group of eight rows is done without a loop.
bool is_straight(const Run& run, const Parameters& machine) {
  auto first = mlir::cast<mlir::linalg::LinalgOp>(run.front());
  return !threshold::written_chunks(first.getStaticLoopRanges()[1] / machine.lanes);
}

// Whether a view of the buffer, or itself, is used only by these.
bool is_used_by(Value buffer, const Run& run) {
  return llvm::all_of(buffer.getUsers(), [&](Operation* user) {
    if (!is_view(user)) return llvm::is_contained(run, user);
    return llvm::all_of(user->getResults(), [&](Value view) { return is_used_by(view, run); });
  });
}

// Whether operations after the run read its sums: if it is executed by itself, these may find them
// in registers (tpu/kept_rows.hpp).
bool hands_on_sums(const Run& run) {
  return llvm::any_of(run, [&](Operation* op) {
    auto linalg = mlir::cast<mlir::linalg::LinalgOp>(op);
    return linalg.getNumReductionLoops() != 0 &&
           !is_used_by(buffer_behind(linalg.getDpsInits().front()), run);
  });
}

// Operations that have moved, and how to move them back.
class Moves {
 public:
  void move(Operation* op, Operation* before) {
    moved_.push_back({op, op->getNextNode()});
    op->moveBefore(before);
  }
  // The place was chosen for a shorter lifetime.
  void forget_address(memref::AllocOp alloc) {
    if (const mlir::IntegerAttr address = attribute::address.remove(alloc)) {
      addresses_.push_back({alloc, address});
    }
  }
  void undo() {
    for (const auto& [op, next] : llvm::reverse(moved_)) op->moveBefore(next);
    for (const auto& [alloc, address] : addresses_) attribute::address.set(alloc, address);
  }

 private:
  llvm::SmallVector<std::pair<Operation*, Operation*>> moved_;  // with the operation after it
  llvm::SmallVector<std::pair<Operation*, mlir::IntegerAttr>> addresses_;
};

// Rows and a contraction in the same block that are independent of each other.
struct Pair {
  Run rows;
  Operation* contraction = nullptr;
  bool comes_up = false;  // the contraction moves to the rows; else the rows to it
};

class Search {
 public:
  Search(const Run& rows, const Parameters& machine) : rows_(rows), machine_(machine) {}

  std::optional<Pair> run() const {
    constexpr std::size_t far = 64;  // operations, beyond which the search stops
    Operations between(rows_);
    for (Operation* op = rows_.back()->getNextNode(); op != nullptr; op = op->getNextNode()) {
      if (is_free(op)) continue;
      if (takes_rows(op) && all_cross(between, op)) return Pair{rows_, op, true};
      between.push_back(op);
      if (between.size() > far) break;
    }
    for (Operation* op = rows_.front()->getPrevNode(); op != nullptr; op = op->getPrevNode()) {
      if (is_free(op)) continue;
      if (!all_cross(rows_, op)) break;
      if (takes_rows(op)) return Pair{rows_, op, false};
    }
    return std::nullopt;
  }

 private:
  static bool all_cross(llvm::ArrayRef<Operation*> ones, Operation* other) {
    return llvm::all_of(ones, [&](Operation* one) { return may_cross(one, other); });
  }
  // Whether it is a contraction of the matrix unit, alone so far, that has steps for at least half
  // of the rows.
  bool takes_rows(Operation* op) const {
    auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(op);
    const bool is_alone = !attribute::vector.is_on(op) && !attribute::beside.is_on(op);
    if (!linalg || !attribute::precision.is_on(op) || !is_alone) return false;
    const auto steps = contraction_steps(linalg, machine_);
    auto first = mlir::cast<mlir::linalg::LinalgOp>(rows_.front());
    const std::int64_t groups = first.getStaticLoopRanges().front() / sublanes;
    return 2 * steps.tiles_with_rows(groups) * steps.of_tile() >= std::max<std::int64_t>(groups, 1);
  }

  const Run& rows_;
  const Parameters& machine_;
};

// Places both next to each other, after all the buffers that they use.
Moves bring_together(const Pair& pair) {
  Moves moves;
  Operation* front = pair.comes_up ? pair.rows.front() : pair.contraction;
  Operation* last = pair.comes_up ? pair.contraction : pair.rows.back();
  Operations ops(pair.rows);
  ops.push_back(pair.contraction);
  llvm::SmallPtrSet<Operation*, 16> needed;
  const auto need = [&](Operation* op) {
    for (const Value operand : op->getOperands()) {
      if (Operation* made_by = operand.getDefiningOp()) needed.insert(made_by);
    }
  };
  llvm::for_each(ops, need);
  Operations free;
  for (Operation* op = last; op != front; op = op->getPrevNode()) {
    if (!is_free(op) || !needed.contains(op)) continue;
    need(op);
    free.push_back(op);
  }
  for (Operation* op : llvm::reverse(free)) moves.move(op, front);
  if (pair.comes_up) {
    moves.move(pair.contraction, front);
  } else {
    Operation* before = pair.contraction;
    for (Operation* op : pair.rows) {
      moves.move(op, before->getNextNode());
      before = op;
    }
  }
  for (Operation* op : ops) {
    for (const Value operand : op->getOperands()) {
      if (!mlir::isa<mlir::MemRefType>(operand.getType())) continue;
      auto alloc = buffer_behind(operand).getDefiningOp<memref::AllocOp>();
      if (alloc && alloc->getBlock() == front->getBlock()) moves.forget_address(alloc);
    }
  }
  return moves;
}

struct OverlapRows : FunctionPass<OverlapRows, PassName::overlap_rows> {
  explicit OverlapRows(const Parameters& machine) : machine(machine) {}
  void run() {
    llvm::SmallVector<Run> runs;
    getOperation().walk([&](mlir::Block* block) { runs.append(runs_of(*block)); });
    for (const Run& run : runs) {
      if (is_straight(run, machine) && !hands_on_sums(run)) bring(run);
    }
  }
  void bring(const Run& run) {
    const auto pair = Search(run, machine).run();
    if (!pair) return;
    Moves moves = bring_together(*pair);
    if (place_in_vmem(getOperation(), machine).words <= std::int64_t{machine.vmem_words()}) {
      attribute::beside.set(pair->contraction);
    } else {
      moves.undo();
    }
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_overlap_rows_pass(const Parameters& machine) {
  return std::make_unique<OverlapRows>(machine);
}

}  // namespace tandem::compiler
