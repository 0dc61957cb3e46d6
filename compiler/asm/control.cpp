// Loops, branches and scalar arithmetic.
#include <fmt/format.h>

#include "compiler/asm/function.hpp"
#include "compiler/asm/operands.hpp"
#include "compiler/contract/attributes.hpp"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

const llvm::StringMap<llvm::StringRef>& scalar_instructions() {
  static const llvm::StringMap<llvm::StringRef> table{
      {"arith.addi", "add"},      {"arith.subi", "sub"},      {"arith.muli", "mul"},
      {"arith.andi", "and"},      {"arith.ori", "or"},        {"arith.xori", "xor"},
      {"arith.shli", "shl"},      {"arith.shrui", "shr"},     {"arith.shrsi", "sar"},
      {"arith.minsi", "min.s32"}, {"arith.maxsi", "max.s32"}, {"arith.minui", "min.u32"},
      {"arith.maxui", "max.u32"},
  };
  return table;
}

llvm::StringRef comparison(arith::CmpIPredicate predicate) {
  using enum arith::CmpIPredicate;
  switch (predicate) {
    case eq: return "eq";
    case ne: return "ne";
    case slt: return "lt.s32";
    case sle: return "le.s32";
    case sgt: return "gt.s32";
    case sge: return "ge.s32";
    case ult: return "lt.u32";
    case ule: return "le.u32";
    case ugt: return "gt.u32";
    case uge: return "ge.u32";
  }
  return "";
}

// Whether the else branch of a choice is placed after the program's end. Text is fetched ahead in
// order, so a jump over much of it waits for memory; with this, one way through a choice has no
// jump and the other has two. A loop that may become a pipeline keeps all of its text.
bool goes_behind(scf::IfOp op) {
  constexpr std::size_t much = 64;  // operations
  std::size_t size = 0;
  op.getElseRegion().walk([&](mlir::Operation*) { ++size; });
  if (size < much) return false;
  const auto loop = op->getParentOfType<mlir::LoopLikeOpInterface>();
  return !loop || loop->walk([&](mlir::LoopLikeOpInterface inner) {
                        return inner == loop ? mlir::WalkResult::advance()
                                             : mlir::WalkResult::interrupt();
                      })
                      .wasInterrupted();
}

}  // namespace

void FunctionText::compare(mlir::Operation* op) {
  auto compares = mlir::cast<arith::CmpIOp>(op);
  if (compares.getLhs().getType().isInteger(1)) {
    // Predicates can only be compared for equality.
    const std::string left = name(compares.getLhs());
    const std::string right = name(compares.getRhs());
    const std::string differ = fresh('p');
    line(fmt::format("{} = pxor {}, {}", differ, left, right));
    const bool equal = compares.getPredicate() == arith::CmpIPredicate::eq;
    const std::string found = equal ? negation(differ) : differ;
    line(fmt::format("{} = por {}, {}", define(op->getResult(0)), found, found));
    return;
  }
  const std::string left = name(compares.getLhs());
  const std::string right = name_or_constant(compares.getRhs());
  line(fmt::format("{} = {} {}, {}", define(op->getResult(0)),
                   comparison(compares.getPredicate()).str(), left, right));
}

void FunctionText::choose(mlir::Operation* op) {
  const std::string condition = name(op->getOperand(0));
  if (op->getResult(0).getType().isInteger(1)) {
    const std::string first = fresh('p');
    const std::string second = fresh('p');
    line(fmt::format("{} = pand {}, {}", first, condition, name(op->getOperand(1))));
    line(fmt::format("{} = pand {}, {}", second, negation(condition), name(op->getOperand(2))));
    line(fmt::format("{} = por {}, {}", define(op->getResult(0)), first, second));
    return;
  }
  const std::string left = name(op->getOperand(1));
  const std::string right = name_or_constant(op->getOperand(2));
  line(fmt::format("{} = sel {}, {}, {}", define(op->getResult(0)), condition, left, right));
}

// A word holds a narrower integer with its sign. Empty where the operation is no such conversion.
std::string FunctionText::widened(mlir::Operation* op) {
  if (op->getNumOperands() != 1 || !op->getOperand(0).getType().isInteger()) return "";
  const mlir::Value from = op->getOperand(0);
  const unsigned width = from.getType().getIntOrFloatBitWidth();
  if (width == 1 || width >= 32) return "";
  if (mlir::isa<arith::ExtSIOp, arith::IndexCastOp>(op)) return name(from);
  if (!mlir::isa<arith::ExtUIOp, arith::IndexCastUIOp>(op)) return "";
  const std::string source = name(from);
  const std::string result = define(op->getResult(0));
  line(fmt::format("{} = and {}, {}", result, source, (1U << width) - 1));
  return result;
}

