// Instructions that only compute: equal ones are done once, those whose operands a loop does not
// change are done before it, and those that nobody needs not at all. Loads of what has just been
// loaded, and not written since, are done once, too. MLIR's own passes know nothing of instructions
// from the table.
#include "compiler/passes.hpp"
#include "compiler/tpu/dialect.hpp"
#include "isa/parameters.hpp"
#include "llvm/ADT/ScopedHashTable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

// Reads and writes nothing but registers, and always gives the same.
bool only_computes(mlir::Operation* op) {
  const Instruction* row = instruction_of(op);
  if (row == nullptr || op->getNumResults() != 1) return false;
  return row->group == Group::valu || row->group == Group::cross;
}

// Operations that come from a table at run time are never equal for MLIR.
struct Same : llvm::DenseMapInfo<mlir::Operation*> {
  static unsigned getHashValue(const mlir::Operation* key) {
    auto* op = const_cast<mlir::Operation*>(key);
    const auto operands = op->getOperands();
    return static_cast<unsigned>(
        llvm::hash_combine(op->getName().getAsOpaquePointer(), op->getAttrDictionary(),
                           llvm::hash_combine_range(operands.begin(), operands.end())));
  }
  static bool isEqual(const mlir::Operation* left, const mlir::Operation* right) {
    auto* a = const_cast<mlir::Operation*>(left);
    auto* b = const_cast<mlir::Operation*>(right);
    if (a == b) return true;
    const auto special = [](mlir::Operation* op) {
      return op == getEmptyKey() || op == getTombstoneKey();
    };
    return !special(a) && !special(b) && a->getName() == b->getName() &&
           a->getAttrDictionary() == b->getAttrDictionary() &&
           llvm::equal(a->getOperands(), b->getOperands());
  }
};

// There are few masks: one that is kept for long costs more than making it again.
constexpr std::int64_t mask_reach = 40;  // operations

bool is_mask(mlir::Operation* op) { return mlir::isa<MaskType>(op->getResult(0).getType()); }

using Known = llvm::ScopedHashTable<mlir::Operation*, mlir::Operation*, Same>;

// What is known in a block is known in the regions of its operations, not the other way round.
void merge_equal(mlir::Region& region, Known& known) {
  for (mlir::Block& block : region) {
    const Known::ScopeTy scope(known);
    llvm::DenseMap<mlir::Operation*, std::int64_t> masks;  // and where they were made
    std::int64_t place = 0;
    for (mlir::Operation& op : llvm::make_early_inc_range(block)) {
      ++place;
      for (mlir::Region& nested : op.getRegions()) merge_equal(nested, known);
      if (!only_computes(&op)) continue;
      mlir::Operation* before = known.lookup(&op);
      if (is_mask(&op)) {
        if (before != nullptr &&
            (!masks.contains(before) || place - masks.lookup(before) > mask_reach)) {
          before = nullptr;
        }
        if (before == nullptr) masks[&op] = place;
      }
      if (before != nullptr) {
        op.getResult(0).replaceAllUsesWith(before->getResult(0));
        op.erase();
      } else {
        known.insert(&op, &op);
      }
    }
  }
}

// Rows of VMEM that an instruction touches, where they are numbers.
struct Reach {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

std::optional<Reach> reach_of(mlir::Operation* op) {
  const auto number = [&](llvm::StringRef name, std::int64_t otherwise) {
    const auto given = op->getAttrOfType<mlir::IntegerAttr>(name);
    return given ? given.getInt() : otherwise;
  };
  const auto base = op->hasAttr("absolute") ? std::optional<std::int64_t>(0)
                                            : mlir::getConstantIntValue(op->getOperand(0));
  if (!base) return std::nullopt;
  const std::int64_t first = *base + number("address", 0);
  const std::int64_t last =
      first + number("stride", 1) * (number("rows", std::int64_t{sublanes}) - 1);
  return Reach{std::min(first, last), std::max(first, last)};
}

// A load that is kept for long costs a register more than it saves.
constexpr std::int64_t load_reach = 120;  // operations

struct Loaded {
  mlir::Operation* op = nullptr;
  Reach reach;
  std::int64_t place = 0;
};

// What the operation may write is known no more.
void forget(mlir::Operation* op, llvm::SmallVector<Loaded>& known) {
  const Instruction* row = instruction_of(op);
  const bool is_harmless = row != nullptr && row->group != Group::store && row->group != Group::dma;
  if (is_harmless || (row == nullptr && mlir::isMemoryEffectFree(op))) return;
  if (row != nullptr && row->mnemonic == "wait") return;
  const auto writes = row != nullptr && row->mnemonic == "vst" ? reach_of(op) : std::nullopt;
  llvm::erase_if(known, [&](const Loaded& loaded) {
    return !writes || (writes->first <= loaded.reach.last && loaded.reach.first <= writes->last);
  });
}

void merge_loads(mlir::Region& region) {
  for (mlir::Block& block : region) {
    llvm::SmallVector<Loaded> known;
    std::int64_t place = 0;
    for (mlir::Operation& op : llvm::make_early_inc_range(block)) {
      ++place;
      for (mlir::Region& nested : op.getRegions()) merge_loads(nested);
      const Instruction* row = instruction_of(&op);
      const auto reach = row != nullptr && row->mnemonic == "vld" ? reach_of(&op) : std::nullopt;
      if (!reach) {
        forget(&op, known);
        continue;
      }
      const auto* before = llvm::find_if(known, [&](const Loaded& loaded) {
        return place - loaded.place <= load_reach && Same::isEqual(loaded.op, &op);
      });
      if (before == known.end()) {
        known.push_back({&op, *reach, place});
      } else {
        op.getResult(0).replaceAllUsesWith(before->op->getResult(0));
        op.erase();
      }
    }
  }
}

// Loops are visited innermost first, so that an operation may leave several.
void hoist(mlir::scf::ForOp loop) {
  unsigned masks = 2;  // that may live through the loop
  for (mlir::Operation& op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    const bool moves = only_computes(&op) || op.hasTrait<mlir::OpTrait::ConstantLike>();
    const bool stays = llvm::any_of(op.getOperands(), [&](mlir::Value operand) {
      return loop.getRegion().isAncestor(operand.getParentRegion());
    });
    if (!moves || stays) continue;
    if (only_computes(&op) && is_mask(&op)) {
      if (masks == 0) continue;
      --masks;
    }
    op.moveBefore(loop);
  }
}

// What was selected and then not needed: the parts of what another instruction does in one go.
void drop_unused(mlir::Operation* function) {
  llvm::SmallVector<mlir::Operation*> all;
  function->walk([&](mlir::Operation* op) { all.push_back(op); });
  for (mlir::Operation* op : llvm::reverse(all)) {
    if (only_computes(op) && op->use_empty()) op->erase();
  }
}

struct TidyTpu : mlir::PassWrapper<TidyTpu, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TidyTpu)
  llvm::StringRef getArgument() const override { return "tandem-tidy-tpu"; }
  llvm::StringRef getDescription() const override {
    return "Do equal instructions once, and before a loop what it does not change";
  }
  void runOnOperation() override {
    drop_unused(getOperation());
    Known known;
    merge_equal(getOperation().getBody(), known);
    getOperation().walk([](mlir::scf::ForOp loop) { hoist(loop); });
    merge_equal(getOperation().getBody(), known);
    merge_loads(getOperation().getBody());
    merge_equal(getOperation().getBody(), known);  // what is done with merged loads
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_tidy_tpu_pass() { return std::make_unique<TidyTpu>(); }

}  // namespace tandem::compiler
