// Every directed program in lockstep: RTL, golden and cycle-exact model, every bundle, its time and
// the final state, for each preset whose RTL this build contains; the verdict is the one its header
// expects.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>

#include "cosim/lockstep/runners.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "runtime/models/runner.hpp"
#include "tests/programs/directed.hpp"

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

// An empty string when the run agrees and ends as expected.
std::string disagreement(const std::string& path, const Parameters& preset,
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

void check_all(const MachineOptions& machine, const std::vector<std::string>& paths) {
  if (rtl_presets().empty()) WARN("skipped: this build has no RTL (TANDEM_PRESETS is empty)");
  for (const std::string_view name : rtl_presets()) {
    for (const std::string& path : paths) {
      std::string text;
      try {
        text = disagreement(path, *find_preset(name), machine);
      } catch (const std::exception& error) {
        text = error.what();
      }
      INFO(path << " on " << name << "\n" << text);
      CHECK(text.empty());
    }
  }
}

MachineOptions jittery(std::uint32_t seed) {
  MachineOptions machine;
  machine.memory.jitter = 37;
  machine.memory.seed = seed;
  machine.reset_seed = seed;
  return machine;
}

constexpr std::uint32_t seeds = 8;

TEST_CASE("directed programs agree in lockstep with the RTL") { check_all({}, program_paths()); }

TEST_CASE("directed programs with copies agree under eight seeds of memory jitter") {
  std::vector<std::string> paths = program_paths("dma");
  const std::vector<std::string> races = program_paths("races");
  paths.insert(paths.end(), races.begin(), races.end());
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) check_all(jittery(seed), paths);
}

TEST_CASE("each directed program agrees under one seed of memory jitter") {
  std::array<std::vector<std::string>, seeds> slices;
  std::size_t number = 0;
  for (const std::string& path : program_paths()) slices[number++ % seeds].push_back(path);
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) check_all(jittery(seed), slices[seed - 1]);
}

TEST_CASE("all directed programs agree under eight seeds of memory jitter", "[.nightly]") {
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) check_all(jittery(seed), program_paths());
}

}  // namespace
}  // namespace tandem::directed
