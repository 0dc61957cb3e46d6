#include "compiler/mosaic/accesses.hpp"

#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler::mosaic {
namespace {

using mlir::Operation;
using mlir::Value;

bool is_loop(Operation* op) { return name_of(op) == "scf.for" || name_of(op) == "scf.while"; }

// Made where it stands, from what is there then: who needs it later reads it.
bool is_made_at_once(Operation* op) {
  return name_of(op) == "tpu.matmul" || name_of(op) == "vector.multi_reduction";
}

// Has no effect but its results.
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

// The operands of a load or store that say where.
mlir::OperandRange places_of(Operation* op) {
  const bool stores = name_of(op) == "tpu.vector_store";
  const std::size_t first = stores ? 2 : 1;
  const auto rank = mlir::cast<mlir::MemRefType>(op->getOperand(first - 1).getType()).getRank();
  return op->getOperands().slice(first, static_cast<std::size_t>(rank));
}

bool is_same_place(Operation* load, Operation* store) {
  if (load->getOperand(0) != store->getOperand(1)) return false;
  if (without_units(shape_of(load->getResult(0))) !=
      without_units(shape_of(store->getOperand(0)))) {
    return false;
  }
  return llvm::all_of(llvm::zip(places_of(load), places_of(store)), [](auto pair) {
    const auto [one, other] = pair;
    const auto number = constant_of(one);
    return one == other || (number && number == constant_of(other));
  });
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
  for (const Access& access : all_) {
    if (access.writes && can_be_made_in_place(access)) in_place_.insert(access.op);
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
    if (name == "vector.load") {
      note(op, op->getOperand(0), false, true);
    } else if (name == "memref.load") {
      // Integers are read where they stand.
      const bool is_late = mlir::isa<mlir::FloatType>(op->getResult(0).getType());
      note(op, op->getOperand(0), false, is_late);
    } else {
      // Of what else takes a buffer, and is no view, nothing is known.
      for (const Value operand : op->getOperands()) {
        const bool is_view = llvm::any_of(op->getResultTypes(), [](mlir::Type type) {
          return mlir::isa<mlir::MemRefType>(type);
        });
        if (mlir::isa<mlir::MemRefType>(operand.getType()) && !is_view) note(op, operand, true);
      }
    }
  });
}

// Where a user takes the value: one in a loop that the value comes into from outside takes it again
// and again.
std::int64_t Accesses::place_of(Operation* user, Value value) const {
  std::int64_t place = begin_.lookup(user);
  mlir::Region* home = value.getParentRegion();
  for (Operation* parent = user->getParentOp(); parent != nullptr && parent != home->getParentOp();
       parent = parent->getParentOp()) {
    if (is_loop(parent)) place = end_.lookup(parent);
  }
  return place;
}

// The last place where the elements of a value are taken; those of a value that `stop` makes there.
std::int64_t Accesses::last_use(Value value, Operation* stop) const {
  llvm::DenseSet<Value> seen;
  llvm::SmallVector<Value> open{value};
  std::int64_t last = 0;
  while (!open.empty()) {
    const Value next = open.pop_back_val();
    if (!seen.insert(next).second) continue;
    for (Operation* user : next.getUsers()) {
      last = std::max(last, place_of(user, next));
      if (user == stop || is_made_at_once(user) || !is_pure(user)) continue;
      open.append(user->result_begin(), user->result_end());
    }
  }
  return last;
}

bool Accesses::overwritten(const Access& load) const {
  const std::int64_t from = begin_.lookup(load.op);
  const std::int64_t to = last_use(load.op->getResult(0), nullptr);
  return llvm::any_of(all_, [&](const Access& other) {
    const std::int64_t place = begin_.lookup(other.op);
    return other.writes && other.root == load.root && from < place && place < to;
  });
}

bool Accesses::takes_own_elements(Value value, const Access& store, bool same_places,
                                  llvm::DenseMap<Value, bool>& seen) const {
  Operation* op = value.getDefiningOp();
  if (op == nullptr || op->getNumOperands() == 0) return true;
  const auto known = seen.find(value);
  // Looked at with less to be allowed: nothing new.
  if (known != seen.end() && (known->second == same_places || !known->second)) return true;
  seen[value] = same_places;
  if (name_of(op) == "vector.load") {
    const auto* access = llvm::find_if(all_, [&](const Access& each) { return each.op == op; });
    const bool is_same = access->root == store.root && !copied_.contains(op);
    return !is_same || (same_places && is_same_place(op, store.op));
  }
  if (is_made_at_once(op)) return true;
  const bool same = same_places && (is_elementwise(op) || only_changes_units(op));
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return mlir::isa<mlir::MemRefType>(operand.getType()) ||
           takes_own_elements(operand, store, same, seen);
  });
}

bool Accesses::can_be_made_in_place(const Access& store) const {
  if (name_of(store.op) != "tpu.vector_store") return false;
  if (store.op->getNumOperands() != 2 + places_of(store.op).size()) return false;  // a mask
  Value value = store.op->getOperand(0);
  Operation* made = value.getDefiningOp();
  while (made != nullptr && only_changes_units(made) && value.hasOneUse()) {
    value = made->getOperand(0);
    made = value.getDefiningOp();
  }
  if (made == nullptr || made->getBlock() != store.op->getBlock() || !value.hasOneUse())
    return false;
  const bool on_elements = is_elementwise(made);
  if (!on_elements && !is_made_at_once(made) && name_of(made) != "vector.broadcast") return false;
  const std::int64_t from = begin_.lookup(made);
  const std::int64_t to = begin_.lookup(store.op);
  for (const Access& other : all_) {
    if (other.root != store.root || other.op == store.op) continue;
    const std::int64_t place = begin_.lookup(other.op);
    if (place > to) continue;
    const bool is_late = other.is_late && !copied_.contains(other.op);
    const std::int64_t last = is_late ? last_use(other.op->getResult(0), made) : place;
    // What the value itself takes is looked at below.
    if (last > from || (last == from && !on_elements)) return false;
  }
  llvm::DenseMap<Value, bool> seen;
  return takes_own_elements(value, store, true, seen);
}

}  // namespace tandem::compiler::mosaic
