// Operands that a contraction has to wait for arrive in parts.
//
// Where nothing but copies, fills and views is between the copy of an operand and the contraction,
// the whole of the copy would be waited for. So it becomes several, of some rows or columns each,
// in the order in which the unit needs them (tiled/arrivals.hpp): while one comes, the unit works
// on those that are there (tpu/contraction/steps.cpp). What else the contraction needs comes before
// them, what it does not need after them. What comes after them may live longer, so all copies stay
// whole where buffers would not fit VMEM (fitting_change.hpp).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tiled/arrivals.hpp"
#include "compiler/tiled/copy_order.hpp"
#include "compiler/tiled/fitting_change.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;
using mlir::linalg::LinalgOp;

constexpr std::int64_t most_parts = 8;  // the machine queues as many after the current one

bool is_for_matrix_unit(mlir::Operation* op) {
  return attribute::precision.is_on(op) && !attribute::vector.is_on(op);
}

// Whether the operation only fills a buffer, as around what a window moves over.
bool is_fill(mlir::Operation* op) {
  auto linalg = mlir::dyn_cast<LinalgOp>(op);
  return linalg && llvm::none_of(linalg.getDpsInputs(), [](Value input) {
           return mlir::isa<mlir::MemRefType>(input.getType());
         });
}

// The copies before the operation, nearest first, as long as there is nothing else to do but
// filling other buffers.
llvm::SmallVector<memref::CopyOp> copies_before(mlir::Operation* op) {
  llvm::SmallVector<memref::CopyOp> copies;
  llvm::SmallVector<mlir::Operation*> fills;
  for (op = op->getPrevNode(); op != nullptr; op = op->getPrevNode()) {
    auto copy = mlir::dyn_cast<memref::CopyOp>(op);
    const auto touches = [&](mlir::Operation* fill) {
      return uses(fill, buffer_behind(copy.getTarget()));
    };
    if (copy && !attribute::in_registers.is_on(copy)) {
      if (llvm::any_of(fills, touches)) break;
      copies.push_back(copy);
    } else if (is_fill(op)) {
      fills.push_back(op);
    } else if (!is_view(op) && !mlir::isa<memref::AllocOp, mlir::arith::ConstantOp>(op)) {
      break;
    }
  }
  return copies;
}

// The contraction and those immediately after it.
llvm::SmallVector<LinalgOp> run_from(LinalgOp first) {
  llvm::SmallVector<LinalgOp> run{first};
  for (mlir::Operation* op = first->getNextNode(); op != nullptr; op = op->getNextNode()) {
    if (is_free(op)) continue;
    if (!is_for_matrix_unit(op)) break;
    run.push_back(mlir::cast<LinalgOp>(op));
  }
  return run;
}

// Whether the operands are views with constant offsets.
bool has_fixed_operands(LinalgOp op) {
  return llvm::all_of(op.getDpsInputs(), [](Value operand) {
    const auto type = mlir::cast<mlir::MemRefType>(operand.getType());
    Sizes strides;
    std::int64_t offset = 0;
    return type.getRank() == 4 && type.hasStaticShape() &&
           mlir::succeeded(type.getStridesAndOffset(strides, offset)) &&
           !mlir::ShapedType::isDynamic(offset) &&
           llvm::none_of(strides, mlir::ShapedType::isDynamic);
  });
}

// The one of these copies that writes the buffer, if nothing else accesses it.
memref::CopyOp copy_to(llvm::ArrayRef<memref::CopyOp> copies, Value buffer) {
  memref::CopyOp found;
  for (memref::CopyOp copy : copies) {
    if (buffer_behind(copy.getTarget()) != buffer_behind(buffer)) continue;
    if (found) return {};
    found = copy;
  }
  return found && found->getDiscardableAttrDictionary().empty() ? found : memref::CopyOp();
}

class Splitter {
 public:
  explicit Splitter(const Parameters& machine) : machine_(machine) {}

