// Two runs side by side: where they diverge, and where time was gained or lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/trace_reader.hpp"

namespace tandem::trace {

enum class GroupBy : std::uint8_t { line, label };

// The activity of a run in a cycle: "issues loop+3 (a.s:12)", "sync_wait before ...".
struct Parting {
  std::uint64_t cycle = 0;
  std::string before;  // of the first run; "has ended" if it has
  std::string after;
};

// Cycles of something in both runs.
struct Share {
  std::string name;  // a cause, a source line or a label
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::vector<Share> causes{};  // of a line or label: its cycles by cause

  [[nodiscard]] std::int64_t lost() const {
    return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
  }
};

struct Difference {
  std::uint64_t before = 0;  // cycles
  std::uint64_t after = 0;
  std::optional<Parting> parting;  // nothing when the runs are equal
  std::vector<Share> causes;       // `issued` among them; largest change first
  std::vector<Share> places;       // by source line or label; largest change first
};

Difference compare(const Timeline& before, const Timeline& after, GroupBy group);

// For people; at most `places` of the changed places.
std::string difference_text(const Difference& difference, std::size_t places);

}  // namespace tandem::trace
