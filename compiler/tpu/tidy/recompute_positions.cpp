// Vectors of positions depend on nothing but lane numbers and constants: masks, the lanes that a
// permutation takes. Equal ones are computed once, so those of one operation are kept for another
// one far away. Where more vectors are live at once than the machine has registers, the ones that
// are needed last are computed again where they are needed.
#include <set>

#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/same_instruction.hpp"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

// Fewer than there are: the scheduler reorders operations, which makes some lifetimes longer.
constexpr std::size_t kept_vectors = 48;
constexpr std::size_t longest_recipe = 12;  // operations that make one vector

bool is_vector(Value value) { return mlir::isa<VectorType>(value.getType()); }

// The operations that make the value from lane numbers and constants, in order; false where there
// are too many, or where it depends on anything else.
bool recipe_of(Value value, llvm::SetVector<mlir::Operation*>& recipe) {
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr) return false;
  if (op->hasTrait<mlir::OpTrait::ConstantLike>() || recipe.contains(op)) return true;
  if (!only_computes(op)) return false;
  for (const Value operand : op->getOperands()) {
    if (!recipe_of(operand, recipe)) return false;
  }
  recipe.insert(op);
  return recipe.size() <= longest_recipe;
}

// A vector that lives in the block, with its uses in their order.
struct Life {
  struct Use {
    std::int64_t place;  // of the operation of this block that has the use, or has it inside
    mlir::OpOperand* operand;
  };
  Value vector;
  llvm::SmallVector<Use> uses;
  std::size_t next = 0;

  [[nodiscard]] std::int64_t next_use() const { return uses[next].place; }
};

// The number of vectors of their own that the blocks inside each operation need at once.
using Inside = llvm::DenseMap<mlir::Operation*, std::size_t>;

class BlockVectors {
 public:
  BlockVectors(mlir::Block& block, Inside& inside, std::size_t most)
      : block_(block), inside_(inside), most_(most) {}

  // Goes through the block once, and keeps at most so many vectors, as far as others can be
  // computed again. Notes how many were live at once.
  void run() {
    std::int64_t place = 0;
    for (mlir::Operation& op : block_) places_[&op] = place++;
    for (const Value argument : block_.getArguments()) begin(argument, argument.getUses());
    for (mlir::Operation& op : llvm::make_early_inc_range(block_)) visit(op);
    if (mlir::Operation* parent = block_.getParentOp()) {
      inside_[parent] = std::max(inside_.lookup(parent), peak_);
    }
  }

 private:
  void visit(mlir::Operation& op) {
    const std::int64_t here = places_.lookup(&op);
    for (const std::size_t waiting : dropped_.lookup(here)) take_again(waiting, op);
    if (const std::size_t within = inside_.lookup(&op); within != 0) relieve(here, within);
    while (!live_.empty() && live_.begin()->first == here) pass_use(live_.begin()->second);
    for (const Value result : op.getResults()) begin(result, result.getUses());
    relieve(here, 0);
  }

  template <class Uses>
  void begin(Value vector, const Uses& uses) {
    if (!is_vector(vector) || uses.empty()) return;
    Life life{vector, {}};
    for (mlir::OpOperand& use : uses) {
      life.uses.push_back({places_.lookup(block_.findAncestorOpInBlock(*use.getOwner())), &use});
    }
    llvm::stable_sort(life.uses,
                      [](const Life::Use& a, const Life::Use& b) { return a.place < b.place; });
    live_.emplace(life.next_use(), lives_.size());
    lives_.push_back(std::move(life));
  }

  void pass_use(std::size_t number) {
    Life& life = lives_[number];
    live_.erase({life.next_use(), number});
    const std::int64_t here = life.next_use();
    while (life.next < life.uses.size() && life.next_use() == here) ++life.next;
    if (life.next < life.uses.size()) live_.emplace(life.next_use(), number);
  }

  // Drops those that are needed last, until there is room for `within` more.
  void relieve(std::int64_t here, std::size_t within) {
    while (live_.size() + within > most_ && drop_one(here)) {
    }
    peak_ = std::max(peak_, live_.size() + within);
  }

  bool drop_one(std::int64_t here) {
    constexpr std::int64_t near = 8;  // operations; nothing is gained by closer uses
    for (const auto& [next, number] : llvm::reverse(live_)) {
      if (next <= here + near) return false;
      if (!can_be_made(lives_[number].vector)) continue;
      dropped_[next].push_back(number);
      live_.erase({next, number});
      return true;
    }
    return false;
  }

  bool can_be_made(Value vector) {
    const auto [known, is_new] = recipes_.try_emplace(vector);
    if (is_new && !recipe_of(vector, known->second)) known->second.clear();
    return !known->second.empty();
  }

  // Its remaining uses take a vector that is computed before `op`.
  void take_again(std::size_t number, mlir::Operation& op) {
    Life& life = lives_[number];
    const llvm::SetVector<mlir::Operation*> recipe = recipes_.lookup(life.vector);
    mlir::OpBuilder builder(&op);
    mlir::IRMapping made;
    for (mlir::Operation* each : recipe) builder.clone(*each, made);
    life.vector = made.lookup(life.vector);
    for (std::size_t use = life.next; use < life.uses.size(); ++use) {
      life.uses[use].operand->set(life.vector);
    }
    live_.emplace(life.next_use(), number);
  }

  mlir::Block& block_;
  Inside& inside_;
  std::size_t most_;
  std::size_t peak_ = 0;
  llvm::DenseMap<mlir::Operation*, std::int64_t> places_;
  std::vector<Life> lives_;
  std::set<std::pair<std::int64_t, std::size_t>> live_;                   // by their next use
  llvm::DenseMap<std::int64_t, llvm::SmallVector<std::size_t>> dropped_;  // by the same
  llvm::DenseMap<Value, llvm::SetVector<mlir::Operation*>> recipes_;
};

struct RecomputePositions : FunctionPass<RecomputePositions, PassName::recompute_positions> {
  // Visits inner blocks first. Returns how many vectors are live at once.
  std::size_t limit_to(std::size_t most) {
    Inside inside;
    getOperation().walk([&](mlir::Block* block) { BlockVectors(*block, inside, most).run(); });
    return inside.lookup(getOperation());
  }

  void run() {
    const std::size_t live = limit_to(std::numeric_limits<std::size_t>::max() / 2);
    if (threshold::live_vectors(static_cast<std::int64_t>(live))) limit_to(kept_vectors);
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_recompute_positions_pass() {
  return std::make_unique<RecomputePositions>();
}

}  // namespace tandem::compiler
