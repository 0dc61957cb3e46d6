// List scheduling: each region's operations into the fewest bundles that its dependences allow, by
// the longest path to its end.
#pragma once

#include <map>

#include "isa/parameters.hpp"
#include "schedule/loops/pipeline.hpp"
#include "schedule/memory/address.hpp"
#include "schedule/program/bundled.hpp"
#include "schedule/program/faults.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// Steps to fewer live values in a region: no compaction, narrower windows, text order at last.
constexpr std::uint32_t most_tight = 9;

struct ListOptions {
  // Operations farther than this after the first unplaced one are not considered, which bounds how
  // many values can be live at the same time. With 1, text order is kept.
  std::uint32_t window = 256;
  bool compacts = false;   // fewer bundles where that costs no extra cycle
  bool trusts = false;     // with that: regardless of the estimated registers of a region
  bool pipelines = false;  // loops of one region by modulo scheduling where that is possible
  bool wanted = false;     // were requested before registers ran out
  bool gives_up = false;   // in a long region, once there are more live values than registers
  // Of regions, by the tags of their first operations: steps to fewer live values.
  std::map<std::uint32_t, std::uint32_t> tight;
  PipelineOptions pipeline;
  const Faults* faults = nullptr;
};

// The effects of the options.
struct ListOutcome {
  std::vector<LoopReport> loops;
  bool compacted = false;  // some region; otherwise `compacts` and `trusts` change nothing
  bool gave_up = false;    // the code is incomplete
};

// How many cycles a block that is one stretch takes, from its first operation to its last.
std::uint32_t list_cycles(const LinearBlock& block, const Parameters& preset);

// `entries`: value_ranges() of the block.
Bundled list_scheduled(const LinearBlock& block, const Parameters& preset,
                       const Values::Entries& entries, const ListOptions& options,
                       ListOutcome& outcome);

}  // namespace tandem::schedule
