// One random program in lockstep; everything about it follows from its seed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "cosim/random/program.hpp"
#include "runtime/models/runner.hpp"

namespace tandem {

struct RandomResult {
  Outcome outcome = Outcome::running;  // running: it did not end within the limit
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;
  std::uint64_t volatile_reads = 0;
  std::string explanation;  // text of the report, for outcomes that are failures
  std::string explanation_json;

  // A program may halt, or trap on purpose; anything else is a failure.
  [[nodiscard]] bool passed() const {
    return outcome == Outcome::halted || outcome == Outcome::trapped;
  }
};

using MachineFactory =
    std::function<std::unique_ptr<Machine>(const Parameters&, const MachineOptions&)>;

// Timing of memory for a seed: from quick to slow, with and without jitter.
MachineOptions random_machine_options(std::uint64_t seed);

// `make_cycle_exact` gives a second machine, whose times must be those of the first; it may be
// empty.
RandomResult run_random_program(const Parameters& parameters, std::uint64_t seed,
                                const MachineFactory& make_machine,
                                const MachineFactory& make_cycle_exact);
// The same with knobs of the caller's instead of those that the seed draws; `command` repeats the
// run.
RandomResult run_random_program(const Parameters& parameters, std::uint64_t seed,
                                const RandomKnobs& knobs, const std::string& command,
                                const MachineFactory& make_machine,
                                const MachineFactory& make_cycle_exact);

}  // namespace tandem
