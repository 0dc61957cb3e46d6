// Loops as software pipelines: the modulo schedule, its prologue, kernel and epilogues as bundles.
//
//   step 0      stage 0 of iteration 0              -> exit 0 when there is no iteration 1
//   step 1      stage 1 of 0, stage 0 of 1          -> exit 1 when there is no iteration 2
//   kernel      all stages, unrolled as often as values of several iterations need registers of
//               their own; between its steps the same exits, after the last the branch back
//   exit n      the stages that iterations up to n still lack; then the code after the loop
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "isa/parameters.hpp"
#include "schedule/loops/expand_loop.hpp"
#include "schedule/loops/known_loops.hpp"
#include "schedule/loops/loop_report.hpp"
#include "schedule/loops/modulo.hpp"
#include "schedule/memory/address.hpp"
#include "schedule/program/bundled.hpp"
#include "schedule/program/faults.hpp"
#include "schedule/registers/live_ranges.hpp"
#include "schedule/registers/pressure.hpp"

namespace tandem::schedule {

struct PipelineOptions {
  std::uint32_t most_stages = 8;
  // Bundles that one loop may grow to; twice as many if nothing else is found or if it saves more
  // cycles than the bundles cost.
  std::uint32_t most_bundles = 256;
  // Registers of each file that a loop leaves unused, by the tag of its first operation.
  std::map<std::uint32_t, std::array<std::int32_t, file_count>> spare;
  // Shared by all loops and all attempts; once it is used up there are no pipelines.
  Work* work = nullptr;  // no bound except that of each loop
  // Loops of this code with long intervals, by first operation, for which no pipeline was found,
  // and why: they are not tried again with other code around them.
  std::map<std::uint32_t, std::string>* hopeless = nullptr;
  KnownLoops* known = nullptr;  // of all attempts; required for pipelines
};

class LoopPipeliner {
 public:
  LoopPipeliner(const LinearBlock& block, const std::vector<Region>& regions,
                const PressureMap& pressure, const Promises& promises, const Parameters& preset,
                const PipelineOptions& options, const Faults* faults);

  // Appends the loop to `result` as a pipeline; false, and nothing appended, when there is none.
  bool append(std::uint32_t region, Values& values, Bundled& result, LoopReport& report);

 private:
  struct Pace {
    std::uint32_t loop = 0;  // its number among known ones
    std::uint32_t interval = 0;
    std::uint32_t ahead = 0;  // iterations that begin before the branch has decided
  };

  // One way to write the loop. Each has its own schedule, which the plan points to.
  struct Candidate {
    std::unique_ptr<ModuloSchedule> schedule;
    Expansion plan;
  };
  // The plans for one kind of lifetimes: within the bundles that a loop may grow to, and within
  // twice as many.
  struct Candidates {
    std::optional<Candidate> small;
    std::optional<Candidate> large;
  };

  [[nodiscard]] Candidates candidates(Pace pace, const LoopGraph& graph, std::uint32_t region,
                                      std::string& reason, Work& work) const;
  [[nodiscard]] std::optional<Candidate> best_of(std::uint32_t ahead, std::uint32_t minimum,
                                                 const LoopGraph& graph, std::uint32_t region,
                                                 std::string& reason, Work& work) const;
  void write(Candidate& chosen, Bundled& result, LoopReport& report) const;
  [[nodiscard]] Hint hint_of(const Region& region) const;
  [[nodiscard]] std::optional<std::string> hopeless(std::uint32_t first) const;
  [[nodiscard]] std::optional<Expansion> plan_of(const LoopGraph& graph,
                                                 const ModuloSchedule& schedule,
                                                 std::uint32_t region, std::string& reason) const;
  [[nodiscard]] bool fits_registers(const LoopGraph& graph, const ModuloSchedule& schedule,
                                    std::uint32_t region) const;

  const LinearBlock& block_;
  const std::vector<Region>& regions_;
  const PressureMap& pressure_;
  const Promises& promises_;
  const Parameters& preset_;
  PipelineOptions options_;
  const Faults* faults_;
  LiveEntries live_;  // of the block as written: an operation is a bundle
};

}  // namespace tandem::schedule
