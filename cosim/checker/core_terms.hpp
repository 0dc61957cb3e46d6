// The information that a core reports, and the comparisons that are therefore not possible. Our own
// machines report everything; a foreign core reports what it can (docs/foreign_core.md).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

// NOLINTBEGIN(bugprone-macro-parentheses): each row adds one to the sum
inline constexpr std::size_t core_part_count = 0
#define PART(name, number, text) +1
#include "cosim/checker/core_parts.def"
#undef PART
    ;
// NOLINTEND(bugprone-macro-parentheses)

enum class CorePart : std::uint8_t {
#define PART(name, number, text) name = (number),
#include "cosim/checker/core_parts.def"
#undef PART
};

std::string_view core_part_text(CorePart part);  // "VMEM at the end"

// The events that a core reports.
enum class CheckLevel : std::uint8_t {
  all,     // every event: golden executes a bundle at each issue
  copies,  // copies only: golden runs on by itself to the issued copy
  final,   // none: golden runs by itself to the end
};

std::string_view level_name(CheckLevel level);
std::optional<CheckLevel> find_level(std::string_view name);

struct CoreTerms {
  CheckLevel level = CheckLevel::all;
  // Golden gives up after this many bundles if it runs on by itself.
  std::uint64_t limit = 5'000'000'000;
  std::bitset<core_part_count> parts = std::bitset<core_part_count>().set();  // by CorePart
  // The core's memory cannot be read while it runs: completions carry the bytes of copies.
  bool memory_is_closed = false;  // while it runs: completions carry the words of copies
  std::string told_of_hbm;        // "": all of it; else the missing part: "64 bytes"

  [[nodiscard]] bool tells(CorePart part) const { return parts[static_cast<std::size_t>(part)]; }

  // ---- set by the checker ----

  std::uint64_t copies = 0;         // that completed in this core's memories
  std::uint64_t untold_copies = 0;  // whose bytes were not reported
  // Why a verdict is impossible: golden cannot run on by itself. "": possible.
  std::string undecided;
};

// "writes and issues of bundles", "VMEM at the end": one for each item that a run under these terms
// did not compare.
std::vector<std::string> not_compared(const CoreTerms& terms);

}  // namespace tandem
