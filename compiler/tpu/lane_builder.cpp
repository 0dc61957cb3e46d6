#include "compiler/tpu/lane_builder.hpp"

#include "llvm/Support/MathExtras.h"

namespace tandem::compiler {

using mlir::Value;

Value LaneBuilder::quotient(std::int64_t divisor, std::int64_t shift) {
  Value lane = make("vlane");
  if (shift != 0) lane = make("vadd.s32", {lane, constant(shift)});
  if (divisor == 1) return lane;
  const auto size = static_cast<std::uint64_t>(divisor);
  if (llvm::isPowerOf2_64(size)) {
    return make("vshr", {lane, constant(static_cast<std::int64_t>(llvm::Log2_64(size)))});
  }
  // Exact: numbers and divisors are below 256, and the inverse is too large by less than 2^-16.
  constexpr std::int64_t bits = 16;
  const std::int64_t inverse = ((std::int64_t{1} << bits) + divisor - 1) / divisor;
  return make("vshr", {make("vmul.s32", {lane, constant(inverse)}), constant(bits)});
}

Value LaneBuilder::remainder(std::int64_t divisor, std::int64_t shift) {
  Value lane = make("vlane");
  if (shift != 0) lane = make("vadd.s32", {lane, constant(shift)});
  if (llvm::isPowerOf2_64(static_cast<std::uint64_t>(divisor))) {
    return make("vand", {lane, constant(divisor - 1)});
  }
  return make("vsub.s32", {lane, make("vmul.s32", {quotient(divisor, shift), constant(divisor)})});
}

Value LaneBuilder::swapped(std::int64_t size, std::int64_t bits) {
  const Value lane = make("vlane");
  if (size == 1) return make("vxor", {lane, constant(bits)});
  const Value part = quotient(size);
  const Value other = make("vxor", {part, constant(bits)});
  const Value parts = make("vsub.s32", {other, part});
  return make("vadd.s32", {lane, make("vmul.s32", {parts, constant(size)})});
}

Value LaneBuilder::jumped(const Way& way) {
  Value lane = make("vlane");
  if (way.factor != 1) lane = make("vmul.s32", {lane, constant(way.factor)});
  for (const Jump& jump : way.jumps) {
    Value by = quotient(jump.period, jump.shift);
    if (jump.by != 1) by = make("vmul.s32", {by, constant(jump.by)});
    lane = make("vadd.s32", {lane, by});
  }
  return lane;
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
    case Way::Kind::jumps: return from(jumped(way));
  }
  return x;
}

Value LaneBuilder::mask_of(const Range& range) {
  llvm::SmallVector<Value> masks;
  // Of runs that do not wrap around a step, the first is that of the range.
  if (range.first > 0 && range.first + range.run > range.step) {
    masks.push_back(make("vle.s32", {constant(range.first), make("vlane")}));
  }
  if (range.end < count_ && range.end + range.step - range.run < count_) {
    masks.push_back(make("vlt.s32", {make("vlane"), constant(range.end)}));
  }
  if (range.step > 1) {
    const std::int64_t start = range.first % range.step;
    if (range.run == 1) {
      masks.push_back(make("veq.s32", {remainder(range.step), constant(start)}));
    } else {
      const std::int64_t shift = (range.step - start) % range.step;
      masks.push_back(make("vlt.s32", {remainder(range.step, shift), constant(range.run)}));
    }
  }
  if (masks.empty()) return {};
  Value mask = masks.front();
  for (const Value other : llvm::drop_begin(masks)) mask = make("mand", {mask, other});
  return mask;
}

}  // namespace tandem::compiler
