// Random programs in lockstep; everything about a run follows from its seed and the knobs chosen.
//
// A seed stands for one powered-up machine and a number of programs on it, one after the other,
// given by knob `launches`: each starts with the state that the previous one left, halted or
// trapped. The machines themselves are built once and powered up again for the next seed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cosim/coverage/coverage.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/random/program.hpp"
#include "runtime/models/runner.hpp"

namespace tandem {

struct RandomResult {
  Outcome outcome = Outcome::running;  // of the last program; running: no end within the limit
  std::uint64_t programs = 0;
  std::uint64_t halted = 0;
  std::uint64_t trapped = 0;
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;
  std::uint64_t volatile_reads = 0;
  std::string signature;    // of a failure: cosim/reports/signature.hpp
  std::string explanation;  // text of the report, for outcomes that are failures
  std::string explanation_json;

  // A program may halt, or trap on purpose; anything else is a failure, and the last program.
  [[nodiscard]] bool passed() const {
    return outcome == Outcome::halted || outcome == Outcome::trapped;
  }
};

using MachineFactory =
    std::function<std::unique_ptr<Machine>(const Parameters&, const MachineOptions&)>;

// Timing of memory for a seed: from fast to slow, with and without jitter.
MachineOptions random_machine_options(std::uint64_t seed);

// Seed of program `number` among those that run on the machine of `seed`; the first is `seed`
// itself.
std::uint64_t random_program_seed(std::uint64_t seed, std::uint32_t number);

// The HBM size that a random program needs, and its launch there; every other program finds some
// words of its text in SMEM, as if they were its arguments. The image must outlive the launch.
Launch random_launch(const Image& image, std::uint64_t seed, const RandomKnobs& knobs);

// The programs that run on the machine of a seed, in order.
struct RandomSession {
  struct Member {
    std::uint64_t seed = 0;
    RandomKnobs knobs;
  };
  std::vector<Member> programs;
  MachineOptions machine;
};
RandomSession random_session(std::uint64_t seed, const KnobChoices& choices);

class RandomLockstep {
 public:
  // `make_cycle_exact` creates a second machine, whose times must be those of the first; it may be
  // empty. `command`, for reports, is the part before the seed: "tandem lockstep --random 1".
  RandomLockstep(const Parameters& parameters, const MachineFactory& make_machine,
                 const MachineFactory& make_cycle_exact, KnobChoices choices, std::string command);

  RandomResult run(std::uint64_t seed) { return run(seed, choices_); }
  // With other knobs than those of the constructor.
  RandomResult run(std::uint64_t seed, const KnobChoices& choices);
  // From now on it collects the bins that runs hit; it must outlive this.
  void set_coverage(Coverage* coverage) { coverage_ = coverage; }
  // From now on a mismatch of the RTL leaves a waveform there; a later one overwrites it.
  void set_wave(const MismatchWaveOptions& wave) { wave_ = wave; }

 private:
  void run_program(const RandomSession::Member& member, const LockstepOptions& options,
                   RandomResult& result);

  const Parameters& parameters_;
  KnobChoices choices_;
  std::string command_;
  LockstepParts parts_;
  Coverage* coverage_ = nullptr;
  MismatchWaveOptions wave_;
};

}  // namespace tandem
