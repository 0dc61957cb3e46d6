// Straight code takes no more bundles than its cycles need: what has time waits for a bundle.
#include <catch2/catch.hpp>

#include "schedule/proof/validate.hpp"
#include "tests/schedule/support.hpp"

namespace tandem::test {
namespace {

using schedule::Level;

// A chain of exponentials, and integer operations beside it that are early by themselves.
LinearText chain_and_others(int links, int others) {
  LinearText text;
  text.add(Op::vlane, {text.v("x")});
  text.add(Op::mov, {text.s("n"), 1});
  for (int i = 0; i < others; ++i) text.add(Op::add, {text.s("n"), text.s("n"), i});
  for (int i = 0; i < links; ++i) text.add(Op::exp2, {text.v("x"), text.v("x")});
  text.add(Op::vst, {LinearText::at(0), text.v("x")});
  text.add(Op::sst, {LinearText::at(0), text.s("n")});
  text.add(Op::halt, {});
  return text;
}

schedule::Result packed(const LinearText& text, Level level) {
  schedule::Result result = schedule_block(text.block, {level, find_preset("small")});
  REQUIRE(result.ok());
  REQUIRE(validate(text.block, result) == "");
  return result;
}

}  // namespace

TEST_CASE("a long chain takes along what has time") {
  const LinearText text = chain_and_others(8, 6);
  const auto least = static_cast<std::uint32_t>(8 + 3);  // links, vlane, the store, halt
  CHECK(packed(text, Level::list).bundles > least);
  CHECK(packed(text, Level::full).bundles <= least);
}

// Loads one behind the other, two by two multiplied: a load that has no slot when it is needed
// takes that of another one, which goes on.
TEST_CASE("operations make room for each other") {
  LinearText text;
  for (int i = 0; i < 8; ++i) {
    const std::string a = "a" + std::to_string(i), b = "b" + std::to_string(i);
    text.add(Op::vld, {text.v(a), LinearText::at(16 * i)});
    text.add(Op::vld, {text.v(b), LinearText::at(16 * i + 8)});
    text.add(Op::rcp, {text.v(b), text.v(b)});
    text.add(Op::vmul_f32, {text.v(a), text.v(a), text.v(b)});
    text.add(Op::vst, {LinearText::at(512 + 8 * i), text.v(a)});
  }
  text.add(Op::halt, {});
  const schedule::Result list = packed(text, Level::list);
  const schedule::Result full = packed(text, Level::full);
  CHECK(full.cycles <= list.cycles);
  CHECK(full.bundles < list.bundles);
  CHECK(full.bundles <= 16 + 10);  // the loads, and a chain behind the last of them
}

}  // namespace tandem::test
