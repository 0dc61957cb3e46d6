#include "compiler/tensor/sorting/comparator.hpp"

#include "compiler/tensor/lowering/scalars.hpp"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

// Which of its two elements a value of the comparator depends on.
constexpr int of_first = 1;
constexpr int of_second = 2;
constexpr int of_both = 3;

bool is_constant(Value value, std::int64_t number) {
  llvm::APInt found;
  return mlir::matchPattern(value, mlir::m_ConstantInt(&found)) && found.getSExtValue() == number;
}

// The real whose bits the value is, in an integer of the same order (scalar_compare's total order);
// null otherwise.
Value ordered_real(Value value) {
  auto flipped = value.getDefiningOp<arith::XOrIOp>();
  auto mask = flipped ? flipped.getRhs().getDefiningOp<arith::AndIOp>() : arith::AndIOp();
  auto sign = mask ? mask.getLhs().getDefiningOp<arith::ShRSIOp>() : arith::ShRSIOp();
  auto bits = flipped ? flipped.getLhs().getDefiningOp<arith::BitcastOp>() : arith::BitcastOp();
  if (!sign || !bits || sign.getLhs() != bits.getResult()) return {};
  const unsigned width = value.getType().getIntOrFloatBitWidth();
  const auto rest = llvm::APInt::getSignedMaxValue(width).getSExtValue();
  const bool is_order = mlir::isa<mlir::FloatType>(bits.getIn().getType()) &&
                        is_constant(sign.getRhs(), width - 1) && is_constant(mask.getRhs(), rest);
  return is_order ? bits.getIn() : Value();
}

// For a value that is x unless x compares in this way with a number, and `number` otherwise: x,
// else null.
Value but_where(Value value, arith::CmpFPredicate predicate,
                llvm::function_ref<bool(Value x, Value compared, llvm::APFloat instead)> fits) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto comparison = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  llvm::APFloat instead(0.0F);
  if (!comparison || comparison.getPredicate() != predicate ||
      !mlir::matchPattern(select.getTrueValue(), mlir::m_ConstantFloat(&instead)) ||
      !fits(comparison.getLhs(), comparison.getRhs(), instead)) {
    return {};
  }
  return select.getFalseValue();
}

// The argument that the value equals, apart from the sign of zeros and the kind of NaN.
mlir::BlockArgument with_one_zero(Value value) {
  Value argument;
  const Value without_nan = but_where(
      value, arith::CmpFPredicate::UNE, [&](Value x, Value compared, const llvm::APFloat& instead) {
        argument = x;
        return x == compared && instead.isNaN() && !instead.isNegative();
      });
  if (!without_nan) return {};
  const Value rest = but_where(without_nan, arith::CmpFPredicate::OEQ,
                               [&](Value x, Value compared, const llvm::APFloat& instead) {
                                 return x == argument &&
                                        mlir::matchPattern(compared, mlir::m_AnyZeroFloat()) &&
                                        instead.isPosZero();
                               });
  return rest == argument ? mlir::dyn_cast_or_null<mlir::BlockArgument>(rest)
                          : mlir::BlockArgument();
}

// Copies the operations that compute `value`, as far as they are not mapped yet.
Value cloned(mlir::OpBuilder& builder, const mlir::Block* block, Value value,
             mlir::IRMapping& map) {
  if (map.contains(value)) return map.lookup(value);
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr || op->getBlock() != block) return value;
  for (const Value operand : op->getOperands()) cloned(builder, block, operand, map);
  builder.clone(*op, map);
  return map.lookup(value);
}

}  // namespace

mlir::FailureOr<Comparator> Comparator::of(Lowering& lowering, mlir::Operation* sort) {
  const auto outer = outer_scalars(lowering, sort->getRegion(0));
  if (mlir::failed(outer)) return mlir::failure();
  Comparator made;
  made.block_ = std::make_unique<mlir::Block>();
  for (const mlir::Value operand : sort->getOperands()) {
    const mlir::Type element =
        mlir::cast<mlir::RankedTensorType>(plain_tensor(operand.getType())).getElementType();
    made.block_->addArguments({element, element}, {sort->getLoc(), sort->getLoc()});
  }
  mlir::OpBuilder inside(lowering.builder.getContext());
  inside.setInsertionPointToStart(made.block_.get());
  const auto results =
      scalar_region(inside, sort->getRegion(0), made.block_->getArguments(), *outer);
  if (mlir::failed(results)) return mlir::failure();
  made.result_ = results->front();
  made.find_keys();
  return made;
}

int Comparator::side_of(Value value) const {
  const auto found = sides_.find(value);
  return found == sides_.end() ? 0 : found->second;
}

void Comparator::find_keys() {
  for (const mlir::BlockArgument argument : block_->getArguments()) {
    sides_[argument] = argument.getArgNumber() % 2 == 0 ? of_first : of_second;
  }
  for (mlir::Operation& op : *block_) {
    int side = 0;
    for (const Value operand : op.getOperands()) side |= side_of(operand);
    for (const Value result : op.getResults()) sides_[result] = side;
  }
  // The part of the result that depends on one side only.
  llvm::SmallVector<Value> needed{result_};
  llvm::DenseSet<Value> seen;
  while (!needed.empty()) {
    const Value value = needed.pop_back_val();
    if (!seen.insert(value).second) continue;
    if (side_of(value) == of_both) {
      llvm::append_range(needed, value.getDefiningOp()->getOperands());
    } else if (side_of(value) != 0) {
      note(value);
    }
  }
}

