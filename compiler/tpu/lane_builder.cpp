#include "compiler/tpu/lane_builder.hpp"

#include "llvm/Support/MathExtras.h"

namespace tandem::compiler {

using mlir::Value;

Value LaneBuilder::quotient(std::int64_t divisor) {
  const Value lane = make("vlane");
  const auto size = static_cast<std::uint64_t>(divisor);
  if (llvm::isPowerOf2_64(size)) {
    return make("vshr", {lane, constant(static_cast<std::int64_t>(llvm::Log2_64(size)))});
  }
  // Exact: there are at most 128 lanes, and the inverse is too large by less than 2^-16.
  constexpr std::int64_t bits = 16;
  const std::int64_t inverse = ((std::int64_t{1} << bits) + divisor - 1) / divisor;
  return make("vshr", {make("vmul.s32", {lane, constant(inverse)}), constant(bits)});
}

Value LaneBuilder::remainder(std::int64_t divisor) {
  const Value lane = make("vlane");
  if (llvm::isPowerOf2_64(static_cast<std::uint64_t>(divisor))) {
    return make("vand", {lane, constant(divisor - 1)});
  }
  return make("vsub.s32", {lane, make("vmul.s32", {quotient(divisor), constant(divisor)})});
}

Value LaneBuilder::swapped(std::int64_t size, std::int64_t bits) {
  const Value lane = make("vlane");
  if (size == 1) return make("vxor", {lane, constant(bits)});
  const Value part = quotient(size);
  const Value other = make("vxor", {part, constant(bits)});
  const Value parts = make("vsub.s32", {other, part});
  return make("vadd.s32", {lane, make("vmul.s32", {parts, constant(size)})});
}

Value LaneBuilder::permuted(Value x, const Way& way) {
  const auto from = [&](Value lane) {
    return make("lperm",
                {x, way.offset == 0 ? lane : make("vadd.s32", {lane, constant(way.offset)})});
  };
  switch (way.kind) {
    case Way::Kind::none:
    case Way::Kind::stay: return x;
    case Way::Kind::rotate: return make("lrot", x, number("n", way.offset));
    case Way::Kind::scale: return from(make("vmul.s32", {make("vlane"), constant(way.factor)}));
    case Way::Kind::divide: return from(quotient(way.factor));
    case Way::Kind::repeat: return from(remainder(way.factor));
    case Way::Kind::reverse:
      return make("lperm", {x, make("vsub.s32", {constant(way.offset), make("vlane")})});
    case Way::Kind::swap: return make("lperm", {x, swapped(way.factor, way.offset)});
  }
  return x;
}

Value LaneBuilder::mask_of(const Range& range) {
  llvm::SmallVector<Value> masks;
  if (range.first > 0) {
    masks.push_back(make("vle.s32", {constant(range.first), make("vlane")}));
  }
  if (range.end < count_ && range.end + range.step - 1 < count_) {
    masks.push_back(make("vlt.s32", {make("vlane"), constant(range.end)}));
  }
  if (range.step > 1) {
    masks.push_back(make("veq.s32", {remainder(range.step), constant(range.first % range.step)}));
  }
  if (masks.empty()) return {};
  Value mask = masks.front();
  for (const Value other : llvm::drop_begin(masks)) mask = make("mand", {mask, other});
  return mask;
}

}  // namespace tandem::compiler
