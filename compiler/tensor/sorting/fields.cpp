#include "compiler/tensor/sorting/fields.hpp"

#include <limits>

#include "compiler/tensor/sorting/keys.hpp"
#include "compiler/tensor/tensor_type.hpp"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;
using P = arith::CmpIPredicate;

Value integer(mlir::OpBuilder& builder, mlir::Location loc, mlir::Type type, std::int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, type, value);
}

// The one that is before the other becomes the first.
void exchange_by(mlir::OpBuilder& builder, mlir::Location loc, P before, Value& first,
                 Value& second) {
  const bool is_signed = before == P::slt || before == P::sgt;
  const bool rises = before == P::slt || before == P::ult;
  const Value low = is_signed ? Value(arith::MinSIOp::create(builder, loc, first, second))
                              : Value(arith::MinUIOp::create(builder, loc, first, second));
  const Value high = is_signed ? Value(arith::MaxSIOp::create(builder, loc, first, second))
                               : Value(arith::MaxUIOp::create(builder, loc, first, second));
  first = rises ? low : high;
  second = rises ? high : low;
}

// The lists' first elements, or where `second` the others.
Values one_of(mlir::OpBuilder& builder, mlir::Location loc, const Values& first,
              const Values& others, Value second) {
  if (!second) return first;
  Values result;
  for (const auto [one, another] : llvm::zip(first, others)) {
    result.push_back(arith::SelectOp::create(builder, loc, second, another, one));
  }
  return result;
}

// What comes last in the list of signs: even, as all of them where no zero is negative.
constexpr std::int64_t last_sign = std::numeric_limits<std::int32_t>::max() - 1;

}  // namespace

SortFields::SortFields(Lowering& lowering, mlir::Operation* sort, Comparator& comparator,
                       unsigned dimension, std::int64_t elements)
    : comparator_(comparator), simple_(comparator.simple()), elements_(elements) {
  for (const SortKey& key : comparator.keys()) types_.push_back(key.value.getType());
  // Truth values are compared as words.
  if (simple_ && types_[simple_->key].isInteger(1)) {
    types_[simple_->key] = lowering.builder.getI32Type();
  }
  // Where one key determines every operand that is read, equal elements are identical.
  const bool may_differ = !simple_ || llvm::any_of(sort->getResults(), [&](mlir::OpResult result) {
    return !result.use_empty() && comparator.key_for(result.getResultNumber()) != simple_->key;
  });
  const bool has_signs = may_differ && is_key_and_signs(sort);
  if (may_differ) {
    (has_signs ? signs_ : index_) = static_cast<unsigned>(types_.size());
    types_.push_back(lowering.builder.getI32Type());
  }
  for (const mlir::OpResult result : sort->getResults()) {
    const unsigned operand = result.getResultNumber();
    if (!result.use_empty()) add_result(sort, operand, dimension);
    const bool carried = !carried_.empty() && carried_.back().first == operand;
    if (carried || comparator.looks_at(operand)) taken_.push_back(operand);
  }
}

bool SortFields::is_key_and_signs(mlir::Operation* sort) const {
  if (!simple_) return false;
  const SortKey& key = comparator_.keys()[simple_->key];
  return key.merges_zeros && llvm::all_of(sort->getResults(), [&](mlir::OpResult result) {
           return result.use_empty() || key.operand == static_cast<int>(result.getResultNumber());
         });
}

void SortFields::add_result(mlir::Operation* sort, unsigned operand, unsigned dimension) {
  const mlir::Type type = plain_tensor(sort->getOperand(operand).getType()).getElementType();
  const auto key = signs_ ? static_cast<unsigned>(simple_->key) : comparator_.key_for(operand);
  if (key) {
    const bool is_order = comparator_.keys()[*key].is_order_of_bits;
    results_.push_back({operand, *key, is_order, signs_.has_value(), type});
    return;
  }
  if (index_ && counts_elements(sort->getOperand(operand), dimension)) {
    results_.push_back({operand, *index_, false, false, type});
    return;
  }
  const auto field = static_cast<unsigned>(types_.size());
  types_.push_back(type);
  carried_.emplace_back(operand, field);
  results_.push_back({operand, field, false, false, type});
}

