// List scheduling: each region's operations into the fewest bundles that its dependences allow, by
// the longest way to its end.
#pragma once

#include "isa/parameters.hpp"
#include "schedule/loops/pipeline.hpp"
#include "schedule/memory/address.hpp"
#include "schedule/program/bundled.hpp"
#include "schedule/program/faults.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

struct ListOptions {
  // Operations farther than this behind the first that is not placed yet are not looked at: what
  // bounds how many values can be alive at once. With 1 the order of the text is kept.
  std::uint32_t window = 256;
  bool compacts = false;   // fewer bundles where that takes no cycle more
  bool trusts = false;     // with that: whatever a region's registers seem to be
  bool pipelines = false;  // loops of one region by modulo scheduling where that is possible
  bool wanted = false;     // were asked for, before registers did not suffice for them
  bool gives_up = false;   // in a long region, once more values live than there are registers
  PipelineOptions pipeline;
  const Faults* faults = nullptr;
};

// What came of the options.
struct ListOutcome {
  std::vector<LoopReport> loops;
  bool compacted = false;  // some region; without that `compacts` and `trusts` change nothing
  bool gave_up = false;    // the code is not whole
};

// How many cycles a block that is one stretch takes, from its first operation to its last.
std::uint32_t list_cycles(const LinearBlock& block, const Parameters& preset);

// `entries`: value_ranges() of the block.
Bundled list_scheduled(const LinearBlock& block, const Parameters& preset,
                       const Values::Entries& entries, const ListOptions& options,
                       ListOutcome& outcome);

}  // namespace tandem::schedule
