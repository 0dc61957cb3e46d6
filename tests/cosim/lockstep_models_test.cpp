// Which models a lockstep run compares, and that the cycle-exact model has the times of the RTL.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cosim/lockstep/runners.hpp"
#include "cosim/random/program.hpp"
#include "cosim/session/random_session.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "isa/machine.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "runtime/models/runner.hpp"
#include "tests/cosim/presets.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

Image some_program(const Parameters& preset, std::uint64_t seed) {
  RandomKnobs knobs = random_knobs(seed);
  knobs.illegal = false;
  knobs.hbm_place = knobs.text_place = 0;  // of a small HBM
  return random_program(preset, seed, knobs);
}

RunnerOptions models(bool rtl, bool cycle) {
  RunnerOptions options;
  options.detect_uninitialised = false;
  options.models = {rtl, cycle};
  return options;
}

}  // namespace

TEST_CASE("golden and the cycle model agree on presets without their RTL") {
  for (const Parameters& preset : presets) {
    const Image image = some_program(preset, 5);
    const Launch launch = make_launch(image, {}, 1U << 24U, 1);
    const auto runner = make_runner("lockstep", launch, models(false, true));
    INFO(preset.name);
    CHECK(runner->advance(1'000'000) == Outcome::halted);
    CHECK(runner->cycles() > runner->bundles());
    CHECK(runner->events() > runner->bundles());
  }
}

TEST_CASE("golden and the cycle model agree on machines that are no presets") {
  for (const std::string_view name :
       {"lanes=8,vmem=16KiB,smem=16KiB,icache=64", "lanes=32,vmem=2MiB", "lanes=64,vmem=128KiB",
        "lanes=128,vmem=256KiB,smem=16KiB,icache=65536", "lanes=128,vmem=16MiB,icache=64"}) {
    const Parameters& machine = *find_machine(name).machine;
    for (const std::uint64_t seed : {5, 6, 7, 8}) {
      const Image image = some_program(machine, seed);
      const Launch launch = make_launch(image, {}, 1U << 24U, 1);
      const auto runner = make_runner("lockstep", launch, models(false, true));
      INFO(machine.name << " seed " << seed);
      CHECK(runner->advance(1'000'000) == Outcome::halted);
    }
  }
}

TEST_CASE("a lockstep run of golden alone is refused") {
  const Image image = some_program(presets[0], 5);
  const Launch launch = make_launch(image, {}, 1U << 24U, 1);
  CHECK_THROWS_AS(make_runner("lockstep", launch, models(false, false)), LaunchError);
}

TEST_CASE("a fault planted into the RTL's times is found by the cycle model and only by it") {
  if (!needs_rtl("nano")) return;
  const Image image = some_program(presets[0], 5);
  const Launch launch = make_launch(image, {}, 1U << 24U, 1);
  RunnerOptions options = models(true, true);
  options.fault = Fault{CompareField::timing_copy_done, 0, std::nullopt, std::nullopt};
  const auto runner = make_runner("lockstep", launch, options);
  CHECK(runner->advance(1'000'000) == Outcome::mismatch);
  const auto report = nlohmann::json::parse(runner->explanation_json());
  CHECK(report["field"] == "timing.copy_done");
  CHECK(report["expected_model"] == "cycle");
  CHECK(report["got_model"] == "rtl");

  options.models.cycle = false;
  CHECK(make_runner("lockstep", launch, options)->advance(1'000'000) == Outcome::halted);
}

TEST_CASE("two threads find of random programs what one finds") {
  if (!needs_rtl("nano")) return;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    INFO(seed);
    const RandomKnobs knobs = random_knobs(seed);
    const Image image = random_program(presets[0], seed, knobs);
    const Launch launch = random_launch(image, seed, knobs);
    RunnerOptions options = models(true, true);
    options.machine = random_machine_options(seed);
    if (seed % 2 == 0) options.fault = Fault{CompareField::write_data, 400, {}, {}};
    const auto at_once = make_runner("lockstep", launch, options);
    options.threads = 2;
    const auto beside = make_runner("lockstep", launch, options);
    const Outcome outcome = at_once->advance(10'000'000);
    CHECK(outcome != Outcome::running);
    CHECK(beside->advance(10'000'000) == outcome);
    CHECK(beside->explanation() == at_once->explanation());
    CHECK(beside->bundles() == at_once->bundles());
    CHECK(beside->cycles() == at_once->cycles());
    CHECK(beside->events() == at_once->events());
    CHECK(beside->volatile_reads() == at_once->volatile_reads());
    CHECK(beside->trap() == at_once->trap());
    if (outcome == Outcome::mismatch) continue;  // the machine may have gone on
    CHECK(beside->counters() == at_once->counters());
    CHECK_FALSE(beside->hbm().first_difference(at_once->hbm()));
  }
}

// A change of timing on the RTL's side alone, as a careless commit would make it.
TEST_CASE("an RTL whose memory answers a cycle later than the cycle model's is found out") {
  if (!needs_rtl("nano")) return;
  const Image image = some_program(presets[0], 5);
  const Launch launch = make_launch(image, {}, 1U << 24U, 1);
  LockstepOptions options;
  options.detect_uninitialised = false;
  MachineOptions slower = options.machine;
  ++slower.memory.latency;
  const auto runner =
      make_lockstep_runner(launch, make_rtl_machine(presets[0], slower),
                           make_timed_machine(presets[0], options.machine), options);
  CHECK(runner->advance(1'000'000) == Outcome::mismatch);
  const auto report = nlohmann::json::parse(runner->explanation_json());
  CHECK(report["field"] == "timing.beats");  // the first line of the text comes a cycle later
}
