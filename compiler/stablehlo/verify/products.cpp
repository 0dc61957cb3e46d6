// Products of tensors.
#include <fmt/format.h>

#include "compiler/stablehlo/verify/facts.hpp"

namespace tandem::compiler::verify {
namespace {

bool pairs(Facts& facts, const char* what, llvm::ArrayRef<std::int64_t> left,
           llvm::ArrayRef<std::int64_t> right) {
  if (!facts.want(left.size() == right.size(),
                  fmt::format("{} and {} {} dimensions", left.size(), right.size(), what))) {
    return false;
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::int64_t a = facts.operand(0)[left[i]];
    const std::int64_t b = facts.operand(1)[right[i]];
    if (a == b) continue;
    return facts.fail(
        fmt::format("{} dimensions {} and {} have {} and {}", what, left[i], right[i], a, b));
  }
  return true;
}

bool side(Facts& facts, const char* name, std::size_t rank, Numbers batch,
          const Numbers& contracted) {
  batch.append(contracted);
  return !facts.failed() && facts.dimensions(name, batch, rank) && facts.different(name, batch);
}

void add_free(Shape& shape, llvm::ArrayRef<std::int64_t> extents, const Numbers& batch,
              const Numbers& contracted) {
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const auto dimension = static_cast<std::int64_t>(i);
    const bool is_free =
        !llvm::is_contained(batch, dimension) && !llvm::is_contained(contracted, dimension);
    if (is_free) shape.push_back(extents[i]);
  }
}

}  // namespace

bool verify_products(Facts& facts, llvm::StringRef name) {
  if (name != "dot_general") return true;
  if (!facts.counts(2, 1)) return false;
  const Numbers left_batch = facts.numbers("lhs_batching_dimensions");
  const Numbers right_batch = facts.numbers("rhs_batching_dimensions");
  const Numbers left = facts.numbers("lhs_contracting_dimensions");
  const Numbers right = facts.numbers("rhs_contracting_dimensions");
  if (!side(facts, "dimensions of operand 0", facts.operand(0).size(), left_batch, left) ||
      !side(facts, "dimensions of operand 1", facts.operand(1).size(), right_batch, right) ||
      !pairs(facts, "batching", left_batch, right_batch) ||
      !pairs(facts, "contracting", left, right)) {
    return false;
  }
  Shape shape;
  for (const std::int64_t i : left_batch) shape.push_back(facts.operand(0)[i]);
  add_free(shape, facts.operand(0), left_batch, left);
  add_free(shape, facts.operand(1), right_batch, right);
  return facts.shape(shape);
}

}  // namespace tandem::compiler::verify
