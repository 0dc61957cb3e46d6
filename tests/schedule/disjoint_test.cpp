// `.disjoint`: promises are used, written down as checks on request, and a broken one traps.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"
#include "isa/golden/golden_model.hpp"

namespace tandem::test {
namespace {

struct Ran {
  std::vector<schedule::LoopReport> loops;
  RunStatus status = RunStatus::running;
  Trap trap;
};

// A loop over pointers that come from memory: `from` and `to` are the rows they begin with.
Ran ran(int from, int to, bool promise, bool check, const std::string& leave = "halt") {
  Ran result;
  AssembleOptions options;
  options.prove = true;
  options.check_disjoint = check;
  options.on_report = [&](const BlockReport& report) {
    for (const PlacedLoop& placed : report.loops) result.loops.push_back(placed.loop);
  };
  const SourceText source{"loop.s",
                          fmt::format(R"(
        sst [0], s0
        s4 = mov {}
        sst [1], s4
        s4 = mov {}
        sst [2], s4
        v0 = vlane
        {{ vst [0], v0 }}
        {{ vst [8], v0 }}
        {{ vst [16], v0 }}
        {{ vst [24], v0 }}
        .linear
        {}
        %from = sld [1]
        %to   = sld [2]
        %i    = mov 0
loop:   %x    = vld [%from]
        %y    = vadd.s32 %x, 1
        vst [%to], %y
        %from = add %from, 8
        %to   = add %to, 8
        %i    = add %i, 1
        %p    = lt.s32 %i, 2
        @%p br loop
        {}
        .endlinear
behind: halt
)",
                                      from, to, promise ? ".disjoint %from, %to" : "", leave)};
  const LinkResult linked = build({&source, 1}, options);
  REQUIRE(diagnostics_text(linked.diagnostics) == "");
  const Image image = make_image(linked.program);
  const Launch launch = make_launch(image, {}, 1U << 20U, 1);
  GoldenModel model(launch);
  model.run(10'000);
  result.status = model.status();
  result.trap = model.trap();
  return result;
}

// A loop that loads a column of words from `word` on and stores the sums to `row` and on.
Ran ran_columns(int word, int row, bool promise, bool check) {
  Ran result;
  AssembleOptions options;
  options.prove = true;
  options.check_disjoint = check;
  options.on_report = [&](const BlockReport& report) {
    for (const PlacedLoop& placed : report.loops) result.loops.push_back(placed.loop);
  };
  const SourceText source{"columns.s",
                          fmt::format(R"(
        v0 = vlane
        {{ vst [0], v0 }}
        {{ vst [8], v0 }}
        s4 = mov {}
        sst [1], s4
        s4 = mov {}
        sst [2], s4
        .linear
        {}
        %word = sld [1]
        %row  = sld [2]
        %i    = mov 0
loop:   %x    = vldc [%word]
        %y    = vadd.s32 %x, 1
        vst [%row], %y
        %word = add %word, 8
        %row  = add %row, 8
        %i    = add %i, 1
        %p    = lt.s32 %i, 4
        @%p br loop
        halt
        .endlinear
)",
                                      word, row, promise ? ".disjoint %word, %row" : "")};
  const LinkResult linked = build({&source, 1}, options);
  REQUIRE(diagnostics_text(linked.diagnostics) == "");
  const Image image = make_image(linked.program);
  GoldenModel model(make_launch(image, {}, 1U << 20U, 1));
  model.run(10'000);
  result.status = model.status();
  result.trap = model.trap();
  return result;
}

}  // namespace

TEST_CASE("a promise lets a loop through two pointers overlap its iterations") {
  const Ran with = ran(0, 16, true, false);
  const Ran without = ran(0, 16, false, false);
  REQUIRE(with.loops.size() == 1);
  CHECK(with.loops[0].interval < without.loops[0].interval);
  CHECK(with.loops[0].stages > without.loops[0].stages);
}

TEST_CASE("a promise covers the rows that words lie in") {
  // 32 words from word 0 on are in rows 0 and 1 of small, the stores in rows 16 to 47
  const Ran with = ran_columns(0, 16, true, false);
  const Ran without = ran_columns(0, 16, false, false);
  REQUIRE(with.loops.size() == 1);
  CHECK(with.loops[0].interval < without.loops[0].interval);
  CHECK(ran_columns(0, 16, true, true).status == RunStatus::halted);
  // word 96 is in row 6: rows 6 and 7 are read, 7 is written
  const Ran broken = ran_columns(96, 7, true, true);
  REQUIRE(broken.status == RunStatus::trapped);
  CHECK(broken.trap.detail == 0xd15);
  CHECK(ran_columns(96, 8, true, true).status == RunStatus::halted);
}

TEST_CASE("a broken promise traps where it is checked") {
  for (const std::string leave : {"halt", "", "br behind", "s1 = mov behind\n jump s1"}) {
    INFO(leave);
    CHECK(ran(0, 16, true, true, leave).status == RunStatus::halted);
    const Ran broken = ran(0, 8, true, true, leave);
    REQUIRE(broken.status == RunStatus::trapped);
    CHECK(broken.trap.detail == 0xd15);
    CHECK(broken.trap.cause == TrapCause::explicit_trap);
  }
}

}  // namespace tandem::test