mlir::LogicalResult FunctionText::scalar(mlir::Operation* op) {
  if (const std::string wide = widened(op); !wide.empty()) {
    names_[op->getResult(0)] = wide;
    return mlir::success();
  }
  if (mlir::isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    const std::string same = name(op->getOperand(0));
    names_[op->getResult(0)] = same;
    return mlir::success();
  }
  if (mlir::isa<arith::CmpIOp>(op)) return compare(op), mlir::success();
  if (mlir::isa<arith::SelectOp>(op)) return choose(op), mlir::success();
  if (mlir::isa<arith::ExtUIOp, arith::ExtSIOp>(op) && op->getOperand(0).getType().isInteger(1)) {
    const std::string one = fresh('s');
    line(fmt::format("{} = mov {}", one, mlir::isa<arith::ExtUIOp>(op) ? 1 : -1));
    const std::string condition = name(op->getOperand(0));
    line(fmt::format("{} = sel {}, {}, 0", define(op->getResult(0)), condition, one));
    return mlir::success();
  }
  const auto found = scalar_instructions().find(op->getName().getStringRef());
  if (found == scalar_instructions().end()) {
    return op->emitError("unimplemented: ") << op->getName() << " on scalars";
  }
  const bool on_predicates = op->getResult(0).getType().isInteger(1);
  const std::string left = name(op->getOperand(0));
  const std::string right =
      on_predicates ? name(op->getOperand(1)) : name_or_constant(op->getOperand(1));
  line(fmt::format("{} = {}{} {}, {}", define(op->getResult(0)), on_predicates ? "p" : "",
                   found->second.str(), left, right));
  return mlir::success();
}

