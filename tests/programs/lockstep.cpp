#include "tests/programs/lockstep.hpp"

#include <fmt/format.h>

#include "cosim/lockstep/runners.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/cycle_machine.hpp"

namespace tandem::directed {
namespace {

constexpr std::uint64_t cycles_per_bundle = 200;  // more than any of these programs needs

LockstepOptions lockstep_options(const MachineOptions& machine) {
  LockstepOptions options;
  options.machine = machine;
  return options;
}

std::string verdict(const Runner& runner, Outcome outcome) {
  return fmt::format("lockstep ended with `{}` at pc {}\n{}", outcome_name(outcome), runner.pc(),
                     runner.explanation());
}

}  // namespace

std::vector<MachineOptions> slow_memories() {
  MachineOptions far;
  far.memory.latency = 400;
  MachineOptions one_by_one;
  one_by_one.memory.outstanding = 1;
  MachineOptions both = far;
  both.memory.outstanding = 2;
  both.memory.jitter = 50;
  MachineOptions held;
  held.memory.write_hold = 30;
  return {far, one_by_one, both, held};
}

MachineOptions fast_memory() {
  MachineOptions machine;
  machine.memory.latency = 1;
  machine.memory.row_miss = 0;
  return machine;
}

MachineOptions jittery_memory(std::uint32_t seed) {
  MachineOptions machine;
  machine.memory.jitter = 37;
  machine.memory.seed = seed;
  machine.reset_seed = seed;
  return machine;
}

std::string disagreement_in_lockstep(const std::string& path, const Parameters& preset,
                                     const MachineOptions& machine) {
  const Prepared prepared(path, preset);
  const Expectation& expected = prepared.expectation;
  const auto runner =
      make_lockstep_runner(prepared.launch, make_rtl_machine(preset, machine),
                           make_timed_machine(preset, machine), lockstep_options(machine));
  const Outcome outcome = runner->advance(expected.limit * cycles_per_bundle);
  if (outcome != expected.outcome || runner->trap() != expected.trap) {
    return verdict(*runner, outcome);
  }
  if (outcome == Outcome::running && runner->bundles() < expected.limit) {
    return verdict(*runner, outcome);
  }
  const bool trapped = outcome == Outcome::trapped;
  if (trapped && runner->pc() != expected.pc) return verdict(*runner, outcome);
  return {};
}

}  // namespace tandem::directed
