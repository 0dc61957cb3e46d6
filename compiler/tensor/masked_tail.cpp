#include "compiler/tensor/masked_tail.hpp"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::AffineMap;
using mlir::BlockArgument;
using mlir::Value;
using mlir::linalg::GenericOp;

Value yielded(GenericOp op) { return op.getBody()->getTerminator()->getOperand(0); }

// The operand of which a value of the body is an element; null: none.
mlir::OpOperand* operand_of(GenericOp op, Value value) {
  const auto argument = mlir::dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody()) return nullptr;
  return op.getMatchingOpOperand(argument);
}

// The loop whose index the value is.
std::optional<unsigned> loop_of_index(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>()) value = cast.getIn();
  auto index = value.getDefiningOp<mlir::linalg::IndexOp>();
  if (!index) return std::nullopt;
  return static_cast<unsigned>(index.getDim());
}

// Whether the value is the same for all elements, and may be computed outside.
bool is_even(GenericOp op, Value value) {
  if (mlir::OpOperand* operand = operand_of(op, value)) {
    const auto type = mlir::dyn_cast<mlir::RankedTensorType>(operand->get().getType());
    return type && type.getRank() == 0 && op.isDpsInput(operand);
  }
  mlir::Operation* made = value.getDefiningOp();
  if (made == nullptr || mlir::isa<mlir::linalg::IndexOp>(made)) return false;
  if (made->getBlock() != op.getBody()) return true;
  return made->getDialect()->getNamespace() == "arith" &&
         llvm::all_of(made->getOperands(), [&](Value each) { return is_even(op, each); });
}

