// Small helpers of the Verilog writers.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "isa/encoding.hpp"

namespace tandem::emit {

inline std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  return result;
}

constexpr std::uint64_t mask_of(BitField bits) {
  return bits.width == 0 ? 0 : ((std::uint64_t{1} << bits.width) - 1) << bits.lsb;
}

// "b[21:17]" of the slot bits b.
std::string slice(BitField bits);

// A type of the package, with a name for each value.
struct Enumerator {
  std::string name;
  std::uint32_t value;
};
std::string enumeration(std::string_view type, unsigned width,
                        const std::vector<Enumerator>& values);

// The type of the opcodes in the slots that accept a group, and the function that takes one out of
// a slot's bits: "valu_op".
std::string_view opcode_kind(Group group);

// Everything of the package that looks at slot bits: getters, legality, register sets.
std::string decode_functions();

}  // namespace tandem::emit
