// Counting loops become loops of known length.
//
// A scan arrives as a loop with a condition: a counter in memory is compared by the vector units in
// each iteration. Where it begins at a constant, grows by one and is compared with a constant, and
// nothing else ends the loop, the scalar unit counts, and passes on loops see the length.
//
// Long bodies are left alone: moving their invariants before the loop would take registers from the
// loops inside (the step of a two-layer Llama on small took 54,431 cycles instead of 47,920;
// decision 232).
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace scf = mlir::scf;
namespace tensor = mlir::tensor;
using mlir::Value;
using mlir::linalg::GenericOp;

// The constant value of a tensor of one element.
std::optional<std::int64_t> number_of(Value tensor) {
  mlir::DenseIntElementsAttr elements;
  if (!mlir::matchPattern(tensor, mlir::m_Constant(&elements)) || elements.getNumElements() != 1) {
    return std::nullopt;
  }
  return elements.getSplatValue<llvm::APInt>().getSExtValue();
}

// The operation of one element, of `from` and a constant, that computes the value.
template <typename Op>
Op made_by(Value value, Value from) {
  auto generic = value.getDefiningOp<GenericOp>();
  if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumResults() != 1 ||
      generic.getNumLoops() != 0 || generic.getDpsInputs().front() != from) {
    return {};
  }
  return generic.getBody()->getTerminator()->getOperand(0).getDefiningOp<Op>();
}

// The other operand, a constant, of an operation on the first argument of its block.
std::optional<std::int64_t> other_operand(mlir::Operation* op, unsigned number) {
  if (op->getOperand(1 - number) != op->getBlock()->getArgument(0)) return std::nullopt;
  return mlir::getConstantIntValue(op->getOperand(number));
}

struct Count {
  unsigned number = 0;  // index of the counter among the carried values
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// Whether the body does so much work that the way of counting does not matter.
bool is_long(scf::WhileOp loop) {
  std::int64_t operations = 0;
  loop.getAfter().walk([&](mlir::linalg::LinalgOp) { ++operations; });
  return threshold::counted_loop(operations);
}

std::optional<Count> count_of(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  mlir::Block* before = loop.getBeforeBody();
  if (!llvm::equal(condition.getArgs(), before->getArguments())) return std::nullopt;
  auto asked = condition.getCondition().getDefiningOp<tensor::ExtractOp>();
  if (!asked) return std::nullopt;
  for (const auto [number, argument] : llvm::enumerate(before->getArguments())) {
    auto compare = made_by<arith::CmpIOp>(asked.getTensor(), argument);
    if (!compare) continue;
    const bool is_less = compare.getPredicate() == arith::CmpIPredicate::slt;
    const bool is_more = compare.getPredicate() == arith::CmpIPredicate::sgt;
    const auto end = is_less   ? other_operand(compare, 1)
                     : is_more ? other_operand(compare, 0)
                               : std::nullopt;
    const auto begin = number_of(loop.getInits()[number]);
    const Value next = loop.getYieldOp().getOperand(static_cast<unsigned>(number));
    auto copy = next.getDefiningOp<mlir::linalg::CopyOp>();
    const Value counter = loop.getAfterArguments()[number];
    if (!end || !begin || *begin >= *end || !copy || copy.getOutputs().front() != counter) continue;
    auto sum = made_by<arith::AddIOp>(copy.getInputs().front(), counter);
    if (!sum) continue;
    const auto step = other_operand(sum, 1) ? other_operand(sum, 1) : other_operand(sum, 0);
    if (step == 1) return Count{static_cast<unsigned>(number), *begin, *end};
  }
  return std::nullopt;
}

// Users of the counter get it from the loop.
void replace_counter(mlir::OpBuilder& builder, Value counter, Value index) {
  const auto type = mlir::cast<mlir::RankedTensorType>(counter.getType());
  const mlir::Location loc = index.getLoc();
  const Value number = arith::IndexCastOp::create(builder, loc, type.getElementType(), index);
  for (mlir::OpOperand& use : llvm::make_early_inc_range(counter.getUses())) {
    auto extract = mlir::dyn_cast<tensor::ExtractOp>(use.getOwner());
    if (!extract) continue;
    extract.replaceAllUsesWith(number);
    extract.erase();
  }
  if (counter.use_empty()) return;
  const Value room = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  counter.replaceAllUsesWith(mlir::linalg::FillOp::create(builder, loc, number, room).getResult(0));
}

void count(scf::WhileOp loop, const Count& how) {
  mlir::OpBuilder builder(loop);
  const mlir::Location loc = loop.getLoc();
  scf::YieldOp yield = loop.getYieldOp();
  mlir::Operation* copy = yield.getOperand(how.number).getDefiningOp();
  llvm::SmallVector<Value> starts(loop.getInits());
  starts.erase(starts.begin() + how.number);
  const auto constant = [&](std::int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto counted =
      scf::ForOp::create(builder, loc, constant(how.begin), constant(how.end), constant(1), starts);
  mlir::Block* body = counted.getBody();
  mlir::Block* after = loop.getAfterBody();
  mlir::Operation* sum = copy->getOperand(0).getDefiningOp();
  yield->eraseOperand(how.number);
  copy->erase();
  if (sum->use_empty()) sum->erase();
  if (!body->empty()) body->getTerminator()->erase();
  body->getOperations().splice(body->end(), after->getOperations());
  builder.setInsertionPointToStart(body);
  replace_counter(builder, after->getArgument(how.number), counted.getInductionVar());
  unsigned next = 0;
  for (unsigned i = 0; i < loop->getNumResults(); ++i) {
    if (i == how.number) continue;
    after->getArgument(i).replaceAllUsesWith(counted.getRegionIterArg(next));
    loop.getResult(i).replaceAllUsesWith(counted.getResult(next));
    ++next;
  }
  builder.setInsertionPoint(loop);
  const auto type = mlir::cast<mlir::RankedTensorType>(loop.getResult(how.number).getType());
  const auto last = mlir::DenseElementsAttr::get(
      type, llvm::APInt(type.getElementTypeBitWidth(), static_cast<std::uint64_t>(how.end), true));
  loop.getResult(how.number)
      .replaceAllUsesWith(arith::ConstantOp::create(
          builder, loc, mlir::cast<mlir::TypedAttr>(mlir::Attribute(last))));
  loop.erase();
}

struct CountLoops : FunctionPass<CountLoops, PassName::count_loops> {
  void run() {
    llvm::SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops) {
      if (is_long(loop)) continue;
      if (const auto how = count_of(loop)) count(loop, *how);
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_count_loops_pass() { return std::make_unique<CountLoops>(); }

}  // namespace tandem::compiler
