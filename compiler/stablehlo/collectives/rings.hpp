// Which collectives go round a ring of their devices (functions/ring_text.hpp), and not straight
// from each to each.
//
// Straight, a message costs the links its length times its way; round a ring every device passes
// on, at a step's latency each. So little data goes straight, and much round.
#pragma once

#include <optional>
#include <string>

#include "compiler/stablehlo/collectives/groups.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

struct RingPlan {
  bool reduces = false;
  bool gathers = false;
  std::string combine;           // what a reduction does with vectors: "vadd.f32"
  std::int64_t part_words = 0;   // of the first operand, as it goes round
  std::int64_t block_words = 0;  // of a part that is reduced at a time
};

// None where the collective, among these groups, goes straight.
std::optional<RingPlan> ring_of(mlir::Operation* op, const Groups& groups,
                                const Parameters& machine);
// Cycles that a link of the default rate takes for so many words.
std::int64_t link_cycles(std::int64_t words, const Parameters& machine);
// Words of a part of an all_reduce of so many.
std::int64_t ring_part(std::int64_t words, const Groups& groups, const Parameters& machine);

}  // namespace tandem::compiler
