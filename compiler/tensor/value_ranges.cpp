#include "compiler/tensor/value_ranges.hpp"

#include <algorithm>
#include <cmath>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;

// Where the ends give no information (inf - inf, 0 inf) nothing is known.
ValueRange known(double low, double high) {
  const ValueRange all;
  return {std::isnan(low) ? all.low : low, std::isnan(high) ? all.high : high};
}

ValueRange product(ValueRange a, ValueRange b) {
  const double ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  if (std::any_of(std::begin(ends), std::end(ends), [](double x) { return std::isnan(x); })) {
    return {};
  }
  return {*std::min_element(std::begin(ends), std::end(ends)),
          *std::max_element(std::begin(ends), std::end(ends))};
}

ValueRange either(ValueRange a, ValueRange b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

ValueRange absolute(ValueRange a) {
  const double far = std::max(std::abs(a.low), std::abs(a.high));
  return {a.low <= 0 && a.high >= 0 ? 0 : std::min(std::abs(a.low), std::abs(a.high)), far};
}

ValueRange quotient(ValueRange a, ValueRange b) {
  if (b.low <= 0 && b.high >= 0) return {};
  return product(a, {1 / b.high, 1 / b.low});
}

ValueRange constant(arith::ConstantOp op) {
  const auto real = mlir::dyn_cast<mlir::FloatAttr>(op.getValue());
  if (!real || real.getValue().isNaN()) return {};
  const double value = real.getValueAsDouble();
  return {value, value};
}

}  // namespace

ValueRange range_of_result(mlir::Operation* op, llvm::ArrayRef<ValueRange> x) {
  constexpr double about = 1.001;  // the possible rounding error
  return llvm::TypeSwitch<mlir::Operation*, ValueRange>(op)
      .Case([](arith::ConstantOp number) { return constant(number); })
      .Case([&](arith::AddFOp) { return known(x[0].low + x[1].low, x[0].high + x[1].high); })
      .Case([&](arith::SubFOp) { return known(x[0].low - x[1].high, x[0].high - x[1].low); })
      .Case([&](arith::MulFOp multiply) {
        const ValueRange range = product(x[0], x[1]);
        if (multiply.getLhs() != multiply.getRhs()) return range;
        return ValueRange{0, std::max(range.high, 0.0)};
      })
      .Case([&](arith::DivFOp) { return quotient(x[0], x[1]); })
      .Case([&](arith::NegFOp) {
        return ValueRange{-x[0].high, -x[0].low};
      })
      .Case([&](arith::MaximumFOp) {
        return ValueRange{std::max(x[0].low, x[1].low), std::max(x[0].high, x[1].high)};
      })
      .Case([&](arith::MinimumFOp) {
        return ValueRange{std::min(x[0].low, x[1].low), std::min(x[0].high, x[1].high)};
      })
      .Case([&](arith::SelectOp) { return either(x[1], x[2]); })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](mlir::Operation*) {
        return ValueRange{x[0].low < 0 ? x[0].low * 1.01 : x[0].low,
                          x[0].high > 0 ? x[0].high * 1.01 : x[0].high};
      })
      .Case([&](math::ExpOp) {
        return ValueRange{std::exp(x[0].low) / about, std::exp(x[0].high) * about};
      })
      .Case([&](math::AbsFOp) { return absolute(x[0]); })
      .Case<math::SqrtOp, math::RsqrtOp>([](mlir::Operation*) {
        // The root of the largest number, and the inverse of the root of the smallest.
        return ValueRange{0, std::numeric_limits<double>::infinity(), 0x1p64};
      })
      .Case<math::TanhOp, math::SinOp, math::CosOp>([&](mlir::Operation*) {
        return ValueRange{-about, about};
      })
      .Default([](mlir::Operation*) { return ValueRange{}; });
}

ValueRange range_of_reduction(mlir::Operation* combiner, ValueRange element, ValueRange before,
                              double count) {
  return llvm::TypeSwitch<mlir::Operation*, ValueRange>(combiner)
      .Case([&](arith::AddFOp) {
        // An empty sum would be 0 times infinity.
        return known(count * std::min(element.low, 0.0) + before.low,
                     count * std::max(element.high, 0.0) + before.high);
      })
      .Case([&](arith::MaximumFOp) {
        return ValueRange{std::max(element.low, before.low), std::max(element.high, before.high)};
      })
      .Case([&](arith::MinimumFOp) {
        return ValueRange{std::min(element.low, before.low), std::min(element.high, before.high)};
      })
      .Default([](mlir::Operation*) { return ValueRange{}; });
}

}  // namespace tandem::compiler
