// Seven masks of the machine can be allocated. Where more are live at once, those needed last are
// recomputed at their uses: by the same comparison, if that is of lane numbers and constants, else
// from a vector of ones and zeros that is kept instead.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tpu/dialect.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

// Fewer than seven: the scheduler reorders operations, which makes some lifetimes longer.
constexpr unsigned most_masks = 5;

struct Life {
  Value mask;
  std::int64_t first = 0;  // positions of operations in the block
  std::int64_t last = 0;
  bool goes_inside = false;  // used in a loop or branch of the block

  // Two operations later fewer cannot be live.
  [[nodiscard]] bool is_long() const { return goes_inside || last > first + 2; }
};

// The number of masks of their own that the blocks inside each operation need at once.
using Inside = llvm::DenseMap<mlir::Operation*, std::size_t>;

class BlockMasks {
 public:
  // `kept`: masks that are short already.
  BlockMasks(mlir::Block& block, Inside& inside, llvm::DenseSet<Value>& kept)
      : block_(block), inside_(inside), kept_(kept) {}

  // Returns whether something changed. Each iteration shortens one long life, so it terminates.
  bool relieve() {
    bool changes = false;
    while (true) {
      number();
      const Life* victim = choose();
      if (victim == nullptr) break;
      relieve_of(victim->mask);
      changes = true;
    }
    if (mlir::Operation* parent = block_.getParentOp()) {
      inside_[parent] = std::max(inside_.lookup(parent), peak_);
    }
    return changes;
  }

 private:
  void number() {
    places_.clear();
    lives_.clear();
    std::int64_t place = 0;
    for (mlir::Operation& op : block_) places_[&op] = place++;
    for (mlir::Operation& op : block_) {
      for (const Value result : op.getResults()) {
        if (mlir::isa<MaskType>(result.getType())) lives_.push_back(life_of(result));
      }
    }
  }

  Life life_of(Value mask) {
    Life life{mask, places_.lookup(mask.getDefiningOp())};
    life.last = life.first;
    for (mlir::Operation* user : mask.getUsers()) {
      life.last = std::max(life.last, places_.lookup(block_.findAncestorOpInBlock(*user)));
      life.goes_inside |= user->getBlock() != &block_;
    }
    return life;
  }

  // At the first point with too many masks, shortens the one that is needed last, if that helps.
  // Around a loop, masks that live across it or are used in it count in addition to its own.
  const Life* choose() {
    peak_ = 0;
    llvm::SmallVector<const Life*> alive;
    const Life* next = lives_.begin();  // they are ordered by their beginnings
    for (mlir::Operation& op : block_) {
      const std::int64_t here = places_.lookup(&op);
      if (const std::size_t inside = inside_.lookup(&op); inside != 0) {
        llvm::erase_if(alive, [&](const Life* life) { return life->last < here; });
        if (const Life* victim = too_many(alive, inside)) return victim;
      }
      llvm::erase_if(alive, [&](const Life* life) { return life->last <= here; });
      for (; next != lives_.end() && next->first == here; ++next) {
        if (next->last > here) alive.push_back(next);
      }
      if (const Life* victim = too_many(alive, 0)) return victim;
    }
    return nullptr;
  }

  const Life* too_many(llvm::ArrayRef<const Life*> alive, std::size_t inside) {
    peak_ = std::max(peak_, alive.size() + inside);
    if (alive.size() + inside <= most_masks) return nullptr;
    const Life* longest = nullptr;
    for (const Life* life : alive) {
      const bool can_go = life->is_long() && !kept_.contains(life->mask);
      if (can_go && (longest == nullptr || life->last > longest->last)) longest = life;
    }
    return longest;
  }

  // Whether the mask compares values that are available anyway.
  static bool is_cheap(Value mask) {
    mlir::Operation* op = mask.getDefiningOp();
    return llvm::all_of(op->getOperands(), [](Value operand) {
      mlir::Operation* made = operand.getDefiningOp();
      return made != nullptr && (made->hasTrait<mlir::OpTrait::ConstantLike>() ||
                                 is_named(made, "vlane") || is_named(made, "vsublane"));
    });
  }

  // Uses close together share a comparison of their own.
  void compare_again(Value mask) {
    constexpr std::int64_t run = 4;  // operations
    mlir::Operation* op = mask.getDefiningOp();
    llvm::SmallVector<mlir::OpOperand*> uses;
    for (mlir::OpOperand& use : mask.getUses()) uses.push_back(&use);
    llvm::DenseMap<mlir::Operation*, std::int64_t> order;
    std::int64_t number = 0;
    block_.walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::Operation* inner) { order[inner] = number++; });
    llvm::sort(uses, [&](mlir::OpOperand* a, mlir::OpOperand* b) {
      return order.lookup(a->getOwner()) < order.lookup(b->getOwner());
    });
    Value again = mask;
    std::int64_t first = order.lookup(op);
    mlir::Block* where = op->getBlock();
    for (mlir::OpOperand* use : uses) {
      mlir::Operation* user = use->getOwner();
      if (user->getBlock() != where || order.lookup(user) > first + run) {
        mlir::OpBuilder builder(user);
        again = builder.clone(*op)->getResult(0);
        kept_.insert(again);
        where = user->getBlock();
        first = order.lookup(user);
      }
      use->set(again);
    }
    kept_.insert(mask);
  }

  void relieve_of(Value mask) {
    if (is_cheap(mask)) return compare_again(mask);
    mlir::OpBuilder builder(block_.getParentOp()->getContext());
    builder.setInsertionPointAfterValue(mask);
    const mlir::Location loc = mask.getLoc();
    const Value one = mlir::arith::ConstantIndexOp::create(builder, loc, 1);
    const Value zero = mlir::arith::ConstantIndexOp::create(builder, loc, 0);
    llvm::SmallVector<mlir::OpOperand*> uses;
    for (mlir::OpOperand& use : mask.getUses()) uses.push_back(&use);
    const Value kept = machine(builder, loc, "vsel", {mask, one, zero});
    for (mlir::OpOperand* use : uses) {
      builder.setInsertionPoint(use->getOwner());
      const Value again = machine(builder, loc, "vne.s32", {kept, zero});
      kept_.insert(again);
      use->set(again);
    }
    kept_.insert(mask);
  }

  mlir::Block& block_;
  Inside& inside_;
  std::size_t peak_ = 0;  // of what choose() has visited
  llvm::DenseMap<mlir::Operation*, std::int64_t> places_;
  llvm::SmallVector<Life> lives_;
  llvm::DenseSet<Value>& kept_;
};

struct SpillMasks : FunctionPass<SpillMasks, PassName::spill_masks> {
  void run() {
    llvm::SmallVector<mlir::Block*> blocks;  // inner ones first
    getOperation().walk([&](mlir::Block* block) { blocks.push_back(block); });
    // Masks that a block brings closer to their uses are live in the blocks inside it: repeat.
    llvm::DenseSet<Value> kept;
    for (bool changes = true; changes;) {
      changes = false;
      Inside inside;
      for (mlir::Block* block : blocks) changes |= BlockMasks(*block, inside, kept).relieve();
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_spill_masks_pass() { return std::make_unique<SpillMasks>(); }

}  // namespace tandem::compiler
