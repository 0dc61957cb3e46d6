// argmax and argmin are two reductions.
//
// A reduction of a value with its index is processed one element at a time. Instead the extreme is
// found first, with the cross-lane unit; then the least index of the elements equal to it. NaN
// counts as greater than any number.
//
// Such reductions are recognized by evaluating the body for every possible order of the values of
// both sides. So the form of the body makes no difference.
//
// The machine's `largmax` is not used: it gives the lane within one register, so longer rows need
// the comparison anyway, and columns have no such instruction (decision 163).
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;
using mlir::linalg::GenericOp;

// The accumulator (`held`) and the next element (`met`) of the reduction, and its choice between
// them.
struct Sides {
  Value held_value, met_value;
  Value held_index, met_index;
};

// One way in which both sides may be related.
struct Trial {
  double held = 0;
  double met = 0;
  bool held_is_first = true;  // by index
};

// A condition of the body for a trial; nothing for other conditions.
class Asked {
 public:
  Asked(const Sides& sides, const Trial& trial) : sides_(sides), trial_(trial) {}

  [[nodiscard]] std::optional<bool> condition(Value value) {
    const auto known = known_.find(value);
    if (known != known_.end()) return known->second;
    const auto result = found(value);
    known_[value] = result;
    return result;
  }

 private:
  using Number = std::optional<double>;

  std::optional<bool> found(Value value) {
    llvm::APInt constant;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant))) return !constant.isZero();
    mlir::Operation* op = value.getDefiningOp();
    if (op == nullptr) return std::nullopt;
    if (auto compare = mlir::dyn_cast<arith::CmpFOp>(op)) {
      return compared(compare.getPredicate(), number(compare.getLhs()), number(compare.getRhs()));
    }
    if (auto compare = mlir::dyn_cast<arith::CmpIOp>(op)) {
      return compared(compare.getPredicate(), number(compare.getLhs()), number(compare.getRhs()));
    }
    if (!mlir::isa<arith::OrIOp, arith::AndIOp, arith::XOrIOp>(op)) return std::nullopt;
    const auto left = condition(op->getOperand(0));
    const auto right = condition(op->getOperand(1));
    if (!left || !right) return std::nullopt;
    if (mlir::isa<arith::OrIOp>(op)) return *left || *right;
    if (mlir::isa<arith::AndIOp>(op)) return *left && *right;
    return *left != *right;
  }

  [[nodiscard]] Number number(Value value) const {
    if (value == sides_.held_value) return trial_.held;
    if (value == sides_.met_value) return trial_.met;
    if (value == sides_.held_index) return trial_.held_is_first ? 0 : 1;
    if (value == sides_.met_index) return trial_.held_is_first ? 1 : 0;
    return std::nullopt;
  }

  static std::optional<bool> compared(arith::CmpFPredicate predicate, Number a, Number b) {
    if (!a || !b) return std::nullopt;
    return arith::applyCmpPredicate(predicate, llvm::APFloat(*a), llvm::APFloat(*b));
  }

  static std::optional<bool> compared(arith::CmpIPredicate predicate, Number a, Number b) {
    if (!a || !b || std::isnan(*a) || std::isnan(*b)) return std::nullopt;
    const auto integer = [](double x) { return llvm::APInt(32, static_cast<std::uint64_t>(x)); };
    return arith::applyCmpPredicate(predicate, integer(*a), integer(*b));
  }

  const Sides& sides_;
  const Trial& trial_;
  llvm::DenseMap<Value, std::optional<bool>> known_;
};

// A choice between the held and the met value.
struct Chosen {
  Value condition;
  Value met;
  bool holds_if = true;  // held if the condition is this

  static std::optional<Chosen> of(Value result, Value held) {
    auto select = result.getDefiningOp<arith::SelectOp>();
    if (!select) return std::nullopt;
    if (select.getTrueValue() == held)
      return Chosen{select.getCondition(), select.getFalseValue(), true};
    if (select.getFalseValue() == held)
      return Chosen{select.getCondition(), select.getTrueValue(), false};
    return std::nullopt;
  }

  [[nodiscard]] std::optional<bool> holds(Asked& asked) const {
    const auto is_true = asked.condition(condition);
    if (!is_true) return std::nullopt;
    return *is_true == holds_if;
  }
};

