// The layout of the argument block, from isa/launch/argument.def. C++17, for separate platforms.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tandem {

inline constexpr std::uint32_t argument_words = 16;  // of a tensor

struct ArgumentField {
  std::string_view name;
  std::uint32_t word;
  std::uint32_t words;
  std::string_view meaning;
};

namespace argument_field {
#define ARGUMENT_FIELD(name, word, words, meaning) \
  inline constexpr ArgumentField name{#name, word, words, meaning};
#include "isa/launch/argument.def"
#undef ARGUMENT_FIELD
}  // namespace argument_field

inline constexpr std::array argument_fields{
#define ARGUMENT_FIELD(name, word, words, meaning) argument_field::name,
#include "isa/launch/argument.def"
#undef ARGUMENT_FIELD
};

// The word that holds the size of a dimension, 0 to 7.
constexpr std::uint32_t argument_size_word(std::uint32_t axis) {
  const std::uint32_t first = argument_field::sizes.words;
  return axis < first ? argument_field::sizes.word + axis
                      : argument_field::more_sizes.word + axis - first;
}

}  // namespace tandem
