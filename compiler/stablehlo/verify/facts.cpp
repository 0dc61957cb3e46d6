#include "compiler/stablehlo/verify/facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

namespace tandem::compiler::verify {
namespace {

constexpr std::size_t longest_list = 64;  // limit of a list in messages

llvm::ArrayRef<std::int64_t> shape_of_type(mlir::Type type) {
  const auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? tensor.getShape() : llvm::ArrayRef<std::int64_t>();
}

std::string decimal(Wide number) {
  if (number < 0) return "-" + decimal(-number);
  const auto digit = std::string(1, static_cast<char>('0' + static_cast<int>(number % 10)));
  return number < 10 ? digit : decimal(number / 10) + digit;
}

}  // namespace

std::string text(llvm::ArrayRef<std::int64_t> numbers) {
  const bool is_long = numbers.size() > longest_list;
  return fmt::format("[{}{}]", fmt::join(numbers.take_front(longest_list), ", "),
                     is_long ? ", ..." : "");
}

std::string text(const Shape& shape) {
  std::string list;
  for (const Wide extent : shape) list += (list.empty() ? "" : ", ") + decimal(extent);
  return "[" + list + "]";
}

Shape shape_of(llvm::ArrayRef<std::int64_t> shape) { return {shape.begin(), shape.end()}; }

bool Facts::fail(const std::string& why) {
  if (!failed_) op_->emitError() << op_->getName() << ": " << why;
  failed_ = true;
  return false;
}

bool Facts::counts(std::size_t operands, std::size_t results) {
  return want(op_->getNumOperands() == operands && op_->getNumResults() == results,
              fmt::format("it has {} operands and {} results, not {} and {}", operands, results,
                          op_->getNumOperands(), op_->getNumResults()));
}

llvm::ArrayRef<std::int64_t> Facts::operand(std::size_t number) const {
  return shape_of_type(op_->getOperand(number).getType());
}

llvm::ArrayRef<std::int64_t> Facts::result(std::size_t number) const {
  return shape_of_type(op_->getResult(number).getType());
}

Numbers Facts::numbers(llvm::StringRef name) {
  const mlir::Attribute given = op_->getAttr(name);
  if (!given) return {};
  const auto list = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(given);
  if (!list) fail(fmt::format("`{}` is no list of 64-bit integers", name.str()));
  return list ? Numbers(list.asArrayRef()) : Numbers();
}

Numbers Facts::list(llvm::StringRef name, std::size_t length, std::int64_t otherwise) {
  if (!op_->hasAttr(name)) return Numbers(length, otherwise);
  Numbers given = numbers(name);
  want(given.size() == length,
       fmt::format("`{}` has {} numbers, not {}", name.str(), given.size(), length));
  given.resize(length, otherwise);
  return given;
}

std::int64_t Facts::number(llvm::StringRef name, std::int64_t otherwise) {
  const mlir::Attribute given = op_->getAttr(name);
  if (!given) return otherwise;
  const auto integer = mlir::dyn_cast<mlir::IntegerAttr>(given);
  if (integer && integer.getValue().getSignificantBits() <= 64) {
    return integer.getValue().getSExtValue();
  }
  fail(fmt::format("`{}` is no 64-bit integer", name.str()));
  return otherwise;
}

bool Facts::dimensions(llvm::StringRef name, llvm::ArrayRef<std::int64_t> given, std::size_t rank) {
  for (const std::int64_t dimension : given) {
    if (dimension >= 0 && dimension < static_cast<std::int64_t>(rank)) continue;
    return fail(
        fmt::format("`{}`: there is no dimension {}, the rank is {}", name.str(), dimension, rank));
  }
  return true;
}

bool Facts::different(llvm::StringRef name, llvm::ArrayRef<std::int64_t> given) {
  llvm::SmallSet<std::int64_t, 8> seen;
  for (const std::int64_t number : given) {
    if (seen.insert(number).second) continue;
    return fail(fmt::format("`{}` has {} twice", name.str(), number));
  }
  return true;
}

bool Facts::at_least(llvm::StringRef name, llvm::ArrayRef<std::int64_t> given, std::int64_t least) {
  for (const std::int64_t number : given) {
    if (number >= least) continue;
    return fail(fmt::format("`{}` is {}, at least {} is possible", name.str(), number, least));
  }
  return true;
}

bool Facts::shape(const Shape& wanted, std::size_t number) {
  const llvm::ArrayRef<std::int64_t> given = result(number);
  return want(llvm::equal(given, wanted),
              fmt::format("its result is of the shape {}, not {}", text(wanted), text(given)));
}

}  // namespace tandem::compiler::verify
