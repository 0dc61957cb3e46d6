// Operations that move elements.
#include <fmt/format.h>

#include "compiler/stablehlo/verify/facts.hpp"
#include "llvm/ADT/StringSwitch.h"

namespace tandem::compiler::verify {
namespace {

bool slice(Facts& facts) {
  if (!facts.counts(1, 1)) return false;
  const auto extents = facts.operand(0);
  const Numbers start = facts.list("start_indices", extents.size(), 0);
  const Numbers limit = facts.list("limit_indices", extents.size(), 0);
  const Numbers strides = facts.list("strides", extents.size(), 1);
  if (facts.failed() || !facts.at_least("strides", strides, 1)) return false;
  Shape shape;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const bool is_inside = 0 <= start[i] && start[i] <= limit[i] && limit[i] <= extents[i];
    if (!is_inside) {
      return facts.fail(fmt::format("{} to {} is not in dimension {}, which has {}", start[i],
                                    limit[i], i, extents[i]));
    }
    shape.push_back((Wide{limit[i]} - start[i] + strides[i] - 1) / strides[i]);
  }
  return facts.shape(shape);
}

bool pad(Facts& facts) {
  if (!facts.counts(2, 1)) return false;
  const auto extents = facts.operand(0);
  const Numbers low = facts.list("edge_padding_low", extents.size(), 0);
  const Numbers high = facts.list("edge_padding_high", extents.size(), 0);
  const Numbers interior = facts.list("interior_padding", extents.size(), 0);
  if (facts.failed() || !facts.at_least("interior_padding", interior, 0)) return false;
  if (!facts.want(facts.operand(1).empty(), "what it pads with is a tensor of rank 0"))
    return false;
  Shape shape;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Wide between = extents[i] == 0 ? 0 : (Wide{extents[i]} - 1) * interior[i];
    shape.push_back(Wide{low[i]} + extents[i] + between + high[i]);
  }
  return facts.shape(shape);
}

bool reverse(Facts& facts) {
  const Numbers dimensions = facts.numbers("dimensions");
  return facts.counts(1, 1) &&
         facts.dimensions("dimensions", dimensions, facts.operand(0).size()) &&
         facts.different("dimensions", dimensions) && facts.shape(shape_of(facts.operand(0)));
}

bool transpose(Facts& facts) {
  if (!facts.counts(1, 1)) return false;
  const auto extents = facts.operand(0);
  const Numbers permutation = facts.list("permutation", extents.size(), -1);
  if (facts.failed() || !facts.dimensions("permutation", permutation, extents.size()) ||
      !facts.different("permutation", permutation)) {
    return false;
  }
  Shape shape;
  for (const std::int64_t from : permutation) shape.push_back(extents[from]);
  return facts.shape(shape);
}

bool broadcast(Facts& facts) {
  if (!facts.counts(1, 1)) return false;
  const auto extents = facts.operand(0);
  const auto result = facts.result();
  const Numbers to = facts.list("broadcast_dimensions", extents.size(), -1);
  if (facts.failed() || !facts.dimensions("broadcast_dimensions", to, result.size()) ||
      !facts.different("broadcast_dimensions", to)) {
    return false;
  }
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] == 1 || extents[i] == result[to[i]]) continue;
    return facts.fail(fmt::format("dimension {} has {}, dimension {} of the result {}", i,
                                  extents[i], to[i], result[to[i]]));
  }
  return true;
}

Wide count(llvm::ArrayRef<std::int64_t> shape) {
  Wide all = 1;
  for (const std::int64_t extent : shape) all *= extent;
  return all;
}

bool reshape(Facts& facts) {
  return facts.counts(1, 1) &&
         facts.want(count(facts.operand(0)) == count(facts.result()),
                    fmt::format("{} does not have as many elements as {}", text(facts.operand(0)),
                                text(facts.result())));
}

bool concatenate(Facts& facts) {
  if (!facts.want(facts.op()->getNumOperands() > 0 && facts.op()->getNumResults() == 1,
                  "it has operands and one result")) {
    return false;
  }
  Shape shape = shape_of(facts.operand(0));
  const std::int64_t along = facts.number("dimension", -1);
  if (facts.failed() || !facts.dimensions("dimension", along, shape.size())) return false;
  shape[along] = 0;
  for (std::size_t i = 0; i < facts.op()->getNumOperands(); ++i) {
    const auto extents = facts.operand(i);
    bool fits = extents.size() == shape.size();
    for (std::size_t k = 0; fits && k < extents.size(); ++k) {
      fits = k == static_cast<std::size_t>(along) || shape[k] == extents[k];
    }
    if (!fits) {
      return facts.fail(fmt::format("operand {} of the shape {} cannot follow {} along {}", i,
                                    text(extents), text(facts.operand(0)), along));
    }
    shape[along] += extents[along];
  }
  return facts.shape(shape);
}

bool iota(Facts& facts) {
  const std::int64_t along = facts.number("iota_dimension", -1);
  return !facts.failed() && facts.counts(0, 1) &&
         facts.dimensions("iota_dimension", along, facts.result().size());
}

// The operands from `first` on are start indices, one number each.
bool starts(Facts& facts, std::size_t first, std::size_t rank) {
  for (std::size_t i = first; i < first + rank; ++i) {
    if (!facts.want(facts.operand(i).empty(), "where it begins are tensors of rank 0"))
      return false;
  }
  return true;
}

bool fits(Facts& facts, llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> extents) {
  if (sizes.size() != extents.size()) return facts.fail("its part is of another rank");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= 0 && sizes[i] <= extents[i]) continue;
    return facts.fail(fmt::format("a part of {} is not in {}", text(sizes), text(extents)));
  }
  return true;
}

bool dynamic_slice(Facts& facts) {
  if (facts.op()->getNumOperands() == 0) return facts.fail("it has no operands");
  const auto extents = facts.operand(0);
  const Numbers sizes = facts.list("slice_sizes", extents.size(), -1);
  return !facts.failed() && facts.counts(1 + extents.size(), 1) &&
         starts(facts, 1, extents.size()) && fits(facts, sizes, extents) &&
         facts.shape(shape_of(sizes));
}

bool dynamic_update_slice(Facts& facts) {
  if (facts.op()->getNumOperands() < 2) return facts.fail("it has no two operands");
  const auto extents = facts.operand(0);
  return facts.counts(2 + extents.size(), 1) && starts(facts, 2, extents.size()) &&
         fits(facts, facts.operand(1), extents) && facts.shape(shape_of(extents));
}

}  // namespace

bool verify_moves(Facts& facts, llvm::StringRef name) {
  using Check = bool (*)(Facts&);
  const Check check = llvm::StringSwitch<Check>(name)
                          .Case("slice", slice)
                          .Case("pad", pad)
                          .Case("reverse", reverse)
                          .Case("transpose", transpose)
                          .Case("broadcast_in_dim", broadcast)
                          .Case("reshape", reshape)
                          .Case("concatenate", concatenate)
                          .Case("iota", iota)
                          .Case("dynamic_slice", dynamic_slice)
                          .Case("dynamic_update_slice", dynamic_update_slice)
                          .Default(nullptr);
  return check == nullptr || check(facts);
}

}  // namespace tandem::compiler::verify