// The operations of a body that depend on the held values.
llvm::DenseSet<mlir::Operation*> dependents(mlir::Block& body, mlir::ValueRange held) {
  llvm::DenseSet<mlir::Operation*> result;
  for (mlir::Operation& op : body) {
    const bool depends = llvm::any_of(op.getOperands(), [&](Value operand) {
      return llvm::is_contained(held, operand) || result.contains(operand.getDefiningOp());
    });
    if (depends) result.insert(&op);
  }
  return result;
}

class Argument {
 public:
  explicit Argument(GenericOp op) : op_(op) {}

  // Whether the operation finds the index of an extreme, and starts from a neutral value.
  bool find() {
    if (op_.getNumResults() != 2 || op_.getNumReductionLoops() == 0) return false;
    const auto maps = op_.getIndexingMapsArray();
    if (maps[maps.size() - 2] != maps.back()) return false;
    const auto held = op_.getRegionOutputArgs();
    mlir::Operation* yield = op_.getBody()->getTerminator();
    const auto value = Chosen::of(yield->getOperand(0), held[0]);
    const auto index = Chosen::of(yield->getOperand(1), held[1]);
    if (!value || !index) return false;
    sides_ = {held[0], value->met, held[1], index->met};
    held_ = dependents(*op_.getBody(), held);
    for (const Value met : {sides_.met_value, sides_.met_index}) {
      if (llvm::is_contained(held, met) || held_.contains(met.getDefiningOp())) return false;
    }
    const mlir::Type element = held[0].getType();
    is_float_ = element.isF32();
    if ((!is_float_ && !element.isInteger(32)) || !held[1].getType().isInteger(32)) return false;
    if (is_extreme(*value, *index, true)) {
      finds_most_ = true;
    } else if (!is_extreme(*value, *index, false)) {
      return false;
    }
    return begins_neutral();
  }

  void split() {
    mlir::OpBuilder builder(op_);
    const Value extreme = extremes(builder);
    const Value index = indices(builder, extreme);
    op_.getResult(0).replaceAllUsesWith(extreme);
    op_.getResult(1).replaceAllUsesWith(index);
    op_.erase();
  }

 private:
  [[nodiscard]] bool is_extreme(const Chosen& value, const Chosen& index, bool most) const {
    llvm::SmallVector<double> numbers{1, 2};
    if (is_float_) numbers.push_back(std::nan(""));
    for (const double held : numbers) {
      for (const double met : numbers) {
        for (const bool held_is_first : {true, false}) {
          const Trial trial{held, met, held_is_first};
          Asked asked(sides_, trial);
          const auto holds_value = value.holds(asked);
          const auto holds_index = index.holds(asked);
          if (!holds_value || !holds_index) return false;
          if (std::isnan(held) && std::isnan(met))
            continue;  // either is NaN, and either index is correct
          if (held == met) {
            if (*holds_index != held_is_first) return false;
            continue;
          }
          const bool wanted = std::isnan(held) || (!std::isnan(met) && (held > met) == most);
          if (*holds_value != wanted || *holds_index != wanted) return false;
        }
      }
    }
    return true;
  }

  // Its initial value is less than, or equal to, all elements, and its index is no later.
  [[nodiscard]] bool begins_neutral() {
    auto value = op_.getDpsInits()[0].getDefiningOp<mlir::linalg::FillOp>();
    auto index = op_.getDpsInits()[1].getDefiningOp<mlir::linalg::FillOp>();
    if (!value || !index || !mlir::matchPattern(index.value(), mlir::m_Zero())) return false;
    // No index is less than 0 where it is the number of a loop.
    auto cast = sides_.met_index.getDefiningOp<arith::IndexCastOp>();
    if (!cast || !cast.getIn().getDefiningOp<mlir::linalg::IndexOp>()) return false;
    llvm::APFloat real(0.0F);
    llvm::APInt word;
    if (is_float_) {
      return mlir::matchPattern(value.value(), mlir::m_ConstantFloat(&real)) && real.isInfinity() &&
             real.isNegative() == finds_most_;
    }
    return mlir::matchPattern(value.value(), mlir::m_ConstantInt(&word)) &&
           (finds_most_ ? word.isMinSignedValue() : word.isMaxSignedValue());
  }