// Where the comparison is `behind` for everything after a position.
std::optional<MaskEnd> end_of_comparison(GenericOp op, arith::CmpIOp comparison, bool behind) {
  const auto end = [&](Value index, Value limit, bool inclusive) -> std::optional<MaskEnd> {
    const auto loop = loop_of_index(index);
    const auto limit_loop = loop_of_index(limit);
    const bool is_known = limit_loop ? limit_loop != loop : is_even(op, limit);
    if (!loop || !limit.getType().isInteger(32) || !is_known) return std::nullopt;
    return MaskEnd{.where = op,
                   .comparison = comparison,
                   .limit = limit,
                   .inclusive = inclusive,
                   .loop = *loop,
                   .limit_loop = limit_loop};
  };
  const Value left = comparison.getLhs();
  const Value right = comparison.getRhs();
  const arith::CmpIPredicate predicate = comparison.getPredicate();
  switch (behind ? arith::invertPredicate(predicate) : predicate) {
    case arith::CmpIPredicate::sle: return end(left, right, true);
    case arith::CmpIPredicate::slt: return end(left, right, false);
    case arith::CmpIPredicate::sge: return end(right, left, true);
    case arith::CmpIPredicate::sgt: return end(right, left, false);
    case arith::CmpIPredicate::eq:
    case arith::CmpIPredicate::ne:
    case arith::CmpIPredicate::ult:
    case arith::CmpIPredicate::ule:
    case arith::CmpIPredicate::ugt:
    case arith::CmpIPredicate::uge: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<MaskEnd> end_of_mask(GenericOp op, Value condition, bool behind);

// The same for the operation that defines an operand, with its loops mapped to those of the reader.
std::optional<MaskEnd> end_in_producer(GenericOp op, mlir::OpOperand& operand, bool behind) {
  auto producer = operand.get().getDefiningOp<GenericOp>();
  const AffineMap read = op.getMatchingIndexingMap(&operand);
  if (!producer || producer->getNumResults() != 1 || !read.isProjectedPermutation()) {
    return std::nullopt;
  }
  auto mask = end_of_mask(producer, yielded(producer), behind);
  const AffineMap made = producer.getIndexingMapsArray().back();
  if (!mask || mask->limit_loop || !made.isPermutation()) return std::nullopt;
  for (unsigned i = 0; i < made.getNumResults(); ++i) {
    if (made.getDimPosition(i) != mask->loop) continue;
    mask->loop = read.getDimPosition(i);
    return mask;
  }
  return std::nullopt;
}

// Where the condition, a value in the body, is `behind` for everything after a position.
std::optional<MaskEnd> end_of_mask(GenericOp op, Value condition, bool behind) {
  if (mlir::OpOperand* operand = operand_of(op, condition)) {
    return op.isDpsInput(operand) ? end_in_producer(op, *operand, behind) : std::nullopt;
  }
  mlir::Operation* made = condition.getDefiningOp();
  // One that is off makes `and` off, one that is on makes `or` on.
  if (behind ? mlir::isa_and_present<arith::OrIOp>(made)
             : mlir::isa_and_present<arith::AndIOp>(made)) {
    auto mask = end_of_mask(op, made->getOperand(0), behind);
    return mask ? mask : end_of_mask(op, made->getOperand(1), behind);
  }
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  if (!comparison || comparison->getBlock() != op.getBody()) return std::nullopt;
  return end_of_comparison(op, comparison, behind);
}

bool is_constant(Value value, llvm::function_ref<bool(const llvm::APFloat&)> holds) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  const auto number =
      constant ? mlir::dyn_cast<mlir::FloatAttr>(constant.getValue()) : mlir::FloatAttr();
  return number && holds(number.getValue());
}

// So far below zero that its exponential is zero, whatever is added.
std::optional<double> low_constant(Value value) {
  constexpr double most = -1000;
  std::optional<double> found;
  is_constant(value, [&](const llvm::APFloat& number) {
    if (number.isFinite()) found = number.convertToDouble();
    return true;
  });
  return found && *found <= most ? found : std::nullopt;
}

bool is_positive(Value value) {
  return is_constant(value, [](const llvm::APFloat& number) {
    return number.isFinite() && !number.isNegative() && !number.isZero();
  });
}

// Facts about one operation's body.
class Body {
 public:
  Body(GenericOp op, const MaskEnd& mask, const TailOperands& operands)
      : op_(op), mask_(mask), operands_(operands) {}

  Tail tail(Value value);
  // Whether a value leaves a sum or maximum unchanged.
  bool step_is_nothing(Value step);

 private:
  Tail made_by(mlir::Operation* op);
  Tail of_difference(arith::SubFOp difference);
  Tail of_selection(arith::SelectOp select);
  Tail of_factors(Value left, Value right);
  bool is_of_rows(Value value);

  GenericOp op_;
  const MaskEnd& mask_;
  const TailOperands& operands_;
};

Tail Body::tail(Value value) {
  if (mlir::OpOperand* operand = operand_of(op_, value)) {
    const auto known = operands_.tails.find(operand->get());
    return known == operands_.tails.end() || !op_.isDpsInput(operand) ? Tail::anything
                                                                      : known->second;
  }
  if (is_constant(value, [](const llvm::APFloat& number) { return number.isZero(); })) {
    return Tail::zero;
  }
  if (is_minus_infinity(value)) return Tail::minus_infinity;
  if (const auto low = operands_.low != nullptr ? low_constant(value) : std::nullopt) {
    auto& constant = operands_.low->constant;
    constant = std::max(constant.value_or(*low), *low);
    return Tail::low;
  }
  mlir::Operation* made = value.getDefiningOp();
  return made == nullptr ? Tail::anything : made_by(made);
}

Tail Body::made_by(mlir::Operation* op) {
  if (auto select = mlir::dyn_cast<arith::SelectOp>(op)) {
    return of_selection(select);
  }
  if (mlir::isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    const Tail before = tail(op->getOperand(0));
    return before == Tail::low || before == Tail::low_less_maximum ? Tail::anything : before;
  }
  if (mlir::isa<mlir::math::ExpOp, mlir::math::Exp2Op>(op)) {
    const Tail before = tail(op->getOperand(0));
    return before == Tail::minus_infinity || before == Tail::low_less_maximum ? Tail::zero
                                                                              : Tail::anything;
  }
  if (auto difference = mlir::dyn_cast<arith::SubFOp>(op)) return of_difference(difference);
  if (auto product = mlir::dyn_cast<arith::MulFOp>(op)) {
    return of_factors(product.getLhs(), product.getRhs());
  }
  if (auto quotient = mlir::dyn_cast<arith::DivFOp>(op)) {
    const Tail dividend = tail(quotient.getLhs());
    const bool stays = (dividend == Tail::minus_infinity && is_positive(quotient.getRhs())) ||
                       (dividend == Tail::zero &&
                        (is_positive(quotient.getRhs()) || is_of_rows(quotient.getRhs())));
    return stays ? dividend : Tail::anything;
  }
  return Tail::anything;
}

Tail Body::of_difference(arith::SubFOp difference) {
  const Tail before = tail(difference.getLhs());
  if (before == Tail::minus_infinity && is_of_rows(difference.getRhs())) return before;
  mlir::OpOperand* operand = operand_of(op_, difference.getRhs());
  const bool is_maximum = operand != nullptr && operands_.low != nullptr &&
                          operands_.low->maxima.contains(operand->get());
  return before == Tail::low && is_maximum ? Tail::low_less_maximum : Tail::anything;
}

Tail Body::of_selection(arith::SelectOp select) {
  for (const auto& [mask, behind] : masked_selections(op_, select)) {
    if (mask.ends_with(mask_) && mask.loop == mask_.loop) return tail(behind);
  }
  return Tail::anything;
}

Tail Body::of_factors(Value left, Value right) {
  const Tail one = tail(left);
  const Tail other = tail(right);
  if (one == Tail::zero || other == Tail::zero) return Tail::zero;
  if (one == Tail::minus_infinity && is_positive(right)) return one;
  if (other == Tail::minus_infinity && is_positive(left)) return other;
  return Tail::anything;
}

bool Body::is_of_rows(Value value) {
  if (mlir::OpOperand* operand = operand_of(op_, value)) {
    return operands_.of_rows.contains(operand->get());
  }
  return false;
}

bool Body::step_is_nothing(Value step) {
  mlir::Operation* made = step.getDefiningOp();
  if (made == nullptr || made->getNumOperands() != 2) return false;
  const auto is_sum = [&](Value value) {
    mlir::OpOperand* operand = operand_of(op_, value);
    return operand != nullptr && op_.isDpsInit(operand);
  };
  const bool left_is_sum = is_sum(made->getOperand(0));
  if (!left_is_sum && !is_sum(made->getOperand(1))) return false;
  const Tail added = tail(made->getOperand(left_is_sum ? 1 : 0));
  if (mlir::isa<arith::AddFOp>(made)) return added == Tail::zero;
  return mlir::isa<arith::MaximumFOp, arith::MaxNumFOp>(made) &&
         (added == Tail::minus_infinity || added == Tail::low);
}

}  // namespace

