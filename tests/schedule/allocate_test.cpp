// Live ranges and register allocation on linear code as data.
#include "schedule/registers/allocate.hpp"

#include <catch2/catch.hpp>

#include "schedule/registers/live_ranges.hpp"
#include "schedule/registers/pressure.hpp"
#include "tests/schedule/support.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

std::vector<LiveSegment> segments_of(const LinearBlock& block, const std::string& name) {
  std::vector<LiveSegment> found;
  for (const LiveSegment& segment : live_segments(in_sequence(block))) {
    if (block.virtuals[segment.id].name == name) found.push_back(segment);
  }
  return found;
}

}  // namespace

TEST_CASE("a value lives from behind its write to its last read") {
  LinearText text;
  text.add(Op::mov, {text.s("x"), 5});
  text.add(Op::mov, {text.s("y"), 6});
  text.add(Op::add, {text.s("y"), text.s("x"), text.s("y")});
  const auto x = segments_of(text.block, "x");
  REQUIRE(x.size() == 1);
  CHECK(x[0].first == 1);
  CHECK(x[0].last == 2);
  const auto y = segments_of(text.block, "y");  // its last value is not read, yet written
  REQUIRE(y.size() == 1);
  CHECK(y[0].first == 2);
  CHECK(y[0].last == 3);
}

TEST_CASE("a value that goes round a loop lives throughout it") {
  LinearText text;
  text.add(Op::mov, {text.s("i"), 0});
  text.add(Op::mov, {text.s("step"), 4});
  const auto loop = text.label();
  text.add(Op::mov, {text.s("inside"), 1});
  text.add(Op::add, {text.s("i"), text.s("i"), text.s("step")});
  text.branch_if(text.p("again"), loop);
  text.add(Op::sst, {LinearText::at(0), text.s("i")});
  const auto step = segments_of(text.block, "step");
  REQUIRE(step.size() == 1);
  CHECK(step[0].first == 2);
  CHECK(step[0].last == 5);
  const auto inside = segments_of(text.block, "inside");
  REQUIRE(inside.size() == 1);
  CHECK(inside[0].last == 3);
}

TEST_CASE("a predicated write keeps the value before it alive") {
  LinearText text;
  text.add(Op::mov, {text.s("x"), 1});
  text.add(Op::eq, {text.p("p"), text.s("x"), 0});
  text.add(Op::mov, {text.s("x"), 2}).predicate_with(text.p("p"));
  text.add(Op::mov, {text.s("other"), 3});
  text.add(Op::sst, {LinearText::at(0), text.s("x")});
  const auto x = segments_of(text.block, "x");
  REQUIRE(x.size() == 1);
  CHECK(x[0].first == 1);
  CHECK(x[0].last == 4);
}

TEST_CASE("nothing lives before the first write, though only predicated ones happen") {
  LinearText text;
  text.add(Op::eq, {text.p("p"), text.s("a"), 0});
  const auto loop = text.label();
  text.add(Op::mov, {text.s("y"), 7});
  text.add(Op::mov, {text.s("x"), 2}).predicate_with(text.p("p"));
  text.add(Op::mov, {text.s("x"), 3}).predicate_with(text.p("p"), true);
  text.add(Op::sst, {LinearText::at(0), text.s("x")});
  text.branch_if(text.p("p"), loop);
  for (const LiveSegment& segment : segments_of(text.block, "x")) CHECK(segment.first >= 1);
  CHECK(pressure_of(in_sequence(text.block))[static_cast<std::size_t>(File::s)] <= 2);
}

TEST_CASE("as many values as a file has registers fit and one more does not") {
  for (const std::uint32_t count : {64U, 65U}) {
    LinearText text;
    for (std::uint32_t i = 0; i < count; ++i)
      text.add(Op::vlane, {text.v("x" + std::to_string(i))});
    for (std::uint32_t i = 0; i < count; ++i) {
      text.add(Op::vst, {LinearText::at(0), text.v("x" + std::to_string(i))});
    }
    Bundled code = in_sequence(text.block);
    const std::vector<Trouble> troubles = allocate_registers(code);
    if (count == 64) {
      CHECK(troubles.empty());
      continue;
    }
    REQUIRE(troubles.size() == 1);
    CHECK(troubles[0].kind == TroubleKind::file_full);
    CHECK(troubles[0].live == 65);
    CHECK(troubles[0].available == 64);
    CHECK(text.block.virtuals[troubles[0].id].name == "x64");
    CHECK(troubles[0].tag == 64);
  }
}

TEST_CASE("values that live at once never share a register") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const LinearBlock block = random_registers(seed);
    const std::vector<LiveSegment> segments = live_segments(in_sequence(block));
    Bundled code = in_sequence(block);
    if (!allocate_registers(code).empty()) continue;
    const std::vector<std::int32_t> numbers = numbers_given(block, code);
    for (const LiveSegment& a : segments) {
      for (const LiveSegment& b : segments) {
        const bool same = block.virtuals[a.id].file == block.virtuals[b.id].file &&
                          numbers[a.id] == numbers[b.id];
        if (a.id == b.id || !same) continue;
        INFO("seed " << seed << " " << block.virtuals[a.id].name << " "
                     << block.virtuals[b.id].name);
        REQUIRE((a.last < b.first || b.last < a.first));
      }
    }
  }
}

TEST_CASE("a counter of one inner loop takes no room in the next") {
  LinearText text;
  text.add(Op::mov, {text.s("outer"), 0});
  const auto outer = text.label();
  for (const std::string name : {"i", "j", "k"}) {
    text.add(Op::mov, {text.s(name), 0});
    const auto inner = text.label();
    text.add(Op::add, {text.s(name), text.s(name), 1});
    text.add(Op::lt_s32, {text.p("p" + name), text.s(name), 8});
    text.branch_if(text.p("p" + name), inner);
  }
  text.add(Op::add, {text.s("outer"), text.s("outer"), 1});
  text.add(Op::lt_s32, {text.p("again"), text.s("outer"), 8});
  text.branch_if(text.p("again"), outer);
  const std::vector<Region> regions = regions_of(text.block);
  const PressureMap map(text.block, regions);
  for (std::uint32_t r = 0; r < regions.size(); ++r) {
    INFO("region " << r);
    // 28 scalars; the outer counter, the loop's own, and the next one's where that begins.
    CHECK(map.room(r)[static_cast<std::size_t>(File::s)] >= 25);
  }
}

}  // namespace tandem::test
