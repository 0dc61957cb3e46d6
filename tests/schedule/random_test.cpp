// Random linear programs: scheduled and as written they leave the same state.
#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"
#include "cosim/lockstep/runners.hpp"
#include "isa/golden/golden_model.hpp"
#include "tests/cosim/presets.hpp"
#include "tests/schedule/random_linear.hpp"

namespace tandem::test {
namespace {

struct Made {
  Image image;
  Launch launch;
};

std::unique_ptr<Made> made(const std::string& text, schedule::Level level,
                           std::string_view preset) {
  AssembleOptions options;
  options.schedule = level;
  options.prove = true;
  options.preset = preset;
  const SourceText source{"random.s", text};
  const LinkResult linked = build({&source, 1}, options);
  INFO(text);
  REQUIRE(diagnostics_text(linked.diagnostics) == "");
  auto result = std::make_unique<Made>();
  result->image = make_image(linked.program);
  result->launch = make_launch(result->image, {}, 1U << 24U, 1);
  return result;
}

// What a program may rely on: memory, flags and the registers that it names by number.
void check_same_results(const GoldenModel& a, const GoldenModel& b, const RandomLinearKnobs& knobs,
                        std::uint32_t lanes) {
  REQUIRE(a.status() == b.status());
  const auto words = [&](const GoldenModel& model) {
    auto smem = model.state().smem;
    if (!knobs.crowded) return smem;
    std::fill(smem.begin() + frame_words_begin, smem.begin() + frame_words_end, 0);
    return smem;
  };
  const auto rows = [&](const GoldenModel& model) {
    auto vmem = model.state().vmem;
    if (knobs.crowded) vmem.resize(std::size_t{frame_rows_begin(knobs)} * lanes);
    return vmem;
  };
  REQUIRE(words(a) == words(b));
  REQUIRE(rows(a) == rows(b));
  REQUIRE(a.state().flags == b.state().flags);
}

// Programs keep what they promise; those for which the checks leave no registers are skipped.
void check_promises(const std::string& text, std::string_view preset) {
  AssembleOptions options;
  options.preset = preset;
  options.check_disjoint = true;
  const SourceText source{"random.s", text};
  const LinkResult linked = build({&source, 1}, options);
  if (!linked.diagnostics.empty()) return;
  const Image image = make_image(linked.program);
  const Launch launch = make_launch(image, {}, 1U << 24U, 1);
  GoldenModel model(launch);
  model.run(1'000'000);
  REQUIRE(model.status() == RunStatus::halted);
}

void check_seeds(schedule::Level level, std::uint64_t first, std::uint64_t count,
                 std::string_view preset) {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = random_linear_program(seed, random_linear_knobs(seed));
    INFO("seed " << seed);
    const auto written = made(text, schedule::Level::none, preset);
    const auto scheduled = made(text, level, preset);
    GoldenModel wanted(written->launch);
    GoldenModel got(scheduled->launch);
    wanted.run(1'000'000);
    INFO((wanted.finding() ? "a finding as written" : ""));
    REQUIRE(wanted.status() == RunStatus::halted);
    got.run(1'000'000);
    if (seed % 2 == 0) check_promises(text, preset);
    INFO(text);
    check_same_results(wanted, got, random_linear_knobs(seed), find_preset(preset)->lanes);
    before += wanted.bundles();
    after += got.bundles();
  }
  CHECK(after < before);
}

void check_lockstep(std::uint64_t first, std::uint64_t count, std::string_view preset) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = random_linear_program(seed, random_linear_knobs(seed));
    const auto scheduled = made(text, schedule::Level::full, preset);
    RunnerOptions options;
    options.models = {is_built(preset), true};
    const auto runner = make_runner("lockstep", scheduled->launch, options);
    INFO("seed " << seed << '\n' << text);
    const Outcome outcome = runner->advance(10'000'000);
    INFO(runner->explanation());
    REQUIRE(outcome == Outcome::halted);
  }
}

}  // namespace

TEST_CASE("500 random linear programs leave the same state scheduled and as written") {
  for (const auto level : {schedule::Level::list, schedule::Level::full}) {
    check_seeds(level, 1, 250, "nano");
    check_seeds(level, 10'000, 250, "small");
  }
}

TEST_CASE("20 scheduled random programs run in lockstep of three models") {
  check_lockstep(20'000, 20, "small");
}

TEST_CASE("5000 random linear programs leave the same state", "[.long]") {
  check_seeds(schedule::Level::full, 500'000, 4000, "nano");
  check_seeds(schedule::Level::full, 600'000, 1000, "full");
}

TEST_CASE("100000 random linear programs leave the same state", "[.nightly]") {
  check_seeds(schedule::Level::full, 1'000'000, 100'000, "nano");
}

}  // namespace tandem::test
