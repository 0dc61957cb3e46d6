// Operations with regions: their arguments and results.
#include <fmt/format.h>

#include "compiler/stablehlo/verify/facts.hpp"
#include "llvm/ADT/STLExtras.h"

namespace tandem::compiler::verify {
namespace {

using mlir::TypeRange;

bool is_scalar(mlir::Type type, unsigned width) {
  const auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 &&
         (width == 0 || tensor.getElementType().isInteger(width));
}

// One block that ends in `stablehlo.return` with this many values.
bool regions(Facts& facts, std::size_t count) {
  mlir::Operation* op = facts.op();
  if (!facts.want(op->getNumRegions() == count,
                  fmt::format("it has {} regions, not {}", count, op->getNumRegions()))) {
    return false;
  }
  for (mlir::Region& region : op->getRegions()) {
    const bool ends = region.hasOneBlock() && !region.front().empty() &&
                      region.front().back().getName().getStringRef() == "stablehlo.return";
    if (!facts.want(ends, "a region of it is no block that ends in stablehlo.return")) return false;
  }
  return true;
}

TypeRange given_back(mlir::Region& region) { return region.front().back().getOperandTypes(); }

// A computation on single elements: two arguments for each operand, and its results.
bool on_elements(Facts& facts, unsigned region, std::size_t arguments, std::size_t results,
                 unsigned width = 0) {
  mlir::Region& body = facts.op()->getRegion(region);
  const auto scalar = [](mlir::Type type) { return is_scalar(type, 0); };
  const auto result = [&](mlir::Type type) { return is_scalar(type, width); };
  const TypeRange taken = body.getArgumentTypes();
  const TypeRange given = given_back(body);
  return facts.want(
      taken.size() == arguments && given.size() == results && llvm::all_of(taken, scalar) &&
          llvm::all_of(given, result),
      fmt::format("its computation takes {} tensors of rank 0 and gives {}", arguments, results));
}

bool passes_on(Facts& facts, TypeRange given, TypeRange wanted, const char* what) {
  return facts.want(llvm::equal(given, wanted),
                    fmt::format("{} are of other types than its own", what));
}

bool loop(Facts& facts) {
  mlir::Operation* op = facts.op();
  if (!regions(facts, 2)) return false;
  const TypeRange own = op->getOperandTypes();
  const TypeRange goes_on = given_back(op->getRegion(0));
  return passes_on(facts, op->getResultTypes(), own, "its results") &&
         passes_on(facts, op->getRegion(0).getArgumentTypes(), own, "arguments of its condition") &&
         passes_on(facts, op->getRegion(1).getArgumentTypes(), own, "arguments of its body") &&
         passes_on(facts, given_back(op->getRegion(1)), own, "results of its body") &&
         facts.want(goes_on.size() == 1 && is_scalar(goes_on[0], 1),
                    "its condition gives one truth value");
}

bool branches(Facts& facts, std::size_t count, unsigned width) {
  mlir::Operation* op = facts.op();
  if (!regions(facts, count)) return false;
  const bool chooses = op->getNumOperands() == 1 && is_scalar(op->getOperand(0).getType(), width);
  if (!facts.want(chooses, fmt::format("it chooses by one integer of {} bits", width)))
    return false;
  for (mlir::Region& region : op->getRegions()) {
    if (!facts.want(region.getNumArguments() == 0, "its branches take nothing") ||
        !passes_on(facts, given_back(region), op->getResultTypes(), "results of a branch")) {
      return false;
    }
  }
  return true;
}

bool sort(Facts& facts) {
  const std::size_t count = facts.op()->getNumOperands();
  if (!facts.want(count > 0, "it has no operands") || !facts.counts(count, count)) return false;
  const auto rank = static_cast<std::int64_t>(facts.operand(0).size());
  const std::int64_t along = facts.number("dimension", -1);
  if (facts.failed()) return false;
  if (!facts.want(-rank <= along && along < std::max<std::int64_t>(rank, 1),
                  fmt::format("there is no dimension {}, the rank is {}", along, rank))) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!facts.want(facts.operand(i) == facts.operand(0), "its operands are of one shape") ||
        !facts.shape(shape_of(facts.operand(0)), i)) {
      return false;
    }
  }
  return regions(facts, 1) && on_elements(facts, 0, 2 * count, 1, 1);
}

}  // namespace

bool verify_bodies(Facts& facts, llvm::StringRef name) {
  const std::size_t results = facts.op()->getNumResults();
  if (name == "while") return loop(facts);
  if (name == "if") return branches(facts, 2, 1);
  if (name == "case") return branches(facts, std::max(1U, facts.op()->getNumRegions()), 32);
  if (name == "sort") return sort(facts);
  if (name == "reduce" || name == "reduce_window" || name == "scatter") {
    return regions(facts, 1) && on_elements(facts, 0, 2 * results, results);
  }
  if (name == "all_reduce" || name == "reduce_scatter") {
    return regions(facts, 1) && on_elements(facts, 0, 2, 1);
  }
  if (name == "optimization_barrier") {
    return facts.want(facts.op()->getOperandTypes() == facts.op()->getResultTypes(),
                      "its results are not of the types of its operands");
  }
  if (name == "select_and_scatter") {
    return regions(facts, 2) && on_elements(facts, 0, 2, 1, 1) && on_elements(facts, 1, 2, 1);
  }
  return true;
}

}  // namespace tandem::compiler::verify
