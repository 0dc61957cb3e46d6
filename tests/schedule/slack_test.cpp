// Straight code takes no more bundles than its cycles need: operations with slack wait for a
// bundle.
#include <algorithm>
#include <catch2/catch.hpp>

#include "schedule/proof/validate.hpp"
#include "tests/schedule/support.hpp"

namespace tandem::test {
namespace {

using schedule::Level;
using schedule::virtual_placeholder;

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

// Loads one after the other, multiplied in pairs: a load that has no slot when it is needed takes
// that of another one, which moves on.
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
  CHECK(full.bundles <= 16 + 10);  // the loads, and a chain after the last of them
}

// A chain of exponentials beside loads that have time. Where they load from may be known before, in
// another region.
std::uint32_t bundles_of_sums(bool known_before) {
  constexpr int links = 8;
  LinearText text;
  const auto find_base = [&] { text.add(Op::mov, {text.s("base"), 64}); };
  if (known_before) find_base();
  const auto head = text.label();
  if (!known_before) find_base();
  text.add(Op::vlane, {text.v("sum")});
  for (int i = 0; i < links; ++i) {
    const OperandValue row{virtual_placeholder, 0, 8 * i};
    text.add(Op::vld, {text.v("x" + std::to_string(i)), {text.s("base").id, row}});
  }
  for (int i = 0; i < links; ++i) {
    text.add(Op::exp2, {text.v("sum"), text.v("sum")});
    text.add(Op::vadd_f32, {text.v("sum"), text.v("sum"), text.v("x" + std::to_string(i))});
  }
  text.add(Op::vst, {LinearText::at(0), text.v("sum")});
  text.add(Op::sld, {text.s("left"), LinearText::at(0)});
  text.add(Op::ne, {text.p("again"), text.s("left"), 0});
  schedule::Hint cold;
  cold.label = head;
  cold.heat = schedule::Heat::cold;
  text.block.hints.push_back(cold);
  text.branch_if(text.p("again"), head);
  text.add(Op::halt, {});
  return packed(text, Level::full).bundles;
}

// Where the operation is in the bundles.
std::uint32_t bundle_of(const schedule::Result& result, std::uint32_t operation) {
  const auto found =
      std::find_if(result.issues.begin(), result.issues.end(),
                   [&](const schedule::Issue& issue) { return issue.source == operation; });
  REQUIRE(found != result.issues.end());
  return found->bundle;
}

// Multiplications whose results are read before a wait in the text, and more of them after it: the
// unit need not wait for the reads.
TEST_CASE("a wait goes before reads of results that have time") {
  constexpr int groups = 8;
  LinearText text;
  std::uint32_t last_read = 0;
  const auto product = [&](int from) {
    for (int i = 0; i < groups; ++i) {
      const std::string x = "x" + std::to_string(from + i);
      text.add(Op::vld, {text.v(x), LinearText::at(8 * (from + i))});
      text.add(Op::mxmul_bf16, {from + i, text.v(x), 8, 0, 0});
    }
    for (int i = 0; i < groups; ++i) {
      const std::string y = "y" + std::to_string(from + i);
      if (from + i == groups - 1)
        last_read = static_cast<std::uint32_t>(text.block.operations.size());
      text.add(Op::mxread, {text.v(y), from + i});
      text.add(Op::vst, {LinearText::at(512 + (8 * (from + i))), text.v(y)});
    }
  };
  product(0);
  const auto wait = static_cast<std::uint32_t>(text.block.operations.size());
  text.add(Op::wait, {1, 1});
  product(groups);
  text.add(Op::halt, {});
  const schedule::Result list = packed(text, Level::list);
  CHECK(bundle_of(list, wait) < bundle_of(list, last_read));
  const schedule::Result full = packed(text, Level::full);
  CHECK(bundle_of(full, wait) < bundle_of(full, last_read));
}

TEST_CASE("what reads a value of other regions too has time like any other") {
  CHECK(bundles_of_sums(true) <= bundles_of_sums(false) + 1);  // the first region is a bundle
}

}  // namespace tandem::test
