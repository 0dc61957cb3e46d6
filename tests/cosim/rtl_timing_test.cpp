// Properties of the RTL under any memory timing: results do not change, and every cycle has exactly
// one cause.
#include <catch2/catch.hpp>
#include <numeric>

#include "cosim/lockstep/runners.hpp"
#include "cosim/random/program.hpp"
#include "runtime/models/runner.hpp"
#include "tests/cosim/presets.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// A random program that halts and reads no counters.
Image timeless_program(std::uint64_t seed) {
  RandomKnobs knobs = random_knobs(seed);
  knobs.illegal = false;
  knobs.volatile_csrs = false;
  knobs.channels = 4;
  knobs.hbm_place = knobs.text_place = 0;  // of a small HBM
  return random_program(presets[0], seed, knobs);
}

RunnerOptions timing(std::uint32_t memory_seed) {
  RunnerOptions options;
  options.detect_uninitialised = false;
  options.machine.memory.jitter = memory_seed * 10;
  options.machine.memory.seed = memory_seed;
  return options;
}

}  // namespace

TEST_CASE("eight seeds of memory jitter give the same results and different times") {
  if (!needs_rtl("nano")) return;
  const Image image = timeless_program(3);
  const Launch launch = make_launch(image, {}, 1U << 24U, 1);
  std::uint64_t first_cycles = 0;
  bool differs = false;
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const auto runner = make_runner("lockstep", launch, timing(seed));
    INFO("memory seed " << seed);
    REQUIRE(runner->advance(1'000'000) == Outcome::halted);  // golden's final state, every time
    if (seed == 0) first_cycles = runner->cycles();
    differs = differs || runner->cycles() != first_cycles;
  }
  CHECK(differs);
}

TEST_CASE("the causes of cycles add up to the cycles") {
  if (!needs_rtl("nano")) return;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Image image = timeless_program(seed);
    const Launch launch = make_launch(image, {}, 1U << 24U, 1);
    const auto runner = make_runner("rtl", launch, timing(static_cast<std::uint32_t>(seed)));
    REQUIRE(runner->advance(1'000'000) == Outcome::halted);
    const CounterValues counters = runner->counters().value();
    INFO("seed " << seed);
    CHECK(std::accumulate(counters.causes.begin(), counters.causes.end(), std::uint64_t{0}) ==
          counters.cycles);
    CHECK(counters.cause(StallCause::issued) == runner->bundles());
    CHECK(counters.cycles == runner->cycles());
  }
}
