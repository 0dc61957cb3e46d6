#include "cosim/random/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/lockstep/runners.hpp"
#include "cosim/random/rng.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t cycle_limit = 3'000'000;
constexpr std::uint64_t hbm_bytes = std::uint64_t{16} << 20U;

std::string describe(const Runner& runner, Outcome outcome) {
  if (const auto finding = runner.finding()) {
    return fmt::format("{} at bundle pc {}: {}\n", outcome_name(outcome), finding->pc,
                       finding->message);
  }
  if (outcome == Outcome::running) {
    return fmt::format("no end after {} cycles, {} bundles, pc {}\n", runner.cycles(),
                       runner.bundles(), runner.pc());
  }
  return runner.explanation();
}

// Every other program finds some words of its text in SMEM, as if they were its arguments.
void load_anything(Launch& launch, std::uint64_t seed) {
  Rng rng(seed);
  if (!rng.chance(50)) return;
  const auto text_words = static_cast<std::uint32_t>(launch.image->text.size()) * bundle_words;
  launch.argument_words = 1 + rng.below(std::min(text_words, 600U));
  launch.argument_pointer =
      launch.text_address + 4 * rng.below(text_words - launch.argument_words + 1);
}

}  // namespace

MachineOptions random_machine_options(std::uint64_t seed) {
  Rng rng(seed ^ 0x6d656d6f7279ULL);
  constexpr std::uint32_t latencies[] = {1, 8, 40, 100};
  constexpr std::uint32_t jitters[] = {0, 0, 5, 60};
  MachineOptions options;
  options.memory.latency = rng.pick(latencies);
  options.memory.jitter = rng.pick(jitters);
  options.memory.outstanding = 1 + rng.below(64);
  options.memory.seed = rng.next();
  options.reset_seed = rng.next() | 1U;
  return options;
}

RandomResult run_random_program(const Parameters& parameters, std::uint64_t seed,
                                const MachineFactory& make_machine,
                                const MachineFactory& make_cycle_exact) {
  return run_random_program(
      parameters, seed, random_knobs(seed),
      fmt::format("tandem lockstep --random 1 --seed {} --preset {}", seed, parameters.name),
      make_machine, make_cycle_exact);
}

RandomResult run_random_program(const Parameters& parameters, std::uint64_t seed,
                                const RandomKnobs& knobs, const std::string& command,
                                const MachineFactory& make_machine,
                                const MachineFactory& make_cycle_exact) {
  const Image image = random_program(parameters, seed, knobs);
  Launch launch = make_launch(image, {}, hbm_bytes, static_cast<std::uint32_t>(seed));
  load_anything(launch, seed);
  LockstepOptions options;
  options.detect_uninitialised = false;
  options.machine = random_machine_options(seed);
  options.command = command;
  std::unique_ptr<Machine> cycle_exact;
  if (make_cycle_exact) cycle_exact = make_cycle_exact(parameters, options.machine);
  const auto runner = make_lockstep_runner(launch, make_machine(parameters, options.machine),
                                           std::move(cycle_exact), options);
  RandomResult result;
  result.outcome = runner->advance(cycle_limit);
  result.bundles = runner->bundles();
  result.cycles = runner->cycles();
  result.volatile_reads = runner->volatile_reads();
  if (!result.passed()) {
    result.explanation = describe(*runner, result.outcome);
    result.explanation_json = runner->explanation_json();
  }
  return result;
}

}  // namespace tandem
