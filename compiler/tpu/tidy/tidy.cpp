// Instructions that only compute: equal ones are merged, loop-invariant ones are hoisted, and
// unused ones are removed. Loads of rows that have been loaded or stored before, and not written
// since, are dropped, and so are stores that are overwritten before they are read. MLIR's own
// passes know nothing of instructions from the table.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tpu/bases.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/same_instruction.hpp"
#include "compiler/tpu/tidy/zero_lanes.hpp"
#include "isa/parameters.hpp"
#include "llvm/ADT/ScopedHashTable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tandem::compiler {
namespace {

// There are few masks: one that is kept for long costs more than recomputing it.
constexpr std::int64_t mask_reach = 40;  // operations

bool is_mask(mlir::Operation* op) { return mlir::isa<MaskType>(op->getResult(0).getType()); }

using Known = llvm::ScopedHashTable<mlir::Operation*, mlir::Operation*, SameInstruction>;

// Facts known in a block hold in the regions of its operations, not the other way round.
void merge_equal(mlir::Region& region, Known& known) {
  for (mlir::Block& block : region) {
    const Known::ScopeTy scope(known);
    llvm::DenseMap<mlir::Operation*, std::int64_t> masks;  // and where they were created
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

// Rows of VMEM that an instruction touches, where they are constants: every `stride`-th.
struct Reach {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t stride = 1;
};

bool overlap(const Reach& one, const Reach& other) {
  if (one.last < other.first || other.last < one.first) return false;
  if (one.stride != other.stride || one.stride == 0) return true;
  return (one.first - other.first) % one.stride == 0;  // else one is between the other's rows
}

std::optional<Reach> reach_of(mlir::Operation* op) {
  const auto number = [&](llvm::StringRef name, std::int64_t otherwise) {
    const auto given = op->getAttrOfType<mlir::IntegerAttr>(name);
    return given ? given.getInt() : otherwise;
  };
  const auto base = op->hasAttr("absolute") ? std::optional<std::int64_t>(0)
                                            : mlir::getConstantIntValue(op->getOperand(0));
  if (!base) return std::nullopt;
  const std::int64_t first = *base + number("address", 0);
  const std::int64_t stride = number("stride", 1);
  const std::int64_t last = first + stride * (number("rows", std::int64_t{sublanes}) - 1);
  return Reach{std::min(first, last), std::max(first, last), std::abs(stride)};
}

// A load that is kept for long costs more in registers than it saves.
constexpr std::int64_t load_reach = 160;  // operations

// A load or store, after which the rows are known.
struct Loaded {
  mlir::Operation* op = nullptr;
  Reach reach;
  std::int64_t place = 0;
};

std::optional<Reach> reach_of(mlir::Operation* op, std::string_view mnemonic) {
  return is_named(op, mnemonic) ? reach_of(op) : std::nullopt;
}

// A store has the stored value between the register of its address and its mask.
unsigned address_registers(mlir::Operation* op) { return op->hasAttr("absolute") ? 0 : 1; }
mlir::Value mask_of(mlir::Operation* op, unsigned before) {
  return op->getNumOperands() > before ? op->getOperand(before) : mlir::Value();
}

// Whether both name the same rows and lanes; `a` and `b` are their operands before the mask.
bool same_words(mlir::Operation* one, unsigned a, mlir::Operation* other, unsigned b) {
  return one->getAttrDictionary() == other->getAttrDictionary() &&
         (address_registers(one) == 0 || one->getOperand(0) == other->getOperand(0)) &&
         are_equal(mask_of(one, a), mask_of(other, b));
}

// The part of the stored value that the load would read; null where that is something else. Lanes
// that the mask leaves out are loaded as zero.
mlir::Value stored(mlir::Operation* store, mlir::Operation* load) {
  const unsigned registers = address_registers(load);
  const auto rows = load->getAttrOfType<mlir::IntegerAttr>("rows");
  if (rows && rows.getInt() != std::int64_t{sublanes}) return {};
  if (!same_words(store, registers + 1, load, registers)) return {};
  const mlir::Value value = store->getOperand(registers);
  const mlir::Value mask = mask_of(load, registers);
  if (!mask) return value;
  mlir::OpBuilder builder(load);
  const mlir::Value zero = mlir::arith::ConstantIndexOp::create(builder, load->getLoc(), 0);
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (load->hasAttr("not_mask")) attributes.push_back(flag_attribute(builder, "not_ma"));
  return machine(builder, load->getLoc(), "vsel", {mask, value, zero}, attributes);
}

mlir::Value known_value(const Loaded& loaded, mlir::Operation* load) {
  if (reach_of(loaded.op, "vst")) return stored(loaded.op, load);
  return SameInstruction::isEqual(loaded.op, load) ? loaded.op->getResult(0) : mlir::Value();
}

// Without a stride the distance is one row, too.
void drop_plain_strides(mlir::Operation* function) {
  function->walk([](mlir::Operation* op) {
    const auto stride = op->getAttrOfType<mlir::IntegerAttr>("stride");
    if (stride && stride.getInt() == 1 && instruction_of(op) != nullptr) op->removeAttr("stride");
  });
}

// Whether it may read VMEM.
bool may_read(mlir::Operation* op) {
  const Instruction* row = instruction_of(op);
  if (row == nullptr) return !mlir::isMemoryEffectFree(op);
  return row->group == Group::load || row->mnemonic == "copy";
}

// Facts about memory that the operation may write are dropped.
void forget(mlir::Operation* op, llvm::SmallVector<Loaded>& known) {
  const Instruction* row = instruction_of(op);
  const bool is_harmless = row != nullptr && row->group != Group::store && row->group != Group::dma;
  if (is_harmless || (row == nullptr && mlir::isMemoryEffectFree(op))) return;
  if (row != nullptr && row->mnemonic == "wait") return;
  const auto writes = reach_of(op, "vst");
  llvm::erase_if(known,
                 [&](const Loaded& loaded) { return !writes || overlap(*writes, loaded.reach); });
}

void merge_loads(mlir::Region& region) {
  for (mlir::Block& block : region) {
    llvm::SmallVector<Loaded> known;
    std::int64_t place = 0;
    for (mlir::Operation& op : llvm::make_early_inc_range(block)) {
      ++place;
      for (mlir::Region& nested : op.getRegions()) merge_loads(nested);
      const auto reach = reach_of(&op, "vld");
      if (!reach) {
        forget(&op, known);
        if (const auto written = reach_of(&op, "vst")) known.push_back({&op, *written, place});
        continue;
      }
      mlir::Value value;
      for (const Loaded& loaded : known) {
        if (!value && place - loaded.place <= load_reach) value = known_value(loaded, &op);
      }
      if (value) {
        op.getResult(0).replaceAllUsesWith(value);
        op.erase();
      } else {
        known.push_back({&op, *reach, place});
      }
    }
  }
}

// Stores that another one covers before anything reads their rows.
void drop_covered_stores(mlir::Region& region) {
  for (mlir::Block& block : region) {
    llvm::SmallVector<Loaded> later;  // stores, with no reader before them
    for (mlir::Operation& op : llvm::make_early_inc_range(llvm::reverse(block))) {
      for (mlir::Region& nested : op.getRegions()) drop_covered_stores(nested);
      if (const auto written = reach_of(&op, "vst")) {
        const unsigned before_mask = address_registers(&op) + 1;
        const bool covered = llvm::any_of(later, [&](const Loaded& store) {
          return same_words(store.op, before_mask, &op, before_mask);
        });
        if (covered) {
          op.erase();
        } else {
          later.push_back({&op, *written, 0});
        }
      } else if (const auto read = reach_of(&op, "vld")) {
        llvm::erase_if(later, [&](const Loaded& store) { return overlap(*read, store.reach); });
      } else if (may_read(&op)) {
        later.clear();
      }
    }
  }
}

// A flag that counts to n has counted to less: of waits with only computations between them the
// last one suffices.
void drop_implied_waits(mlir::Operation* function) {
  llvm::SmallVector<mlir::Operation*> implied;
  function->walk([&](mlir::Operation* op) {
    if (!is_named(op, "wait")) return;
    mlir::Operation* next = op->getNextNode();
    while (next != nullptr && mlir::isMemoryEffectFree(next)) next = next->getNextNode();
    if (next == nullptr || !is_named(next, "wait") || next->getNumOperands() != 0) return;
    const auto number = [](mlir::Operation* wait, llvm::StringRef name) {
      return wait->getAttrOfType<mlir::IntegerAttr>(name).getInt();
    };
    const bool counts_on = op->getNumOperands() == 0 &&
                           number(op, "flag") == number(next, "flag") &&
                           number(op, "n") <= number(next, "n");
    if (counts_on) implied.push_back(op);
  });
  for (mlir::Operation* op : implied) op->erase();
}

// Loops are visited innermost first, so that an operation may be hoisted out of several.
void hoist(mlir::scf::ForOp loop) {
  unsigned masks = 2;  // that may be live through the loop
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

// Instructions that were selected and are not needed: parts of what another instruction does in one
// step.
void drop_unused(mlir::Operation* function) {
  llvm::SmallVector<mlir::Operation*> all;
  function->walk([&](mlir::Operation* op) { all.push_back(op); });
  for (mlir::Operation* op : llvm::reverse(all)) {
    if (only_computes(op) && op->use_empty()) op->erase();
  }
}

struct TidyTpu : FunctionPass<TidyTpu, PassName::tidy_tpu> {
  void run() {
    drop_unused(getOperation());
    drop_plain_strides(getOperation());
    Known known;
    merge_equal(getOperation().getBody(), known);
    getOperation().walk([](mlir::scf::ForOp loop) { hoist(loop); });
    merge_equal(getOperation().getBody(), known);
    merge_loads(getOperation().getBody());
    merge_equal(getOperation().getBody(), known);  // operations on merged loads
    drop_zero_selections(getOperation());
    drop_covered_stores(getOperation().getBody());
    drop_implied_waits(getOperation());
    make_bases_in_place(getOperation());
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_tidy_tpu_pass() { return std::make_unique<TidyTpu>(); }

}  // namespace tandem::compiler
