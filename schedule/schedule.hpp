// Linear code to bundles: the complete path.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/parameters.hpp"
#include "schedule/level.hpp"
#include "schedule/loops/pipeline.hpp"
#include "schedule/program/faults.hpp"
#include "schedule/program/linear.hpp"
#include "schedule/registers/allocate.hpp"
#include "schedule/registers/spill.hpp"

namespace tandem::schedule {

struct Options {
  Level level = default_level;
  const Parameters* preset = find_preset(default_preset);
  const Faults* faults = nullptr;  // only tests set it
  // The work that may be spent on pipelines, in edges and places looked at; beyond it loops get
  // none. A few seconds: only a block of many large loops for which nothing is found comes near.
  std::uint64_t work = 1'000'000'000;
};

// An operation in its bundle, all registers physical.
struct Issue {
  Operation operation;
  Slot slot = Slot::sa;
  std::uint32_t bundle = 0;
  std::uint32_t tag = 0;     // of the linear operation it comes from
  std::uint32_t source = 0;  // that operation's number in the block
  // Added by scheduling: a jump, a move, an access of the frame, or a rematerialized constant,
  // whose operation is then `source`.
  bool added = false;
  LabelId target = no_label;  // of a branch within the block
};

struct Result {
  std::vector<Issue> issues;  // in order of bundles, then slots
  std::uint32_t bundles = 0;
  // From the first bundle to the last, both included, if nothing waits for memory or code and every
  // predicate is true. 0: unknown (branches within, copies and waits, values in the frame,
  // registers that only just suffice).
  std::uint32_t cycles = 0;
  std::vector<std::uint32_t> labels;  // bundle of each label of the block
  std::vector<Trouble> troubles;      // the reason why there are no bundles
  std::vector<Cut> cuts;              // for the validator; none at Level::none
  std::vector<Claim> claims;          // likewise, by cut
  // Branches that have become predicates, as numbers of operations. For the validator, which
  // derives the resulting block itself.
  std::vector<std::uint32_t> converted;
  Spills spills;
  std::vector<LoopReport> loops;  // in order of their branches back; none at Level::none
  [[nodiscard]] bool ok() const { return troubles.empty(); }
};

// Precondition: every virtual register in use has a file.
Result schedule_block(const LinearBlock& block, const Options& options = {});

}  // namespace tandem::schedule
