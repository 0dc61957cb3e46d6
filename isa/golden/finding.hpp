// Errors of a program that the golden model reports without a trap: races of copies and uses of
// never-written data (docs/reference.md, section 5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tandem {

enum class FindingKind : std::uint8_t {
  race,           // the result depends on the progress of a copy
  uninitialised,  // the result depends on never-written state
  lifetime,       // a buffer is read where another one has been written
  outside,        // a kernel touches memory that it was not given
};

// "race", "never-written data", "ended lifetime", "foreign memory"
std::string_view finding_name(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::race;
  std::uint32_t pc = 0;  // the bundle of the access
  // The bundle that started the copy, or that moved the never-written data here; absent if the data
  // was in place from the start.
  std::optional<std::uint32_t> origin_pc;
  std::string message;  // one sentence: error, place (VMEM row and lane, v3[r][j], ...), both PCs

  template <typename A>
  void archive(A& a) {
    a(kind, pc, origin_pc, message);
  }
};

}  // namespace tandem
