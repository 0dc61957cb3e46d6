// Operations on one element after the other: operands and results have one shape.
#include <fmt/format.h>

#include "compiler/stablehlo/verify/facts.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler::verify {
namespace {

enum class Kind : std::uint8_t {
  same,   // operands and result have one type
  shape,  // only one shape
};
struct Row {
  unsigned operands;
  Kind kind;
};

const Row* find_row(llvm::StringRef name) {
  static const llvm::StringMap<Row> table = [] {
    llvm::StringMap<Row> rows;
    for (const char* unary : {"cbrt",
                              "ceil",
                              "cosine",
                              "count_leading_zeros",
                              "exponential",
                              "exponential_minus_one",
                              "floor",
                              "log",
                              "log_plus_one",
                              "logistic",
                              "negate",
                              "not",
                              "popcnt",
                              "round_nearest_afz",
                              "round_nearest_even",
                              "rsqrt",
                              "sign",
                              "sine",
                              "sqrt",
                              "tan",
                              "tanh",
                              "reduce_precision"}) {
      rows[unary] = {1, Kind::same};
    }
    for (const char* binary : {"add", "and", "atan2", "divide", "maximum", "minimum", "multiply",
                               "or", "power", "remainder", "shift_left", "shift_right_arithmetic",
                               "shift_right_logical", "subtract", "xor"}) {
      rows[binary] = {2, Kind::same};
    }
    for (const char* other : {"abs", "convert", "imag", "is_finite", "real"}) {
      rows[other] = {1, Kind::shape};
    }
    for (const char* other : {"compare", "complex"}) rows[other] = {2, Kind::shape};
    return rows;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

// Operand `number` may be a single element for all.
bool like_result(Facts& facts, std::size_t number, bool may_be_one) {
  const auto given = facts.operand(number);
  return facts.want((may_be_one && given.empty()) || given == facts.result(),
                    fmt::format("operand {} is of the shape {}, its result of {}", number,
                                text(given), text(facts.result())));
}

bool same_element(Facts& facts, std::size_t number) {
  const auto element = [](mlir::Type type) { return mlir::getElementTypeOrSelf(type); };
  return facts.want(element(facts.op()->getOperand(number).getType()) ==
                        element(facts.op()->getResult(0).getType()),
                    fmt::format("operand {} is of another type than its result", number));
}

bool compares(Facts& facts) {
  const auto direction = facts.op()->getAttrOfType<mlir::StringAttr>("comparison_direction");
  const auto is_one_of = [&](std::initializer_list<llvm::StringRef> names) {
    return direction && llvm::is_contained(names, direction.getValue());
  };
  return facts.want(is_one_of({"EQ", "NE", "GE", "GT", "LE", "LT"}),
                    "`comparison_direction` is EQ, NE, GE, GT, LE or LT") &&
         facts.want(mlir::getElementTypeOrSelf(facts.op()->getResult(0).getType()).isInteger(1),
                    "its result is of truth values");
}

bool has_bits(Facts& facts) {
  return facts.at_least("exponent_bits", facts.number("exponent_bits", 0), 1) &&
         facts.at_least("mantissa_bits", facts.number("mantissa_bits", -1), 0);
}

bool constant(Facts& facts) {
  const auto value = facts.op()->getAttrOfType<mlir::ElementsAttr>("value");
  return facts.counts(0, 1) && facts.want(value != nullptr, "it has no `value`") &&
         facts.want(value.getShapedType().getShape() == facts.result(),
                    fmt::format("its value is of the shape {}, its result of {}",
                                text(value.getShapedType().getShape()), text(facts.result())));
}

}  // namespace

bool verify_elementwise(Facts& facts, llvm::StringRef name) {
  if (name == "constant") return constant(facts);
  if (name == "bitcast_convert") return facts.counts(1, 1);
  if (name == "rng_bit_generator") return facts.counts(1, 2);
  if (name == "select") {
    return facts.counts(3, 1) && like_result(facts, 0, true) && like_result(facts, 1, false) &&
           like_result(facts, 2, false) && same_element(facts, 1) && same_element(facts, 2);
  }
  if (name == "clamp") {
    return facts.counts(3, 1) && like_result(facts, 0, true) && like_result(facts, 1, false) &&
           like_result(facts, 2, true) && same_element(facts, 1);
  }
  const Row* row = find_row(name);
  if (row == nullptr) return true;
  if (!facts.counts(row->operands, 1)) return false;
  for (unsigned i = 0; i < row->operands; ++i) {
    if (!like_result(facts, i, false)) return false;
    if (row->kind == Kind::same && !same_element(facts, i)) return false;
  }
  if (name == "compare") return compares(facts);
  return name != "reduce_precision" || has_bits(facts);
}

}  // namespace tandem::compiler::verify
