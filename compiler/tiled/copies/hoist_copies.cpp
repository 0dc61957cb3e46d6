// Copies from HBM for an operation run during the operations before it.
//
// A copy that fills a buffer of its own starts before its predecessors in its block: one
// contraction or loop, or two operations on rows. It crosses nothing that uses the buffer or may
// write its source, and no other copy from HBM, so that those keep their order. Its buffer lives
// longer then, so all copies stay where buffers would not fit VMEM (fitting_change.hpp). Copies of
// innermost loops stay: tiled/double_buffer.cpp has already placed them.
//
// A copy of an innermost loop that moved before a copy to HBM would delay that one (LayerNorm on
// small took 0.8% longer; decision 106).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/moves/plan.hpp"
#include "compiler/tiled/copies/early_start.hpp"
#include "compiler/tiled/fitting_change.hpp"
#include "compiler/views/access.hpp"
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

// Where a copy from HBM may start: before one contraction or loop, or two operations on rows.
std::optional<EarlyStart> start_of(memref::CopyOp copy) {
  const Value buffer = buffer_behind(copy.getTarget());
  const Value source = buffer_behind(copy.getSource());
  int on_rows = 0;
  return early_start(copy, [&](Operation* op) {
    if (uses(op, buffer) || may_write(op, source)) return Crossing::refused;
    if (auto other = mlir::dyn_cast<memref::CopyOp>(op)) {
      return comes_from_hbm(other) ? Crossing::refused : Crossing::passed;
    }
    if (!mlir::isa<mlir::linalg::LinalgOp, mlir::scf::ForOp>(op)) return Crossing::refused;
    const bool ends = mlir::isa<mlir::scf::ForOp>(op) || attribute::precision.is_on(op) ||
                      ++on_rows == most_on_rows;
    return ends ? Crossing::last : Crossing::gained;
  });
}

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
  // Copies with attributes: another pass has placed them.
  const bool is_plain = copy->getDiscardableAttrDictionary().empty();
  const bool has_own_buffer = buffer_behind(copy.getTarget()).getDefiningOp<memref::AllocOp>();
  return is_plain && has_own_buffer && comes_from_hbm(copy) && is_large(copy, machine) &&
         !is_in_innermost_loop(copy);
}

// Whether any copy has moved.
bool start_copies_early(mlir::func::FuncOp function, const Parameters& machine) {
  llvm::SmallVector<memref::CopyOp> copies;
  function.walk([&](memref::CopyOp copy) {
    if (may_start_early(copy, machine)) copies.push_back(copy);
  });
  bool has_moved = false;
  for (memref::CopyOp copy : copies) {
    if (const auto start = start_of(copy)) {
      // The address was chosen for a shorter lifetime.
      attribute::address.remove(buffer_behind(copy.getTarget()).getDefiningOp());
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
