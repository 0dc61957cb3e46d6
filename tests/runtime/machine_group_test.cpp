// Chips of a group on the RTL: cycle for cycle as on the cycle-exact model, alone and in lockstep.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <random>

#include "tests/runtime/group_support.hpp"

namespace tandem::test {
namespace {

using namespace runtime;

struct Ran {
  Outcome outcome = Outcome::running;
  std::vector<std::uint64_t> cycles;
  std::string report;
};

Ran run_on(const std::string& text, Model model, const MemoryTimingParameters& timing) {
  DeviceOptions options = nano_chip(model);
  options.machine.memory = timing;
  const GroupResult result = Chips(text, options).launch();
  Ran ran{result.outcome, {}, result.report};
  for (const LaunchResult& chip : result.chips) ran.cycles.push_back(chip.cycles);
  return ran;
}

}  // namespace

TEST_CASE("random messages take the same cycles on RTL, cycle-exact model and in lockstep") {
  if (!has_rtl("nano")) return;
  std::mt19937 random(23);
  int halted = 0;
  for (int program = 0; program < 120; ++program) {
    const std::string text = random_messages(random);
    MemoryTimingParameters timing;
    timing.link_latency = 2 + random() % 70;
    timing.link_rate = 1 + random() % 9;
    const Ran timed = run_on(text, Model::cycle, timing);
    if (timed.outcome != Outcome::halted) continue;
    ++halted;
    INFO("program " << program << "\n" << text);
    const Ran rtl = run_on(text, Model::rtl, timing);
    CHECK(rtl.outcome == Outcome::halted);
    CHECK(rtl.cycles == timed.cycles);
    const Ran lockstep = run_on(text, Model::lockstep, timing);
    INFO(lockstep.report);
    CHECK(lockstep.outcome == Outcome::halted);
    CHECK(lockstep.cycles == timed.cycles);
  }
  CHECK(halted > 15);
}

TEST_CASE("what is not as golden has it in a group is found, at the end too") {
  if (!has_rtl("nano")) return;
  for (const char* field :
       {"write.data", "copy.descriptor", "timing.issue", "final.flag", "final.vmem"}) {
    DeviceOptions options = nano_chip(Model::lockstep);
    options.plant = field;
    const GroupResult result = Chips(row_ring(3, 3, false), options).launch();
    INFO(field << "\n" << result.report);
    CHECK(result.outcome == Outcome::mismatch);
    CHECK(result.report.find(field) != std::string::npos);
  }
}

TEST_CASE("the RTL of a group ends as golden does") {
  if (!has_rtl("nano")) return;
  CHECK(run_on(lost_signal(), Model::rtl, {}).outcome == Outcome::deadlock);
  const Ran told = run_on(lost_signal(), Model::lockstep, {});
  CHECK(told.outcome == Outcome::deadlock);
  CHECK(told.report.find("chip 0 waits at PC") != std::string::npos);
  for (const Model model : {Model::rtl, Model::lockstep}) {
    const Ran ran = run_on(trap_beside_wait(), model, {});
    INFO(ran.report);
    CHECK(ran.outcome == Outcome::trapped);
    CHECK(ran.report.starts_with("chip 2: trap at PC"));
  }
}

}  // namespace tandem::test
