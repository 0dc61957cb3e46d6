// Hints: the author's statements about loops are used, are proved, and do no harm when wrong.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>

#include "assembler/assembler.hpp"
#include "isa/encoding.hpp"
#include "isa/golden/golden_model.hpp"
#include "schedule/proof/validate.hpp"

namespace tandem::test {
namespace {

// A loop of `rounds` iterations, the number read from memory, with these hints; then the sum.
std::string program(const std::string& hints, int rounds) {
  return fmt::format(R"(
        s4 = mov {}
        sst [1], s4
        v0 = vlane
        {{ vst [0], v0 }}
        {{ vst [8], v0 }}
        {{ vst [16], v0 }}
        .linear
        {}
        %sum  = mov 0
        %end  = sld [1]
        %i    = mov 0
again:  %x    = vld [%i]
        %y    = vmul.f32 %x, %x
        %z    = vadd.f32 %y, %x
        vst [%i + 64], %z
        %sum  = add %sum, %i
        %i    = add %i, 1
        %p    = lt.s32 %i, %end
        @%p br again
        sst [2], %sum
        halt
        .endlinear
)",
                     rounds, hints);
}

// A loop that the EUP bounds, with so many exponentials.
std::string long_loop(const std::string& hint, int exponentials) {
  std::string body;
  for (int i = 0; i < exponentials; ++i) {
    body += fmt::format("%x{0} = vld [%i + {1}]\n%y{0} = exp2 %x{0}\nvst [%i + {2}], %y{0}\n", i,
                        8 * i, 200 + 8 * i);
  }
  return fmt::format(R"(
        .linear
        {}
        %i    = mov 0
again:  {}
        %i    = add %i, 1
        %p    = lt.s32 %i, 7
        @%p br again
        halt
        .endlinear
)",
                     hint, body);
}

struct Built {
  std::vector<schedule::LoopReport> loops;
  std::uint32_t bundles = 0;
  std::string diagnostics;
  std::optional<Image> image;
};

Built built(const std::string& text, const std::string& preset = "small") {
  Built result;
  AssembleOptions options;
  options.prove = true;
  options.preset = preset;
  options.on_report = [&](const BlockReport& report) {
    result.bundles = report.bundles;
    for (const PlacedLoop& placed : report.loops) result.loops.push_back(placed.loop);
  };
  const SourceText source{"loop.s", text};
  const LinkResult linked = build({&source, 1}, options);
  result.diagnostics = diagnostics_text(linked.diagnostics);
  if (result.diagnostics.empty()) result.image = make_image(linked.program);
  return result;
}

Built good(const std::string& hints, int rounds = 6) {
  Built result = built(program(hints, rounds));
  REQUIRE(result.diagnostics == "");
  REQUIRE(result.loops.size() == 1);
  return result;
}

// How a run ends: the sum, or the code of the trap.
struct Ended {
  RunStatus status = RunStatus::running;
  std::uint64_t detail = 0;
  std::uint32_t sum = 0;
};
Ended ran(const std::string& hints, int rounds) {
  const Built made = good(hints, rounds);
  const Launch launch = make_launch(*made.image, {}, 1U << 20U, 1);
  GoldenModel model(launch);
  model.run(100'000);
  Ended result{model.status(), 0, 0};
  if (result.status == RunStatus::trapped) result.detail = model.trap().detail;
  if (result.status == RunStatus::halted) result.sum = model.state().smem[2];
  return result;
}

}  // namespace

TEST_CASE("promised iterations make a pipeline smaller") {
  const Built without = good("");
  REQUIRE(without.loops[0].pipelined);
  const Built with = good(".trips again, 6, 600, 6");
  REQUIRE(with.loops[0].pipelined);
  CHECK(with.loops[0].interval == without.loops[0].interval);
  CHECK(with.loops[0].bundles < without.loops[0].bundles);
}

