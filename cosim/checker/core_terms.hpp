// What a core tells of itself, and what the checker could therefore not compare. Machines of ours
// tell everything; a core from elsewhere tells what it can (docs/foreign_core.md).
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

// Which events a core gives.
enum class CheckLevel : std::uint8_t {
  all,     // every event: golden executes a bundle at each issue
  copies,  // copies alone: golden goes on by itself to the copy that was issued
  final,   // none: golden goes on by itself to the end
};

std::string_view level_name(CheckLevel level);
std::optional<CheckLevel> find_level(std::string_view name);

struct CoreTerms {
  CheckLevel level = CheckLevel::all;
  // Golden gives up after so many bundles where it goes on by itself.
  std::uint64_t limit = 5'000'000'000;
  std::bitset<core_part_count> parts = std::bitset<core_part_count>().set();  // told, by CorePart
  // The core's memory cannot be asked while it runs: the bytes of a copy come with its completion.
  bool memory_is_closed = false;  // while it runs: the words of a copy come with its completion
  std::string told_of_hbm;        // "": all of it; else which bytes: "64 bytes"

  [[nodiscard]] bool tells(CorePart part) const { return parts[static_cast<std::size_t>(part)]; }

  // ---- set by the checker ----

  std::uint64_t copies = 0;         // that completed in this core's memories
  std::uint64_t untold_copies = 0;  // whose bytes were not told
  // Why there can be no verdict: golden cannot go on by itself. "": there can.
  std::string undecided;
};

// "writes and issues of bundles", "VMEM at the end": one for each thing that a run under these
// terms did not compare.
std::vector<std::string> not_compared(const CoreTerms& terms);

}  // namespace tandem