  // Whether this was a gain.
  bool split(LinalgOp contraction) const {
    auto run = run_from(contraction);
    if (!llvm::all_of(run, has_fixed_operands)) return false;
    const auto copies = copies_before(contraction);
    const auto arrivals = arrivals_of(contraction, copies);
    if (arrivals.empty()) return false;
    const auto plan = plan_arrivals(run, arrivals, most_parts, machine_);
    if (plan.gain == 0 || plan.parts.size() <= arrivals.size()) return false;
    llvm::SmallVector<memref::CopyOp> others;  // that only others need, the last one first
    if (!may_come_last(contraction, copies, arrivals, others)) return false;
    mlir::OpBuilder builder(contraction);
    copy_parts(builder, arrivals, plan.parts);
    for (memref::CopyOp copy : llvm::reverse(others)) copy->moveBefore(contraction);
    for (LinalgOp op : run) {
      if (llvm::any_of(arrivals,
                       [&](const Arrival& arrival) { return uses(op, arrival.buffer); })) {
        attribute::arrives.set(op);
      }
    }
    if (plan.chunks_first) attribute::chunks_first.set(contraction);
    for (const Arrival& arrival : arrivals) memref::CopyOp(arrival.copy)->erase();
    return true;
  }

 private:
  [[nodiscard]] llvm::SmallVector<Arrival> arrivals_of(
      LinalgOp contraction, llvm::ArrayRef<memref::CopyOp> copies) const {
    llvm::SmallVector<Arrival> arrivals;
    // The weights first: the rows from which they are made stay before them, as a whole.
    for (const unsigned operand : {1U, 0U}) {
      const Value buffer = buffer_behind(contraction->getOperand(operand));
      if (llvm::any_of(arrivals, [&](const Arrival& other) { return other.buffer == buffer; })) {
        continue;
      }
      const memref::CopyOp copy = copy_to(copies, buffer);
      const auto arrival = copy ? arrival_of(copy, machine_) : std::nullopt;
      if (!arrival) continue;
      const bool is_apart =
          llvm::all_of(arrivals, [&](const Arrival& other) { return may_swap(copy, other.copy); });
      if (is_apart) arrivals.push_back(*arrival);
    }
    return arrivals;
  }

  // Whether the copies may be done after all other operations that the contraction needs; finds
  // those that it does not need and that may be done after them.
  static bool may_come_last(LinalgOp contraction, llvm::ArrayRef<memref::CopyOp> copies,
                            llvm::ArrayRef<Arrival> arrivals,
                            llvm::SmallVector<memref::CopyOp>& others) {
    llvm::SmallVector<memref::CopyOp> needed;  // after the current one
    for (memref::CopyOp copy : copies) {
      const bool arrives =
          llvm::any_of(arrivals, [&](const Arrival& arrival) { return arrival.copy == copy; });
      const auto crosses = [&](memref::CopyOp other) { return may_swap(copy, other); };
      if (arrives) {
        if (!llvm::all_of(needed, crosses)) return false;
        continue;
      }
      const Value target = buffer_behind(copy.getTarget());
      const bool is_used = llvm::any_of(contraction->getOperands(), [&](Value operand) {
        return buffer_behind(operand) == target;
      });
      const bool may_wait =
          !is_used && llvm::all_of(needed, crosses) &&
          llvm::all_of(arrivals, [&](const Arrival& arrival) { return crosses(arrival.copy); });
      (may_wait ? others : needed).push_back(copy);
    }
    return true;
  }

  static void copy_parts(mlir::OpBuilder& builder, llvm::ArrayRef<Arrival> arrivals,
                         llvm::ArrayRef<ArrivalPart> parts) {
    std::int64_t number = 0;
    for (const ArrivalPart& part : parts) {
      const Arrival& arrival = arrivals[part.arrival];
      memref::CopyOp whole = arrival.copy;
      const auto view = [&](Value matrix, std::int64_t stride) {
        return strided_view(builder, whole.getLoc(), matrix,
                            builder.getIndexAttr(part.row * stride + part.column),
                            {part.rows, part.columns}, {stride, 1});
      };
      auto copy = memref::CopyOp::create(builder, whole.getLoc(),
                                         view(whole.getSource(), arrival.source_stride),
                                         view(whole.getTarget(), arrival.target_stride));
      attribute::part.set(copy, number++);
    }
  }

  const Parameters& machine_;
};

struct ChunkWeightCopies : FunctionPass<ChunkWeightCopies, PassName::chunk_weight_copies> {
  explicit ChunkWeightCopies(const Parameters& machine) : machine(machine) {}
  void run() {
    const Splitter splitter(machine);
    change_if_it_fits(getOperation(), machine, [&](mlir::func::FuncOp function) {
      bool has_split = false;
      function.walk([&](LinalgOp op) {
        if (is_for_matrix_unit(op)) has_split = splitter.split(op) || has_split;
      });
      return has_split;
    });
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_chunk_weight_copies_pass(const Parameters& machine) {
  return std::make_unique<ChunkWeightCopies>(machine);
}

}  // namespace tandem::compiler
