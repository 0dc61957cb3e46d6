// Loops in text order: from a label up to a branch back to it. One of several stretches cannot be a
// pipeline yet; the obstacle is named.
#pragma once

#include <optional>
#include <vector>

#include "schedule/loops/loop_report.hpp"
#include "schedule/memory/regions.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// The head of the loop that the region's last operation closes; nothing when it closes none.
std::optional<std::uint32_t> loop_head(const LinearBlock& block, const Region& region);

// Why the loop of operations head .. end - 1 is not one stretch, and which operation is the cause.
void explain_stretches(const LinearBlock& block, std::uint32_t head, std::uint32_t end,
                       LoopReport& report);

}  // namespace tandem::schedule
