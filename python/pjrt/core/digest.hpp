// SHA-256 of bytes: names that no other bytes have, and checks against accidental changes.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tandem::pjrt {

using Digest = std::array<std::uint8_t, 32>;

// Of the pieces one after the other; where one ends is not part of it.
Digest sha256(std::initializer_list<std::string_view> pieces);
// 64 hexadecimal digits.
std::string digits_of(const Digest& digest);

}  // namespace tandem::pjrt