Values SortFields::sources(const Values& operands) const {
  Values result;
  for (const unsigned operand : taken_) result.push_back(operands[operand]);
  return result;
}

// The last value of the order; a zero if there is no order.
Value SortFields::last_of_all(mlir::OpBuilder& builder, mlir::Location loc,
                              std::size_t field) const {
  const mlir::Type type = types_[field];
  if (field == signs_) return integer(builder, loc, type, last_sign);
  if (field == index_) {
    return integer(builder, loc, type, std::numeric_limits<std::int32_t>::max());
  }
  if (!simple_ || field != simple_->key) {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }
  const unsigned width = type.getIntOrFloatBitWidth();
  const llvm::APInt last = [&] {
    switch (simple_->before) {
      case P::slt: return llvm::APInt::getSignedMaxValue(width);
      case P::sgt: return llvm::APInt::getSignedMinValue(width);
      case P::ult: return llvm::APInt::getAllOnes(width);
      case P::ugt:
      case P::eq:
      case P::ne:
      case P::sle:
      case P::sge:
      case P::ule:
      case P::uge: return llvm::APInt::getZero(width);
    }
    return llvm::APInt::getZero(width);
  }();
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, last));
}

void SortFields::fill(mlir::OpBuilder& builder, mlir::Location loc, Table& table,
                      const TableShape& shape, mlir::ValueRange sources) {
  const bool all_are_elements = shape.elements() == elements_;
  padded_ = table.rows() * shape.columns != elements_;
  Values last;
  for (std::size_t field = 0; field < types_.size(); ++field) {
    last.push_back(last_of_all(builder, loc, field));
  }
  table.fill_rest(shape.rows, last);
  const auto body = [&](mlir::OpBuilder& b, mlir::Location at, Value row, Value column,
                        mlir::ValueRange elements) -> Values {
    Values operands(comparator_.operands());
    for (const auto [operand, element] : llvm::zip(taken_, elements)) operands[operand] = element;
    Values fields = comparator_.keys_of(b, operands);
    if (simple_ && fields[simple_->key].getType() != types_[simple_->key]) {
      Value& key = fields[simple_->key];
      key = arith::ExtUIOp::create(b, at, types_[simple_->key], key);
    }
    const auto word = [&](Value number) -> Value {
      return arith::IndexCastOp::create(b, at, b.getI32Type(), number);
    };
    const auto number = [&](std::int64_t value) { return integer(b, at, b.getI32Type(), value); };
    Value index = word(row);
    if (shape.columns != 1) {
      Value own = shape.number_of(b, at, word(column));
      Value& scaled = shape.across ? index : own;
      scaled =
          arith::MulIOp::create(b, at, scaled, number(shape.across ? shape.columns : shape.rows));
      index = arith::AddIOp::create(b, at, index, own);
    }
    if (index_) fields.push_back(index);
    if (signs_) {
      const Value element = operands[comparator_.keys()[simple_->key].operand];
      fields.push_back(sign_of(b, at, element, fields[simple_->key], index));
    }
    for (const auto& [operand, field] : carried_) fields.push_back(operands[operand]);
    if (!all_are_elements && simple_) {
      const Value real = is_element(b, at, index);
      for (auto [field, value] : llvm::zip(fields, last)) {
        field = arith::SelectOp::create(b, at, real, field, value);
      }
    }
    return fields;
  };
  table.fill(sources, shape.rows, body);
}

