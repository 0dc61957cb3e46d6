// Elements of .npy arrays as numbers, without intermediate rounding.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "isa/launch/npy.hpp"

namespace tandem {

// An integer of up to 64 bits, signed or not, or a real.
struct NpyNumber {
  bool is_real = false;
  __int128 integer = 0;
  double real = 0;

  [[nodiscard]] double as_real() const { return is_real ? real : static_cast<double>(integer); }
};

// Types whose elements can be shown and made: "b1 i1 u1 ...".
std::string npy_number_types();
bool is_npy_number_type(std::string_view type);

std::size_t npy_count(const NpyArray& array);
// Throws NpyError when the array's type is none of those above.
NpyNumber npy_number(const NpyArray& array, std::size_t index);
// Integers in full, reals with as many digits as distinguish them.
std::string npy_number_text(const NpyNumber& number, std::string_view type);
// Appends an element; throws NpyError if its type cannot represent the number: NaN for an integer,
// too large, with a fraction. A real is rounded as a conversion in C does.
void append_npy_number(NpyArray& array, const NpyNumber& number);
// "5", "-0.25", "0x1f", "nan"; throws NpyError if it is not a number.
NpyNumber parse_npy_number(std::string_view text);
// The distance of two numbers, exact for integers until it is rounded once.
double npy_distance(const NpyNumber& left, const NpyNumber& right);
bool same_npy_number(const NpyNumber& left, const NpyNumber& right);

}  // namespace tandem
