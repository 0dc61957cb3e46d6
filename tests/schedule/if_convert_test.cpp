// Branches that become predicates: the effect of the schedules, and the refusals of their proof.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>

#include "assembler/assembler.hpp"
#include "isa/golden/golden_model.hpp"
#include "schedule/branches/forward_ifs.hpp"
#include "schedule/proof/validate.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

struct Scheduled {
  LinearBlock block;
  Result result;
  BlockReport report;
};

Scheduled scheduled(const std::string& lines) {
  Scheduled made;
  AssembleOptions options;
  options.preset = "small";
  options.prove = true;
  options.on_block = [&](const SourceSpan&, const LinearBlock& block, const Result& result) {
    made.block = block;
    made.result = result;
  };
  options.on_report = [&](const BlockReport& report) { made.report = report; };
  const SourceText source{"if.s",
                          "        .linear\n" + lines + "        halt\n        .endlinear\n"};
  const std::string trouble = diagnostics_text(build({&source, 1}, options).diagnostics);
  INFO(lines);
  REQUIRE(trouble == "");
  return made;
}

// Sums the odd numbers below 40 apart from the even ones, of a table in SMEM.
constexpr const char* odd_and_even = R"(
        %n = mov 0
fill:   %n2 = mul %n, 3
        sst [%n], %n2
        %n = add %n, 1
        %more = lt.s32 %n, 40
        @%more br fill
        %i = mov 0
        %odd = mov 0
        %even = mov 0
loop:   %x = sld [%i]
        %low = and %x, 1
        %is_odd = ne %low, 0
        @%is_odd br odd
        %t = mul %x, 5
        %even = add %even, %t
        br next
odd:    %u = add %x, 7
        %odd = add %odd, %u
next:   %i = add %i, 1
        %again = lt.s32 %i, 40
        @%again br loop
        sst [100], %odd
        sst [101], %even
)";

}  // namespace

TEST_CASE("a loop with a diamond in it becomes a pipeline and sums the same") {
  const Scheduled made = scheduled(odd_and_even);
  CHECK(made.result.converted.size() == 2);
  REQUIRE(made.report.predicated.size() == 2);
  CHECK(made.report.predicated[0].text.find("br odd") != std::string::npos);
  REQUIRE(made.report.loops.size() == 2);
  CHECK(made.report.loops[1].loop.pipelined);
  CHECK(made.report.loops[1].loop.interval <= 8);
  std::int64_t odd = 0;
  std::int64_t even = 0;
  for (int i = 0; i < 40; ++i) (i % 2 == 1 ? odd : even) += i % 2 == 1 ? 3 * i + 7 : 15 * i;
  for (const auto level : {Level::none, Level::full}) {
    AssembleOptions options;
    options.preset = "small";
    options.schedule = level;
    const SourceText source{
        "if.s", fmt::format("        .linear\n{}        halt\n        .endlinear\n", odd_and_even)};
    const Image image = make_image(build({&source, 1}, options).program);
    GoldenModel model(make_launch(image, {}, 1U << 24U, 1));
    model.run(100'000);
    REQUIRE(model.status() == RunStatus::halted);
    CHECK(model.state().smem[100] == odd);
    CHECK(model.state().smem[101] == even);
  }
}

TEST_CASE("values that live in one part have a register for each iteration") {
  // Three loads that wait for each other: a pipeline needs several iterations at the same time.
  const Scheduled made = scheduled(R"(
        %i = mov 0
        %sum = vmov 0
        %v = vlane
loop:   %bit = and %i, 8
        %skips = eq %bit, 0
        @%skips br past
        %a = exp2 %v
        %b = exp2 %a
        vst [%i], %b
past:   %i = add %i, 8
        %again = lt.s32 %i, 128
        @%again br loop
        vst [200], %sum
)");
  REQUIRE(made.report.loops.size() == 1);
  const LoopReport& loop = made.report.loops[0].loop;
  CHECK(loop.pipelined);
  CHECK(loop.interval == 8);
  CHECK(loop.stages >= 2);
}

// The numbers from 0 on until their sum is beyond 50, stored; a loop that is left in its middle.
constexpr const char* left_inside = R"(
        %i = mov 0
        %sum = mov 0
again:  %sum = add %sum, %i
        %over = gt.s32 %sum, 50
        @%over br out
        %double = shl %sum, 1
        sst [%i], %double
        %i = add %i, 1
        br again
out:    sst [100], %sum
        sst [101], %i
)";