// A number for the list of signs.
Value SortFields::sign_of(mlir::OpBuilder& builder, mlir::Location loc, Value element, Value key,
                          Value index) const {
  constexpr std::int64_t first_sign = std::numeric_limits<std::int32_t>::min();
  const mlir::Type word = builder.getI32Type();
  const auto number = [&](std::int64_t value) { return integer(builder, loc, word, value); };
  const Value bits = arith::BitcastOp::create(builder, loc, key.getType(), element);
  const Value zero = integer(builder, loc, key.getType(), 0);
  const Value negative = arith::CmpIOp::create(builder, loc, P::slt, bits, zero);
  const Value sign = arith::ExtUIOp::create(builder, loc, word, negative);
  const Value twice = arith::ShLIOp::create(builder, loc, index, number(1));
  const Value of_zero = arith::OrIOp::create(builder, loc, twice, sign);
  const Value before = arith::CmpIOp::create(builder, loc, simple_->before, key, zero);
  const Value other =
      arith::SelectOp::create(builder, loc, before, number(first_sign), number(last_sign));
  const Value is_zero = arith::CmpIOp::create(builder, loc, P::eq, key, zero);
  return arith::SelectOp::create(builder, loc, is_zero, of_zero, other);
}

Value SortFields::is_element(mlir::OpBuilder& builder, mlir::Location loc, Value index) const {
  const Value end = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), elements_);
  return arith::CmpIOp::create(builder, loc, P::slt, index, end);
}

Value SortFields::is_before(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange b,
                            mlir::ValueRange a) {
  const std::size_t keys = comparator_.keys().size();
  const mlir::ValueRange first = b.take_front(keys);
  const mlir::ValueRange second = a.take_front(keys);
  const Value earlier = arith::CmpIOp::create(builder, loc, P::slt, b[*index_], a[*index_]);
  if (simple_) {
    const Value before = comparator_.before(builder, first, second);
    const Value level =
        arith::CmpIOp::create(builder, loc, P::eq, b[simple_->key], a[simple_->key]);
    const Value tie = arith::AndIOp::create(builder, loc, level, earlier);
    return arith::OrIOp::create(builder, loc, before, tie);
  }
  // A word takes up one truth value after the other: the machine has few registers for these.
  // Padding comes last, whatever its keys.
  const mlir::Type word = builder.getI32Type();
  const Value yes = integer(builder, loc, word, 1);
  const Value no = integer(builder, loc, word, 0);
  const auto choose = [&](Value condition, Value one, Value other) -> Value {
    return arith::SelectOp::create(builder, loc, condition, one, other);
  };
  Value result = choose(earlier, yes, no);
  result = choose(comparator_.before(builder, first, second), yes, result);
  result = choose(comparator_.before(builder, second, first), no, result);
  if (padded_) {
    result = choose(is_element(builder, loc, a[*index_]), result, yes);
    result = choose(is_element(builder, loc, b[*index_]), result, no);
  }
  return arith::CmpIOp::create(builder, loc, P::ne, result, no);
}

void SortFields::exchange(mlir::OpBuilder& builder, mlir::Location loc, Values& first,
                          Values& second) {
  if (goes_by_extremes()) {
    exchange_by(builder, loc, simple_->before, first[simple_->key], second[simple_->key]);
    return;
  }
  const Value swaps = is_before(builder, loc, second, first);
  for (auto [a, b] : llvm::zip(first, second)) {
    const Value one = arith::SelectOp::create(builder, loc, swaps, b, a);
    b = arith::SelectOp::create(builder, loc, swaps, a, b);
    a = one;
  }
}

Values SortFields::kept(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange own,
                        mlir::ValueRange other, Value second) {
  const auto choose = [&](Value condition, Value one, Value another) -> Value {
    return arith::SelectOp::create(builder, loc, condition, one, another);
  };
  Values first(own);
  Values last(other);
  if (goes_by_extremes()) {
    exchange(builder, loc, first, last);
    return one_of(builder, loc, first, last, second);
  }
  // Both of a pair evaluate the same, so that they agree whatever the comparator returns.
  for (auto [one, another] : llvm::zip(first, last)) {
    if (!second) break;
    const Value low = choose(second, another, one);
    another = choose(second, one, another);
    one = low;
  }
  const Value swaps = is_before(builder, loc, last, first);
  Values result;
  for (const auto [one, another] : llvm::zip(own, other)) {
    result.push_back(choose(swaps, another, one));
  }
  return result;
}

void SortFields::exchange_signs(mlir::OpBuilder& builder, mlir::Location loc, Values& first,
                                Values& second) {
  exchange_by(builder, loc, P::slt, first.front(), second.front());
}

