// What comes from HBM for an operation comes while the ones before it are in work.
//
// A copy that fills a buffer of its own starts in front of what is before it in its block: one
// contraction or loop, or two operations on rows. It crosses nothing that uses the buffer or may
// write what it reads, and no other copy from HBM, so that those keep their order. Its buffer lives
// longer then, so all copies stay where buffers would not fit VMEM (fitting_change.hpp). Copies of
// innermost loops stay: tiled/double_buffer.cpp has given them their time.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/moves/plan.hpp"
#include "compiler/tiled/fitting_change.hpp"
#include "compiler/views/access.hpp"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Operation;
using mlir::Value;

constexpr int most_on_rows = 2;

bool comes_from_hbm(memref::CopyOp copy) {
  return !lies_in_vmem(buffer_behind(copy.getSource())) &&
         lies_in_vmem(buffer_behind(copy.getTarget()));
}

// A copy and where it may start: what moves with it is between that place and the copy.
struct EarlyStart {
  memref::CopyOp copy;
  Operation* before = nullptr;
  llvm::SetVector<Operation*> moves;  // with the copy, last one first
};

class Search {
 public:
  explicit Search(memref::CopyOp copy) : buffer_(buffer_behind(copy.getTarget())) {
    start_.copy = copy;
  }

  std::optional<EarlyStart> run() {
    need(start_.copy);
    llvm::SetVector<Operation*> moves;
    for (Operation* op = start_.copy->getPrevNode(); op != nullptr; op = op->getPrevNode()) {
      if (needed_.contains(op)) {
        if (!is_free(op)) break;
        need(op);
        moves.insert(op);
      } else if (!is_free(op)) {
        if (!may_cross(op)) break;
        if (mlir::isa<memref::CopyOp>(op)) continue;
        start_.before = op;
        start_.moves = moves;
        if (ends_) break;
      }
    }
    if (start_.before == nullptr) return std::nullopt;
    return start_;
  }

 private:
  void need(Operation* op) {
    for (const Value operand : op->getOperands()) {
      if (Operation* made_by = operand.getDefiningOp()) needed_.insert(made_by);
    }
  }

  bool may_cross(Operation* op) {
    if (uses(op, buffer_) || may_write(op, buffer_behind(start_.copy.getSource()))) return false;
    if (auto copy = mlir::dyn_cast<memref::CopyOp>(op)) return !comes_from_hbm(copy);
    if (!mlir::isa<mlir::linalg::LinalgOp, mlir::scf::ForOp>(op)) return false;
    ends_ = mlir::isa<mlir::scf::ForOp>(op) || attribute::precision.is_on(op) ||
            ++on_rows_ == most_on_rows;
    return true;
  }

  Value buffer_;
  EarlyStart start_;
  llvm::SetVector<Operation*> needed_;
  int on_rows_ = 0;
  bool ends_ = false;
};

bool is_in_innermost_loop(memref::CopyOp copy) {
  auto loop = mlir::dyn_cast<mlir::scf::ForOp>(copy->getParentOp());
  return loop && loop.getBody()->getOps<mlir::scf::ForOp>().empty();
}

bool is_large(memref::CopyOp copy, const Parameters& machine) {
  const auto type = mlir::cast<mlir::MemRefType>(copy.getTarget().getType());
  const Sizes from = strides_of(copy.getSource());
  const Sizes to = strides_of(copy.getTarget());
  const auto rank = static_cast<std::size_t>(type.getRank());
  if (!type.hasStaticShape() || from.size() != rank || to.size() != rank) return false;
  const auto dimensions = moves::dimensions_of(type.getShape(), from, to);
  return threshold::hoisted_copy(moves::cycles_of_copy(dimensions, machine.lanes));
}

bool may_start_early(memref::CopyOp copy, const Parameters& machine) {
  // Copies with attributes: somebody has seen to when they run.
  const bool is_plain = copy->getDiscardableAttrDictionary().empty();
  const bool has_own_buffer = buffer_behind(copy.getTarget()).getDefiningOp<memref::AllocOp>();
  return is_plain && has_own_buffer && comes_from_hbm(copy) && is_large(copy, machine) &&
         !is_in_innermost_loop(copy);
}

void move(EarlyStart start) {
  // The address was chosen for a shorter life.
  attribute::address.remove(buffer_behind(start.copy.getTarget()).getDefiningOp());
  for (Operation* op : llvm::reverse(start.moves)) op->moveBefore(start.before);
  start.copy->moveBefore(start.before);
}

// Whether any copy has moved.
bool start_copies_early(mlir::func::FuncOp function, const Parameters& machine) {
  llvm::SmallVector<memref::CopyOp> copies;
  function.walk([&](memref::CopyOp copy) {
    if (may_start_early(copy, machine)) copies.push_back(copy);
  });
  bool has_moved = false;
  for (const memref::CopyOp copy : copies) {
    if (const auto start = Search(copy).run()) {
      move(*start);
      has_moved = true;
    }
  }
  return has_moved;
}

struct HoistCopies : FunctionPass<HoistCopies, PassName::hoist_copies> {
  explicit HoistCopies(const Parameters& machine) : machine(machine) {}
  void run() {
    change_if_it_fits(getOperation(), machine, [&](mlir::func::FuncOp function) {
      return start_copies_early(function, machine);
    });
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_hoist_copies_pass(const Parameters& machine) {
  return std::make_unique<HoistCopies>(machine);
}

}  // namespace tandem::compiler