  // The operations that compute the element, or its index.
  void clone_body(mlir::OpBuilder& builder, mlir::IRMapping& map) {
    for (mlir::Operation& inner : op_.getBody()->without_terminator()) {
      if (!held_.contains(&inner)) builder.clone(inner, map);
    }
  }

  Value extremes(mlir::OpBuilder& builder) {
    auto maps = op_.getIndexingMapsArray();
    maps.pop_back();
    auto generic = GenericOp::create(
        builder, op_.getLoc(), op_.getResult(0).getType(), op_.getDpsInputs(), op_.getDpsInits()[0],
        maps, op_.getIteratorTypesArray(),
        [&](mlir::OpBuilder& nested, mlir::Location loc, mlir::ValueRange arguments) {
          mlir::IRMapping map;
          map.map(op_.getBody()->getArguments().drop_back(2), arguments.drop_back());
          clone_body(nested, map);
          const Value met = map.lookupOrDefault(sides_.met_value);
          const Value held = arguments.back();
          Value result;
          if (is_float_) {
            result = finds_most_ ? arith::MaximumFOp::create(nested, loc, held, met).getResult()
                                 : arith::MinimumFOp::create(nested, loc, held, met).getResult();
          } else {
            result = finds_most_ ? arith::MaxSIOp::create(nested, loc, held, met).getResult()
                                 : arith::MinSIOp::create(nested, loc, held, met).getResult();
          }
          mlir::linalg::YieldOp::create(nested, loc, result);
        });
    return generic.getResult(0);
  }

  Value indices(mlir::OpBuilder& builder, Value extreme) {
    const mlir::Location loc = op_.getLoc();
    const mlir::Type word = builder.getI32Type();
    const Value last =
        arith::ConstantIntOp::create(builder, loc, word, std::numeric_limits<std::int32_t>::max());
    const Value empty = mlir::tensor::EmptyOp::create(
        builder, loc, tensor_type_of(op_.getResult(1)).getShape(), word);
    const Value begun = mlir::linalg::FillOp::create(builder, loc, last, empty).getResult(0);
    llvm::SmallVector<Value> inputs(op_.getDpsInputs());
    inputs.push_back(extreme);
    auto generic = GenericOp::create(
        builder, loc, op_.getResult(1).getType(), inputs, begun, op_.getIndexingMapsArray(),
        op_.getIteratorTypesArray(),
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
          mlir::IRMapping map;
          map.map(op_.getBody()->getArguments().drop_back(2), arguments.drop_back(2));
          clone_body(nested, map);
          const Value met = map.lookupOrDefault(sides_.met_value);
          const Value most = arguments[arguments.size() - 2];
          Value is_it;
          if (is_float_) {
            is_it = arith::CmpFOp::create(nested, at, arith::CmpFPredicate::OEQ, met, most);
            const Value is_nan =
                arith::CmpFOp::create(nested, at, arith::CmpFPredicate::UNE, met, met);
            is_it = arith::OrIOp::create(nested, at, is_it, is_nan);
          } else {
            is_it = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::eq, met, most);
          }
          const Value index = arith::SelectOp::create(nested, at, is_it,
                                                      map.lookupOrDefault(sides_.met_index), last);
          mlir::linalg::YieldOp::create(
              nested, at, arith::MinSIOp::create(nested, at, arguments.back(), index).getResult());
        });
    return generic.getResult(0);
  }

  GenericOp op_;
  Sides sides_;
  llvm::DenseSet<mlir::Operation*> held_;  // that depend on the held values
  bool is_float_ = false;
  bool finds_most_ = false;
};

struct SplitArgmax : FunctionPass<SplitArgmax, PassName::split_argmax> {
  void run() {
    llvm::SmallVector<Argument> all;
    getOperation().walk([&](GenericOp op) {
      Argument argument(op);
      if (argument.find()) all.push_back(argument);
    });
    for (Argument& argument : all) argument.split();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_split_argmax_pass() { return std::make_unique<SplitArgmax>(); }

}  // namespace tandem::compiler
