// The machine's flags for exchanges between devices: those of kernels, which a program with
// exchanges does not have, then those of copies that loops carry.
#pragma once

#include <array>
#include <cstddef>

namespace tandem::compiler {

struct ExchangeFlagPair {
  unsigned ready = 0;    // counts the receivers of this device that are ready
  unsigned arrived = 0;  // counts the messages that have arrived here
};

inline constexpr std::array<ExchangeFlagPair, 6> exchange_flags{
    {{24, 25}, {26, 27}, {28, 29}, {20, 21}, {18, 19}, {16, 17}}};

// The first flag after those of copies that loops carry (from 16 on), of which a program with so
// many pairs has fewer.
constexpr unsigned end_of_carried_flags(std::size_t pairs) {
  unsigned end = 22;
  for (std::size_t i = 0; i < pairs && i < exchange_flags.size(); ++i) {
    if (exchange_flags[i].ready < end) end = exchange_flags[i].ready;
  }
  return end;
}

}  // namespace tandem::compiler
