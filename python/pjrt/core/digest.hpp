// Short names for long things. Nothing relies on two of them being different: what is found under a
// name is compared with what was looked for.
#pragma once

#include <cstdint>
#include <string_view>

namespace tandem::pjrt {

// FNV-1a, 64 bits.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t start = 0xcbf29ce484222325) {
  std::uint64_t hash = start;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace tandem::pjrt
