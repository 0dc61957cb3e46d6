// The arithmetic of a program, before anything is tiled: the answer to a cost analysis.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/work.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;

bool is_arithmetic(mlir::Operation& op) {
  return mlir::isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp,
                   arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
                   arith::NegFOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
                   arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) &&
         !op.getResult(0).getType().isIndex();
}

bool is_transcendental(mlir::Operation& op) {
  return mlir::isa_and_nonnull<mlir::math::MathDialect>(op.getDialect()) &&
         !mlir::isa<mlir::math::AbsFOp, mlir::math::AbsIOp, mlir::math::FmaOp,
                    mlir::math::CopySignOp>(op);
}

std::int64_t trips(mlir::Operation& op) {
  if (auto loops = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
    std::int64_t product = 1;
    for (const std::int64_t range : loops.getStaticLoopRanges()) product *= range;
    return product;
  }
  auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op);
  if (!loop) return 1;
  const auto first = mlir::getConstantIntValue(loop.getLowerBound());
  const auto last = mlir::getConstantIntValue(loop.getUpperBound());
  const auto step = mlir::getConstantIntValue(loop.getStep());
  if (!first || !last || !step || *step <= 0) return 1;
  return std::max<std::int64_t>(0, (*last - *first + *step - 1) / *step);
}

// Wraps around for programs that would run for centuries.
void count(mlir::Operation& op, std::uint64_t times, Work& work) {
  if (is_arithmetic(op)) work.flops += static_cast<std::int64_t>(times);
  if (mlir::isa<mlir::math::FmaOp>(op)) work.flops += static_cast<std::int64_t>(2 * times);
  if (is_transcendental(op)) work.transcendentals += static_cast<std::int64_t>(times);
  const std::uint64_t inside = times * static_cast<std::uint64_t>(trips(op));
  for (mlir::Region& region : op.getRegions()) {
    for (mlir::Block& block : region) {
      for (mlir::Operation& inner : block) count(inner, inside, work);
    }
  }
}

class CountOperations : public ModulePass<CountOperations, PassName::count_operations> {
 public:
  void run() {
    mlir::ModuleOp module = getOperation();
    Work work;
    for (auto function : module.getOps<mlir::func::FuncOp>()) count(*function, 1, work);
    mlir::Builder builder(module.getContext());
    attribute::flops.set(module, work.flops);
    attribute::transcendentals.set(module, work.transcendentals);
  }
};

}  // namespace

Work work_of(mlir::Operation& op) {
  Work work;
  count(op, 1, work);
  return work;
}

std::unique_ptr<mlir::Pass> make_count_operations_pass() {
  return std::make_unique<CountOperations>();
}

}  // namespace tandem::compiler
