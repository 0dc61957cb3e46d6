// Scalar values as numbers: every stride-th from low to high, plus an anchor that only the linker
// knows. A register holds its number modulo 2^32; the numbers themselves do not wrap, so -8 and
// 2^32 - 8 are two ways of writing one register.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/encoding.hpp"

namespace tandem::schedule {

struct Range {
  std::uint32_t anchor = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t stride = 1;  // 1 where low is high

  [[nodiscard]] bool single() const { return low == high; }
  bool operator==(const Range&) const = default;
};

// An absent range is any value.
using MaybeRange = std::optional<Range>;

Range number_range(std::int64_t number);
MaybeRange shifted(const MaybeRange& range, std::uint32_t anchor, std::int64_t offset);
// The union of both.
MaybeRange joined(const MaybeRange& a, const MaybeRange& b);
// The rows of VMEM, of this many lanes, that hold words with these numbers.
MaybeRange rows_of_words(const MaybeRange& words, std::uint32_t lanes);
// The range of the scalar ALU's result where that is known; `op` takes `a`, or `a` and `b`.
MaybeRange result_range(Op op, const MaybeRange& a, const MaybeRange& b);

// The range of `a` given that comparison `op` of `a` with `b` gave `holds`. `possible` is false
// when it cannot.
MaybeRange narrowed(const MaybeRange& a, Op op, const MaybeRange& b, bool holds, bool& possible);
// `op` with its operands swapped.
Op mirrored(Op op);
bool is_comparison(Op op);

// Whether the numbers have no 32-bit value in common.
bool apart(const MaybeRange& a, const MaybeRange& b);

}  // namespace tandem::schedule