bool is_minus_infinity(Value value) {
  return is_constant(value, [](const llvm::APFloat& number) {
    return number.isInfinity() && number.isNegative();
  });
}

Value MaskEnd::limit_operand() const {
  mlir::OpOperand* operand = operand_of(where, limit);
  return operand == nullptr ? Value() : operand->get();
}

bool MaskEnd::ends_with(const MaskEnd& other) const {
  if (comparison == other.comparison) return true;
  const Value mine = limit_operand();
  return mine && mine == other.limit_operand() && inclusive == other.inclusive;
}

llvm::SmallVector<MaskedSelection, 2> masked_selections(GenericOp op, arith::SelectOp select) {
  llvm::SmallVector<MaskedSelection, 2> found;
  for (const bool behind : {false, true}) {
    if (const auto mask = end_of_mask(op, select.getCondition(), behind)) {
      found.push_back({*mask, behind ? select.getTrueValue() : select.getFalseValue()});
    }
  }
  return found;
}

namespace {

Value outside(mlir::OpBuilder& builder, GenericOp op, Value value) {
  if (mlir::OpOperand* operand = operand_of(op, value)) {
    return mlir::tensor::ExtractOp::create(builder, op.getLoc(), operand->get(),
                                           mlir::ValueRange{});
  }
  mlir::Operation* made = value.getDefiningOp();
  if (made->getBlock() != op.getBody()) return value;
  mlir::IRMapping map;
  for (const Value each : made->getOperands()) map.map(each, outside(builder, op, each));
  return builder.clone(*made, map)->getResult(mlir::cast<mlir::OpResult>(value).getResultNumber());
}

}  // namespace

Value limit_outside(mlir::OpBuilder& builder, const MaskEnd& mask) {
  return outside(builder, mask.where, mask.limit);
}

Tail tail_of_result(GenericOp op, const MaskEnd& mask, bool sums, const TailOperands& operands) {
  Body body(op, mask, operands);
  if (!sums) return body.tail(yielded(op));
  return body.step_is_nothing(yielded(op)) ? Tail::zero : Tail::anything;
}

}  // namespace tandem::compiler
