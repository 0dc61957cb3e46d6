// The control-flow graph of bundles.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program/bundled.hpp"

namespace tandem::schedule {

struct FlowBlock {
  std::uint32_t first = 0;  // bundle
  std::uint32_t end = 0;    // after the last bundle
  std::vector<std::uint32_t> next;
  std::vector<std::uint32_t> previous;
};

// How a bundle transfers control. A predicated operation may do so or not.
struct BundleExits {
  std::vector<LabelId> targets;  // within the block
  bool falls_through = true;
  bool ends_block = false;
};
BundleExits exits_of(std::span<const BundledOperation> bundle);

// Blocks in the order of their bundles; the first is the entry. A branch to after the last bundle
// leaves the block and adds no edge.
std::vector<FlowBlock> flow_blocks(const Bundled& code);

}  // namespace tandem::schedule