namespace {

// The number of iterations of the loop, where it is known: between constants, or from any value to
// a constant distance after it.
std::optional<std::int64_t> turns_of(scf::ForOp op) {
  const auto step = constant_word(op.getStep());
  auto way = constant_word(op.getUpperBound());
  if (const auto first = constant_word(op.getLowerBound()); first && way) {
    way = *way - *first;
  } else if (auto sum = op.getUpperBound().getDefiningOp<arith::AddIOp>();
             sum && sum.getLhs() == op.getLowerBound()) {
    way = constant_word(sum.getRhs());
  } else {
    return std::nullopt;
  }
  if (!way || !step || *step <= 0) return std::nullopt;
  return std::max<std::int64_t>((*way + *step - 1) / *step, 0);
}

bool has_loops(scf::ForOp op) {
  return op.getBody()
      ->walk([](mlir::LoopLikeOpInterface) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

}  // namespace

// A value that an iteration hands to the next is computed in the register that carries it, where
// nothing reads the old value any more.
void FunctionText::share_registers(scf::ForOp op, llvm::ArrayRef<std::string> carried) {
  mlir::Operation* end = op.getBody()->getTerminator();
  for (const auto [index, value] : llvm::enumerate(op.getYieldedValues())) {
    mlir::Operation* made = value.getDefiningOp();
    if (made == nullptr || made->getBlock() != op.getBody() || made->getNumRegions() != 0 ||
        llvm::count(end->getOperands(), value) != 1 || constant_word(value) ||
        register_file(value.getType()) != carried[index][1] ||
        mlir::isa<arith::IndexCastOp, arith::IndexCastUIOp>(made)) {
      continue;
    }
    const mlir::Value argument = op.getRegionIterArgs()[index];
    const bool is_free = llvm::all_of(argument.getUsers(), [&](mlir::Operation* user) {
      mlir::Operation* here = op.getBody()->findAncestorOpInBlock(*user);
      return user == made || (here != made && here->isBeforeInBlock(made));
    });
    // An operation of several lines would write before it has read.
    const bool is_one_line = instruction_of(made) != nullptr ||
                             (mlir::isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(made) &&
                              !value.getType().isInteger(1));
    if (is_free && is_one_line) given_[value] = carried[index];
  }
}

mlir::LogicalResult FunctionText::loop(scf::ForOp op) {
  const std::string counter = define(op.getInductionVar());
  move(counter, op.getLowerBound());
  llvm::SmallVector<std::string> carried;
  for (const auto [argument, initial] : llvm::zip(op.getRegionIterArgs(), op.getInits())) {
    carried.push_back(define(argument));
    move(carried.back(), initial);
  }
  for (const auto [result, name] : llvm::zip(op.getResults(), carried)) names_[result] = name;
  const auto turns = turns_of(op);
  const std::string done = fresh_label();
  if (turns.value_or(0) == 0) {
    const std::string enter = fresh('p');
    line(fmt::format("{} = lt.s32 {}, {}", enter, counter, name_or_constant(op.getUpperBound())));
    line(fmt::format("@!{} br {}", enter, done));
  }
  share_registers(op, carried);
  hoist_constants(op);
  const std::string top = fresh_label();
  // A pipeline of known length needs no exits but the last.
  if (turns.value_or(0) > 0 && !has_loops(op))
    line(fmt::format(".trips {0}, {1}, {1}, {1}", top, *turns));
  if (const auto apart = attribute::copies_apart.get(op); apart && !has_loops(op)) {
    line(fmt::format(".copies_apart {}, {}", apart.getInt(), top));
  }
  label(top);
  if (mlir::failed(block(*op.getBody()))) return mlir::failure();
  move_all(carried, op.getYieldedValues(), op.getRegionIterArgs());
  hoisted_.clear();
  const std::string again = fresh('p');
  line(fmt::format("{} = add {}, {}", counter, counter, name_or_constant(op.getStep())));
  line(fmt::format("{} = lt.s32 {}, {}", again, counter, name_or_constant(op.getUpperBound())));
  line(fmt::format("@{} br {}", again, top));
  label(done);
  return mlir::success();
}

mlir::LogicalResult FunctionText::loop(scf::WhileOp op) {
  hoisted_.clear();
  llvm::SmallVector<std::string> state;
  for (const auto [argument, initial] : llvm::zip(op.getBeforeArguments(), op.getInits())) {
    state.push_back(define(argument));
    move(state.back(), initial);
  }
  llvm::SmallVector<std::string> handed;
  for (const auto argument : op.getAfterArguments()) handed.push_back(define(argument));
  for (const auto [result, name] : llvm::zip(op.getResults(), handed)) names_[result] = name;
  const std::string top = fresh_label();
  const std::string done = fresh_label();
  label(top);
  if (mlir::failed(block(*op.getBeforeBody()))) return mlir::failure();
  move_all(handed, op.getConditionOp().getArgs(), {});
  line(fmt::format("@{} br {}", negation(name(op.getConditionOp().getCondition())), done));
  if (mlir::failed(block(*op.getAfterBody()))) return mlir::failure();
  move_all(state, op.getYieldOp().getResults(), op.getAfterArguments());
  line(fmt::format("br {}", top));
  label(done);
  return mlir::success();
}

mlir::LogicalResult FunctionText::arm(mlir::Region& region, llvm::ArrayRef<std::string> results) {
  if (mlir::failed(block(region.front()))) return mlir::failure();
  move_all(results, region.front().getTerminator()->getOperands(), {});
  return mlir::success();
}

// Parts that are being written may append more.
mlir::LogicalResult FunctionText::far_arms() {
  for (std::size_t next = 0; next < far_arms_.size();) {
    const FarArm far = far_arms_[next++];
    hoisted_.clear();
    last_place_.clear();
    label(far.begin);
    if (mlir::failed(arm(*far.region, far.results))) return mlir::failure();
    line(fmt::format("br {}", far.back));
  }
  return mlir::success();
}

mlir::LogicalResult FunctionText::branch(scf::IfOp op) {
  hoisted_.clear();
  const std::string condition = name(op.getCondition());
  const std::string otherwise = fresh_label();
  const std::string done = fresh_label();
  llvm::SmallVector<std::string> results;
  for (const Value result : op.getResults()) results.push_back(define(result));
  line(fmt::format("@{} br {}", negation(condition), otherwise));
  if (mlir::failed(arm(op.getThenRegion(), results))) return mlir::failure();
  // Blocks end at calls: the text after the last call is in no other block.
  if (!has_function_calls_ && goes_behind(op)) {
    far_arms_.push_back({&op.getElseRegion(), results, otherwise, done});
    label(done);
  } else if (!op.getElseRegion().empty()) {
    line(fmt::format("br {}", done));
    label(otherwise);
    if (mlir::failed(arm(op.getElseRegion(), results))) return mlir::failure();
    label(done);
  } else {
    label(otherwise);
  }
  return mlir::success();
}

mlir::LogicalResult FunctionText::branch(scf::IndexSwitchOp op) {
  hoisted_.clear();
  const std::string index = name(op.getArg());
  const std::string done = fresh_label();
  llvm::SmallVector<std::string> results;
  for (const Value result : op.getResults()) results.push_back(define(result));
  for (const auto [number, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    const std::string next = fresh_label();
    const std::string taken = fresh('p');
    line(fmt::format("{} = eq {}, {}", taken, index, number));
    line(fmt::format("@!{} br {}", taken, next));
    if (mlir::failed(arm(region, results))) return mlir::failure();
    line(fmt::format("br {}", done));
    label(next);
  }
  if (mlir::failed(arm(op.getDefaultRegion(), results))) return mlir::failure();
  label(done);
  return mlir::success();
}

}  // namespace tandem::compiler