Values SortFields::kept_signs(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange own,
                              mlir::ValueRange other, Value second) {
  Values first(own);
  Values last(other);
  exchange_signs(builder, loc, first, last);
  return one_of(builder, loc, first, last, second);
}

// The bits of a negative zero are the least signed number.
Value SortFields::has_negative_zero(mlir::OpBuilder& builder, mlir::Location loc,
                                    mlir::ValueRange sources) const {
  const SortKey& key = comparator_.keys()[simple_->key];
  const auto place = llvm::find(taken_, static_cast<unsigned>(key.operand)) - taken_.begin();
  const Value source = sources[static_cast<std::size_t>(place)];
  const mlir::RankedTensorType type = tensor_type_of(source);
  const auto rank = static_cast<unsigned>(type.getRank());
  const mlir::Type word = builder.getI32Type();
  const Value most = integer(builder, loc, word, std::numeric_limits<std::int32_t>::max());
  const Value room = filled_tensor(builder, loc, mlir::RankedTensorType::get({}, word), most);
  const auto all = builder.getMultiDimIdentityMap(rank);
  const auto none = mlir::AffineMap::get(rank, 0, builder.getContext());
  const llvm::SmallVector<mlir::utils::IteratorType> loops(rank,
                                                           mlir::utils::IteratorType::reduction);
  const unsigned width = type.getElementTypeBitWidth();
  auto least = mlir::linalg::GenericOp::create(
      builder, loc, mlir::TypeRange{room.getType()}, source, room,
      llvm::ArrayRef<mlir::AffineMap>{all, none}, loops,
      [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) {
        Value bits = arith::BitcastOp::create(b, at, b.getIntegerType(width), elements[0]);
        if (width < 32) bits = arith::ExtSIOp::create(b, at, word, bits);
        const Value less = arith::MinSIOp::create(b, at, bits, elements[1]);
        mlir::linalg::YieldOp::create(b, at, less);
      });
  const Value negative_zero = integer(builder, loc, word, -(std::int64_t{1} << (width - 1)));
  return arith::CmpIOp::create(builder, loc, P::eq, scalar_of(builder, loc, least.getResult(0)),
                               negative_zero);
}

llvm::SmallVector<mlir::Type> SortFields::result_types() const {
  llvm::SmallVector<mlir::Type> types;
  for (const Result& result : results_) types.push_back(result.type);
  return types;
}

// The key of a zero with its sign: the one of the negative zero is minus one.
Value SortFields::with_sign(mlir::OpBuilder& builder, mlir::Location loc, Value key, Value sign) {
  const Value zero = integer(builder, loc, key.getType(), 0);
  const Value less = integer(builder, loc, key.getType(), -1);
  const mlir::Type word = sign.getType();
  const Value bit = arith::AndIOp::create(builder, loc, sign, integer(builder, loc, word, 1));
  const Value negative =
      arith::CmpIOp::create(builder, loc, P::ne, bit, integer(builder, loc, word, 0));
  const Value is_zero = arith::CmpIOp::create(builder, loc, P::eq, key, zero);
  const Value both = arith::AndIOp::create(builder, loc, is_zero, negative);
  return arith::SelectOp::create(builder, loc, both, less, key);
}

Values SortFields::results_of(mlir::OpBuilder& builder, mlir::Location loc,
                              mlir::ValueRange fields) const {
  Values values;
  for (const Result& result : results_) {
    Value field = fields[result.field];
    if (result.has_signs) field = with_sign(builder, loc, field, fields[*signs_]);
    if (result.type.isInteger(1) && field.getType() != result.type) {
      field = arith::CmpIOp::create(builder, loc, P::ne, field,
                                    integer(builder, loc, field.getType(), 0));
    }
    values.push_back(result.is_order_of_bits ? real_of_order(builder, loc, field, result.type)
                                             : field);
  }
  return values;
}

int SortFields::number_of(unsigned result) const {
  for (const auto [number, known] : llvm::enumerate(results_)) {
    if (known.operand == result) return static_cast<int>(number);
  }
  return -1;
}

}  // namespace tandem::compiler
