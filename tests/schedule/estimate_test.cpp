// How many cycles the scheduler takes a stretch for, against the cycle-exact model.
#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <regex>

#include "assembler/assembler.hpp"
#include "isa/launch/launch.hpp"
#include "sim/time/cycle_model.hpp"
#include "tests/schedule/random_linear.hpp"

namespace tandem::test {
namespace {

struct Built {
  Object program;
  BlockReport report;
};

// The block twice: the second time its text is cached and every unit idle. The round is counted in
// SMEM, for the registers are the block's.
std::string twice(std::string block) {
  const std::size_t halt = block.rfind("        halt\n");
  REQUIRE(halt != std::string::npos);
  block.erase(halt, 13);
  return "        ssti [900], 0\nagain:  idle 400\n" + block +
         "        idle 400\n        s31 = sld [900]\n        p1 = ne s31, 0\n"
         "        ssti [900], 1\n        @!p1 br again\n        halt\n";
}

Built built(const std::string& text, std::string_view preset) {
  Built result;
  AssembleOptions options;
  options.preset = preset;
  options.on_report = [&](const BlockReport& report) { result.report = report; };
  const SourceText source{"stretch.s", text};
  LinkResult linked = build({&source, 1}, options);
  INFO(text);
  REQUIRE(diagnostics_text(linked.diagnostics) == "");
  result.program = std::move(linked.program);
  return result;
}

// From the issue of the block's first bundle to that of its last in the second round.
std::uint64_t measured(const Built& built) {
  const Image image = make_image(built.program);
  const Launch launch = make_launch(image, {}, 1U << 24U, 1);
  CycleModel model(launch);
  const std::uint32_t first = built.report.first_bundle;
  const std::uint32_t last = first + built.report.bundles - 1;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  while (model.status() == RunStatus::running) {
    const std::uint32_t pc = model.pc();
    model.step(nullptr);
    if (pc == first) begin = model.issue_cycle();
    if (pc == last) end = model.issue_cycle();
  }
  REQUIRE(model.status() == RunStatus::halted);
  return end - begin + 1;
}

// The matrix unit is left out: the scheduler knows only a lower bound of the time between its
// multiplies and readings. Without predicates, for what one holds back keeps no unit.
std::string unpredicated(const std::string& text) {
  return std::regex_replace(text, std::regex("@!?%?p[0-9]+ "), "");
}

RandomLinearKnobs stretches(std::uint64_t seed) {
  RandomLinearKnobs knobs = random_linear_knobs(seed);
  knobs.loops = knobs.branches = knobs.copies = knobs.matrix = false;
  knobs.segments = 2;
  return knobs;
}

}  // namespace

TEST_CASE("a stretch takes the cycles that the scheduler says") {
  unsigned compared = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (const std::string_view preset : {"small", "full"}) {
      const std::string text = twice(unpredicated(random_linear_program(seed, stretches(seed))));
      const Built program = built(text, preset);
      if (program.report.cycles == 0) continue;
      INFO("seed " << seed << " on " << preset << '\n' << text);
      CHECK(measured(program) == program.report.cycles);
      ++compared;
    }
  }
  CHECK(compared > 300);
}

}  // namespace tandem::test
