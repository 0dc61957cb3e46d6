// The scheduler's reports of blocks and loops: bounds by name, and the line that is to blame.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"

namespace tandem::test {
namespace {

BlockReport reported(const std::string& lines, schedule::Level level = schedule::default_level) {
  std::vector<BlockReport> blocks;
  AssembleOptions options;
  options.preset = "small";
  options.schedule = level;
  options.prove = true;
  options.on_report = [&](const BlockReport& report) { blocks.push_back(report); };
  const SourceText source{"k.s", ".linear work\n" + lines + "halt\n.endlinear\n"};
  const std::string trouble = diagnostics_text(build({&source, 1}, options).diagnostics);
  INFO(trouble);
  REQUIRE(trouble.empty());
  REQUIRE(blocks.size() == 1);
  return blocks[0];
}

// Lines: 2 to 4 the counter's, 5 the label, then the body from line 6 on, whose end is the branch.
BlockReport looped(const std::string& body) {
  return reported("%i = mov 0\n%v = vlane\n%w = vlane\nloop:\n" + body +
                  "%i = add %i, 8\n%more = lt.s32 %i, 64\n@%more br loop\nvst [0], %v\n");
}

}  // namespace

TEST_CASE("a block's report counts operations, bundles and slots") {
  const BlockReport report = reported("%a = mov 1\n%b = mov 2\n%c = add %a, %b\nsst [0], %c\n");
  CHECK(report.name == "work");
  CHECK(report.opened.line == 1);
  CHECK(report.operations == 5);
  CHECK(report.loops.empty());
  std::uint32_t slots = 0;
  for (const std::uint32_t count : report.slots) slots += count;
  CHECK(slots == 5);
  CHECK(report.slots[static_cast<std::size_t>(Slot::sa)] +
            report.slots[static_cast<std::size_t>(Slot::sb)] ==
        5);
  CHECK(block_text(report) == fmt::format("k.s:1: work: 5 operations in {} bundles, {} cycles "
                                          "(sa {}, sb {}), no spills\n",
                                          report.bundles, report.cycles, report.slots[0],
                                          report.slots[1]));
}

TEST_CASE("a pipelined loop tells interval, bound, stages and registers") {
  const BlockReport report =
      looped("%x = exp2 %v\n%y = exp2 %w\nvst [%i], %x\nvst [%i + 64], %y\n");
  REQUIRE(report.loops.size() == 1);
  const schedule::LoopReport& loop = report.loops[0].loop;
  CHECK(loop.pipelined);
  CHECK(loop.interval == 8);
  CHECK(loop.bounds.busiest == "EUP");
  CHECK_FALSE(loop.bounds.by_recurrence());
  CHECK(loop.registers[static_cast<std::size_t>(File::v)] >= 4);
  CHECK(loop.registers[static_cast<std::size_t>(File::p)] >= 1);
  CHECK(report.loops[0].head.line == 6);
  CHECK(report.loops[0].branch.line == 12);
  CHECK_THAT(block_text(report), Catch::Contains("  k.s:12: interval 8 of at least 8 (EUP)"));
}

TEST_CASE("a row that a loop further out counts is known in the loops inside") {
  // What is loaded ends before row 128, where what is stored begins, in loops of three depths.
  const BlockReport report = reported(
      "%v = vlane\nvst [0], %v\n%a = mov 0\nouter:\n%rows = mul %a, 32\n%b = mov 0\n"
      "middle:\n%twice = mul %b, 8\n%from = add %rows, %twice\n%i = mov 0\n"
      "inner:\n%row = mul %i, 2\n%at = add %from, %row\n"
      "%x = vld [%at], rows=8\n%y = lperm %x, %v\nvst [%at + 128], %y, rows=8\n"
      "%s = vld [%at + 1], rows=8\n%t = lperm %s, %v\n%to = mul %i, 16\n"
      "vst [%to + 128], %t, rows=8\n%i = add %i, 1\n%p = lt.s32 %i, 4\n@%p br inner\n"
      "%b = add %b, 1\n%q = lt.s32 %b, 2\n@%q br middle\n"
      "%a = add %a, 1\n%r = lt.s32 %a, 2\n@%r br outer\n");
  REQUIRE(report.loops.size() == 3);
  const schedule::LoopReport& loop = report.loops[0].loop;
  CHECK(loop.pipelined);
  CHECK(loop.interval == 8);
  CHECK(loop.bounds.busiest == "XLU");
}

TEST_CASE("what goes round is named by its lines") {
  const BlockReport report = looped("%x = vld [128]\n%y = exp2 %x\nvst [128], %y\n");
  REQUIRE(report.loops.size() == 1);
  CHECK(report.loops[0].loop.bounds.by_recurrence());
  std::vector<std::uint32_t> lines;
  for (const SourceSpan& place : report.loops[0].round) lines.push_back(place.line);
  CHECK(lines == std::vector<std::uint32_t>{6, 7, 8});
  CHECK_THAT(loop_text(report.loops[0]),
             Catch::Contains("(what goes round: line 6, line 7, line 8)"));
}

TEST_CASE("a counter that the branch waits for is what goes round") {
  const BlockReport report = looped("%i = mul %i, 1\n%i = mul %i, 1\n%i = mul %i, 1\n");
  REQUIRE(report.loops.size() == 1);
  const PlacedLoop& loop = report.loops[0];
  CHECK(loop.loop.bounds.by_recurrence());
  REQUIRE_FALSE(loop.round.empty());
  for (const SourceSpan& place : loop.round) CHECK(place.line >= 6);
}

TEST_CASE("the line that prevents pipelining is named") {
  const auto blamed = [](const std::string& body, const std::string& reason, std::uint32_t line) {
    const BlockReport report = looped(body);
    REQUIRE_FALSE(report.loops.empty());
    const PlacedLoop& loop = report.loops.back();
    INFO(loop_text(loop));
    CHECK_FALSE(loop.loop.pipelined);
    CHECK(loop.loop.reason == reason);
    REQUIRE(loop.culprit);
    CHECK(loop.culprit->line == line);
    CHECK_THAT(loop_text(loop),
               Catch::StartsWith(fmt::format("not pipelined: {} (line {})", reason, line)));
  };
  blamed("vst [%i], %v\nmarker 3\n", "a marker in the loop", 7);
  blamed("idle 5\n", "the loop idles", 6);
  blamed("%t = csr cycles_lo\n", "its result is the time", 6);
  blamed(
      "%p = eq %i, 16\n@%p br out\nvst [%i], %v\n.if 0\n.endif\n%q = eq %i, 16\n@%q br out\n"
      ".if 0\n.endif\n%j = mov 0\ninner: %j = add %j, 1\n%n = lt.s32 %j, 4\n@%n br inner\nout:\n",
      "a loop in the loop", 18);
}

TEST_CASE("a branch back from code that stands aside makes no loop") {
  const BlockReport report = reported(
      "%n = mov 3\n%p = eq %n, 3\n@%p br aside\njoin:\nsst [0], %n\nhalt\n"
      "aside:\n%n = add %n, 1\nbr join\n");
  CHECK(report.loops.empty());
}

TEST_CASE("a loop that is entered in its middle is one all the same") {
  const BlockReport report = reported(
      "%n = mov 3\n%p = eq %n, 3\n@%p br middle\nhead:\nsst [0], %n\nmiddle:\n"
      "%n = add %n, 1\n%again = lt.s32 %n, 9\n@%again br head\n");
  REQUIRE(report.loops.size() == 1);
  CHECK(report.loops[0].loop.reason == "the loop is entered in its middle");
}

TEST_CASE("loops that nobody asked to pipeline say so, and so do inner loops beside the outer") {
  const std::string body =
      "%j = mov 0\ninner: %j = add %j, 1\nvst [%j], %v\n%n = lt.s32 %j, 4\n@%n br inner\n";
  const BlockReport report = looped(body);
  REQUIRE(report.loops.size() == 2);
  CHECK(report.loops[0].loop.pipelined);
  CHECK_FALSE(report.loops[1].loop.pipelined);
  CHECK(report.loops[1].loop.bundles > report.loops[0].loop.bundles);
  const BlockReport listed = reported(
      "%i = mov 0\nloop: %i = add %i, 1\n%p = ne %i, 9\n@%p br loop\n", schedule::Level::list);
  REQUIRE(listed.loops.size() == 1);
  CHECK(loop_text(listed.loops[0]) == "not pipelined: not asked for");
}

}  // namespace tandem::test