TEST_CASE("each number of iterations gives the result or a trap, as promised or not") {
  const std::string hints[] = {"",
                               ".trips again, 3",
                               ".trips again, 1, 4",
                               ".trips again, 1, 1",
                               ".trips again, 1, 2",
                               ".trips again, 2, 2",
                               ".trips again, 1, 5, 5",
                               ".trips again, 2, 12, 2",
                               ".trips again, 9, 9, 3",
                               ".unroll again, 4\n.trips again, 4, 400, 4"};
  for (const std::string& hint : hints) {
    for (int rounds = 1; rounds < 16; ++rounds) {
      INFO(hint << " " << rounds);
      const Ended end = ran(hint, rounds);
      if (end.status == RunStatus::halted) {
        CHECK(end.sum == static_cast<std::uint32_t>(rounds * (rounds - 1) / 2));
      } else {
        REQUIRE(end.status == RunStatus::trapped);
        CHECK(end.detail == schedule::broken_count);
        CHECK(hint != "");
      }
    }
  }
  CHECK(ran(".trips again, 9, 9, 3", 9).status == RunStatus::halted);
  CHECK(ran(".trips again, 2, 12, 2", 12).status == RunStatus::halted);
  CHECK(ran(".trips again, 9, 9, 3", 1).status == RunStatus::trapped);
}

TEST_CASE("a loop that goes round rarely is written out, without a kernel") {
  const schedule::LoopReport any = good("").loops[0];
  const schedule::LoopReport two = good(".trips again, 2, 2").loops[0];
  REQUIRE(any.stages > 2);
  CHECK(two.stages == any.stages);
  CHECK(two.interval == any.interval);
  CHECK(two.unrolled == 1);
  CHECK(two.bundles < any.bundles);
}

TEST_CASE("a kernel that few iterations go through is short") {
  const schedule::LoopReport any = built(long_loop("", 4)).loops.at(0);
  const schedule::LoopReport two = built(long_loop(".trips again, 2, 2, 2", 4)).loops.at(0);
  REQUIRE(two.pipelined);
  CHECK(two.interval == any.interval);
  CHECK(two.unrolled < any.unrolled);
  CHECK(two.bundles < any.bundles);
}

TEST_CASE("the author says how many iterations the kernel holds") {
  const auto unrolled = [](const std::string& hint) {
    const Built made = built(long_loop(hint, 4));
    REQUIRE(made.diagnostics == "");
    REQUIRE(made.loops[0].pipelined);
    return made.loops[0].unrolled;
  };
  CHECK(unrolled(".unroll again, 1") < unrolled(".unroll again, 6"));
  CHECK(unrolled(".unroll again, 6") == 6);
}

// A pointer that moves on before its store has gone, as early as it may, takes a second name.
TEST_CASE("copies that the author does not ask for are spared by shorter lives") {
  const auto loop = [](const std::string& hint) {
    const Built made = built(fmt::format(R"(
        .linear
        {}
        %from = sld [1]
        %by   = sld [2]
        %to   = sld [3]
        %n    = sld [4]
again:  %n    = sub %n, 1
        %more = ne %n, 0
        %x    = vld [%from]
        %w    = vld [%by]
        %from = add %from, 8
        %by   = add %by, 8
        %x    = vmul.f32 %x, %x
        %x    = vmul.f32 %x, %w
        vst [%to], %x
        %to   = add %to, 8
        @%more br again
        sst [5], %to
        halt
        .endlinear
)",
                                         hint));
    REQUIRE(made.diagnostics == "");
    REQUIRE(made.loops[0].pipelined);
    return made.loops[0];
  };
  const schedule::LoopReport any = loop("");
  const schedule::LoopReport one = loop(".unroll again, 1");
  CHECK(any.unrolled == 2);
  CHECK(one.unrolled == 1);
  CHECK(one.interval == any.interval);
  CHECK(one.stages == any.stages);
  CHECK(one.bundles < any.bundles);
}

// Of random program 1002484: a promise saves the branch before the kernel, and the results of
// running ahead are unused, so that the pipeline has one branch and no way out of its own.
TEST_CASE("a pipeline with one branch is proved") {
  const Built made = built(R"(
        .linear
        .trips again, 4, 8, 1
        .unroll again, 1
        %n    = mov 0
again:  %n    = add %n, 1
        %p    = lt.s32 %n, 6
        @%p br again
        halt
        .endlinear
)");
  REQUIRE(made.diagnostics == "");
  REQUIRE(made.loops[0].pipelined);
  const auto branches =
      std::count_if(made.image->text.begin(), made.image->text.end(), [](const Bundle& bundle) {
        const auto operation = decode(Slot::sa, slot_bits(bundle, Slot::sa));
        return operation && operation->op == Op::br;
      });
  CHECK(branches == 1);
}

