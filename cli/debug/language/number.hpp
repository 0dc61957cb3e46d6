// Bits as numbers: the types in which registers and memory are printed and compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/image.hpp"

namespace tandem::debug {

enum class NumberType : std::uint8_t {
  hex,
  u32,
  s32,
  f32,
  bf16,  // both halves of a word, low first
  lo,    // the low half of a word as bf16
  hi,
  s8,  // the four bytes of a word, lowest first
  bit,
};

// "f32", ...; none for another word.
std::optional<NumberType> number_type(std::string_view name);
std::string_view number_type_name(NumberType type);
// Names for messages: "hex, u32, ...".
std::string number_type_names();
NumberType type_of_elements(ElementType type);

// The value of a number: whole numbers stay whole. `word` marks 32 bits that may mean a signed or
// an unsigned number.
struct Number {
  bool real = false;
  bool word = false;
  std::int64_t whole = 0;
  double fraction = 0;  // the value when `real`

  [[nodiscard]] double as_real() const { return real ? fraction : static_cast<double>(whole); }
  [[nodiscard]] bool is_true() const { return real ? fraction != 0 : whole != 0; }
};

// The numbers in an element of `width` bits (1, 8, 16 or 32) seen as a type: several for bf16 and
// s8 in wider elements.
std::vector<Number> numbers_of(std::uint32_t bits, std::uint32_t width, NumberType type);
// The same as text, each number by itself.
std::vector<std::string> texts_of(std::uint32_t bits, std::uint32_t width, NumberType type);
std::string number_text(const Number& number);

}  // namespace tandem::debug
