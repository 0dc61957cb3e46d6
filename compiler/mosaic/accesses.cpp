#include "compiler/mosaic/accesses.hpp"

#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler::mosaic {
namespace {

using mlir::Operation;
using mlir::Value;

bool is_loop(Operation* op) { return name_of(op) == "scf.for" || name_of(op) == "scf.while"; }

// Evaluated where it is, from the contents at that point: later uses read the result.
bool is_made_at_once(Operation* op) {
  return name_of(op) == "tpu.matmul" || name_of(op) == "vector.multi_reduction";
}

// Has no effects except its results.
bool is_pure(Operation* op) {
  return op->getNumResults() > 0 && op->getNumRegions() == 0 &&
         llvm::none_of(op->getOperandTypes(),
                       [](mlir::Type type) { return mlir::isa<mlir::MemRefType>(type); });
}

llvm::SmallVector<std::int64_t> without_units(llvm::ArrayRef<std::int64_t> shape) {
  llvm::SmallVector<std::int64_t> result;
  llvm::copy_if(shape, std::back_inserter(result), [](std::int64_t size) { return size != 1; });
  return result;
}

llvm::ArrayRef<std::int64_t> shape_of(Value value) {
  const auto type = mlir::dyn_cast<mlir::VectorType>(value.getType());
  return type ? type.getShape() : llvm::ArrayRef<std::int64_t>();
}

}  // namespace

bool is_elementwise(Operation* op) {
  const llvm::StringRef name = name_of(op);
  return (name.starts_with("arith.") || name.starts_with("math.")) && name != "arith.constant";
}

bool only_changes_units(Operation* op) {
  return name_of(op) == "vector.shape_cast" &&
         without_units(shape_of(op->getOperand(0))) == without_units(shape_of(op->getResult(0)));
}

Value copy_target(Operation* op) {
  return *llvm::find_if(llvm::drop_begin(op->getOperands()),
                        [](Value operand) { return !is_semaphore(operand.getType()); });
}

bool is_semaphore(mlir::Type type) {
  const auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
  return memref && space_of(memref) == "semaphore_mem";
}

Value root_of(Value memref) {
  while (Operation* op = memref.getDefiningOp()) {
    if (op->getNumOperands() == 0 || !mlir::isa<mlir::MemRefType>(op->getOperand(0).getType())) {
      break;
    }
    memref = op->getOperand(0);
  }
  return memref;
}

Accesses::Accesses(mlir::Block& body, const llvm::DenseMap<Value, Value>& shared)
    : shared_(shared) {
  number(*body.getParent());
  find(body);
  for (const Access& access : all_) {
    if (access.is_late && overwritten(access)) copied_.insert(access.op);
  }
}

void Accesses::number(mlir::Region& region) {
  for (mlir::Block& block : region) {
    for (Operation& op : block) {
      begin_[&op] = ++clock_;
      for (mlir::Region& nested : op.getRegions()) number(nested);
      end_[&op] = ++clock_;
    }
  }
}

void Accesses::note(Operation* op, Value memref, bool writes, bool is_late) {
  Value root = root_of(memref);
  if (const Value other = shared_.lookup(root)) root = other;
  all_.push_back({op, root, writes, is_late});
}

void Accesses::find(mlir::Block& body) {
  body.walk([&](Operation* op) {
    const llvm::StringRef name = name_of(op);
    if (name == "vector.load" || name == "tpu.strided_load") {
      note(op, op->getOperand(0), false, true);
    } else if (name == "tpu.enqueue_dma") {
      // It takes effect at its start: a user of what it writes waits for it first.
      note(op, op->getOperand(0), false);
      note(op, copy_target(op), true);
    } else if (name == "memref.load") {
      // Integers are read in place.
      const bool is_late = mlir::isa<mlir::FloatType>(op->getResult(0).getType());
      note(op, op->getOperand(0), false, is_late);
    } else if (name != "tpu.wait_dma2") {
      // Other operations on a buffer that are no views may do anything.
      for (const Value operand : op->getOperands()) {
        const bool is_view = llvm::any_of(op->getResultTypes(), [](mlir::Type type) {
          return mlir::isa<mlir::MemRefType>(type);
        });
        if (mlir::isa<mlir::MemRefType>(operand.getType()) && !is_view) note(op, operand, true);
      }
    }
  });
}

// Where a user takes the value: a user in a loop that the value enters from outside takes it in
// every iteration.
std::int64_t Accesses::place_of(Operation* user, Value value) const {
  std::int64_t place = begin_.lookup(user);
  mlir::Region* home = value.getParentRegion();
  for (Operation* parent = user->getParentOp(); parent != nullptr && parent != home->getParentOp();
       parent = parent->getParentOp()) {
    if (is_loop(parent)) place = end_.lookup(parent);
  }
  return place;
}

// The last place where the elements of a value are used.
std::int64_t Accesses::last_use(Value value) const {
  llvm::DenseSet<Value> seen;
  llvm::SmallVector<Value> open{value};
  std::int64_t last = 0;
  while (!open.empty()) {
    const Value next = open.pop_back_val();
    if (!seen.insert(next).second) continue;
    for (Operation* user : next.getUsers()) {
      last = std::max(last, place_of(user, next));
      if (is_made_at_once(user) || !is_pure(user)) continue;
      open.append(user->result_begin(), user->result_end());
    }
  }
  return last;
}

bool Accesses::overwritten(const Access& load) const {
  const std::int64_t from = begin_.lookup(load.op);
  const std::int64_t to = last_use(load.op->getResult(0));
  return llvm::any_of(all_, [&](const Access& other) {
    const std::int64_t place = begin_.lookup(other.op);
    return other.writes && other.root == load.root && from < place && place < to;
  });
}

}  // namespace tandem::compiler::mosaic