TEST_CASE("a cold loop is no pipeline, and a hot one may be larger") {
  const Built cold = good(".cold again");
  CHECK_FALSE(cold.loops[0].pipelined);
  CHECK(cold.loops[0].reason == "it is cold");
  const Built usual = built(long_loop("", 72), "nano");
  const Built hot = built(long_loop(".hot again", 72), "nano");
  REQUIRE(usual.diagnostics + hot.diagnostics == "");
  CHECK(hot.loops[0].pipelined);
  CHECK((!usual.loops[0].pipelined || usual.loops[0].interval > hot.loops[0].interval));
}

TEST_CASE("a cold part stays behind its branch") {
  const auto text = [](const std::string& hint) {
    return fmt::format(R"(
        .linear
        %a    = mov 1
        %p    = eq %a, 2
        @!%p br past
rare:   %a    = add %a, 1
past:   sst [2], %a
        halt
        .endlinear
        {}
)",
                       hint);
  };
  const std::string cold = text("");
  const std::size_t at = cold.find("        %a    = mov 1");
  const Built predicated = built(cold);
  const Built apart = built(cold.substr(0, at) + "        .cold rare\n" + cold.substr(at));
  REQUIRE(predicated.diagnostics + apart.diagnostics == "");
  CHECK(apart.bundles > predicated.bundles);
}

TEST_CASE("work on pipelines is bounded, and what is left out is said") {
  schedule::LinearBlock block;
  AssembleOptions options;
  options.preset = "small";
  options.on_block = [&](const SourceSpan&, const schedule::LinearBlock& seen,
                         const schedule::Result&) { block = seen; };
  const SourceText source{"loop.s", program("", 6)};
  REQUIRE(build({&source, 1}, options).diagnostics.empty());
  schedule::Options little{schedule::Level::full, find_preset("small")};
  little.work = 10;
  const schedule::Result result = schedule::schedule_block(block, little);
  REQUIRE(result.ok());
  CHECK(schedule::validate(block, result).empty());
  REQUIRE(result.loops.size() == 1);
  CHECK_FALSE(result.loops[0].pipelined);
  CHECK(result.loops[0].reason == "too much work");
}

// One number after the other.
bool tried(const schedule::Hint& hint, std::uint64_t iterations, std::uint64_t period) {
  for (; iterations <= hint.most; iterations += period) {
    if (hint.allows(iterations)) return true;
  }
  return false;
}

TEST_CASE("a hint allows what trying one number after the other finds") {
  for (const auto& [fewest, most] : {std::pair(1U, 40U), std::pair(7U, 90U), std::pair(30U, 30U)}) {
    for (std::uint32_t factor = 1; factor <= 12; ++factor) {
      const schedule::Hint hint{.fewest = fewest, .most = most, .factor = factor};
      for (std::uint64_t period = 1; period <= 14; ++period) {
        for (std::uint64_t first = 0; first <= 45; ++first) {
          INFO(fewest << " " << most << " " << factor << " " << period << " " << first);
          REQUIRE(hint.allows_any(first, period) == tried(hint, first, period));
        }
      }
    }
  }
  const schedule::Hint large{.most = ~0U, .factor = 4'000'000'007U};
  CHECK(large.allows_any(1, 2));
  CHECK_FALSE(large.allows_any(1, 4'000'000'007U));
}

TEST_CASE("a loop may have a known length of any number of rounds") {
  CHECK(good(".trips again, 5000, 5000, 5000", 5000).loops[0].pipelined);
  CHECK(good(".trips again, 4294967295, 4294967295, 4294967295").loops[0].pipelined);
}

TEST_CASE("hints that cannot be are refused") {
  const auto refused = [](const std::string& hints, const std::string& why) {
    INFO(hints);
    CHECK(built(program(hints, 4)).diagnostics.find(why) != std::string::npos);
  };
  refused(".trips nowhere, 1", "`nowhere` is not defined");
  refused(".cold %x", "a label");
  refused(".trips again", "`,`");
  refused(".trips again, 0", "is outside 1 ..");
  refused(".trips again, 7, 6", "is outside 7 ..");
  refused(".trips again, 5, 7, 8", "no multiple of it is between the two");
  refused(".unroll again, 9", "is outside 1 .. 8");
  CHECK(built(".hot again\nhalt\n").diagnostics.find("`.hot` without `.linear`") !=
        std::string::npos);
}

}  // namespace tandem::test
