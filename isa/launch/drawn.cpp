#include "isa/launch/drawn.hpp"

#include <bit>
#include <cmath>

#include "isa/numerics/convert.hpp"

namespace tandem {
namespace {

// For a number between -1 and 1, without rounding: only the size of such an element matters.
std::uint16_t half_bits(float real) {
  const float magnitude = std::abs(real) < 0x1p-14F ? 0x1p-14F : std::abs(real);
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(magnitude) - ((127U - 15U) << 23U);
  return static_cast<std::uint16_t>(bits >> 13U | (real < 0 ? 0x8000U : 0U));
}

}  // namespace

std::uint64_t drawn_element(ElementType type, std::mt19937& numbers) {
  const std::uint32_t drawn = numbers();
  const auto real = static_cast<float>(static_cast<std::int32_t>(drawn)) * 0x1p-31F;
  switch (type) {
    case ElementType::c64:
      return std::uint64_t{std::bit_cast<std::uint32_t>(real)} << 32U |
             std::bit_cast<std::uint32_t>(-real);
    case ElementType::f32: return std::bit_cast<std::uint32_t>(real);
    case ElementType::bf16: return numerics::bf16_from_f32(std::bit_cast<std::uint32_t>(real));
    case ElementType::f16: return half_bits(real);
    case ElementType::i1: return drawn >> 29U & 1U;
    case ElementType::s4:
    case ElementType::u4:
    case ElementType::f4e2m1fn: return drawn >> 29U;
    case ElementType::s2:
    case ElementType::u2: return drawn >> 31U;
    case ElementType::f8e4m3fn:
    case ElementType::f8e5m2:
    case ElementType::f8e4m3b11fnuz:
    case ElementType::f8e4m3fnuz:
    case ElementType::f8e5m2fnuz:
    case ElementType::f8e4m3:
    case ElementType::f8e3m4:
    case ElementType::f8e8m0fnu: return drawn >> 26U;  // no NaN, no infinity
    case ElementType::s32:
    case ElementType::s8:
    case ElementType::u8:
    case ElementType::s16:
    case ElementType::u16:
    case ElementType::u32:
    case ElementType::u64: return drawn >> 29U;
  }
  return 0;
}

std::vector<std::uint8_t> drawn_elements(ElementType type, std::int64_t count, unsigned seed,
                                         bool short_reals) {
  std::mt19937 numbers(seed);
  std::vector<std::uint8_t> bytes;
  for (std::int64_t i = 0; i < count; ++i) {
    const bool is_short = short_reals && type == ElementType::f32;
    std::uint64_t element = drawn_element(is_short ? ElementType::bf16 : type, numbers);
    if (is_short) element <<= 16U;
    const auto* from = reinterpret_cast<const std::uint8_t*>(&element);
    bytes.insert(bytes.end(), from, from + element_bytes(type));
  }
  return bytes;
}

}  // namespace tandem
