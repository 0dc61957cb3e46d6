// An address for every buffer: `tandem.address` on each allocation, in words of its memory.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/views/placement.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

class Planner {
 public:
  Planner(mlir::func::FuncOp function, const Parameters& machine)
      : function_(function), machine_(machine) {}

  mlir::LogicalResult run() {
    Placement vmem = place_in_vmem_apart(function_, machine_);
    if (vmem.words > std::int64_t{machine_.vmem_words()}) vmem = place_in_vmem(function_, machine_);
    const Placement hbm = place_in_hbm(function_);
    write(vmem);
    write(hbm);
    const std::int64_t rows = vmem.words / machine_.lanes;
    const std::int64_t words = hbm.words;
    if (rows > machine_.vmem_rows()) {
      return function_.emitError("the program needs ")
             << rows << " rows of VMEM, the machine has " << machine_.vmem_rows();
    }
    mlir::Builder builder(function_.getContext());
    attribute::vmem_rows.set(function_, rows);
    attribute::hbm_words.set(function_, words);
    return mlir::success();
  }

 private:
  static void write(const Placement& placement) {
    for (Place place : placement.places) {
      mlir::Builder builder(place.alloc.getContext());
      attribute::address.set(place.alloc, place.address);
    }
  }

  mlir::func::FuncOp function_;
  const Parameters& machine_;
};

struct PlanBuffers : FunctionPass<PlanBuffers, PassName::plan_buffers> {
  explicit PlanBuffers(const Parameters& machine) : machine(machine) {}
  void run() {
    if (mlir::failed(Planner(getOperation(), machine).run())) signalPassFailure();
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_plan_buffers_pass(const Parameters& machine) {
  return std::make_unique<PlanBuffers>(machine);
}

}  // namespace tandem::compiler
