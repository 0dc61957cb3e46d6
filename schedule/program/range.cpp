#include "schedule/program/range.hpp"

#include <algorithm>
#include <numeric>

namespace tandem::schedule {
namespace {

constexpr std::int64_t word = std::int64_t{1} << 32U;
constexpr std::int64_t half = std::int64_t{1} << 31U;
// Numbers beyond this are dropped: sums must not overflow.
constexpr std::int64_t farthest = std::int64_t{1} << 40U;

MaybeRange made(std::uint32_t anchor, std::int64_t low, std::int64_t high, std::int64_t stride) {
  if (low > high || low < -farthest || high > farthest) return std::nullopt;
  if (low == high) return Range{anchor, low, high, 1};
  stride = std::max<std::int64_t>(stride, 1);
  return Range{anchor, low, high - (high - low) % stride, stride};
}
std::int64_t step_of(const Range& range) { return range.single() ? 0 : range.stride; }

bool within(const Range& range, std::int64_t low, std::int64_t high) {
  return range.anchor == 0 && range.low >= low && range.high <= high;
}
Range all_signed() { return {0, -half, half - 1, 1}; }
Range all_unsigned() { return {0, 0, word - 1, 1}; }
// As the numbers that a signed or unsigned operation sees.
Range seen(const MaybeRange& range, bool is_signed) {
  const Range all = is_signed ? all_signed() : all_unsigned();
  return range && within(*range, all.low, all.high) ? *range : all;
}

MaybeRange product(const Range& a, const Range& b) {
  if (a.anchor != 0 || b.anchor != 0) return std::nullopt;
  if (b.single() && b.low >= 0 && b.low < half) {
    if (a.low < -half || a.high > half) return std::nullopt;
    if (b.low > 65536) return std::nullopt;
    return made(0, a.low * b.low, a.high * b.low, step_of(a) * b.low);
  }
  if (a.single()) return b.single() ? std::nullopt : product(b, a);
  if (a.low < 0 || b.low < 0 || a.high > 65536 || b.high > 65536) return std::nullopt;
  return made(0, a.low * b.low, a.high * b.high, 1);
}

MaybeRange masked(const MaybeRange& a, std::int64_t mask) {
  const Range values = seen(a, false);
  if (mask >= 0) {
    const bool low_bits = (mask & (mask + 1)) == 0;
    if (low_bits && values.high <= mask) return values;
    return made(0, 0, std::min(mask, values.high), 1);
  }
  const std::int64_t unit = -mask;
  if ((unit & (unit - 1)) != 0) return std::nullopt;
  return made(0, values.low & mask, values.high & mask, unit);
}

MaybeRange shifted_right(const MaybeRange& a, std::int64_t by, bool is_signed) {
  const Range values = seen(a, is_signed);
  const std::int64_t unit = std::int64_t{1} << by;
  const bool even = values.low % unit == 0 && step_of(values) % unit == 0;
  return made(0, values.low >> by, values.high >> by, even ? step_of(values) / unit : 1);
}

MaybeRange extreme(const MaybeRange& a, const MaybeRange& b, bool smaller, bool is_signed) {
  const Range x = seen(a, is_signed);
  const Range y = seen(b, is_signed);
  if (smaller) return made(0, std::min(x.low, y.low), std::min(x.high, y.high), 1);
  return made(0, std::max(x.low, y.low), std::max(x.high, y.high), 1);
}

struct Comparison {
  bool is_signed = true;
  bool less = false;     // the first below the second
  bool greater = false;  // above it
  bool equal = false;
};
std::optional<Comparison> comparison_of(Op op) {
  switch (op) {  // NOLINT: all others are no comparisons
    case Op::eq: return Comparison{true, false, false, true};
    case Op::ne: return Comparison{true, true, true, false};
    case Op::lt_s32: return Comparison{true, true, false, false};
    case Op::le_s32: return Comparison{true, true, false, true};
    case Op::gt_s32: return Comparison{true, false, true, false};
    case Op::ge_s32: return Comparison{true, false, true, true};
    case Op::lt_u32: return Comparison{false, true, false, false};
    case Op::le_u32: return Comparison{false, true, false, true};
    case Op::gt_u32: return Comparison{false, false, true, false};
    case Op::ge_u32: return Comparison{false, false, true, true};
    default: return std::nullopt;
  }
}

}  // namespace

Range number_range(std::int64_t number) { return {0, number, number, 1}; }

MaybeRange shifted(const MaybeRange& range, std::uint32_t anchor, std::int64_t offset) {
  if (!range || (range->anchor != 0 && anchor != 0)) return std::nullopt;
  return made(range->anchor + anchor, range->low + offset, range->high + offset, range->stride);
}

MaybeRange joined(const MaybeRange& a, const MaybeRange& b) {
  if (!a || !b || a->anchor != b->anchor) return std::nullopt;
  const std::int64_t stride =
      std::gcd(std::gcd(step_of(*a), step_of(*b)), std::abs(a->low - b->low));
  return made(a->anchor, std::min(a->low, b->low), std::max(a->high, b->high), stride);
}

MaybeRange result_range(Op op, const MaybeRange& a, const MaybeRange& b) {
  const bool constant = b && b->single() && b->anchor == 0;
  switch (op) {  // NOLINT: of all others nothing is known
    case Op::add:
      if (!a || !b || (a->anchor != 0 && b->anchor != 0)) return std::nullopt;
      return made(a->anchor + b->anchor, a->low + b->low, a->high + b->high,
                  std::gcd(step_of(*a), step_of(*b)));
    case Op::sub:
      if (!a || !b || b->anchor != 0) return std::nullopt;
      return made(a->anchor, a->low - b->high, a->high - b->low,
                  std::gcd(step_of(*a), step_of(*b)));
    case Op::mul: return a && b ? product(*a, *b) : std::nullopt;
    case Op::shl:
      return a && constant ? product(*a, number_range(std::int64_t{1} << (b->low & 31)))
                           : std::nullopt;
    case Op::shr:
    case Op::sar: return constant ? shifted_right(a, b->low & 31, op == Op::sar) : std::nullopt;
    case Op::bit_and: return constant ? masked(a, b->low) : std::nullopt;
    case Op::min_s32: return extreme(a, b, true, true);
    case Op::max_s32: return extreme(a, b, false, true);
    case Op::min_u32: return extreme(a, b, true, false);
    case Op::max_u32: return extreme(a, b, false, false);
    default: return std::nullopt;
  }
}

bool is_comparison(Op op) { return comparison_of(op).has_value(); }

Op mirrored(Op op) {
  switch (op) {  // NOLINT: all others are their own
    case Op::lt_s32: return Op::gt_s32;
    case Op::le_s32: return Op::ge_s32;
    case Op::gt_s32: return Op::lt_s32;
    case Op::ge_s32: return Op::le_s32;
    case Op::lt_u32: return Op::gt_u32;
    case Op::le_u32: return Op::ge_u32;
    case Op::gt_u32: return Op::lt_u32;
    case Op::ge_u32: return Op::le_u32;
    default: return op;
  }
}

MaybeRange narrowed(const MaybeRange& a, Op op, const MaybeRange& b, bool holds, bool& possible) {
  std::optional<Comparison> how = comparison_of(op);
  if (!how) return a;
  if (!holds) *how = {how->is_signed, !how->less, !how->greater, !how->equal};
  const Range all = how->is_signed ? all_signed() : all_unsigned();
  // A number outside the range that the operation sees gives no information about the value.
  if (a && !within(*a, all.low, all.high)) return a;
  const Range values = seen(a, how->is_signed);
  const Range other = seen(b, how->is_signed);
  std::int64_t low = values.low;
  std::int64_t high = values.high;
  if (!how->greater) high = std::min(high, other.high - (how->equal ? 0 : 1));
  if (!how->less) low = std::max(low, other.low + (how->equal ? 0 : 1));
  if (how->less && how->greater && other.single()) {
    if (low == other.low) low += values.stride;
    if (high == other.low) high -= values.stride;
  }
  low += (values.stride - (low - values.low) % values.stride) % values.stride;
  if (low > high) possible = false;
  return low > high ? a : made(0, low, high, values.stride);
}

MaybeRange rows_of_words(const MaybeRange& words, std::uint32_t lanes) {
  if (!words || words->anchor != 0 || words->low < 0 || words->high >= word) return std::nullopt;
  return Range{0, words->low / lanes, words->high / lanes, 1};
}

bool apart(const MaybeRange& a, const MaybeRange& b) {
  if (!a || !b || a->anchor != b->anchor) return false;
  const bool separate = a->high < b->low || b->high < a->low;
  return separate && std::max(a->high, b->high) - std::min(a->low, b->low) < word;
}

}  // namespace tandem::schedule
