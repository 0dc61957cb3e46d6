#include "cosim/shrink/trial.hpp"

#include <fmt/format.h>

#include "cosim/reports/signature.hpp"

namespace tandem {
namespace {

TrialResult result_of(const Runner& runner, Outcome outcome, std::size_t program) {
  TrialResult result{failure_signature(runner, outcome), program, runner.cycles(), {}};
  result.explanation = runner.explanation();
  if (const auto finding = runner.finding()) {
    result.explanation =
        fmt::format("{} at pc {}: {}\n", outcome_name(outcome), finding->pc, finding->message);
  }
  return result;
}

}  // namespace

TrialResult Trial::run(const std::vector<TrialProgram>& programs, const TrialOptions& options) {
  LockstepOptions lockstep;
  lockstep.detect_races = options.detect_races;
  lockstep.detect_uninitialised = options.detect_uninitialised;
  lockstep.silence = options.silence;
  lockstep.machine.memory = options.memory;
  lockstep.machine.reset_seed = options.reset_seed;
  parts_.machine->set_memory(options.memory);
  parts_.machine->set_reset_seed(options.reset_seed);
  if (parts_.cycle_exact) parts_.cycle_exact->set_memory(options.memory);
  parts_.power_up(options.hbm_bytes, options.seed, options.detect_races,
                  options.detect_uninitialised);
  TrialResult result;
  for (std::size_t number = 0; number < programs.size(); ++number) {
    const Image image = make_image(programs[number].object);
    const Launch launch = programs[number].launch(image);
    const auto runner = start_lockstep(launch, parts_, lockstep);
    const Outcome outcome = runner->advance(options.cycles);
    if (outcome == Outcome::halted) continue;
    if (outcome == Outcome::trapped && number + 1 < programs.size()) continue;
    return result_of(*runner, outcome, number);
  }
  return result;
}

}  // namespace tandem
