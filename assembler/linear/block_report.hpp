// The result of scheduling a linear block, with positions in the text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/object/diagnostic.hpp"
#include "schedule/level.hpp"
#include "schedule/loops/loop_report.hpp"
#include "schedule/registers/spill.hpp"

namespace tandem {

struct PlacedLoop {
  schedule::LoopReport loop;
  SourceSpan head;                    // the first operation
  SourceSpan branch;                  // back to it
  std::optional<SourceSpan> culprit;  // the reason why it is not a pipeline
  std::vector<SourceSpan> round;      // the operations that keep the interval from being shorter
};

struct BlockReport {
  std::string name;   // as in the text, may be empty
  SourceSpan opened;  // `.linear`
  schedule::Level level = schedule::default_level;
  std::uint32_t operations = 0;
  std::uint32_t first_bundle = 0;  // in the text of its object
  std::uint32_t bundles = 0;
  std::uint32_t cycles = 0;  // of straight-line code (schedule/schedule.hpp); 0: not known
  std::array<std::uint32_t, slot_count> slots{};  // how many bundles use each
  schedule::Spills spills;
  std::vector<SourceSpan> predicated;  // branches that have become predicates
  std::vector<PlacedLoop> loops;
};

// "interval 5 of at least 5 (what goes round: lines 52, 55), ...": lines are of the branch's file
// unless another is named.
std::string loop_text(const PlacedLoop& placed);
// A line for the block, `place` first, then an indented one for each loop; each ends in '\n'.
std::string block_text(const BlockReport& report);

}  // namespace tandem