TEST_CASE("a loop that is left in its middle becomes a pipeline and does the same") {
  const Scheduled made = scheduled(left_inside);
  REQUIRE(made.result.converted == std::vector<std::uint32_t>{4});
  REQUIRE(made.report.loops.size() == 1);
  const LoopReport& loop = made.report.loops[0].loop;
  CHECK(loop.pipelined);
  CHECK(loop.interval <= loop.bounds.minimum() + 1);
  const SourceText source{
      "if.s", fmt::format("        .linear\n{}        halt\n        .endlinear\n", left_inside)};
  const Image image = make_image(build({&source, 1}, {}).program);
  GoldenModel model(make_launch(image, {}, 1U << 24U, 1));
  model.run(100'000);
  REQUIRE(model.status() == RunStatus::halted);
  CHECK(model.state().smem[100] == 55);
  CHECK(model.state().smem[101] == 10);
  CHECK(model.state().smem[9] == 90);
  CHECK(model.state().smem[10] == 0);
}

TEST_CASE("a loop that is left at its top becomes a pipeline") {
  const Scheduled made = scheduled(R"(
        %i = mov 40
        %v = vlane
again:  %none = eq %i, 0
        @%none br out
        vst [%i], %v
        %i = sub %i, 8
        br again
out:    sst [0], %i
)");
  REQUIRE(made.report.loops.size() == 1);
  CHECK(made.report.loops[0].loop.pipelined);
}

TEST_CASE("a loop that goes back from two places, or is left elsewhere, stays as it is") {
  const auto converted = [](const std::string& exit, const std::string& before) {
    return scheduled("        %i = mov 0\nagain:  %i = add %i, 1\n        %over = gt.s32 %i, 9\n" +
                     before + "        @%over br " + exit +
                     "\n        sst [%i], %i\n        br again\n"
                     "out:    sst [100], %i\nfar:    sst [101], %i\n")
        .result.converted.size();
  };
  CHECK(converted("out", "") == 1);
  CHECK(converted("far", "") == 0);
  CHECK(converted("out", "        marker 1\n") == 0);
  CHECK(converted("out",
                  "        %odd = and %i, 1\n        %o = ne %odd, 0\n        @%o br again\n") ==
        0);
}

TEST_CASE("what cannot be predicated stays a branch") {
  const auto converted = [](const std::string& body) {
    return scheduled("        %s = mov 3\n        %p = ne %s, 2\n        @%p br past\n" + body +
                     "past:   sst [0], %s\n")
        .result.converted.size();
  };
  CHECK(converted("        %s = mov 4\n") == 1);
  CHECK(converted("        marker 2\n        %s = mov 4\n") == 0);
  CHECK(converted("        %p = eq %s, 1\n        %s = mov 4\n") == 0);
  CHECK(converted("        @%p %s = mov 4\n") == 0);
  CHECK(converted("        halt\n") == 0);
  CHECK(converted("        %q = eq %s, 9\nin:     %s = mov 4\n        @%q br in\n") == 0);
}

TEST_CASE("a long part that is not shorter in a row stays behind its branch") {
  std::string body;
  for (int i = 0; i < 40; ++i) body += fmt::format("        %x = exp2 %x\n");
  const Scheduled made = scheduled(
      "        %x = vlane\n        %s = mov 3\n        %p = ne %s, 2\n"
      "        @%p br past\n" +
      body + "past:   vst [0], %x\n");
  CHECK(made.result.converted.empty());
}

TEST_CASE("nested branches: the inner one goes") {
  const Scheduled made = scheduled(R"(
        %a = mov 1
        %b = mov 2
        %p = ne %a, 1
        %q = ne %b, 1
        @%p br outer
        @%q br inner
        %a = mov 5
inner:  %b = add %a, %b
outer:  sst [0], %b
)");
  REQUIRE(made.result.converted.size() == 1);
  CHECK(made.result.converted[0] == 5);
}

TEST_CASE("the proof refuses a branch back under a wrong predicate") {
  const Scheduled made = scheduled(left_inside);
  REQUIRE(validate(made.block, made.result).empty());
  const auto refused = [&](const std::function<void(Issue&)>& change) {
    Result wrong = made.result;
    std::uint32_t changed = 0;
    for (Issue& issue : wrong.issues) {
      if (issue.source != 8 || issue.added) continue;
      change(issue);
      ++changed;
    }
    REQUIRE(changed != 0);
    return !validate(made.block, wrong).empty();
  };
  CHECK(refused([](Issue& issue) { issue.operation.negate = !issue.operation.negate; }));
  CHECK(refused([](Issue& issue) {
    issue.operation.predicate = 0;
    issue.operation.negate = false;
  }));
}

TEST_CASE("the proof refuses a jump in the middle of what a branch guards") {
  const Scheduled made = scheduled(left_inside);
  LinearBlock block = made.block;
  std::swap(block.operations[7], block.operations[8]);
  CHECK_THAT(validate(block, made.result), Catch::Contains("guards an operation that cannot be"));
}

TEST_CASE("the proof refuses conversions that would not do the same") {
  Scheduled made = scheduled(odd_and_even);
  REQUIRE(validate(made.block, made.result).empty());
  Result wrong = made.result;
  SECTION("one of the two branches is kept secret") {
    wrong.converted.pop_back();
    CHECK_FALSE(validate(made.block, wrong).empty());
  }
  SECTION("a branch back is claimed") {
    wrong.converted.push_back(5);
    CHECK_THAT(validate(made.block, wrong), Catch::Contains("goes back"));
  }
  SECTION("no branch is claimed") {
    wrong.converted.push_back(0);
    CHECK_THAT(validate(made.block, wrong), Catch::Contains("no branch"));
  }
  SECTION("an operation is done under the opposite predicate") {
    std::uint32_t changed = 0;
    for (Issue& issue : wrong.issues) {
      if (issue.operation.predicate == 0 || issue.operation.op != Op::mul) continue;
      issue.operation.negate = !issue.operation.negate;
      ++changed;
    }
    REQUIRE(changed != 0);
    CHECK_FALSE(validate(made.block, wrong).empty());
  }
  SECTION("somebody else enters the part") {
    LinearBlock block = made.block;
    const LabelId inside = static_cast<LabelId>(block.labels.size());
    block.labels.push_back(wrong.converted[0] + 2);
    block.operations[5].target = inside;  // the first loop's branch
    CHECK_FALSE(validate(block, wrong).empty());
  }
  SECTION("the part writes its predicate") {
    LinearBlock block = made.block;
    const std::uint32_t branch = wrong.converted[0];
    LinearOperation& item = block.operations[branch + 1];
    item.operation.op = Op::eq;
    item.registers[0] = block.operations[branch].registers[predicate_place];
    CHECK_THAT(validate(block, wrong), Catch::Contains("guards a write of its predicate"));
  }
}

}  // namespace tandem::test
