// The control-flow graph of bundles.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program/bundled.hpp"

namespace tandem::schedule {

struct FlowBlock {
  std::uint32_t first = 0;  // bundle
  std::uint32_t end = 0;    // behind the last bundle
  std::vector<std::uint32_t> next;
  std::vector<std::uint32_t> previous;
};

// How a bundle passes control on. A predicated operation may do so or not.
struct BundleExits {
  std::vector<LabelId> targets;  // within the block
  bool falls_through = true;
  bool ends_block = false;
};
BundleExits exits_of(std::span<const BundledOperation> bundle);

// Blocks in the order of their bundles; the first is the entry. A branch to behind the last bundle
// leaves and gives no edge.
std::vector<FlowBlock> flow_blocks(const Bundled& code);

}  // namespace tandem::schedule
