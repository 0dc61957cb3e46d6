#include "cli/debug/language/number.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <utility>

namespace tandem::debug {
namespace {

constexpr std::array<std::pair<std::string_view, NumberType>, 9> type_names{{
    {"hex", NumberType::hex},
    {"u32", NumberType::u32},
    {"s32", NumberType::s32},
    {"f32", NumberType::f32},
    {"bf16", NumberType::bf16},
    {"lo", NumberType::lo},
    {"hi", NumberType::hi},
    {"s8", NumberType::s8},
    {"bit", NumberType::bit},
}};

Number whole(std::int64_t value) { return {false, false, value, 0}; }
Number real(std::uint32_t f32_bits) {
  return {true, false, 0, static_cast<double>(std::bit_cast<float>(f32_bits))};
}

std::int64_t sign_extended(std::uint32_t bits, std::uint32_t width) {
  const std::uint32_t shift = 32 - width;
  return static_cast<std::int32_t>(bits << shift) >> shift;
}

}  // namespace

std::optional<NumberType> number_type(std::string_view name) {
  for (const auto& [known, type] : type_names) {
    if (known == name) return type;
  }
  return std::nullopt;
}

std::string_view number_type_name(NumberType type) {
  for (const auto& [name, known] : type_names) {
    if (known == type) return name;
  }
  return "?";
}

std::string number_type_names() {
  std::string names;
  for (const auto& entry : type_names)
    names += (names.empty() ? "" : ", ") + std::string(entry.first);
  return names;
}

NumberType type_of_elements(ElementType type) {
  switch (type) {
    case ElementType::f32:
    case ElementType::c64: return NumberType::f32;
    case ElementType::bf16: return NumberType::bf16;
    case ElementType::s32: return NumberType::s32;
    case ElementType::s8: return NumberType::s8;
    case ElementType::i1:
    case ElementType::u8:
    case ElementType::u4:
    case ElementType::u2:
    case ElementType::u32: return NumberType::u32;
    case ElementType::f16:
    case ElementType::s16:
    case ElementType::u16:
    case ElementType::s4:
    case ElementType::s2:
    case ElementType::f8e4m3fn:
    case ElementType::f8e5m2:
    case ElementType::f8e4m3b11fnuz:
    case ElementType::f8e4m3fnuz:
    case ElementType::f8e5m2fnuz:
    case ElementType::f8e4m3:
    case ElementType::f8e3m4:
    case ElementType::f8e8m0fnu:
    case ElementType::f4e2m1fn:
    case ElementType::u64: return NumberType::hex;
  }
  return NumberType::hex;
}

std::vector<Number> numbers_of(std::uint32_t bits, std::uint32_t width, NumberType type) {
  std::vector<Number> numbers;
  switch (type) {
    case NumberType::hex:
    case NumberType::u32:
    case NumberType::bit: return {whole(bits)};
    case NumberType::s32: {
      Number number = whole(sign_extended(bits, width == 1 ? 32 : width));
      number.word = width == 32;
      return {number};
    }
    case NumberType::f32: return {real(width == 16 ? bits << 16U : bits)};
    case NumberType::lo: return {real(bits << 16U)};
    case NumberType::hi: return {real(bits & 0xffff'0000U)};
    case NumberType::bf16:
      numbers.push_back(real(bits << 16U));
      if (width == 32) numbers.push_back(real(bits & 0xffff'0000U));
      return numbers;
    case NumberType::s8:
      for (std::uint32_t at = 0; at < width; at += 8) {
        numbers.push_back(whole(sign_extended(bits >> at & 0xffU, 8)));
      }
      return numbers;
  }
  return numbers;
}

std::vector<std::string> texts_of(std::uint32_t bits, std::uint32_t width, NumberType type) {
  if (type == NumberType::hex) return {fmt::format("{:0{}x}", bits, (width + 3) / 4)};
  std::vector<std::string> texts;
  for (const Number& number : numbers_of(bits, width, type)) texts.push_back(number_text(number));
  return texts;
}

std::string number_text(const Number& number) {
  if (!number.real) return fmt::format("{}", number.whole);
  return fmt::format("{}", static_cast<float>(number.fraction));
}

}  // namespace tandem::debug
