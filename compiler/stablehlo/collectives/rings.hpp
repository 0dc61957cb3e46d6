// The choice of collectives that go round a ring of their devices (functions/ring_text.hpp),
// instead of directly from each to each.
//
// A direct message costs the links its length times its distance; round a ring every device
// forwards, at a step's latency each. So small data goes directly, and large data round the ring.
#pragma once

#include <optional>
#include <string>

#include "compiler/stablehlo/collectives/groups.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

struct RingPlan {
  bool reduces = false;
  bool gathers = false;
  std::string combine;           // the reduction as an operation on vectors: "vadd.f32"
  std::int64_t part_words = 0;   // of the first operand, as it goes round
  std::int64_t block_words = 0;  // of a part, reduced at a time
};

// None where the collective, among these groups, is direct.
std::optional<RingPlan> ring_of(mlir::Operation* op, const Groups& groups,
                                const Parameters& machine);
// Cycles of a link of the default rate for this many words.
std::int64_t link_cycles(std::int64_t words, const Parameters& machine);
// Words of a part of an all_reduce of this many.
std::int64_t ring_part(std::int64_t words, const Groups& groups, const Parameters& machine);

}  // namespace tandem::compiler
