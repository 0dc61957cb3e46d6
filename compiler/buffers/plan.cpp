// An address for every buffer: `tandem.address` on each allocation, in words of its memory.
//
// Buffers whose lives (lives.hpp) do not meet may share memory: each takes the lowest place that is
// free.
#include "compiler/buffers/lives.hpp"
#include "compiler/passes.hpp"
#include "compiler/tiled/access.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::memref::AllocOp;

struct Place {
  AllocOp alloc;
  Life life;
  std::int64_t words = 0;
  std::int64_t address = 0;
  bool is_fixed = false;  // chosen with the layout (tiled/reside.cpp)
};

bool in_vmem(AllocOp alloc) { return static_cast<bool>(alloc.getType().getMemorySpace()); }

class Planner {
 public:
  Planner(mlir::func::FuncOp function, const Parameters& machine)
      : function_(function), machine_(machine) {}

  mlir::LogicalResult run() {
    const Lives lives(function_);
    function_.walk(
        [&](AllocOp alloc) { (in_vmem(alloc) ? vmem_ : hbm_).push_back(life(lives, alloc)); });
    // Long lives first: what lives in VMEM all the time lies together, tiles come and go behind it.
    llvm::stable_sort(vmem_, [](const Place& a, const Place& b) {
      return a.life.last - a.life.first > b.life.last - b.life.first;
    });
    const std::int64_t rows = place(vmem_, machine_.vector_words()) / machine_.lanes;
    const std::int64_t words = place(hbm_, 16);
    if (rows > machine_.vmem_rows()) {
      return function_.emitError("the program needs ")
             << rows << " rows of VMEM, the machine has " << machine_.vmem_rows();
    }
    if (const std::uint64_t bytes = hbm_bytes(words); bytes > reach) {
      return function_.emitError("no room: arguments, results and temporaries take ")
             << bytes << " bytes of HBM, compiled programs reach " << reach;
    }
    mlir::Builder builder(function_.getContext());
    function_->setAttr("tandem.vmem_rows", builder.getI64IntegerAttr(rows));
    function_->setAttr("tandem.hbm_words", builder.getI64IntegerAttr(words));
    return mlir::success();
  }

 private:
  // Bytes: signed scalars of 32 bits count the words.
  static constexpr std::uint64_t reach = std::uint64_t{1} << 33U;

  [[nodiscard]] std::uint64_t hbm_bytes(std::int64_t temporaries) {
    std::uint64_t sum = llvm::SaturatingMultiply<std::uint64_t>(temporaries, 4);
    for (const mlir::Type type : function_.getArgumentTypes()) {
      const auto tensor = mlir::dyn_cast<mlir::MemRefType>(type);
      if (!tensor) continue;
      std::uint64_t bytes = (tensor.getElementTypeBitWidth() + 7) / 8;
      for (const std::int64_t extent : tensor.getShape()) {
        bytes = llvm::SaturatingMultiply<std::uint64_t>(bytes, extent);
      }
      sum = llvm::SaturatingAdd(sum, bytes);
    }
    return sum;
  }

  static Place life(const Lives& lives, AllocOp alloc) {
    return {alloc, lives.of(alloc.getResult()), alloc.getType().getNumElements(), 0, false};
  }

  // Returns how many words are in use at most.
  static std::int64_t place(llvm::SmallVector<Place>& places, std::int64_t alignment) {
    std::int64_t high = 0;
    llvm::SmallVector<Place*> placed;
    const auto by_address = [](const Place* a, const Place* b) { return a->address < b->address; };
    for (Place& buffer : places) {
      const auto fixed = buffer.alloc->getAttrOfType<mlir::IntegerAttr>("tandem.address");
      if (!fixed) continue;
      buffer.address = fixed.getInt();
      buffer.is_fixed = true;
      high = std::max(high, buffer.address + buffer.words);
      placed.insert(llvm::upper_bound(placed, &buffer, by_address), &buffer);
    }
    for (Place& buffer : places) {
      if (buffer.is_fixed) continue;
      std::int64_t address = 0;
      for (const Place* other : placed) {
        if (buffer.life.meets(other->life) && address < other->address + other->words &&
            other->address < address + buffer.words) {
          address = (other->address + other->words + alignment - 1) / alignment * alignment;
        }
      }
      buffer.address = address;
      high = std::max(high, address + buffer.words);
      placed.insert(llvm::upper_bound(placed, &buffer, by_address), &buffer);
      mlir::Builder builder(buffer.alloc.getContext());
      buffer.alloc->setAttr("tandem.address", builder.getI64IntegerAttr(address));
    }
    return (high + alignment - 1) / alignment * alignment;
  }

  mlir::func::FuncOp function_;
  const Parameters& machine_;
  llvm::SmallVector<Place> vmem_;
  llvm::SmallVector<Place> hbm_;
};

struct PlanBuffers : mlir::PassWrapper<PlanBuffers, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanBuffers)
  explicit PlanBuffers(const Parameters& machine) : machine(machine) {}
  llvm::StringRef getArgument() const override { return "tandem-plan-buffers"; }
  llvm::StringRef getDescription() const override { return "Give every buffer an address"; }
  void runOnOperation() override {
    if (getOperation().isExternal()) return;  // a kernel
    if (mlir::failed(Planner(getOperation(), machine).run())) signalPassFailure();
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_plan_buffers_pass(const Parameters& machine) {
  return std::make_unique<PlanBuffers>(machine);
}

}  // namespace tandem::compiler