void Comparator::note(Value leaf) {
  if (key_of(leaf)) return;
  SortKey key{leaf};
  if (const auto argument = mlir::dyn_cast<mlir::BlockArgument>(leaf)) {
    key.operand = static_cast<int>(argument.getArgNumber() / 2);
  } else if (const Value real = ordered_real(leaf)) {
    const auto itself = mlir::dyn_cast<mlir::BlockArgument>(real);
    const mlir::BlockArgument of_bits = itself ? itself : with_one_zero(real);
    if (of_bits) key.operand = static_cast<int>(of_bits.getArgNumber() / 2);
    key.is_order_of_bits = static_cast<bool>(of_bits);
    key.merges_zeros = !itself && of_bits;
  }
  keys_.push_back(key);
}

std::optional<std::size_t> Comparator::key_of(Value leaf) const {
  for (const auto [index, key] : llvm::enumerate(keys_)) {
    if (same(key.value, leaf)) return index;
  }
  return std::nullopt;
}

// Whether two values, of one side each, are the same function of their side's elements.
bool Comparator::same(Value a, Value b) const {
  if (a == b) return true;
  const auto left = mlir::dyn_cast<mlir::BlockArgument>(a);
  const auto right = mlir::dyn_cast<mlir::BlockArgument>(b);
  if (left && right && left.getOwner() == block_.get() && right.getOwner() == block_.get()) {
    return left.getArgNumber() / 2 == right.getArgNumber() / 2;
  }
  mlir::Operation* one = a.getDefiningOp();
  mlir::Operation* other = b.getDefiningOp();
  return one != nullptr && other != nullptr && one->getBlock() == block_.get() &&
         other->getBlock() == block_.get() && one->getNumRegions() == 0 &&
         one->getNumResults() == 1 && one->getName() == other->getName() &&
         one->getNumOperands() == other->getNumOperands() &&
         one->getAttrDictionary() == other->getAttrDictionary() &&
         one->getPropertiesAsAttribute() == other->getPropertiesAsAttribute() &&
         a.getType() == b.getType() &&
         llvm::all_of(llvm::zip(one->getOperands(), other->getOperands()),
                      [&](auto pair) { return same(std::get<0>(pair), std::get<1>(pair)); });
}

std::optional<SimpleOrder> Comparator::simple() const {
  using P = arith::CmpIPredicate;
  auto comparison = result_.getDefiningOp<arith::CmpIOp>();
  if (!comparison || side_of(result_) != of_both) return std::nullopt;
  const Value left = comparison.getLhs();
  const Value right = comparison.getRhs();
  const bool in_order = side_of(left) == of_first && side_of(right) == of_second;
  const bool turned = side_of(left) == of_second && side_of(right) == of_first;
  if ((!in_order && !turned) || !same(left, right)) return std::nullopt;
  const auto predicate = [&]() -> std::optional<P> {
    switch (comparison.getPredicate()) {
      case P::slt: return in_order ? P::slt : P::sgt;
      case P::sgt: return in_order ? P::sgt : P::slt;
      case P::ult: return in_order ? P::ult : P::ugt;
      case P::ugt: return in_order ? P::ugt : P::ult;
      case P::eq:
      case P::ne:
      case P::sle:
      case P::sge:
      case P::ule:
      case P::uge: return std::nullopt;
    }
    return std::nullopt;
  }();
  const auto key = key_of(left);
  if (!predicate || !key) return std::nullopt;
  return SimpleOrder{*key, *predicate};
}

std::optional<unsigned> Comparator::key_for(unsigned operand) const {
  for (const auto [index, key] : llvm::enumerate(keys_)) {
    if (key.operand == static_cast<int>(operand) && !key.merges_zeros) {
      return static_cast<unsigned>(index);
    }
  }
  return std::nullopt;
}

bool Comparator::looks_at(unsigned operand) const {
  return !block_->getArgument(2 * operand).use_empty() ||
         !block_->getArgument(2 * operand + 1).use_empty() ||
         llvm::any_of(keys_,
                      [&](const SortKey& key) { return key.operand == static_cast<int>(operand); });
}

llvm::SmallVector<Value> Comparator::keys_of(mlir::OpBuilder& builder, mlir::ValueRange elements) {
  mlir::IRMapping map;
  for (const auto [index, element] : llvm::enumerate(elements)) {
    if (!element) continue;
    map.map(block_->getArgument(2 * index), element);
    map.map(block_->getArgument(2 * index + 1), element);
  }
  llvm::SmallVector<Value> result;
  for (const SortKey& key : keys_) {
    result.push_back(cloned(builder, block_.get(), key.value, map));
  }
  return result;
}

Value Comparator::before(mlir::OpBuilder& builder, mlir::ValueRange first,
                         mlir::ValueRange second) {
  mlir::IRMapping map;
  const auto give = [&](Value leaf) {
    const int side = side_of(leaf);
    if (side != of_first && side != of_second) return;
    if (const auto key = key_of(leaf)) map.map(leaf, side == of_first ? first[*key] : second[*key]);
  };
  give(result_);
  for (mlir::Operation& op : *block_) {
    for (const Value operand : op.getOperands()) give(operand);
  }
  return cloned(builder, block_.get(), result_, map);
}

}  // namespace tandem::compiler
