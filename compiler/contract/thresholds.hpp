// The decisions on how a program is compiled: thresholds and choices, each a row of thresholds.def,
// with counts of how each was decided in this process. These show a tester of the compiler at which
// sizes it decides differently, and which decisions no program has exercised yet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "isa/parameters.hpp"
#include "llvm/ADT/ArrayRef.h"

namespace tandem::compiler {

// The part of VMEM for buffers; the rest is for tiles of those that do not fit.
inline std::int64_t resident_words(const Parameters& machine) {
  constexpr std::int64_t enough = 512 * 1024;  // words for tiles
  const auto words = std::int64_t{machine.vmem_words()};
  return std::max(words / 4 * 3, words - enough);
}

enum class DecisionName : std::uint8_t {
#define THRESHOLD(NAME, UNIT, VALUE, MEANING) NAME,
#define MACHINE_THRESHOLD(NAME, UNIT, VALUE, MEANING) NAME,
#define CHOICE(NAME, TEXT, MEANING) NAME,
#include "compiler/contract/thresholds.def"
#undef CHOICE
#undef MACHINE_THRESHOLD
#undef THRESHOLD
};

// Notes that this amount was compared with this value; returns whether it is over it.
bool compared(DecisionName name, std::int64_t amount, std::int64_t value);
// Notes that this candidate of several was chosen.
void chose(DecisionName name, std::int64_t value, llvm::ArrayRef<std::int64_t> candidates);
// The text of a choice: "contraction.rows".
llvm::StringRef text_of(DecisionName name);

namespace threshold {

// Whether the amount is over it: `threshold::counted_sort(elements)`.
#define THRESHOLD(NAME, UNIT, VALUE, MEANING) \
  inline bool NAME(std::int64_t amount) { return compared(DecisionName::NAME, amount, VALUE); }
#define MACHINE_THRESHOLD(NAME, UNIT, VALUE, MEANING)                \
  inline bool NAME(std::int64_t amount, const Parameters& machine) { \
    return compared(DecisionName::NAME, amount, VALUE);              \
  }
#define CHOICE(NAME, TEXT, MEANING)
#include "compiler/contract/thresholds.def"
#undef CHOICE
#undef MACHINE_THRESHOLD
#undef THRESHOLD

}  // namespace threshold

// All of them as JSON: unit, value for the machine, and the count of each outcome.
std::string decisions_taken_json(const Parameters& machine);

}  // namespace tandem::compiler
