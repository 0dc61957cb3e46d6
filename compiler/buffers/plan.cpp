// An address for every buffer: `tandem.address` on each allocation, in words of its memory.
//
// A buffer lives from its allocation to the last operation that can reach it, in the order of the
// text; one that is used inside a loop but made outside lives to the end of the loop. Buffers whose
// lives do not meet may share memory: each takes the lowest place that is free.
#include "compiler/passes.hpp"
#include "compiler/tiled/access.hpp"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::memref::AllocOp;

struct Life {
  AllocOp alloc;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t words = 0;
  std::int64_t address = 0;
};

bool in_vmem(AllocOp alloc) { return static_cast<bool>(alloc.getType().getMemorySpace()); }

class Planner {
 public:
  Planner(mlir::func::FuncOp function, const Parameters& machine)
      : function_(function), machine_(machine) {}

  mlir::LogicalResult run() {
    number(function_.getBody());
    function_.walk([&](AllocOp alloc) { (in_vmem(alloc) ? vmem_ : hbm_).push_back(life(alloc)); });
    // Long lives first: what lives in VMEM all the time lies together, tiles come and go behind it.
    llvm::stable_sort(
        vmem_, [](const Life& a, const Life& b) { return a.last - a.first > b.last - b.first; });
    const std::int64_t rows = place(vmem_, machine_.vector_words()) / machine_.lanes;
    const std::int64_t words = place(hbm_, 16);
    if (rows > machine_.vmem_rows()) {
      return function_.emitError("the program needs ")
             << rows << " rows of VMEM, the machine has " << machine_.vmem_rows();
    }
    mlir::Builder builder(function_.getContext());
    function_->setAttr("tandem.vmem_rows", builder.getI64IntegerAttr(rows));
    function_->setAttr("tandem.hbm_words", builder.getI64IntegerAttr(words));
    return mlir::success();
  }

 private:
  // Operations in the order of the text; one with regions ends behind what is in them.
  void number(mlir::Region& region) {
    for (mlir::Block& block : region) {
      for (mlir::Operation& op : block) {
        begin_[&op] = ++clock_;
        for (mlir::Region& nested : op.getRegions()) number(nested);
        end_[&op] = ++clock_;
      }
    }
  }

  // The latest end of an operation that reaches the value, itself or through views.
  std::int64_t last_use(mlir::Value value, mlir::Block* home) {
    std::int64_t last = 0;
    for (mlir::Operation* user : value.getUsers()) {
      last = std::max(last, end_.lookup(home->findAncestorOpInBlock(*user)));
      const bool views = mlir::isa<mlir::ViewLikeOpInterface, mlir::UnrealizedConversionCastOp,
                                   mlir::memref::ExtractStridedMetadataOp>(user);
      for (const mlir::Value result : user->getResults()) {
        if (views && mlir::isa<mlir::MemRefType>(result.getType())) {
          last = std::max(last, last_use(result, home));
        }
      }
    }
    return last;
  }

  Life life(AllocOp alloc) {
    return {alloc, begin_.lookup(alloc),
            std::max(end_.lookup(alloc), last_use(alloc, alloc->getBlock())),
            alloc.getType().getNumElements(), 0};
  }

  // Returns how many words are in use at most.
  static std::int64_t place(llvm::SmallVector<Life>& lives, std::int64_t alignment) {
    std::int64_t high = 0;
    llvm::SmallVector<Life*> placed;
    for (Life& life : lives) {
      std::int64_t address = 0;
      for (const Life* other : placed) {
        const bool meets = other->first <= life.last && life.first <= other->last;
        if (meets && address < other->address + other->words &&
            other->address < address + life.words) {
          address = (other->address + other->words + alignment - 1) / alignment * alignment;
        }
      }
      life.address = address;
      high = std::max(high, address + life.words);
      placed.insert(
          llvm::upper_bound(placed, &life,
                            [](const Life* a, const Life* b) { return a->address < b->address; }),
          &life);
      mlir::Builder builder(life.alloc.getContext());
      life.alloc->setAttr("tandem.address", builder.getI64IntegerAttr(address));
    }
    return (high + alignment - 1) / alignment * alignment;
  }

  mlir::func::FuncOp function_;
  const Parameters& machine_;
  std::int64_t clock_ = 0;
  llvm::DenseMap<mlir::Operation*, std::int64_t> begin_;
  llvm::DenseMap<mlir::Operation*, std::int64_t> end_;
  llvm::SmallVector<Life> vmem_;
  llvm::SmallVector<Life> hbm_;
};

struct PlanBuffers : mlir::PassWrapper<PlanBuffers, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanBuffers)
  explicit PlanBuffers(const Parameters& machine) : machine(machine) {}
  llvm::StringRef getArgument() const override { return "tandem-plan-buffers"; }
  llvm::StringRef getDescription() const override { return "Give every buffer an address"; }
  void runOnOperation() override {
    if (mlir::failed(Planner(getOperation(), machine).run())) signalPassFailure();
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_plan_buffers_pass(const Parameters& machine) {
  return std::make_unique<PlanBuffers>(machine);
}

}  // namespace tandem::compiler
